# SPDX-License-Identifier: Apache-2.0
"""A case through the whole compiler, and what comes of it: C, a sentence, or a defect."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stowage.errors import InvalidPlan, StowageError
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.target import Target
from tests.conformance.case import Case
from tests.conformance.constants import as_built
from tests.conformance.scope import operators, out_of_scope
from tests.conformance.verdict import OutputType, Verdict
from tests.time_limit import time_limit

TIME_LIMIT_S = 30
_EXPANDED = "_expanded"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A verdict; where the case compiled, its C, and the inputs' data in the order in which the model takes them."""

    verdict: Verdict
    compiled: Compiled | None = None
    inputs: tuple[Array, ...] = ()


def compile_case(case: Case, tested_operator: str, target: Target, folder: Path) -> Attempt:
    """Compiles a case for a board; `folder` is for scratch files."""
    outside = out_of_scope(case.model)
    model, data = as_built(case)
    path = folder / f"{case.name}.onnx"
    path.write_bytes(model.SerializeToString())
    try:
        with time_limit(TIME_LIMIT_S):
            compiled = compile_model(ModelRequest(path, case.name), target)
    except InvalidPlan as error:
        return Attempt(Verdict(case.name, tested_operator, outside, fault=f"validator: {error}"))
    except StowageError as refusal:
        sentence = str(refusal).removeprefix(f"{path}: ")
        return Attempt(Verdict(case.name, tested_operator, outside, sentence, refusal.reason))
    except Exception:
        return Attempt(Verdict(case.name, tested_operator, outside, fault=traceback.format_exc()))
    return _compiled(case, tested_operator, outside, compiled, data)


def _compiled(case: Case, operator: str, outside: str, compiled: Compiled, data: Mapping[str, Array]) -> Attempt:
    taken = [port.value.name for port in compiled.program.inputs]
    types = [port.value.type for port in compiled.program.outputs]
    outputs = tuple(OutputType(str(type_.dtype.numpy), type_.shape) for type_ in types)
    verdict = Verdict(case.name, operator, outside, relative=case.relative, absolute=case.absolute, outputs=outputs)
    return Attempt(verdict, compiled, tuple(data[name] for name in taken))


def operators_by_case(cases: Mapping[str, Case]) -> dict[str, str]:
    """The operator that each case tests; for the expansion of a function's case, that of the case it expands."""
    return {name: next(operators(cases[_origin(name, cases)].model.graph)) for name in cases}


def _origin(name: str, cases: Mapping[str, Case]) -> str:
    origin = name.partition(_EXPANDED)[0]
    return origin if origin in cases else name
