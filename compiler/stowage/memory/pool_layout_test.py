# SPDX-License-Identifier: Apache-2.0
"""Layouts of pools are legal for every model, and to a grain as low as any: seen by trying all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.memory.arbitrary_problems import lowest_peak_bytes, problems
from stowage.memory.faults import faults
from stowage.memory.pool_layout import Layout, Tenant, lay_out
from stowage.memory.problem import Buffer, Problem

GRAIN_BYTES = 4
MOMENTS = 3


@dataclass(frozen=True)
class Case:
    """What a layout is asked for."""

    tenants: tuple[Tenant, ...]
    caller: tuple[Buffer, ...] = ()
    between: tuple[Buffer, ...] = ()

    def layout(self) -> Layout:
        return lay_out(self.tenants, self.caller, self.between, GRAIN_BYTES)


def staying(name: str, size_bytes: int) -> Buffer:
    return Buffer(name, size_bytes, GRAIN_BYTES, 0, 0)


@st.composite
def cases(
    draw: st.DrawFn, buffers: int, size_bytes: int, models: int, between: int = 0, *, grains: bool = False
) -> Case:
    """Pools; with `grains` all that they hold lies at whole grains."""

    def passing() -> Problem:
        problem = draw(problems(buffers, size_bytes, MOMENTS))
        free = (replace(each, fixed_bytes=None) for each in problem.buffers)
        return replace(
            problem, buffers=tuple(replace(each, alignment_bytes=GRAIN_BYTES) if grains else each for each in free)
        )

    def some(name: str, at_most: int) -> tuple[Buffer, ...]:
        sizes = draw(st.lists(st.integers(1, size_bytes), max_size=at_most))
        return tuple(staying(f"{name}{index}", size) for index, size in enumerate(sizes))

    count = draw(st.integers(1, models))
    tenants = [Tenant(some(f"s{number}.", 1), passing(), MOMENTS) for number in range(count)]
    return Case(tuple(tenants), some("c", 1), some("b", between))


def seen_by(tenant: Tenant, case: Case) -> Problem:
    """All that a model's run has to do with: what stays is there all along, what is between runs before and after."""
    kept = [buffer for each in case.tenants for buffer in each.kept]
    along = [replace(buffer, last=MOMENTS) for buffer in (*kept, *case.caller)]
    before = [replace(buffer, name=f"{buffer.name} before") for buffer in case.between]
    after = [replace(buffer, name=f"{buffer.name} after", first=MOMENTS, last=MOMENTS) for buffer in case.between]
    return replace(tenant.passing, buffers=(*along, *before, *after, *tenant.passing.buffers))


def places(number: int, layout: Layout) -> Sequence[int]:
    kept = [offset for each in layout.kept for offset in each]
    return [*kept, *layout.caller, *layout.between, *layout.between, *layout.passing[number]]


def ends(case: Case, layout: Layout) -> Iterator[int]:
    for number, tenant in enumerate(case.tenants):
        pairs = zip(places(number, layout), seen_by(tenant, case).buffers, strict=True)
        yield from (offset + buffer.size_bytes for offset, buffer in pairs)


@settings(deadline=None, max_examples=40)
@given(cases(buffers=3, size_bytes=5, models=2, grains=True))
def test_no_layout_is_a_grain_lower(case: Case) -> None:
    layout = case.layout()
    optimum = max(lowest_peak_bytes(seen_by(tenant, case)) for tenant in case.tenants)
    assert layout.bound_bytes <= optimum <= layout.peak_bytes
    if all(pair.distance_bytes >= 0 for tenant in case.tenants for pair in tenant.passing.in_place):
        assert layout.peak_bytes < optimum + GRAIN_BYTES


@settings(deadline=None, max_examples=100)
@given(cases(buffers=8, size_bytes=60, models=3, between=2))
def test_every_model_s_run_is_legal(case: Case) -> None:
    layout = case.layout()
    for number, tenant in enumerate(case.tenants):
        assert not list(faults(seen_by(tenant, case), places(number, layout)))
    assert layout.peak_bytes == max(ends(case, layout))
    assert layout.bound_bytes <= layout.peak_bytes


def tenant_of(*lives: tuple[int, int, int], kept_bytes: int = 0) -> Tenant:
    """A model whose buffers have a size, a first and a last moment."""
    buffers = tuple(Buffer(f"t{index}", size, 1, first, last) for index, (size, first, last) in enumerate(lives))
    return Tenant((staying("state", kept_bytes),) if kept_bytes else (), Problem(buffers), MOMENTS)


WIDE = tenant_of((8, 0, 1), (100, 1, 2), (12, 2, 3), kept_bytes=20)
NARROW = tenant_of((40, 0, 1), (4, 1, 2), (8, 2, 3), kept_bytes=8)


def test_models_share_what_lives_within_a_run() -> None:
    layout = Case((WIDE, NARROW), (staying("audio", 32),)).layout()
    assert layout.floor_bytes == 20 + 8 + 32
    assert layout.peak_bytes == layout.bound_bytes == 60 + 112
    assert layout.kept == ((0,), (20,))
    assert layout.caller == (28,)


def test_what_is_between_runs_costs_nothing_beside_a_wide_layer() -> None:
    alone, beside = (Case((WIDE, NARROW), (), between).layout() for between in ((), (staying("fft", 60),)))
    assert beside.peak_bytes == beside.bound_bytes == alone.peak_bytes


def test_what_is_between_runs_is_clear_of_all_inputs_and_outputs() -> None:
    layout = Case((WIDE, NARROW), (), (staying("fft", 200),)).layout()
    assert layout.peak_bytes == layout.bound_bytes == 28 + 40 + 200
    assert layout.between == (28 + 40,)


def test_a_block_is_moved_up_where_the_models_have_to_make_room() -> None:
    """An input in the middle of a model that is placed alone leaves no gap that is wide enough below the peak."""
    split = tenant_of((60, 1, 1), (8, 0, 1), (60, 2, 2))
    layout = Case((split,), (), (staying("fft", 56),)).layout()
    assert layout.peak_bytes == layout.bound_bytes == 68
