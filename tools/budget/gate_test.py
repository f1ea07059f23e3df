# SPDX-License-Identifier: Apache-2.0
"""The verdict and its table."""

from __future__ import annotations

import dataclasses

from tools.budget.gate import Item, passes, table

FLASH = Item(
    name="flash",
    used=14259,
    limit=14259,
    unit="B",
    purposes=(("weights of kws", 8332), ("code", 5927)),
    contributors=(("kws_conv_weights", 2592), ("kws_run", 2356)),
)
RAM = Item("ram", 5128, None, "B", (("stack", 4096), ("arena", 1032)), (("stack", 4096), ("kws_arena", 1032)))
STACK = Item("stack", 364, 1024, "B", (), (("kws_run", 144), ("exception frame", 108)))
INSTRUCTIONS = Item("instructions", 81233, 6000000, "instructions", (), (("kws_run", 81233),))
ITEMS = (FLASH, RAM, STACK, INSTRUCTIONS)

KEPT = """\
Budgets of //app:fw

  budget                  used         limit      headroom
  flash                 14,259        14,259             0 B
  ram                    5,128          none               B
  stack                    364         1,024           660 B
  instructions          81,233     6,000,000     5,918,767 instructions

  flash, 14,259 B
    for
           8,332   58.4 %  weights of kws
           5,927   41.6 %  code
    largest contributors
           2,592   18.2 %  kws_conv_weights
           2,356   16.5 %  kws_run

  ram, 5,128 B
    for
           4,096   79.9 %  stack
           1,032   20.1 %  arena
    largest contributors
           4,096   79.9 %  stack
           1,032   20.1 %  kws_arena

  stack, 364 B
    largest contributors
             144   39.6 %  kws_run
             108   29.7 %  exception frame

  instructions, 81,233 instructions
    largest contributors
          81,233  100.0 %  kws_run

All budgets are kept.
"""
BROKEN = KEPT.replace("14,259             0 B\n", "14,258            -1 B  OVER\n").replace(
    "All budgets are kept.\n",
    "flash is over its budget by 1 B; the largest contributor is kws_conv_weights.\n"
    "To accept the new figures: bazel run //app:fw_budget.accept\n",
)


def test_exactly_at_the_limit_is_within() -> None:
    assert passes(ITEMS)
    assert table("//app:fw", "//app:fw_budget", ITEMS) == KEPT


def test_one_byte_over_is_over_and_the_rest_of_the_table_is_the_same() -> None:
    items = (dataclasses.replace(FLASH, limit=14258), *ITEMS[1:])
    assert not passes(items)
    assert table("//app:fw", "//app:fw_budget", items) == BROKEN


def test_a_budget_of_nothing_is_a_budget() -> None:
    assert not passes([dataclasses.replace(RAM, limit=0)])
    assert passes([dataclasses.replace(RAM, limit=0, used=0)])


def test_every_broken_budget_is_named() -> None:
    items = (dataclasses.replace(FLASH, limit=1), dataclasses.replace(STACK, limit=360))
    text = table("//app:fw", "//app:fw_budget", items)
    assert "flash is over its budget by 14,258 B; the largest contributor is kws_conv_weights." in text
    assert "stack is over its budget by 4 B; the largest contributor is kws_run." in text
