# SPDX-License-Identifier: Apache-2.0
"""Edits of BUILD files: the one place, and nothing else."""

from __future__ import annotations

import pytest

from tools.budget.build_file import NoSuchBudget, with_budget

BUILD = '''\
load("@stowage//:defs.bzl", "stowage_budget_test")

# stowage_budget_test(name = "kws_budget", flash = "1KiB")
stowage_budget_test(
    name = "other_budget",
    firmware = ":other",
    flash = "1KiB",
)

stowage_budget_test(
    name = "kws_budget",
    firmware = select({"//conditions:default": (":kws")}),
    # Was flash = "1KiB" before; (unbalanced
    flash = "1KiB",
    ram = "1KiB",
    tags = ["a ) in a string", """flash = "1KiB" ("""],
)
'''
MACRO = 'on_board(\n    board = ":b",\n    budgets = {\n        "flash": "14KiB",\n        "ram": "14KiB",\n    },\n)\n'


def test_only_the_budget_of_the_test_changes() -> None:
    expected = BUILD.replace('unbalanced\n    flash = "1KiB"', 'unbalanced\n    flash = "1234"')
    assert with_budget(BUILD, "kws_budget", "flash", "1KiB", "1234") == expected


def test_the_other_test_is_found_by_its_name() -> None:
    expected = BUILD.replace('":other",\n    flash = "1KiB"', '":other",\n    flash = "9"')
    assert with_budget(BUILD, "other_budget", "flash", "1KiB", "9") == expected


def test_another_budget_of_the_same_value_stays() -> None:
    assert with_budget(BUILD, "kws_budget", "ram", "1KiB", "9") == BUILD.replace('ram = "1KiB"', 'ram = "9"')


def test_the_budgets_of_a_macro_are_a_dictionary() -> None:
    expected = MACRO.replace('"ram": "14KiB"', '"ram": "15000"')
    assert with_budget(MACRO, "model_fw_budget", "ram", "14KiB", "15000") == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (MACRO.replace("14KiB", "13KiB"), 'flash = "14KiB" is nowhere, so write flash = "7" where it belongs'),
        (MACRO + MACRO, 'flash = "14KiB" is there 2 times, so write flash = "7" where it belongs'),
        ("", 'flash = "14KiB" is nowhere'),
        ('# "flash": "14KiB"\n', 'flash = "14KiB" is nowhere'),
        ('on_board(flash_budget = "14KiB", my_flash = "14KiB")', "is nowhere"),
    ],
)
def test_anything_but_one_place_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NoSuchBudget, match=sentence):
        with_budget(text, "model_fw_budget", "flash", "14KiB", "7")


def test_a_test_that_is_there_is_not_left_for_another_place() -> None:
    with pytest.raises(NoSuchBudget, match='flash = "2KiB" is nowhere'):
        with_budget(BUILD + 'x = {"flash": "2KiB"}\n', "kws_budget", "flash", "2KiB", "7")
