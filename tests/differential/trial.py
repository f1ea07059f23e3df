# SPDX-License-Identifier: Apache-2.0
"""From a seed to a verdict: the model in a form, compiled, run on this machine, compared."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from stowage.errors import InvalidPlan, StowageError
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.find_board import find_board
from tests.differential.expanded import expanded
from tests.differential.generated_c import Broken, Case, build_and_run
from tests.differential.judgement import deviations
from tests.differential.onnx_runtime import Judge, Refused
from tests.differential.quantised_forms import quantised
from tests.differential.random_model import RandomModel, fresh_inputs, random_model
from tests.differential.sprinkled import sprinkled
from tests.time_limit import time_limit

_VECTORS = 2
_COMPILE_SECONDS = 60


class Form(Enum):
    """How a model holds its numbers."""

    FLOAT = "float"
    QDQ = "qdq"
    QOPERATOR = "qoperator"
    SPRINKLED = "sprinkled"


@dataclass(frozen=True, slots=True)
class Subject:
    """One model under test; `name` says how to make it again."""

    name: str
    model: RandomModel
    seed: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a subject. `refusal` and `faults` are both empty where all is well."""

    subject: Subject
    refusal: str = ""
    faults: tuple[str, ...] = ()


def subjects(seed: int, folder: Path, most_layers: int) -> list[Subject]:
    """The model of a seed in every form that it has and that ONNX Runtime runs."""
    base = random_model(seed, most_layers)
    models: dict[Form, RandomModel | None] = {Form.FLOAT: base}
    for form in (Form.QDQ, Form.QOPERATOR):
        models[form] = quantised(base, seed, folder, qoperator=form is Form.QOPERATOR)
    models[Form.SPRINKLED] = sprinkled(base, seed)
    return [
        Subject(f"s{seed}_{most_layers}_{form.value}", model, seed)
        for form, model in models.items()
        if model is not None and _has_judge(model)
    ]


def _has_judge(model: RandomModel) -> bool:
    try:
        Judge(expanded(model.proto)).run(model.inputs)
    except Refused:
        return False
    return True


def judge(batch: Sequence[Subject], folder: Path, poison: bool) -> list[Verdict]:
    """A verdict on each; one C program serves them all."""
    verdicts: dict[str, Verdict] = {}
    cases: dict[str, Case] = {}
    for subject in batch:
        compiled = _compiled(subject, folder)
        if isinstance(compiled, Verdict):
            verdicts[subject.name] = compiled
        else:
            vectors = tuple(fresh_inputs(subject.model, subject.seed + 1000 + run) for run in range(_VECTORS))
            cases[subject.name] = Case(compiled, vectors)
    answers = dict(zip(cases, build_and_run(list(cases.values()), folder, poison) if cases else [], strict=True))
    for subject in batch:
        if subject.name in cases:
            verdicts[subject.name] = _judged(subject, cases[subject.name], answers[subject.name])
    return [verdicts[subject.name] for subject in batch]


def _compiled(subject: Subject, folder: Path) -> Compiled | Verdict:
    path = folder / f"{subject.name}.onnx"
    path.write_bytes(subject.model.proto.SerializeToString())
    try:
        with time_limit(_COMPILE_SECONDS):
            return compile_model(ModelRequest(path, subject.name), find_board("host"))
    except InvalidPlan as error:
        return Verdict(subject, faults=(f"validator: {error}",))
    except StowageError as refusal:
        text = str(refusal).removeprefix(f"{path}: ")
        return Verdict(subject, refusal=text) if "\n" not in text else Verdict(subject, faults=(f"two lines: {text}",))
    except Exception:
        return Verdict(subject, faults=(traceback.format_exc(),))


def _judged(subject: Subject, case: Case, answers: list[dict[str, Array]] | Broken) -> Verdict:
    if isinstance(answers, Broken):
        return Verdict(subject, faults=(str(answers),))
    faults: list[str] = []
    for run, (vector, found) in enumerate(zip(case.vectors, answers, strict=True)):
        try:
            judged = deviations(subject.model.proto, vector, found, subject.seed)
        except Refused as refusal:
            return Verdict(subject, faults=(f"the judge fails: {refusal}",))
        faults += [f"vector {run}: {each}" for each in judged if each.is_wrong]
    return Verdict(subject, faults=tuple(faults))
