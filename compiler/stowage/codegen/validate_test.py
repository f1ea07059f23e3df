# SPDX-License-Identifier: Apache-2.0
"""The validator accepts a sound program and refuses each way of breaking it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stowage.codegen.program import Access, ArenaPointer, Call, Port, Program, Slot, StatePort
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.kernel import Direction, Overlap

X = Value("x", TensorType((16,), DType.I8))
Y = Value("y", TensorType((16,), DType.I8))


def _pointer(buffer: str, offset: int, access: Access, ctype: str = "int8_t", size: int = 16) -> ArenaPointer:
    return ArenaPointer(buffer, offset, size, access, 0, ctype)


def _call(source: ArenaPointer, target: ArenaPointer, *more: ArenaPointer, overlaps: tuple[Overlap, ...] = ()) -> Call:
    return Call("m_0", "step", "h.h", "f", (), (source, target, *more), overlaps)


def _program(*calls: Call, arena_bytes: int = 0, output_at: int = 32) -> Program:
    """From `x` at 0 to `y` by these calls; the arena ends with the highest buffer, if nothing else is said."""
    uses = [("x", 0, 16, 0), ("y", output_at, 16, len(calls) + 1)]
    uses += [
        (pointer.buffer, pointer.offset_bytes, pointer.size_bytes, moment)
        for moment, call in enumerate(calls, 1)
        for pointer in call.pointers
        if isinstance(pointer, ArenaPointer)
    ]
    slots = []
    for name in dict.fromkeys(use[0] for use in uses):
        _, offset, size, _ = next(use for use in uses if use[0] == name)
        moments = [use[3] for use in uses if use[0] == name]
        slots.append(Slot(name.upper(), name, offset, size, min(moments), max(moments)))
    end_bytes = arena_bytes or max(slot.offset_bytes + slot.size_bytes for slot in slots)
    ports = (Port(X, "x", "x", 0),), (Port(Y, "y", "y", output_at),)
    return Program("m", *ports, tuple(slots), end_bytes, 8, (), calls)


TWO_STEPS = (
    _call(_pointer("x", 0, Access.READ), _pointer("h", 16, Access.WRITE)),
    _call(_pointer("h", 16, Access.READ), _pointer("y", 32, Access.WRITE)),
)


def test_a_sound_program_passes() -> None:
    validate(_program(*TWO_STEPS))


def test_reading_a_buffer_that_was_overwritten() -> None:
    again = _call(_pointer("x", 0, Access.READ), _pointer("z", 16, Access.WRITE))
    with pytest.raises(InvalidPlan, match=r'byte 16 of the arena no longer holds "h"'):
        validate(_program(TWO_STEPS[0], again, TWO_STEPS[1]))


def test_reading_a_buffer_that_was_never_written() -> None:
    with pytest.raises(InvalidPlan, match='no longer holds "h"'):
        validate(_program(TWO_STEPS[1]))


def test_one_byte_of_overlap_is_enough() -> None:
    shifted = replace(TWO_STEPS[1], pointers=(_pointer("h", 16, Access.READ), _pointer("y", 31, Access.WRITE)))
    with pytest.raises(InvalidPlan, match='"h" and "y" share bytes'):
        validate(_program(TWO_STEPS[0], shifted, output_at=31))


def test_steps_in_the_wrong_order() -> None:
    with pytest.raises(InvalidPlan):
        validate(_program(*reversed(TWO_STEPS)))


def test_output_beyond_the_arena() -> None:
    with pytest.raises(InvalidPlan, match='"y" takes bytes 32 to 48 of an arena of 47 bytes'):
        validate(_program(*TWO_STEPS, arena_bytes=47))


def test_output_that_a_later_step_spoils() -> None:
    late = _call(_pointer("h", 16, Access.READ), _pointer("z", 40, Access.WRITE))
    with pytest.raises(InvalidPlan, match=r'output y.*byte 40 of the arena no longer holds "y"'):
        validate(_program(*TWO_STEPS, late))


def test_scratch_over_a_buffer_that_is_read_later() -> None:
    scratch = _pointer("s", 16, Access.SCRATCH)
    spoiling = _call(_pointer("x", 0, Access.READ), _pointer("z", 48, Access.WRITE), scratch)
    with pytest.raises(InvalidPlan, match='no longer holds "h"'):
        validate(_program(TWO_STEPS[0], spoiling, TWO_STEPS[1]))


def test_scratch_over_an_operand_of_the_same_step() -> None:
    step = _call(_pointer("x", 0, Access.READ), _pointer("y", 32, Access.WRITE), _pointer("s", 8, Access.SCRATCH))
    with pytest.raises(InvalidPlan, match='"x" and "s" share bytes'):
        validate(_program(step))


def test_misaligned_words() -> None:
    step = _call(_pointer("x", 0, Access.READ), _pointer("y", 18, Access.WRITE, "int32_t"))
    with pytest.raises(InvalidPlan, match='"y" lies misaligned at byte 18'):
        validate(_program(step, output_at=18))


@pytest.mark.parametrize(
    ("direction", "distance", "output_at", "sound"),
    [
        (Direction.FORWARD, 0, 0, True),
        (Direction.FORWARD, 1, 0, False),
        (Direction.BACKWARD, 0, 0, True),
        (Direction.BACKWARD, 4, 4, True),
        (Direction.BACKWARD, 5, 4, False),
        (Direction.FORWARD, 0, 4, False),
    ],
)
def test_in_place_only_as_far_as_declared(direction: Direction, distance: int, output_at: int, sound: bool) -> None:
    step = _call(
        _pointer("x", 0, Access.READ),
        _pointer("y", output_at, Access.WRITE),
        overlaps=(Overlap(0, distance, direction),),
    )
    program = _program(step, output_at=output_at)
    if sound:
        validate(program)
    else:
        with pytest.raises(InvalidPlan, match='"x" and "y" share bytes'):
            validate(program)


def _with_slot(index: int, **changes: object) -> Program:
    program = _program(*TWO_STEPS)
    slots = list(program.slots)
    slots[index] = replace(slots[index], **changes)  # type: ignore[arg-type]
    return replace(program, slots=tuple(slots))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offset_bytes": 17}, '"h" is used outside of its slot'),
        ({"size_bytes": 15}, '"h" is used outside of its slot'),
        ({"first": 2}, '"h" is used outside of its life'),
        ({"last": 1}, '"h" is used outside of its life'),
        ({"offset_bytes": 15, "size_bytes": 17}, 'the slot of "h" has bytes that nothing uses'),
        ({"size_bytes": 17}, 'the slot of "h" has bytes that nothing uses'),
        ({"first": 0}, '"h" is not used at the ends of its life'),
        ({"last": 3}, '"h" is not used at the ends of its life'),
        ({"buffer": "g"}, '"h" has no slot'),
        ({"macro": "X"}, "two slots have one macro"),
    ],
)
def test_slots_that_do_not_tell_the_truth(changes: dict[str, object], message: str) -> None:
    (index,) = (index for index, slot in enumerate(_program(*TWO_STEPS).slots) if slot.buffer == "h")
    with pytest.raises(InvalidPlan, match=message):
        validate(_with_slot(index, **changes))


def test_two_slots_of_one_buffer() -> None:
    program = _program(*TWO_STEPS)
    with pytest.raises(InvalidPlan, match="two slots are of one buffer"):
        validate(replace(program, slots=(*program.slots, replace(program.slots[0], macro="ANOTHER"))))


def test_a_slot_that_nothing_uses() -> None:
    program = _program(*TWO_STEPS)
    with pytest.raises(InvalidPlan, match='nothing uses "idle"'):
        validate(replace(program, slots=(*program.slots, Slot("IDLE", "idle", 0, 8, 1, 1))))


def test_an_arena_that_is_larger_than_what_lies_in_it() -> None:
    with pytest.raises(InvalidPlan, match="it has 49 bytes, but its buffers end at byte 48"):
        validate(_program(*TWO_STEPS, arena_bytes=49))


def test_an_input_over_another_that_no_step_reads() -> None:
    program = _program(*TWO_STEPS)
    unused = Value("u", X.type)
    slots = (*program.slots, Slot("U", "u", 8, 16, 0, 0))
    for inputs in [(*program.inputs, Port(unused, "u", "u", 8)), (Port(unused, "u", "u", 8), *program.inputs)]:
        with pytest.raises(InvalidPlan, match=r"input \w: byte \d+ of the arena no longer holds"):
            validate(replace(program, inputs=inputs, slots=slots))


def test_two_outputs_at_one_place() -> None:
    program = _program(*TWO_STEPS)
    outputs = (*program.outputs, Port(Y, "again", "y", 32))
    with pytest.raises(InvalidPlan, match="output y: it shares bytes with output again"):
        validate(replace(program, outputs=outputs))


def test_an_overlap_holds_for_the_first_output_alone() -> None:
    """The second output of a step lies over the input; the first is apart."""
    first, second = _pointer("y", 32, Access.WRITE), replace(_pointer("z", 0, Access.WRITE), operand=1)
    for output, sound in [(0, True), (1, False)]:
        pointers = (replace(second, operand=output), replace(first, operand=1 - output))
        program = _program(_call(_pointer("x", 0, Access.READ), *pointers, overlaps=(Overlap(0, 0),)))
        if sound:
            validate(program)
        else:
            with pytest.raises(InvalidPlan, match='"x" and "z" share bytes'):
                validate(program)


def test_an_arena_that_is_aligned_less_than_its_tensors() -> None:
    words = _call(_pointer("x", 0, Access.READ), _pointer("y", 32, Access.WRITE, "int32_t"))
    validate(_program(words))
    with pytest.raises(InvalidPlan, match='"y" lies misaligned'):
        validate(replace(_program(words), alignment_bytes=2))


def test_an_output_that_is_misaligned_for_its_reader() -> None:
    wide = Value("y", TensorType((4,), DType.F32))
    program = replace(_program(*TWO_STEPS), outputs=(Port(wide, "y", "y", 32),))
    validate(program)
    step = _call(_pointer("h", 16, Access.READ), _pointer("y", 34, Access.WRITE))
    moved = _program(TWO_STEPS[0], step, output_at=34)
    with pytest.raises(InvalidPlan, match='"y" lies misaligned at byte 34'):
        validate(replace(moved, outputs=(Port(wide, "y", "y", 34),)))


Y_STATE = StatePort(Port(X, "x", "x", 0), Port(Y, "y", "y", 0), "y", 0)
KEEPING = (_call(_pointer("x", 0, Access.READ), _pointer("y", 0, Access.WRITE), overlaps=(Overlap(0, 0),)),)


def _stateful(state: StatePort = Y_STATE, inputs: tuple[Port, ...] = ()) -> Program:
    return replace(_program(*KEEPING, output_at=0), inputs=inputs, outputs=(), states=(state,))


def test_a_state_that_is_made_over_itself_passes() -> None:
    validate(_stateful())


def test_a_state_that_is_left_elsewhere() -> None:
    elsewhere = replace(_stateful(replace(Y_STATE, kept=Port(Y, "y", "y", 16))), arena_bytes=32)
    with pytest.raises(InvalidPlan, match=r"state x: a run leaves .*16, 16.*, but the next one finds .*0, 16"):
        validate(elsewhere)


def test_a_state_that_no_step_makes() -> None:
    with pytest.raises(InvalidPlan, match='no longer holds "x"'):
        validate(_stateful(replace(Y_STATE, kept=Port(X, "x", "x", 0))))


def test_an_input_over_a_state() -> None:
    program = _stateful(inputs=(Port(Y, "y", "y", 0),))
    with pytest.raises(InvalidPlan, match='state x: byte 0 of the arena no longer holds "x"'):
        validate(program)
