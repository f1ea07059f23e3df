# SPDX-License-Identifier: Apache-2.0
"""The list of supported operators as Markdown: which kernels each becomes, found by compiling an example of each."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import onnx
from onnx import ModelProto

from docs.conformance_page import by_operator, in_scope, passing
from docs.operator_example import Example, float_model, int8_model
from docs.operator_examples import EXAMPLES
from stowage.frontend.from_onnx.function_bodies import has_body
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.opset import OLDEST_OPSET, PREVIEW_DOMAIN
from stowage.frontend.from_onnx.static_evaluation import is_evaluated
from stowage.frontend.from_onnx.structure.table import STRUCTURES
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.target import Target
from tests.conformance.verdict import Verdict

# QuantizeLinear and DequantizeLinear are as old as this.
OLDEST_QDQ_OPSET = 10
_RENAMES = "no code, unless between an input and an output of the model"
# What the table cannot show.
NOTES = {
    "AveragePool": "dilation from operator set 19 on",
    "BatchNormalization": "folded into a convolution or dense layer before it where its parameters are constant",
    "BlackmanWindow": "size constant; stored among the weights",
    "Cast": "between floats of 16 and 32 bits, integers of 8 to 64 bits and bool",
    "CenterCropPad": "shape constant",
    "Clip": "folded into the layer before it",
    "Compress": "condition constant",
    "Constant": "stored among the weights",
    "Conv": "one to three spatial axes; groups, depthwise, dilation, auto_pad, uneven pads; float32 with three axes or "
    "weights of run time",
    "ConvTranspose": "one to three spatial axes, two in int8; groups, dilation, output_padding, output_shape, auto_pad",
    "DeformConv": "two spatial axes",
    "CumProd": "axis constant",
    "CumSum": "axis constant",
    "DFT": "length and axis constant; a product with a constant matrix",
    "DequantizeLinear": "folded into int8 kernels where scale and zero point are constant; else arithmetic, blocks too",
    "Dropout": "in inference; " + _RENAMES,
    "Einsum": "any equation; products of matrices",
    "EyeLike": "stored among the weights",
    "Flatten": _RENAMES,
    "Gemm": "alpha, beta, transposes",
    "HammingWindow": "as BlackmanWindow",
    "HannWindow": "as BlackmanWindow",
    "Identity": _RENAMES,
    "MelWeightMatrix": "stored among the weights",
    "OneHot": "depth constant",
    "Pad": "pads constant; folded into a convolution where it is the zero point",
    "QLinearConv": "as Conv; integers throughout",
    "QLinearMatMul": "integers throughout",
    "QuantizeLinear": "folded into int8 kernels where scale and zero point are constant; else arithmetic, blocks too",
    "ReduceMean": "over the spatial axes of int8 in integers",
    "Relu": "folded into the layer before it",
    "Reshape": _RENAMES,
    "Resize": "every mode, with constant scales or sizes; int8 of nearest and of linear along two axes",
    "RoiAlign": "sampling_ratio given",
    "STFT": "step and length of frames constant; as DFT, a constant window in the matrix",
    "Scatter": "as ScatterElements",
    "ScatterElements": "all reductions; an index outside is taken for the nearest inside",
    "ScatterND": "as ScatterElements",
    "Shape": "of shapes that are known at build time, as all are",
    "Size": "as Shape",
    "Squeeze": _RENAMES,
    "TensorScatter": "linear and circular",
    "TopK": "k constant; always sorted; as many instructions whatever the order",
    "Unsqueeze": _RENAMES,
    "Where": "where_…; with broadcasting",
    "Upsample": "operator sets 7 to 9; Resize since",
}
# Operators that have no example of their own form: constants, shapes, choices, and what is quantised as such.
WITHOUT_EXAMPLE = (
    "BlackmanWindow",
    "Cast",
    "Constant",
    "DequantizeLinear",
    "EyeLike",
    "HammingWindow",
    "HannWindow",
    "MelWeightMatrix",
    "QLinearConv",
    "QLinearMatMul",
    "QuantizeLinear",
    "Shape",
    "Size",
    "Where",
)

# Operators that run graphs, or put names to what others make: gone before there is code.
_UNROLLED = "unrolled; how often and which way must be known at build time"
_AT_BUILD_TIME = "sequences and optional values exist at build time"
STRUCTURE_NOTES = {
    name: _UNROLLED if name in ("If", "Loop", "Scan") else _AT_BUILD_TIME for name in STRUCTURES if name != "Identity"
}

_HEAD = """\
# Operators

