# SPDX-License-Identifier: Apache-2.0
"""Writes the networks, vectors of the classifier at each size and a stream's runs as C into a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tests.sizes.network import (
    BATCHES,
    CHUNKS,
    FEATURES,
    FRAMES,
    HIDDEN,
    Array,
    classifier,
    classifier_vectors,
    stream,
    stream_vectors,
)

_VECTORS = 12


def main(folder: Path) -> None:
    """Makes every file."""
    for name, model in (("classifier", classifier()), ("stream", stream())):
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    for batch in BATCHES:
        for frames in FRAMES:
            inputs, expected = classifier_vectors(batch, frames, _VECTORS)
            np.save(folder / f"inputs_{frames}_{batch}.npy", inputs)
            np.save(folder / f"expected_{frames}_{batch}.npy", expected)
    (folder / "stream_vectors.h").write_text(_stream_header())


def _stream_header() -> str:
    """Inputs and results one run after the other, and the frames of each run."""
    chunks = CHUNKS * 4
    runs = stream_vectors(chunks)
    return (
        "#include <stdint.h>\n\n"
        f"#define STREAM_RUNS {len(chunks)}u\n#define STREAM_FEATURES {FEATURES}u\n#define STREAM_HIDDEN {HIDDEN}u\n\n"
        f"static const uint32_t stream_frames[] = {{{', '.join(f'{frames}u' for frames in chunks)}}};\n"
        f"static const float stream_inputs[] = {{{_floats(inputs for inputs, _ in runs)}}};\n"
        f"static const float stream_expected[] = {{{_floats(results for _, results in runs)}}};\n"
    )


def _floats(arrays: Iterable[Array]) -> str:
    return ", ".join(f"{float(element)!r}f" for array in arrays for element in array.ravel())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
