# SPDX-License-Identifier: Apache-2.0
"""The memory report of a model of several sizes: what each takes, and what they have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from stowage.codegen.program import Port, Program
from stowage.codegen.sized_program import variant_of
from stowage.memory.peak import peak_of
from stowage.pipeline import Compiled
from stowage.quantise.work import macs
from stowage.report.memory_record import Record, own_weights_bytes, weights_bytes
from stowage.report.page.turns_page import sizes_page
from stowage.report.short_name import short_name
from stowage.report.side_by_side import Arena, side_by_side
from stowage.sized_pipeline import CompiledSizes
from stowage.target.board import Role


def sized_memory_files(compiled: CompiledSizes) -> dict[str, str]:
    """The report in all its forms, by file name."""
    name = compiled.program.name
    return {f"{name}_memory{ending}": SIZED_FORMATS[form](compiled) for form, ending in _ENDINGS.items()}


def sized_record(compiled: CompiledSizes) -> Record:
    """The report as plain data; sizes in bytes. `sizes` has an entry a size, in the order of the header."""
    sized, target = compiled.program, compiled.variants[0].target
    region = target.preferred(Role.ARENA)
    own_bytes = sum(own_weights_bytes(program) for program in sized.programs)
    return {
        "model": sized.name,
        "board": target.board,
        "dimensions": list(sized.dimensions),
        "region": region.name,
        "capacity_bytes": region.capacity_bytes,
        "arena_bytes": sized.arena_bytes,
        "arena_alignment_bytes": sized.alignment_bytes,
        "weights_bytes": sized.shared.size_bytes + own_bytes,
        "shared_weights_bytes": sized.shared.size_bytes,
        "apart_weights_bytes": sum(weights_bytes(program) for program in sized.programs),
        "sizes": [_size(variant) for variant in compiled.variants],
    }


def _size(variant: Compiled) -> Record:
    plan, program = variant.plan, variant.program
    return {
        "model": program.name,
        "extents": dict(variant_of(program).size),
        "arena_bytes": plan.arena_bytes,
        "lower_bound_bytes": plan.bound_bytes,
        "gap_bytes": plan.arena_bytes - plan.bound_bytes,
        "own_weights_bytes": own_weights_bytes(program),
        "steps": len(program.calls),
        "macs": sum(macs(step.node) for step in plan.schedule.steps),
        "peak_step": peak_of(plan).step,
        "inputs": [_port(port) for port in program.inputs],
        "outputs": [_port(port) for port in program.outputs],
    }


def _port(port: Port) -> Record:
    type_ = port.value.type
    return {"name": port.identifier, "shape": list(type_.shape), "size_bytes": type_.size_bytes}


def _text(compiled: CompiledSizes) -> str:
    return "\n".join(_lines(sized_record(compiled))) + "\n"


def _json(compiled: CompiledSizes) -> str:
    return json.dumps(sized_record(compiled), indent=2) + "\n"


def _page(compiled: CompiledSizes) -> str:
    record = sized_record(compiled)
    arena = Arena(record["model"], record["arena_bytes"], record["region"], record["capacity_bytes"])
    plans = [(variant_of(variant.program).title, variant.plan) for variant in compiled.variants]
    return sizes_page(record, side_by_side(arena, plans, list(_states(compiled.variants[0].program))))


def _states(program: Program) -> Iterator[Record]:
    """The bytes of the states, which are the same at every size."""
    for state in program.states:
        size_bytes = state.held.value.type.size_bytes
        what = f'state "{state.held.value.name}"'
        yield {"what": what, "offset_bytes": state.held.offset_bytes, "size_bytes": size_bytes}


def _lines(record: Record) -> Iterator[str]:
    sizes, spared = record["sizes"], record["apart_weights_bytes"] - record["weights_bytes"]
    yield f"Memory of {record['model']} on board {record['board']}, at {len(sizes)} sizes"
    yield f"  arena        {record['arena_bytes']:>10,} B   of the largest"
    yield f"  region       {record['capacity_bytes']:>10,} B   in {record['region']}"
    yield f"  weights      {record['weights_bytes']:>10,} B   stored once: {spared:,} B are saved"
    yield f"  of these     {record['shared_weights_bytes']:>10,} B   are read by two sizes or more"
    for size in sizes:
        yield from _size_lines(size)


def _size_lines(size: Record) -> Iterator[str]:
    gap = size["gap_bytes"]
    verdict = "optimal" if gap == 0 else f"at most {gap:,} B above the optimum"
    yield f"  at {', '.join(f'{name} = {extent}' for name, extent in size['extents'].items())} ({size['model']}):"
    yield f'    arena      {size["arena_bytes"]:>10,} B   ({verdict}), the most in "{short_name(size["peak_step"])}"'
    yield f"    weights    {size['own_weights_bytes']:>10,} B   of its own"
    yield f"    steps      {size['steps']:>10,}     with {size['macs']:,} multiply-accumulates"
    for kind in ("inputs", "outputs"):
        for port in size[kind]:
            shape = "x".join(map(str, port["shape"])) or "scalar"
            yield f"    {kind[:-1]:<10} {port['size_bytes']:>10,} B   {short_name(port['name'])}, {shape}"


SIZED_FORMATS: Mapping[str, Callable[[CompiledSizes], str]] = MappingProxyType(
    {"text": _text, "json": _json, "html": _page}
)
"""The forms of the report by name."""
_ENDINGS = {"text": ".txt", "json": ".json", "html": ".html"}
