# SPDX-License-Identifier: Apache-2.0
"""The generated pages are those that the sources give, and leave nothing out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from docs.operator_examples import EXAMPLES
from docs.operator_table import NOTES, WITHOUT_EXAMPLE
from docs.starlark_reference import rule_reference
from docs.tflite_operator_table import ELEMENTS
from docs.tflite_operator_table import NOTES as NOTES_OF_TFLITE
from docs.update import pages
from stowage.frontend.from_onnx.operators.table import IMPORTERS
from stowage.frontend.from_onnx.structure.table import STRUCTURES
from stowage.frontend.from_tflite.operators.table import TRANSLATORS

WORKSPACE = Path()
PLACES = ["docs/conformance.md", "docs/operators.md", "docs/rules.md", "docs/tflite_operators.md"]


@pytest.mark.parametrize("place", PLACES)
def test_page_is_up_to_date(place: str) -> None:
    assert Path(place).read_text() == pages(WORKSPACE)[place], "run ./bazelw run //docs:update"


def test_every_operator_that_is_imported_is_listed() -> None:
    shown = [example.operator for example in EXAMPLES]
    assert sorted([*shown, *WITHOUT_EXAMPLE]) == sorted([*IMPORTERS, "Identity"])
    assert set(NOTES) <= {*IMPORTERS, *STRUCTURES}


def test_every_operator_of_tflite_that_is_imported_is_listed_once() -> None:
    listed = [operator for operators in ELEMENTS.values() for operator in operators]
    assert sorted(listed) == sorted(TRANSLATORS)
    assert set(NOTES_OF_TFLITE) <= set(TRANSLATORS)


def test_every_public_name_has_its_section() -> None:
    page = rule_reference(WORKSPACE)
    bound = {
        target.id
        for statement in ast.parse(Path("defs.bzl").read_text()).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    assert {"stowage_board", "stowage_budget_test", "stowage_firmware", "stowage_model", "stowage_qemu_test"} <= bound
    assert {line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")} == bound


def write_defs(folder: Path, definition: str) -> None:
    (folder / "defs.bzl").write_text('load("//rules:x.bzl", _stowage_x = "stowage_x")\n\nstowage_x = _stowage_x\n')
    (folder / "rules").mkdir()
    (folder / "rules" / "x.bzl").write_text(definition)


def test_macro_with_an_argument_that_it_does_not_describe(tmp_path: Path) -> None:
    write_defs(tmp_path, 'def stowage_x(name, y):\n    """X.\n\n    Args:\n      name: its name\n    """\n')
    with pytest.raises(LookupError, match="stowage_x describes other arguments than it has"):
        rule_reference(tmp_path)


def test_rule_without_a_word_on_an_attribute(tmp_path: Path) -> None:
    write_defs(tmp_path, 'stowage_x = rule(doc = "X.", attrs = {"y": attr.label()})\n')
    with pytest.raises(KeyError, match="doc"):
        rule_reference(tmp_path)


def test_rule(tmp_path: Path) -> None:
    attributes = '{"y": attr.int(doc = "Y.", default = 3), "_z": attr.label()} | OTHERS'
    write_defs(tmp_path, f'stowage_x = rule(doc = """Does x,\nand y.""", attrs = {attributes})\n')
    page = rule_reference(tmp_path)
    assert "## stowage_x\n\nDoes x, and y.\n\n" in page
    assert "| `y` | `3` | Y. |\n" in page
    assert "_z" not in page
