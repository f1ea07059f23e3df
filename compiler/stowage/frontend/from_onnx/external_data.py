# SPDX-License-Identifier: Apache-2.0
"""Weights that lie in files beside the model: read into the message, and from nowhere but the model's own folder."""

from __future__ import annotations

from pathlib import Path

from onnx import ModelProto, TensorProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.subgraphs import all_graphs


def load_external_data(model: ModelProto, folder: Path) -> None:
    """Fills in the raw data of every initialiser that is kept outside of the message.

    Raises:
        InvalidModel: a file is missing, outside of `folder`, or shorter than the tensor says.
    """
    for tensor in (tensor for graph in all_graphs(model.graph) for tensor in graph.initializer):
        if tensor.data_location == TensorProto.EXTERNAL:
            tensor.raw_data = _bytes_of(tensor, folder)
            tensor.data_location = TensorProto.DEFAULT
            del tensor.external_data[:]


def _bytes_of(tensor: TensorProto, folder: Path) -> bytes:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    path = _inside(folder, location, tensor.name)
    offset, length = _number(entries, "offset", tensor.name), _number(entries, "length", tensor.name)
    try:
        size = path.stat().st_size
        end = size if length is None else (offset or 0) + length
        if (offset or 0) > size or end > size:
            raise _refused(tensor.name, f"claims bytes {offset or 0} to {end} of {location!r}, which has {size}")
        with path.open("rb") as file:
            file.seek(offset or 0)
            return file.read(end - (offset or 0))
    except OSError as error:
        raise _refused(tensor.name, f"keeps its data in {location!r}, unreadable ({error})") from None


def _inside(folder: Path, location: str, name: str) -> Path:
    """The file, links followed, which must lie in the model's folder: a model is no licence to read the machine."""
    if not location or "\0" in location:
        raise _refused(name, f"names no usable file for its external data ({location!r})")
    path = (folder / location).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise _refused(name, f"keeps its data in {location!r}, outside of the model's folder")
    return path


def _number(entries: dict[str, str], key: str, name: str) -> int | None:
    text = entries.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise _refused(name, f"has the {key} {text[:40]!r} in its external data, which is no number of bytes")
    return int(text)


def _refused(name: str, reason: str) -> InvalidModel:
    return InvalidModel(
        where=f"initialiser {name!r}",
        reason=reason,
        remedy="keep the external data beside the model as it was exported, or save the model with its weights inside",
    )
