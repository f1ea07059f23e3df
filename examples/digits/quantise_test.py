# SPDX-License-Identifier: Apache-2.0
"""Quantising by hand is what ONNX Runtime's QuantizeLinear does, and only whole QDQ pairs are taken off the ends."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from examples.digits.dataset import split
from examples.digits.export import export
from examples.digits.network import initial_parameters
from examples.digits.oracle import answers
from examples.digits.quantise import Quantisation, quantise, with_int8_ends


def _quantiser(form: Quantisation) -> onnx.ModelProto:
    node = helper.make_node("QuantizeLinear", ["real", "scale", "zero_point"], ["stored"], name="quantise")
    graph = helper.make_graph(
        [node],
        "quantiser",
        [helper.make_tensor_value_info("real", TensorProto.FLOAT, [1, 1])],
        [helper.make_tensor_value_info("stored", TensorProto.INT8, [1, 1])],
        [
            numpy_helper.from_array(np.array(form.scale), "scale"),
            numpy_helper.from_array(np.array(form.zero_point), "zero_point"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("zero_point", [-128, -3, 0, 127])
def test_quantising_rounds_and_saturates_as_onnx_does(zero_point: int) -> None:
    form = Quantisation(np.float32(0.25), np.int8(zero_point))
    reals = np.arange(-70, 70, 0.125, dtype=np.float32)[:, np.newaxis]
    np.testing.assert_array_equal(form.quantise(reals), answers(_quantiser(form), reals))


def test_quantising_again_gives_the_same_model() -> None:
    training, _ = split()
    parameters = initial_parameters(np.random.Generator(np.random.PCG64(4)))
    parameters |= {name: value + np.float32(0.1) for name, value in parameters.items() if name.endswith("_bias")}
    first, again = (quantise(export(parameters), training.images[:20]) for _ in range(2))
    assert first.SerializeToString() == again.SerializeToString()


def test_float_ends_are_not_mistaken_for_a_pair() -> None:
    parameters = initial_parameters(np.random.Generator(np.random.PCG64(4)))
    with pytest.raises(ValueError, match="the ends are Conv and Softmax, not the outer QDQ pair"):
        with_int8_ends(export(parameters))
