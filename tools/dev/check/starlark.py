# SPDX-License-Identifier: Apache-2.0
"""Conventions of Starlark files: buildifier's own, as far as they are worth a finding.

Every rule is loaded; loads come sorted and used; a file opens with its docstring; a target's attributes and its lists
of labels are in order; quotes, white space and trailing commas are as buildifier writes them. Starlark's syntax is
Python's as far as this needs, so Python's own parser reads it.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    """A breach of a convention: the line it is on, and what is wrong there."""

    line: int
    wrong: str


# The families of rules that Bazel still has built in. Those that are loaded go before them.
_BUILT_IN_RULE = re.compile(r"(cc|java|proto|py|sh)_(binary|import|library|test|toolchain)")
# buildifier's order of a target's attributes: these, then all others by name, then those.
_FIRST_ATTRIBUTES = ["name", "size", "timeout", "testonly", "src", "srcs_version", "srcs", "out", "outs", "hdrs"]
_LAST_ATTRIBUTES = ["destdir", "exports", "runtime_deps", "deps", "implementation", "implements", "alwayslink"]
_SORTED_ATTRIBUTES = {"data", "deps", "exports", "hdrs", "srcs", "textual_hdrs", "tools"}


def check_starlark(path: Path, text: str) -> list[Finding]:
    """All findings in one file, in the order of its lines."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [Finding(error.lineno or 1, f"does not parse: {error.msg}")]
    checks = (_white_space(text), _quotes(text), _docstring(path, tree), _loads(tree), _unloaded_rules(tree))
    findings = [finding for check in checks for finding in check]
    findings += [*_trailing_commas(text, tree), *_ordered_attributes(path, tree), *_sorted_labels(tree)]
    return sorted(findings)


def _white_space(text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line != line.rstrip():
            yield Finding(number, "white space at the end of the line")
        if "\t" in line:
            yield Finding(number, "a tab: indent by four spaces")
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield Finding(text.count("\n"), "the file does not end in one newline")


def _quotes(text: str) -> Iterator[Finding]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.string.lstrip("rb").startswith("'") and '"' not in token.string:
            yield Finding(token.start[0], "a string in single quotes: use double quotes")


def _docstring(path: Path, tree: ast.Module) -> Iterator[Finding]:
    if path.suffix == ".bzl" and ast.get_docstring(tree) is None:
        yield Finding(1, "no docstring that says what the file is")


def _calls(tree: ast.AST, name: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def _loads(tree: ast.Module) -> Iterator[Finding]:
    for _, statements in itertools.groupby(tree.body, key=_is_load):
        loads = [call for statement in statements for call in _calls(statement, "load")]
        labels = [_string(load.args[0]) for load in loads]
        if labels != sorted(labels, key=_label_order):
            yield Finding(
                loads[0].lineno, "loads out of order: @repositories, then //packages, then :files, each sorted"
            )
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for load in _calls(tree, "load"):
        symbols = [_string(symbol) for symbol in load.args[1:]]
        symbols += [keyword.arg or "" for keyword in load.keywords]
        if symbols != sorted(symbols):
            yield Finding(load.lineno, "loaded symbols out of order")
        for symbol in symbols:
            if symbol not in used and not _is_exported(tree, symbol):
                yield Finding(load.lineno, f"{symbol} is loaded and not used")


def _is_load(statement: ast.stmt) -> bool:
    """Loads are sorted among their neighbours: in WORKSPACE, some have to wait for what stands between."""
    return any(isinstance(statement, ast.Expr) and statement.value is load for load in _calls(statement, "load"))


def _is_exported(tree: ast.Module, symbol: str) -> bool:
    """Whether a file of nothing but loads and assignments passes the symbol on."""
    assigned = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    return any(isinstance(value, ast.Name) and value.id == symbol for value in assigned)


def _label_order(label: str) -> tuple[int, list[str]]:
    """buildifier's order of labels in loads: by kind, then package, then file."""
    return (0 if label.startswith("@") else 2 if label.startswith(":") else 1, label.split(":"))


def _unloaded_rules(tree: ast.Module) -> Iterator[Finding]:
    loaded = {_string(symbol) for load in _calls(tree, "load") for symbol in load.args[1:]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).removeprefix("native.")
            if _BUILT_IN_RULE.fullmatch(name) and name not in loaded:
                yield Finding(node.lineno, f"{name} is not loaded: Bazel's built-in rules are going away")


def _trailing_commas(text: str, tree: ast.Module) -> Iterator[Finding]:
    lines = text.splitlines()
    for node in ast.walk(tree):
        last = _last_part(node)
        if last is None or not isinstance(node, ast.expr) or last.end_lineno == node.end_lineno:
            continue
        if re.match(r"\s*[)\]}]", lines[(node.end_lineno or 1) - 1]):
            between = lines[(last.end_lineno or 1) - 1][last.end_col_offset or 0 :]
            if not between.lstrip(" )]}").startswith(","):
                yield Finding(last.end_lineno or 1, "no comma before a closing bracket on a line of its own")


def _last_part(node: ast.AST) -> ast.expr | None:
    """The last element of a call, list or dictionary, where a comma has to follow it."""
    if isinstance(node, ast.Call) and (node.args or node.keywords):
        values = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg)]
        unpacked = any(keyword.arg is None for keyword in node.keywords)
        only_a_generator = len(values) == 1 and isinstance(values[0], ast.GeneratorExp)
        return None if unpacked or only_a_generator else max(values, key=lambda value: value.end_lineno or 0)
    if isinstance(node, ast.List | ast.Tuple) and node.elts:
        return node.elts[-1]
    return node.values[-1] if isinstance(node, ast.Dict) and node.values else None


def _ordered_attributes(path: Path, tree: ast.Module) -> Iterator[Finding]:
    if path.suffix == ".bzl" or path.name == "MODULE.bazel":
        return
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            names = [keyword.arg for keyword in call.keywords if keyword.arg]
            expected = sorted(names, key=_attribute_order)
            if names != expected:
                yield Finding(call.lineno, f"attributes out of order: {', '.join(expected)}")


def _attribute_order(name: str) -> tuple[int, str]:
    if name in _FIRST_ATTRIBUTES:
        return (_FIRST_ATTRIBUTES.index(name) - len(_FIRST_ATTRIBUTES), name)
    return (1 + _LAST_ATTRIBUTES.index(name) if name in _LAST_ATTRIBUTES else 0, name)


def _sorted_labels(tree: ast.Module) -> Iterator[Finding]:
    """Labels are sorted as far as the first element that is no literal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in _SORTED_ATTRIBUTES and isinstance(node.value, ast.List):
            labels = list(itertools.takewhile(bool, map(_string, node.value.elts)))
            if labels != sorted(set(labels), key=_list_order):
                yield Finding(node.value.lineno, f"{node.arg} out of order: files, then :local, //package, @repository")


def _list_order(label: str) -> tuple[int, list[str]]:
    """buildifier's order of labels in lists: by kind, then part by part."""
    kind = {":": 1, "/": 2, "@": 3}.get(label[0], 0)
    return (kind, re.split(r"[.:]", label))


def _string(node: ast.AST) -> str:
    """The string that a literal is, or nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
