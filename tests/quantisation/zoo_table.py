# SPDX-License-Identifier: Apache-2.0
"""The table of the zoo's models in docs/quantisation.md: `STOWAGE_ZOO=... bazel run //tests/quantisation:zoo_table`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from stowage.quantise.search import Means
from tests.quantisation.zoo_error import ZooError, zoo_error

PAGE = Path("docs/quantisation.md")
_TITLES = (
    *("model", "outputs' RMS", "RMS error", "ONNX Runtime's", "largest error", "ONNX Runtime's"),
    *("MACs in int8", "ranges", "kept"),
)
_TABLE = re.compile(r"(?<=<!-- zoo: begin -->\n).*?(?=<!-- zoo: end -->)", re.DOTALL)


def float_models(zoo: Path) -> list[Path]:
    """The folders of the zoo's float models."""
    metas = sorted(zoo.glob("*/meta.json"))
    return [meta.parent for meta in metas if json.loads(meta.read_text())["kind"] == "float"]


def row(name: str, found: ZooError) -> str:
    """A model's line of the table."""
    means, outcome, theirs = found.outcome.means, found.outcome, found.theirs
    cells = (
        name,
        f"{found.size:.3g}",
        f"{found.ours.rms:.3g}",
        "-" if theirs is None else f"{theirs.rms:.3g}",
        f"{found.ours.largest:.3g}",
        "-" if theirs is None else f"{theirs.largest:.3g}",
        f"{100 * outcome.integer_macs / outcome.macs:.1f} %",
        means.ranges,
        ", ".join(_kept(means)) or "-",
    )
    return f"| {' | '.join(cells)} |"


def _kept(means: Means) -> list[str]:
    done = {"equalisation": means.equalised, "biases": means.corrected, "rounding": means.rounded}
    return [name for name, kept in done.items() if kept]


def rows_of(page: str) -> dict[str, list[str]]:
    """The cells of the page's table by model."""
    (table,) = _TABLE.findall(page)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    return {each[0]: each for each in cells}


def main() -> None:
    """Measures all models and writes the table into the page."""
    page = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."), PAGE)
    lines = [f"| {' | '.join(_TITLES)} |", f"|{' --- |' * len(_TITLES)}"]
    for folder in float_models(Path(os.environ["STOWAGE_ZOO"])):
        lines.append(row(folder.name, zoo_error(folder)))
        print(lines[-1], flush=True)
    table = "\n".join(["", *lines, "", ""])
    page.write_text(_TABLE.sub(lambda _: table, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
