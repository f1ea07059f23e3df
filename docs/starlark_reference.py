# SPDX-License-Identifier: Apache-2.0
"""The reference of the public rules as Markdown, read from defs.bzl and the files that it loads.

Starlark's syntax is a part of Python's, so Python's own parser reads it. What is public is what defs.bzl binds;
attributes that begin with an underscore are the rules' own affair.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_HEAD = """\
# Rules

    load("@stowage//:defs.bzl", {names})

Generated from the rules' own documentation by `./bazelw run //docs:update`.
"""


def rule_reference(workspace: Path) -> str:
    """The page: every name that defs.bzl binds, rules and macros before providers."""
    found = list(_public(workspace))
    tools = [name for name, _ in found if name.startswith("stowage_")]
    sections = [_section(name, definition) for name, definition in found]
    return "\n".join([_HEAD.format(names=", ".join(f'"{name}"' for name in tools)), *sections])


def _public(workspace: Path) -> Iterator[tuple[str, ast.stmt]]:
    """Each public name with the statement that defines it, in the page's order."""
    definitions = ast.parse((workspace / "defs.bzl").read_text())
    homes = dict(_loads(definitions))
    for name, alias in sorted(_bindings(definitions), key=lambda binding: (binding[0][0].isupper(), binding[0])):
        label, symbol = homes[alias]
        yield name, _definition(workspace / _path(label), symbol)


def _loads(module: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Local name to (label, name there) of what a file loads."""
    for statement in module.body:
        match statement:
            case ast.Expr(ast.Call(ast.Name("load"), [ast.Constant(label), *names], renamed)):
                yield from ((ast.literal_eval(name), (str(label), ast.literal_eval(name))) for name in names)
                yield from ((str(keyword.arg), (str(label), ast.literal_eval(keyword.value))) for keyword in renamed)


def _bindings(module: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in module.body:
        match statement:
            case ast.Assign([ast.Name(name)], ast.Name(alias)):
                yield name, alias


def _path(label: str) -> Path:
    package, _, file = label.removeprefix("//").partition(":")
    return Path(package, file)


def _definition(file: Path, symbol: str) -> ast.stmt:
    for statement in ast.parse(file.read_text()).body:
        match statement:
            case ast.Assign([ast.Name(name)]) | ast.FunctionDef(name) if name == symbol:
                return statement
    raise LookupError(f"{file} does not define {symbol}")


def _section(name: str, definition: ast.stmt) -> str:
    match definition:
        case ast.FunctionDef():
            return _macro(name, definition)
        case ast.Assign(_, ast.Call(ast.Name("rule"), _, keywords)):
            return _rule(name, _arguments(keywords))
        case ast.Assign(_, ast.Call(ast.Name("provider"), _, keywords)):
            return _provider(name, _arguments(keywords))
    raise LookupError(f"{name} is neither a rule, nor a macro, nor a provider")


def _arguments(keywords: list[ast.keyword]) -> dict[str, ast.expr]:
    return {str(keyword.arg): keyword.value for keyword in keywords}


def _macro(name: str, function: ast.FunctionDef) -> str:
    text = ast.get_docstring(function)
    if text is None:
        raise LookupError(f"{name} has no documentation")
    body, _, described = text.partition("\nArgs:\n")
    meanings = _described(described)
    defaults = _defaults(function.args)
    if set(meanings) - {"**kwargs"} != set(defaults):
        raise LookupError(f"{name} describes other arguments than it has")
    rows = [
        (f"`{argument}`", defaults[argument], meaning) for argument, meaning in meanings.items() if argument in defaults
    ]
    rows += [("…", "", meanings["**kwargs"])] if "**kwargs" in meanings else []
    return _part(name, body, ("Argument", "Default", "Meaning"), rows)


def _described(text: str) -> dict[str, str]:
    """The arguments of a docstring; their lines are indented by two, continued ones by more."""
    joined = re.sub(r"\n {4,}", " ", text)
    return {
        name: meaning for name, _, meaning in (line.strip().partition(": ") for line in joined.splitlines()) if name
    }


def _defaults(arguments: ast.arguments) -> dict[str, str]:
    """The default of each argument as it is written, or that there is none."""
    names = [argument.arg for argument in arguments.args]
    written = [f"`{ast.unparse(default)}`" for default in arguments.defaults]
    return dict(zip(names, ["required"] * (len(names) - len(written)) + written, strict=True))


def _rule(name: str, arguments: Mapping[str, ast.expr]) -> str:
    rows = [("`name`", "required", "The name of the target.")]
    rows += [_attribute(attribute, call) for attribute, call in _attributes(arguments["attrs"])]
    return _part(name, _text(arguments["doc"]), ("Attribute", "Default", "Meaning"), rows)


def _attributes(attributes: ast.expr) -> Iterator[tuple[str, ast.Call]]:
    """The public attributes of a dictionary, or of several joined by `|`, where only literal ones have public ones."""
    match attributes:
        case ast.BinOp(left, ast.BitOr(), right):
            yield from _attributes(left)
            yield from _attributes(right)
        case ast.Dict(keys, values):
            for key, value in zip(keys, values, strict=True):
                attribute = ast.literal_eval(key) if key else ""
                if isinstance(value, ast.Call) and not attribute.startswith("_"):
                    yield attribute, value


def _attribute(name: str, call: ast.Call) -> tuple[str, str, str]:
    arguments = _arguments(call.keywords)
    assert isinstance(call.func, ast.Attribute)
    empty = {"string": '""', "int": "0", "bool": "False", "label": "None", "string_dict": "{}"}.get(
        call.func.attr, "[]"
    )
    if "mandatory" in arguments:
        default = "required"
    else:
        default = f"`{ast.unparse(arguments['default']) if 'default' in arguments else empty}`"
    return f"`{name}`", default, _text(arguments["doc"])


def _provider(name: str, arguments: Mapping[str, ast.expr]) -> str:
    fields = arguments["fields"]
    assert isinstance(fields, ast.Dict)
    rows = [
        (f"`{_text(field)}`", _text(meaning))
        for field, meaning in zip(fields.keys, fields.values, strict=True)
        if field
    ]
    return _part(name, _text(arguments["doc"]), ("Field", "Meaning"), rows)


def _text(node: ast.expr) -> str:
    """A string, or several that are added up."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    return str(ast.literal_eval(node))


def _part(name: str, text: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    table = [head, ("---",) * len(head), *rows]
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in table]
    return "\n".join([f"## {name}", "", _unwrapped(text), "", *lines, ""])


def _unwrapped(text: str) -> str:
    """Paragraphs on one line each."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))
