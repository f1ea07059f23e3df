# SPDX-License-Identifier: Apache-2.0
"""Sequences of tensors: lists that exist while importing only, so that what they hold is a tensor like any other."""

from __future__ import annotations

import numpy as np
from onnx import helper

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import PARTS_OPSET, Structures, Translate, bind_outputs, known
from stowage.frontend.from_onnx.structure.stacking import part, stacked, taken

MOST_PARTS = 2**10
"""Each part is a step of its own."""


def _empty(site: NodeSite, translate: Translate) -> None:
    _bind(site, ())


def _construct(site: NodeSite, translate: Translate) -> None:
    _bind(site, tuple(site.proto.input))


def _insert(site: NodeSite, translate: Translate) -> None:
    items = _items(site)
    place = _place(site, 2, len(items), len(items)) if site.has(2) else len(items)
    _bind(site, (*items[:place], site.proto.input[1], *items[place:]))


def _erase(site: NodeSite, translate: Translate) -> None:
    items = _items(site)
    place = _place(site, 1, len(items), len(items) - 1) if site.has(1) else len(items) - 1
    if not items:
        raise site.invalid("the sequence is empty")
    _bind(site, (*items[:place], *items[place + 1 :]))


def _at(site: NodeSite, translate: Translate) -> None:
    items = _items(site)
    bind_outputs(site, [items[_place(site, 1, len(items), len(items) - 1)]])


def _length(site: NodeSite, translate: Translate) -> None:
    bind_outputs(site, [known(site, "length", np.array(len(_items(site)), np.int64))])


def _concat(site: NodeSite, translate: Translate) -> None:
    items, axis = _items(site), site.integer("axis", 0)
    if not items:
        raise site.invalid("the sequence is empty")
    if site.flag("new_axis"):
        bind_outputs(site, [stacked(site, translate, items, axis)])
    else:
        bind_outputs(site, [part(site, translate, "Concat", items, axis=axis)])


def _split(site: NodeSite, translate: Translate) -> None:
    """Into parts of given lengths, or of one length each, the last one shorter; without lengths into places."""
    shape, source = site.type(0).shape, site.proto.input[0]
    axis = site.axis(site.integer("axis", 0), len(shape))
    if not site.has(1):
        keep = site.flag("keepdims", True)
        _check_count(site, shape[axis])
        places = [taken(site, translate, source, axis, place) for place in range(shape[axis])]
        _bind(site, tuple(part(site, translate, "Unsqueeze", [each], axes=[axis]) if keep else each for each in places))
        return
    lengths = _lengths(site, shape[axis])
    outputs = [site.reserve("part") for _ in lengths]
    node = helper.make_node("Split", [source], outputs, name=f"{site.name}.split", axis=axis, split=lengths)
    translate(node, PARTS_OPSET)
    _bind(site, tuple(outputs))


def _lengths(site: NodeSite, extent: int) -> list[int]:
    given = site.known_ints(1, "the lengths")
    if site.known(1, "the lengths").ndim:
        return list(given)
    if given[0] < 1:
        raise site.invalid(f"the length {given[0]} of a part must be positive")
    _check_count(site, extent // given[0])
    return [min(given[0], extent - begin) for begin in range(0, extent, given[0])]


def _check_count(site: NodeSite, parts: int) -> None:
    if parts > MOST_PARTS:
        raise site.unsupported(f"it splits into {parts} tensors, over {MOST_PARTS}", "split into fewer")


def _items(site: NodeSite) -> tuple[str, ...]:
    items = site.tensors.sequence(site.proto.input[0]) if site.has(0) else None
    if items is None:
        raise site.invalid("its first operand is no sequence")
    return items


def _place(site: NodeSite, index: int, count: int, last: int) -> int:
    """A place in a sequence, counted from the end if negative."""
    (place,) = site.known_ints(index, "the place")
    if not -count <= place <= last:
        raise site.invalid(f"there is no place {place} in a sequence of {count}")
    return place + count if place < 0 else place


def _bind(site: NodeSite, items: tuple[str, ...]) -> None:
    site.tensors.bind_sequence(site.proto.output[0], items)


STRUCTURES: Structures = {
    "SequenceEmpty": _empty,
    "SequenceConstruct": _construct,
    "SequenceInsert": _insert,
    "SequenceErase": _erase,
    "SequenceAt": _at,
    "SequenceLength": _length,
    "ConcatFromSequence": _concat,
    "SplitToSequence": _split,
}