Models of ONNX's operator sets {oldest} to {newest} are read. A cell names the kernels that an operator becomes, as the
compiler chooses them for a small example in which it stands alone; in a model it is often folded into its neighbours.
A cell with `dequantise_…`, a float kernel and `quantise_…` means that an int8 model computes this operator in float32.
`runtime/include/stowage/kernels/` has each kernel's contract.

The last column but one counts ONNX's own backend tests of the operator that are in scope, and how many of them pass on
the host and on an emulated Cortex-M4F; the others are refused. [conformance.md](conformance.md) names every one.

Generated by `./bazelw run //docs:update`.

| Operator | float32 | int8 (QDQ) | ONNX's tests | Notes |
| --- | --- | --- | --- | --- |
"""
_BODIES = """
## Made of parts

ONNX defines these by a body of other operators, and they become what the body does: {names}.
"""
_CONSTANTS = """
## On constants alone

These are computed while the model is read, if what they are computed from is constant (or a shape): {names}.
"""


def operator_page(target: Target, verdicts: Sequence[Verdict]) -> str:
    """The page for a board whose core all kernels know, with what became of ONNX's backend tests."""
    cases = by_operator(verdicts)
    kernels = {example.operator: _both_kernels(example, target) for example in EXAMPLES}
    operators = sorted({*kernels, *WITHOUT_EXAMPLE, *STRUCTURES, *cases})
    table = "".join(_line(operator, kernels.get(operator, ("", "")), cases) for operator in operators)
    head = _HEAD.format(oldest=OLDEST_OPSET, newest=onnx.defs.onnx_opset_version())
    return (
        head + table + _BODIES.format(names=_listed(_of_parts())) + _CONSTANTS.format(names=_listed(_only_evaluated()))
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _of_parts() -> list[str]:
    """Bernoulli has a body, but that draws random numbers."""
    newest = onnx.defs.onnx_opset_version()
    schemas = (schema for schema in onnx.defs.get_all_schemas() if schema.domain in ("", PREVIEW_DOMAIN))
    nodes = [onnx.NodeProto(op_type=schema.name, domain=schema.domain) for schema in schemas]
    names = {node.op_type for node in nodes if has_body(node, newest)}
    return sorted(names - {*IMPORTERS, *STRUCTURES, "Bernoulli"})


def _only_evaluated() -> list[str]:
    names = {schema.name for schema in onnx.defs.get_all_schemas() if is_evaluated(schema.name)}
    return sorted(names - {*IMPORTERS, *STRUCTURES})


def _both_kernels(example: Example, target: Target) -> tuple[str, str]:
    has_int8 = example.has_int8 and example.opset >= OLDEST_QDQ_OPSET
    int8 = _kernels(int8_model(example), target) if has_int8 else ""
    return _kernels(float_model(example), target), int8


def _line(operator: str, kernels: tuple[str, str], cases: Mapping[str, Sequence[Verdict]]) -> str:
    tested = in_scope(cases.get(operator, ()))
    tests = f"{passing(tested)} of {len(tested)}" if tested else ""
    return f"| {operator} | {' | '.join(kernels)} | {tests} | {(NOTES | STRUCTURE_NOTES).get(operator, '')} |\n"


def _kernels(model: ModelProto, target: Target) -> str:
    """The kernels that a model's steps call, in order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "example.onnx")
        path.write_bytes(model.SerializeToString())
        calls = compile_model(ModelRequest(path), target).program.calls
    return ", ".join(_unique(f"`{call.function.removeprefix('stw_')}`" for call in calls))


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
