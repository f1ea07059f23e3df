# SPDX-License-Identifier: Apache-2.0
"""The committed files are those that the seeds give, and the answers depend on what came before."""

from pathlib import Path

import numpy as np
import onnx

from examples.stream.network import answers, frames, network

FOLDER = Path(__file__).parent


def test_the_model_is_what_the_seeds_give() -> None:
    assert onnx.load(FOLDER / "stream.onnx") == network()


def test_inputs_and_answers_are_what_the_seeds_give() -> None:
    inputs, expected = np.load(FOLDER / "inputs.npy"), np.load(FOLDER / "expected.npy")
    np.testing.assert_array_equal(inputs, frames())
    np.testing.assert_allclose(expected, answers(onnx.load(FOLDER / "stream.onnx"), inputs), rtol=1e-5, atol=1e-5)


def test_each_answer_depends_on_the_steps_before() -> None:
    expected = np.load(FOLDER / "expected.npy")
    alone = np.stack([answers(network(), frame[np.newaxis])[0] for frame in frames()])
    differences = np.abs(expected - alone).max(axis=(1, 2))
    assert differences[0] < 1e-6
    assert (differences[1:] > 1e-4).all()
