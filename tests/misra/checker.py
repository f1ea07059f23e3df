# SPDX-License-Identifier: Apache-2.0
"""What cppcheck's addon for MISRA C:2012 has against a C file and the headers that it includes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ADVISORY: Mapping[int, tuple[int, ...]] = {
    1: (2,),
    2: (3, 4, 5, 6, 7),
    4: (2,),
    5: (9,),
    8: (7, 9, 11, 13),
    10: (5,),
    11: (4, 5),
    12: (1, 3, 4),
    13: (3,),
    15: (1, 4, 5),
    17: (5, 8),
    18: (4, 5),
    19: (2,),
    20: (1, 5, 10),
    21: (12,),
}
"""By chapter the rules of the standard's category "advisory"; all others are required or mandatory."""

_PROGRAM = Path(os.environ.get("CPPCHECK", "cppcheck"))
_ADDON = _PROGRAM.parent / "../lib/x86_64-linux-gnu/cppcheck/addons/misra.py"
# A Cortex-M4 with GCC: without these the checker would try every combination of what the headers ask about.
_CORE = ("-D__GNUC__=12", "-D__arm__", "-D__thumb__", "-D__thumb2__")
_FINDING = re.compile(r"^\[(?P<path>.+):(?P<line>\d+)\] .*\[misra-c2012-(?P<rule>[\d.]+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A rule broken at a place. `path` is relative to runtime/include/stowage, or a generated file's name."""

    rule: str
    path: str
    line: int


def violations(source: Path, include: Path) -> list[Violation]:
    """Each violation of a required or mandatory rule, once; `include` is the runtime's folder of headers.

    Raises:
        RuntimeError: the checker could not read the file.
    """
    dump = source.with_name(f"{source.name}.dump")
    _run([str(_PROGRAM), "--std=c99", "--dump", "-q", *_CORE, f"-I{include}", f"-I{source.parent}", str(source)])
    found = _run([sys.executable, str(_ADDON), str(dump)], findings=True)
    if "Checking" not in found:
        raise RuntimeError(f"the addon did not check {source}: {found[:2000]}")
    return sorted(
        {
            Violation(match["rule"], _shown(match["path"], include), int(match["line"]))
            for match in _FINDING.finditer(found)
            if not _is_advisory(match["rule"])
        }
    )


def _is_advisory(rule: str) -> bool:
    chapter, _, number = rule.partition(".")
    return int(number) in ADVISORY.get(int(chapter), ())


def _shown(path: str, include: Path) -> str:
    root = f"{include}/stowage/"
    return path.removeprefix(root) if path.startswith(root) else Path(path).name


def _run(command: list[str], *, findings: bool = False) -> str:
    # The addon imports its neighbours, which Python leaves out of its path where PYTHONSAFEPATH is set.
    environment = os.environ | {"PYTHONPATH": str(_ADDON.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode and not findings:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr
