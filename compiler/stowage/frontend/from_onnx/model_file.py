# SPDX-License-Identifier: Apache-2.0
"""From a path to ONNX's protobuf message: what is no ONNX file is told by what it is."""

from __future__ import annotations

from pathlib import Path

from google.protobuf.message import DecodeError
from onnx import ModelProto

from stowage.errors import InvalidModel

LARGEST_FILE_BYTES = 2**31 - 1
"""What one protobuf message can hold."""

_FOREIGN = (
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"\x89HDF", "an HDF5 file (Keras)"),
    (0, b"PK\x03\x04", "a zip archive (a PyTorch checkpoint or a Keras model is one)"),
    (0, b"\x80\x02", "a Python pickle"),
    (0, b"\x7fELF", "an ELF file"),
    (4, b"TFL3", "a TensorFlow Lite model"),
    (4, b"ORTM", "an ONNX Runtime ORT-format model"),
    (0, b"version https://git-lfs", "a Git LFS pointer, not the file that it stands for"),
)
_EXPORT_AGAIN = "give the path of a model that an ONNX exporter wrote"


def read_model_proto(path: Path) -> ModelProto:
    """The message in the file.

    Raises:
        InvalidModel: there is no such file, or it is empty, too large, cut short or of another format.
    """
    data = _bytes_of(path)
    model = ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError:
        raise _undecodable(data) from None
    if not model.HasField("graph"):
        raise _undecodable(data)
    return model


def _bytes_of(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE_BYTES:
            raise InvalidModel(
                reason=f"the file has {size} bytes, more than a protobuf message can hold ({LARGEST_FILE_BYTES})",
                remedy="keep its weights in external data",
            )
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidModel(reason=f"cannot be read ({reason})", remedy=_EXPORT_AGAIN) from None
    if not data:
        raise InvalidModel(reason="the file is empty", remedy=_EXPORT_AGAIN)
    return data


def _undecodable(data: bytes) -> InvalidModel:
    for offset, magic, description in _FOREIGN:
        if data[offset:].startswith(magic):
            return InvalidModel(reason=f"this is {description}, not an ONNX model", remedy=_EXPORT_AGAIN)
    # An ONNX file begins with the field ir_version (tag 1, varint) from every exporter there is.
    if data[:1] == b"\x08":
        return InvalidModel(
            reason=f"the ONNX model is cut short or corrupt (the file has {len(data)} bytes)",
            remedy="copy or export it again",
        )
    return InvalidModel(reason="this is not an ONNX model: its bytes do not decode as one", remedy=_EXPORT_AGAIN)
