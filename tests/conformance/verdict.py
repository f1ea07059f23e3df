# SPDX-License-Identifier: Apache-2.0
"""What the compiler made of a case, as it is handed from the build to the tests and to the generated pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class OutputType:
    """Element type, as NumPy names it, and shape of an output as compiled."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case. It compiled where both `refusal` and `fault` are empty.

    Attributes:
        name: the case's.
        operator: what ONNX tests with it: the operator of its first node, or the function that its nodes expand.
        out_of_scope: why it is out of scope, or empty.
        refusal: the compiler's sentence.
        reason: the part of it that says what is wrong.
        fault: what else came of it, which is a defect: a traceback, no end in time.
        relative: largest relative difference that the case allows.
        absolute: largest absolute difference beside that.
        outputs: what the compiled model gives.
    """

    name: str
    operator: str
    out_of_scope: str
    refusal: str = ""
    reason: str = ""
    fault: str = ""
    relative: float = 0.0
    absolute: float = 0.0
    outputs: tuple[OutputType, ...] = ()

    @property
    def is_compiled(self) -> bool:
        """Whether there is C to run."""
        return not self.refusal and not self.fault


def write_verdicts(verdicts: Sequence[Verdict], file: Path) -> None:
    """Writes a file that `read_verdicts` reads."""
    lines = (json.dumps(asdict(verdict)) for verdict in verdicts)
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read_verdicts(file: Path) -> list[Verdict]:
    """The verdicts in the order of the cases' names."""
    return [_verdict(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def _verdict(fields: dict[str, Any]) -> Verdict:
    outputs = tuple(OutputType(each["dtype"], tuple(each["shape"])) for each in fields.pop("outputs"))
    return Verdict(**fields, outputs=outputs)


def group_of(verdicts: Sequence[Verdict], group: int, groups: int) -> list[Verdict]:
    """The cases that share an image: every n-th, so that groups take about the same time."""
    return list(verdicts[group::groups])
