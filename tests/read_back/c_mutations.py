# SPDX-License-Identifier: Apache-2.0
"""C that says something else: tokens dropped, doubled or swapped, other numbers and names, lines swapped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tests.read_back.c_tokens import spans

_NUMBER = re.compile(r"\d+")
_DEFINE = re.compile(r"#define (\w+) (\w+)")


def mutants(files: Mapping[str, str], name: str, stride: int = 1) -> Iterator[tuple[str, dict[str, str]]]:
    """What was done, and the files then; of the many places every `stride`-th."""
    macros = dict(_DEFINE.findall(files[f"{name}_arena.h"]))
    for file in (f"{name}.c", f"{name}_weights.c"):
        changed = [*_tokens(files[file], macros), *_lines(files[file])]
        for what, text in changed[::stride]:
            yield f"{file}: {what}", {**files, file: text}
    for what, text in _macros(files[f"{name}_arena.h"]):
        yield f"{name}_arena.h: {what}", {**files, f"{name}_arena.h": text}


def _tokens(text: str, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    places = list(spans(text))
    names = sorted({text[begin:end] for begin, end in places if text[begin].isalpha()})
    for (begin, end), (after, stop) in zip(places, [*places[1:], (len(text), len(text))], strict=True):
        token, line = text[begin:end], text.count("\n", 0, begin) + 1
        yield f"line {line}: no {token}", text[:begin] + text[end:]
        yield f"line {line}: {token} twice", f"{text[:end]} {text[begin:]}"
        if token[0].isdigit():
            more = _NUMBER.sub(lambda found: str(int(found[0]) + 1), token, count=1)
            yield f"line {line}: {more} for {token}", text[:begin] + more + text[end:]
        if token in names:
            others = names[names.index(token) + 1 :] + names
            other = next(each for each in others if macros.get(each, each) != macros.get(token, token))
            yield f"line {line}: {other} for {token}", text[:begin] + other + text[end:]
        swapped = text[after:stop] + text[end:after] + token
        if text[after:stop] != token:
            yield f"line {line}: {swapped}", text[:begin] + swapped + text[stop:]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Neighbouring lines of one function or table that are not equal, swapped."""
    lines = text.splitlines(keepends=True)
    for index, (first, second) in enumerate(pairwise(lines)):
        if first != second and first.startswith("    ") and second.startswith("    "):
            yield f"line {index + 1} after the next", "".join([*lines[:index], second, first, *lines[index + 2 :]])


def _macros(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if line.startswith("#define") and line.split()[2:]:
            more = _NUMBER.sub(lambda found: str(int(found[0]) + 1), line.split()[2])
            changed = line.replace(f" {line.split()[2]} ", f" {more} ", 1)
            yield f"{more} in line {index + 1}", "".join([*lines[:index], changed, *lines[index + 1 :]])
            yield f"no line {index + 1}", "".join([*lines[:index], *lines[index + 1 :]])
            yield f"line {index + 1} twice", "".join([*lines[:index], line, *lines[index:]])
