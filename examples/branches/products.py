# SPDX-License-Identifier: Apache-2.0
"""The files of this folder that are not written by hand: two models, eight inputs, the expected outputs."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx

from examples.branches import architecture
from examples.branches.fold_batch_norm import fold_batch_norms
from examples.digits.oracle import answers
from examples.digits.quantise import quantisation, quantise

Floats = npt.NDArray[np.float32]

INPUT_SEED, INPUTS = 31, 8
CALIBRATION_SEED, CALIBRATION_IMAGES = 32, 64


def images(count: int, seed: int) -> Floats:
    """`count` images `[count, 3, 24, 24]` from -1 to 1: noise over a slope, so that channels and corners differ."""
    draw = np.random.Generator(np.random.PCG64(seed))
    channels, height, width = architecture.IMAGE_SHAPE
    noise = draw.uniform(-0.5, 0.5, (count, channels, height, width))
    down, right = draw.uniform(-0.25, 0.25, (2, count, channels, 1, 1))
    rows, columns = np.linspace(-1, 1, height)[:, np.newaxis], np.linspace(-1, 1, width)
    drawn: Floats = (noise + down * rows + right * columns).astype(np.float32)
    return drawn


def int8_model(float32: onnx.ModelProto) -> onnx.ModelProto:
    """The int8 QDQ form of `float32`, calibrated on images that are not among the inputs."""
    return quantise(fold_batch_norms(float32), images(CALIBRATION_IMAGES, CALIBRATION_SEED))


def write(folder: Path) -> Iterator[str]:
    """Writes every file into `folder`; yields a line on each model."""
    float32 = architecture.build()
    int8 = int8_model(float32)
    inputs = images(INPUTS, INPUT_SEED)
    stored_inputs = quantisation(int8, "image").quantise(inputs)
    np.save(folder / "inputs.npy", inputs)
    np.save(folder / "inputs_int8.npy", stored_inputs)
    for name, model, fed in (("f32", float32, inputs), ("int8", int8, stored_inputs)):
        onnx.save(model, folder / f"branches_{name}.onnx")
        np.save(folder / f"expected_{name}.npy", answers(model, fed))
        yield f"branches_{name}.onnx: {len(model.graph.node)} nodes, {model.ByteSize()} bytes"
