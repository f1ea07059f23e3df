# SPDX-License-Identifier: Apache-2.0
"""The files of this folder that are not written by hand: three models, images, the expected outputs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx

from examples.digits.dataset import Digits
from examples.digits.export import export
from examples.digits.layers import Array
from examples.digits.oracle import answers
from examples.digits.qoperator import to_qoperator
from examples.digits.quantise import quantisation, quantise

CALIBRATION_IMAGES = 128
"""Of the training images, what the model that is quantised in the build measures its ranges on; about as many."""


def _accuracy(outputs: npt.NDArray[Any], heldout: Digits) -> float:
    return float((outputs.argmax(axis=1) == heldout.labels).mean())


def write(folder: Path, parameters: Mapping[str, Array], training: Digits, heldout: Digits) -> Iterator[str]:
    """Writes every file into `folder`; yields a line on each model, with its accuracy on the held-out images."""
    float32 = export(parameters)
    int8 = quantise(float32, training.images)
    stored_images = quantisation(int8, "image").quantise(heldout.images)
    np.save(folder / "calibration_images.npy", training.images[:: len(training.labels) // CALIBRATION_IMAGES])
    np.save(folder / "heldout_images.npy", heldout.images)
    np.save(folder / "heldout_images_int8.npy", stored_images)
    np.save(folder / "heldout_labels.npy", heldout.labels)
    models: dict[str, tuple[onnx.ModelProto, npt.NDArray[Any]]] = {
        "f32": (float32, heldout.images),
        "int8": (int8, stored_images),
        "qoperator": (to_qoperator(int8), stored_images),
    }
    for name, (model, images) in models.items():
        outputs = answers(model, images)
        onnx.save(model, folder / f"digits_{name}.onnx")
        np.save(folder / f"expected_{name}.npy", outputs)
        yield f"digits_{name}.onnx: {_accuracy(outputs, heldout):.4f} of {len(heldout.labels)} held-out images"
