# SPDX-License-Identifier: Apache-2.0
"""A model file becomes C for several sizes: each has its own plan, all have one arena, and equal constants are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stowage.codegen.assemble import assemble
from stowage.codegen.c_sized import sized_files
from stowage.codegen.faithful import check_faithful
from stowage.codegen.shared_data import share_data
from stowage.codegen.sized_program import SizedProgram, check_sizes
from stowage.codegen.validate import validate
from stowage.codegen.variant import Variant, variant_name
from stowage.errors import StowageError
from stowage.extents import Extents, sizes_of, varying
from stowage.frontend.model_name import model_name
from stowage.ir.graph import Value
from stowage.memory.plan import Plan
from stowage.memory.sizes import plan_size
from stowage.model_request import ModelRequest, refuse_arenas, refuse_stream_input
from stowage.pipeline import Compiled, Observer, Scheduled, compiled_as, schedule_model
from stowage.target.target import Target


@dataclass(frozen=True, slots=True)
class CompiledSizes:
    """All that came of a model of several sizes.

    Attributes:
        program: its programs and what they share.
        variants: what came of each size.
        sources: the generated C by file name.
    """

    program: SizedProgram
    variants: tuple[Compiled, ...]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A size with its plan."""

    variant: Variant
    scheduled: Scheduled
    plan: Plan


def compile_sizes(
    request: ModelRequest,
    dimensions: Mapping[str, Extents],
    target: Target,
    observe: Observer = lambda stage, level: None,
) -> CompiledSizes:
    """Compiles a model file for a board at every combination of extents.

    Args:
        request: the model; dimensions that do not vary are in `dimensions` too.
        dimensions: extents by name, of which one at least has several.
        target: the board as the compiler sees it.
        observe: told of every stage of every size.

    Raises:
        StowageError: the model at one of its sizes, or the board, cannot be compiled; or what the sizes would have in
            common is not the same for all.
    """
    try:
        if request.quantisation is not None:
            raise _quantised(dimensions)
        refuse_arenas(request, "a model of several sizes has one arena for all of them")
        refuse_stream_input(request, "a model of several sizes has its input whole")
        if request.prefetch:
            raise _prefetching(dimensions)
        name = model_name(request.name, request.model)
        planned = [_planned(request, name, size, dimensions, target, observe) for size in sizes_of(dimensions)]
        _check_states(planned)
        programs, shared = share_data(
            [replace(assemble(each.plan), variant=each.variant) for each in planned], owner=name
        )
        sized = SizedProgram(name, programs, shared)
        return CompiledSizes(sized, _proved(sized, planned, observe), sized_files(sized))
    except StowageError as refusal:
        raise refusal.in_file(str(request.model)) from refusal


def _planned(
    request: ModelRequest,
    name: str,
    size: Mapping[str, int],
    dimensions: Mapping[str, Extents],
    target: Target,
    observe: Observer,
) -> _Planned:
    chosen = tuple((dimension, size[dimension]) for dimension in varying(dimensions))
    variant = Variant(name, chosen)
    own = replace(request, name=variant_name(name, tuple(extent for _, extent in chosen)), dimensions=size)
    try:
        scheduled = schedule_model(own, target, observe)
        return _Planned(variant, scheduled, plan_size(scheduled.striped, target))
    except StowageError as refusal:
        raise _at(variant, refusal) from refusal


def _proved(sized: SizedProgram, planned: Sequence[_Planned], observe: Observer) -> tuple[Compiled, ...]:
    for program, each in zip(sized.programs, planned, strict=True):
        observe("plan", each.plan)
        validate(program)
        check_faithful(program, each.plan.schedule)
        observe("program", program)
    check_sizes(sized)
    pairs = zip(sized.programs, planned, strict=True)
    return tuple(compiled_as(each.scheduled, each.plan, program) for program, each in pairs)


def _check_states(planned: Sequence[_Planned]) -> None:
    """What one size keeps is what the next one finds: it can be of one type alone.

    Raises:
        StowageError: a state's type depends on the size.
    """
    first = planned[0]
    for other in planned[1:]:
        for one, two in zip(first.plan.schedule.states, other.plan.schedule.states, strict=True):
            if one.held.type != two.held.type:
                raise StowageError(
                    where=f'state "{one.held.name}"',
                    reason=f"it is {_shape(one.held)} at {first.variant.title} but {_shape(two.held)} at "
                    f"{other.variant.title}, and a state is kept from runs at one size to runs at another",
                    remedy="give its dimensions one extent each",
                )


def _shape(value: Value) -> str:
    return "x".join(map(str, value.type.shape)) or "scalar"


def _quantised(dimensions: Mapping[str, Extents]) -> StowageError:
    name = varying(dimensions)[0]
    return StowageError(
        where=f"dimension {name!r}",
        reason=f"it has {len(dimensions[name])} extents, but a model that the build quantises is measured on samples "
        "of one size",
        remedy="give it one extent, or quantise the model before it comes here",
    )


def _prefetching(dimensions: Mapping[str, Extents]) -> StowageError:
    name = varying(dimensions)[0]
    return StowageError(
        where="--prefetch",
        reason=f"dimension {name!r} has {len(dimensions[name])} extents, and a model of several sizes does not bring "
        "weights into the arena",
        remedy="leave it out (prefetch), or give the dimension one extent",
    )


def _at(variant: Variant, refusal: StowageError) -> StowageError:
    """The refusal of one size, which names it."""
    where = f"at {variant.title}: {refusal.where}" if refusal.where else f"at {variant.title}"
    return type(refusal)(file=refusal.file, where=where, reason=refusal.reason, remedy=refusal.remedy)
