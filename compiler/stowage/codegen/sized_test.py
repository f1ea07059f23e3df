# SPDX-License-Identifier: Apache-2.0
"""Programs of several sizes: constants stored once, what the one entry point takes for granted, clean C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.c_compiler import compile_c
from stowage.codegen.c_sized import sized_files
from stowage.codegen.golden_model import delay_graph, golden_program, golden_sizes, plan_of
from stowage.codegen.program import Program
from stowage.codegen.shared_data import SharedData, check_shared_data, own_data, share_data
from stowage.codegen.sized_program import SizedProgram, check_sizes
from stowage.codegen.validate import validate
from stowage.codegen.variant import Variant
from stowage.errors import InvalidPlan
from stowage.ir.graph import Array

SIZED = golden_sizes()
FIRST, SECOND = SIZED.programs


@pytest.mark.parametrize("options", [(), ("-DSTW_POISON",), ("-O3",)])
def test_it_compiles_without_a_warning(options: tuple[str, ...], tmp_path: Path) -> None:
    compile_c(tmp_path, sized_files(SIZED), "-c", *options)


def test_two_dimensions_compile_without_a_warning(tmp_path: Path) -> None:
    programs = tuple(
        replace(program, variant=Variant("drift", (("int", extent), ("0/arena", extent))))
        for program, extent in ((FIRST, 2), (SECOND, 4))
    )
    files = sized_files(SizedProgram("drift", programs, SIZED.shared))
    assert "drift_run(void *arena, uint32_t n_int, uint32_t n_0_arena);" in files["drift.h"]
    compile_c(tmp_path, files, "-c")


def test_there_is_one_arena_of_the_largest_size() -> None:
    files = sized_files(SIZED)
    assert [name for name, text in files.items() if "STW_ARENA(" in text] == ["drift.c"]
    assert SIZED.arena_bytes == SECOND.arena_bytes > FIRST.arena_bytes
    assert f"#define DRIFT_ARENA_BYTES {SECOND.arena_bytes}u" in files["drift.h"]


def test_every_size_is_sound_and_all_go_together() -> None:
    for program in SIZED.programs:
        validate(program)
    check_sizes(SIZED)


def moved_state(program: Program) -> Program:
    (state,) = program.states
    return replace(program, states=(replace(state, held=replace(state.held, offset_bytes=8)),))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (moved_state, 'model "drift_4": its states are not where "drift_2" has them'),
        (lambda program: replace(program, inputs=()), "its inputs and outputs are not those"),
        (lambda program: replace(program, variant=FIRST.variant), "two of its programs are of one size"),
        (lambda program: replace(program, variant=Variant("drift", (("y", 4),))), 'it is no size of "drift"'),
        (lambda program: replace(program, variant=Variant("other", (("rows", 4),))), 'it is no size of "drift"'),
    ],
)
def test_sizes_that_do_not_go_together(change: Callable[[Program], Program], reason: str) -> None:
    with pytest.raises(InvalidPlan, match=reason):
        check_sizes(replace(SIZED, programs=(FIRST, change(SECOND))))


def readers() -> tuple[tuple[Program, ...], SharedData]:
    """Two programs with the same constants, and one with none of them."""
    tiny = golden_program()
    programs = (replace(tiny, name="one"), replace(tiny, name="two"), assemble(plan_of(delay_graph())))
    return share_data(programs, "whole")


def test_equal_constants_are_stored_once() -> None:
    tiny = golden_program()
    (one, two, delay), shared = readers()
    check_shared_data((one, two, delay), shared)
    assert shared.size_bytes == sum(tiny.constants[datum.digest].nbytes for datum in tiny.data)
    assert not [*own_data(one), *own_data(two)]
    assert [datum.symbol for datum in one.data] == [datum.symbol for datum in two.data]
    assert all(datum.symbol.startswith("whole_data_") for datum in shared.data)
    assert all(datum.owner is None for datum in delay.data)


def inverted(array: Array) -> Array:
    return np.frombuffer(bytes(255 - byte for byte in array.tobytes()), array.dtype).reshape(array.shape)


def test_bytes_that_differ_stay_apart() -> None:
    tiny = golden_program()
    other = {digest: inverted(array) for digest, array in tiny.constants.items()}
    programs, shared = share_data((replace(tiny, name="one"), replace(tiny, name="two", constants=other)), "whole")
    assert not shared.data
    assert programs[0] == replace(tiny, name="one")


def test_the_same_bytes_as_elements_of_two_types_stay_apart() -> None:
    tiny = golden_program()
    words = tuple(replace(datum, ctype="uint8_t" if datum.ctype == "int8_t" else datum.ctype) for datum in tiny.data)
    _, shared = share_data((tiny, replace(tiny, name="two", data=words)), "whole")
    assert {datum.ctype for datum in shared.data} == {datum.ctype for datum in tiny.data} - {"int8_t"}


def test_what_is_said_to_be_stored_is_checked() -> None:
    programs, shared = readers()
    spoiled = {digest: np.zeros_like(array) for digest, array in shared.constants.items()}
    faults = {
        "reads other bytes than are stored": replace(shared, constants=spoiled),
        'does not store it as "one" reads it': replace(shared, data=shared.data[1:]),
        "two of them have one name": replace(shared, data=shared.data * 2),
    }
    for reason, fault in faults.items():
        with pytest.raises(InvalidPlan, match=reason):
            check_shared_data(programs, fault)
    own = tuple(replace(datum, owner=None) for datum in programs[0].data)
    with pytest.raises(InvalidPlan, match='"one" and "whole" both define it'):
        check_shared_data((replace(programs[0], data=own),), shared)
