# SPDX-License-Identifier: Apache-2.0
"""Identifiers are legal behind their prefix, stay apart even in upper case, and the same names get the same ones."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from stowage.codegen.identifiers import Names, identifier


@given(st.lists(st.text("aAbB1_/:ß", max_size=4) | st.text(max_size=6)))
@example(["Ab", "aB", "ab_2", "AB", "a b", ""])
@example(["x", "", "/", "x_2"])
def test_names_stay_apart(names: list[str]) -> None:
    given_names = Names()
    identifiers = {name: given_names.of(name) for name in names}
    assert all(re.fullmatch("[a-z0-9]+(_[a-z0-9]+)*", each) for each in identifiers.values())
    assert len({each.upper() for each in identifiers.values()}) == len(set(names))
    assert identifiers == {name: given_names.of(name) for name in names}


def test_identifiers_read_like_the_names() -> None:
    assert identifier("a/b:c;d") == "a_b_c_d"
    assert identifier("/Conv_3/Output:0") == "conv_3_output_0"
    assert identifier("層") == "x"
