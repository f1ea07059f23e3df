# SPDX-License-Identifier: Apache-2.0
"""The memory report of a model of several sizes: what each takes, and what they have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from stowage.codegen.program import Port, Program
from stowage.codegen.shared_data import own_data
from stowage.codegen.sized_program import variant_of
from stowage.memory.peak import peak_of
from stowage.pipeline import Compiled
from stowage.quantise.work import macs
from stowage.report.memory_record import Record, weights_bytes
from stowage.report.memory_report import short_name
from stowage.sized_pipeline import CompiledSizes
from stowage.target.board import Role


def sized_memory_files(compiled: CompiledSizes) -> dict[str, str]:
    """The report in all its forms, by file name."""
    record = sized_record(compiled)
    return {f"{record['model']}_memory{ending}": SIZED_FORMATS[form](record) for form, ending in _ENDINGS.items()}


def sized_record(compiled: CompiledSizes) -> Record:
    """The report as plain data; sizes in bytes. `sizes` has an entry a size, in the order of the header."""
    sized, target = compiled.program, compiled.variants[0].target
    region = target.preferred(Role.ARENA)
    own_bytes = sum(_own_bytes(program) for program in sized.programs)
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
        "own_weights_bytes": _own_bytes(program),
        "steps": len(program.calls),
        "macs": sum(macs(step.node) for step in plan.schedule.steps),
        "peak_step": peak_of(plan).step,
        "inputs": [_port(port) for port in program.inputs],
        "outputs": [_port(port) for port in program.outputs],
    }


def _own_bytes(program: Program) -> int:
    return sum(int(program.constants[datum.digest].nbytes) for datum in own_data(program))


def _port(port: Port) -> Record:
    type_ = port.value.type
    return {"name": port.identifier, "shape": list(type_.shape), "size_bytes": type_.size_bytes}


def sized_text(record: Record) -> str:
    """The report for people."""
    return "\n".join(_lines(record)) + "\n"


def sized_json(record: Record) -> str:
    """The report as JSON."""
    return json.dumps(record, indent=2) + "\n"


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


SIZED_FORMATS: Mapping[str, Callable[[Record], str]] = MappingProxyType({"text": sized_text, "json": sized_json})
"""The forms of the report by name."""
_ENDINGS = {"text": ".txt", "json": ".json"}
