# SPDX-License-Identifier: Apache-2.0
"""Scan: its body stands in place of the node once for each place along the axis that it walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import Body, Structures, Translate, bind_outputs
from stowage.frontend.from_onnx.structure.stacking import stacked, taken


@dataclass(frozen=True, slots=True)
class _Walk:
    """One axis and direction for each scanned input, and for each collected output."""

    input_axes: tuple[int, ...]
    input_reversed: tuple[int, ...]
    output_axes: tuple[int, ...]
    output_reversed: tuple[int, ...]


def _scan(site: NodeSite, translate: Translate) -> None:
    body = Body(site, "body", translate)
    scanned = site.integer("num_scan_inputs", 0)
    if site.opset < 9:
        _scan_batches(site, body, scanned, translate)
        return
    operands = list(site.proto.input)
    collected = len(body.outputs) - (len(operands) - scanned)
    _check(site, body, len(operands), scanned)
    walk = _Walk(
        _listed(site, "scan_input_axes", scanned),
        _listed(site, "scan_input_directions", scanned),
        _listed(site, "scan_output_axes", collected),
        _listed(site, "scan_output_directions", collected),
    )
    states = len(operands) - scanned
    bind_outputs(site, _walked(site, body, operands[:states], operands[states:], walk, translate))


def _scan_batches(site: NodeSite, body: Body, scanned: int, translate: Translate) -> None:
    """Before operator set 9 every tensor has batches in front, each of which is walked for itself."""
    operands = list(site.proto.input[1:])
    collected = len(body.outputs) - (len(operands) - scanned)
    _check(site, body, len(operands), scanned)
    directions = _listed(site, "directions", scanned)
    walk = _Walk((0,) * scanned, directions, (0,) * collected, (0,) * collected)
    batches = {_extent(site, operand, 0) for operand in operands}
    if len(batches) != 1:
        raise site.invalid(f"its operands have different numbers of batches, {sorted(batches)}")
    if site.has(0) and set(site.known_ints(0, "the list of lengths")) != {_extent(site, operands[-1], 1)}:
        raise site.unsupported("sequences have different lengths", "pad them, or run one after the other")
    states = len(operands) - scanned
    results = []
    for batch in range(batches.pop()):
        mine = [taken(site, translate, operand, 0, batch) for operand in operands]
        results.append(_walked(site, body, mine[:states], mine[states:], walk, translate))
    bind_outputs(site, [stacked(site, translate, parts, 0) for parts in zip(*results, strict=True)])


def _walked(
    site: NodeSite, body: Body, states: list[str], scanned: Sequence[str], walk: _Walk, translate: Translate
) -> list[str]:
    """The last states, and all that is collected on the way."""
    axes = [
        site.axis(axis, len(site.tensors.type(name).shape)) for name, axis in zip(scanned, walk.input_axes, strict=True)
    ]
    lengths = {_extent(site, name, axis) for name, axis in zip(scanned, axes, strict=True)}
    if len(lengths) != 1:
        raise site.invalid(f"what it walks along has different lengths, {sorted(lengths)}")
    length = lengths.pop()
    collected: list[list[str]] = [[] for _ in walk.output_axes]
    for step in range(length):
        places = [length - 1 - step if backwards else step for backwards in walk.input_reversed]
        parts = [taken(site, translate, *each) for each in zip(scanned, axes, places, strict=True)]
        results = body.place([*states, *parts])
        states = results[: len(states)]
        for whole, result in zip(collected, results[len(states) :], strict=True):
            whole.append(result)
    stacks = [
        stacked(site, translate, parts[::-1] if backwards else parts, axis)
        for parts, axis, backwards in zip(collected, walk.output_axes, walk.output_reversed, strict=True)
    ]
    return [*states, *stacks]


def _check(site: NodeSite, body: Body, operands: int, scanned: int) -> None:
    states = operands - scanned
    if scanned < 1 or states < 0 or len(body.inputs) != operands or len(body.outputs) < states:
        raise site.invalid(
            f"{operands} operands, {scanned} of them walked along, do not suit a body with "
            f"{len(body.inputs)} inputs and {len(body.outputs)} outputs"
        )


def _listed(site: NodeSite, name: str, count: int) -> tuple[int, ...]:
    listed = site.ints(name)
    if listed is None:
        return (0,) * count
    if len(listed) != count:
        raise site.invalid(f"attribute {name} has {len(listed)} entries, but must have {count}")
    return listed


def _extent(site: NodeSite, name: str, axis: int) -> int:
    shape = site.tensors.type(name).shape
    return shape[site.axis(axis, len(shape))]


STRUCTURES: Structures = {"Scan": _scan}
