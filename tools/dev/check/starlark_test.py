# SPDX-License-Identifier: Apache-2.0
"""Each convention of Starlark, kept and broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.dev.check.sources import find_sources
from tools.dev.check.starlark import check_starlark

GOOD_BUILD = '''\
"""What this package is."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load("//a:b.bzl", "c")
load(":d.bzl", "e")

c(name = "x")

[e(name = name) for name in [
    "a",
    "b",
]]

cc_library(
    name = "y",
    srcs = [
        "a.c",
        "b.c",
        ":generated",
        "//other:file",
        "//other/deeper:file",
        "@repository//:file",
    ],
    copts = ["-z"] + [
        "-b",
        "-a",
    ],
)

cc_test(
    name = "z",
    deps = [":y"],
)
'''

# A line of the good file, what stands there instead, and what is found.
BROKEN = {
    "unloaded rule": ('"cc_library", "cc_test"', '"cc_library"', "cc_test is not loaded"),
    "unused load": ('":d.bzl", "e"', '":d.bzl", "e", "f"', "f is loaded and not used"),
    "unsorted symbols": ('"cc_library", "cc_test"', '"cc_test", "cc_library"', "loaded symbols out of order"),
    "unsorted loads": ('"//a:b.bzl"', '":z.bzl"', "loads out of order"),
    "unsorted list": ('"b.c"', '"0.c"', "srcs out of order"),
    "duplicate in list": ('"b.c"', '"a.c"', "srcs out of order"),
    "name not first": ('name = "z",\n    deps = [":y"]', 'deps = [":y"],\n    name = "z"', "order: name, deps"),
    "deps not last": ('deps = [":y"],', 'deps = [":y"],\n    args = [],', "order: name, args, deps"),
    "single quotes": ('"-z"', "'-z'", "use double quotes"),
    "tab": ('    name = "y"', '\tname = "y"', "a tab"),
    "trailing space": ('deps = [":y"],', 'deps = [":y"], ', "white space at the end"),
    "no trailing comma in a call": ('deps = [":y"],', 'deps = [":y"]', "no comma before a closing bracket"),
    "no trailing comma in a list": ('"-a",', '"-a"', "no comma before a closing bracket"),
    "syntax": ("cc_test(", "cc_test((", "does not parse"),
}


def wrongs(name: str, text: str) -> list[str]:
    return [finding.wrong for finding in check_starlark(Path(name), text)]


def test_good_file_has_no_finding() -> None:
    assert wrongs("BUILD.bazel", GOOD_BUILD) == []


@pytest.mark.parametrize("breach", BROKEN)
def test_breach_is_the_one_finding(breach: str) -> None:
    good, broken, wrong = BROKEN[breach]
    assert GOOD_BUILD.count(good) == 1
    (found,) = wrongs("BUILD.bazel", GOOD_BUILD.replace(good, broken))
    assert wrong in found


def test_file_ends_in_one_newline() -> None:
    assert wrongs("BUILD.bazel", GOOD_BUILD + "\n") == ["the file does not end in one newline"]
    assert wrongs("BUILD.bazel", GOOD_BUILD.rstrip()) == ["the file does not end in one newline"]


def test_bzl_file_opens_with_a_docstring() -> None:
    assert wrongs("a.bzl", "X = 1\n") == ["no docstring that says what the file is"]


def test_symbol_that_is_passed_on_is_used() -> None:
    assert wrongs("a.bzl", '"""Passes on."""\n\nload(":b.bzl", _x = "x")\n\nx = _x\n') == []


def test_loads_are_sorted_among_their_neighbours_only() -> None:
    text = 'load("//:a.bzl", "a")\n\na()\n\nload("@b//:b.bzl", "b")\n\nb()\n'
    assert wrongs("WORKSPACE", text) == []
    assert len(wrongs("WORKSPACE", text.replace("a()\n\n", ""))) == 2  # out of order, and a is not used


def test_native_rule_in_a_macro_is_found() -> None:
    text = '"""Macro."""\n\ndef f(name):\n    native.py_library(name = name)\n'
    assert wrongs("a.bzl", text) == ["py_library is not loaded: Bazel's built-in rules are going away"]


def test_finding_names_its_line() -> None:
    text = GOOD_BUILD.replace('"-z"', "'-z'")
    line = 1 + text[: text.index("'-z'")].count("\n")
    assert [finding.line for finding in check_starlark(Path("BUILD.bazel"), text)] == [line]


def test_sources_leave_out_links_of_bazel_and_goldens(tmp_path: Path) -> None:
    for name in ("a/b.py", "bazel-out/c.py", "a/goldens/d.py", ".hidden/e.py", "a/f.c", "a/bazel-g/h.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find_sources(tmp_path, "python") == [Path("a/b.py"), Path("a/bazel-g/h.py")]
    assert find_sources(tmp_path, "c") == [Path("a/f.c")]
