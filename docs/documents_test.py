# SPDX-License-Identifier: Apache-2.0
"""What the documents say is so: commands name what there is and are run by somebody, code is code that is built,
links lead somewhere."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

README = Path("README.md")
DOCUMENTS = sorted([*Path().glob("*.md"), *Path("docs").glob("*.md"), *Path("boards").rglob("README.md")])
CONSUMER = [Path("tests/consumer", name) for name in ("BUILD.bazel", "MODULE.bazel", "main.c", "meter.c")]
CI = Path(".ci/run").read_text()
# Labels that Bazel has found; where one of them does not exist, this test is not built.
EXISTING = set(Path("docs/commanded.txt").read_text().split())
# Aliases, which Bazel follows.
ALIASES = {
    "//boards:update": "//compiler/stowage/target:board_products",
    "//tools/dev:check": "//tools/dev/check:check",
}
PATTERNS = {"//...", "//boards/...", "//boards/mps2_an385/...", "//tests/conformance/...", "//tests/misra/..."}

_COMMAND = re.compile(r"\./bazelw (build|test|run) ([^`\n#]+)")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def commands(document: Path) -> list[tuple[str, list[str]]]:
    """Verb and words of every call of bazelw in a document."""
    return [(verb, words.split()) for verb, words in _COMMAND.findall(document.read_text())]


def blocks(language: str) -> list[str]:
    return [body for tongue, body in _BLOCK.findall(README.read_text()) if tongue == language]


def canonical(label: str) -> str:
    """With the target's name, for instance //docs:docs for //docs, and what it stands for."""
    full = label if ":" in label else f"{label}:{label.rpartition('/')[2]}"
    return ALIASES.get(full, full)


def test_all_documents_are_looked_at() -> None:
    names = {str(document) for document in DOCUMENTS}
    assert {"README.md", "CONTRIBUTING.md", "docs/design.md", "docs/rules.md", "boards/nrf52/README.md"} <= names


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_commands_name_targets_that_exist(document: Path) -> None:
    for _, words in commands(document):
        label = words[0]
        assert label in PATTERNS or canonical(label) in EXISTING, label


def test_readme_s_commands_are_run() -> None:
    """Tests by `test //...` of continuous integration (less what takes long), programs by tests, the rest by name."""
    assert ("test", ["//..."]) in commands(README)
    assert re.search(r"^tests all -- //\.\.\. ", CI, re.MULTILINE)
    for verb, words in commands(README):
        if verb == "build":
            assert f"./bazelw build {words[0]}" in CI, words
        elif verb == "run":
            assert words[:2] == ["//compiler/stowage", "--"], words


@pytest.mark.parametrize("language", ["starlark", "c"])
def test_readme_s_code_is_the_consumer_s(language: str) -> None:
    """tests/consumer/check.sh builds and runs it; the file's header and what is beside the point are left out here."""
    sources = [path.read_text() for path in CONSUMER]
    found = blocks(language)
    assert found
    for block in found:
        assert any(block in source for source in sources), block


def test_continuous_integration_builds_the_consumer() -> None:
    assert "tests/consumer/check.sh" in CI


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document: Path) -> None:
    """Those of the text: what a block shows is a line of another file."""
    for target in _LINK.findall(_BLOCK.sub("", document.read_text())):
        assert Path(os.path.normpath(document.parent / target)).exists(), target


def skeleton(text: str) -> set[str]:
    """The lines of a report up to the largest symbols, without numbers and what they line up; gaps come and go."""
    head = text.partition("largest in flash")[0]
    lines = {" ".join(re.sub(r"[\d,.]+", "", line).split()) for line in head.splitlines() if line.strip()}
    return lines - {"padding B"}


def test_readme_s_report_looks_as_reports_do() -> None:
    """Its figures are of one day's compiler; its lines are those of the report of today's."""
    report = Path("boards/nrf52/model_fw.report.txt").read_text()
    (shown,) = (block for block in blocks("text") if block.startswith("Memory of "))
    assert skeleton(shown) == skeleton(report)


def test_readme_s_table_of_boards_is_complete() -> None:
    rows = {line.split("|")[1].strip(" `[]") for line in README.read_text().splitlines() if line.startswith("| [`")}
    names = {file.parent.name for file in Path("boards").glob("*/board.textproto")}
    assert {row.partition("`")[0] for row in rows} == names
