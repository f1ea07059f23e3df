# SPDX-License-Identifier: Apache-2.0
"""Reading Einsum's equation: letters are labels of axes, an ellipsis stands for all axes that have no letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stowage.frontend.from_onnx.node_site import NodeSite

Labels = tuple[str, ...]
_ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation on operands of given shapes.

    Attributes:
        operands: the labels of each operand's axes; those under an ellipsis are called ".0", ".1", … from the last on.
        result: the labels of the result's axes.
        extents: by label; an operand may have extent 1 instead.
    """

    operands: tuple[Labels, ...]
    result: Labels
    extents: dict[str, int]


def read_equation(site: NodeSite, text: str, shapes: Sequence[tuple[int, ...]]) -> Equation:
    """The equation of a node whose operands have these shapes.

    Raises:
        InvalidModel: it is malformed, or does not go with the shapes.
    """
    left, arrow, right = text.replace(" ", "").partition("->")
    parts = left.split(",")
    if len(parts) != len(shapes):
        raise site.invalid(f"the equation {text!r} has {len(parts)} operands, but the node has {len(shapes)}")
    operands = tuple(_labels(site, part, len(shape)) for part, shape in zip(parts, shapes, strict=True))
    hidden = {label for labels in operands for label in labels if label[0] == "."}
    dots = sorted(hidden, key=lambda label: -int(label[1:]))
    result = _result(site, right, dots) if arrow else _implied(operands, dots)
    extents = _extents(site, operands, shapes)
    if len(set(result)) < len(result) or not extents.keys() >= set(result):
        raise site.invalid(f"the result of the equation {text!r} has an axis twice, or one that no operand has")
    return Equation(operands, result, extents)


def _labels(site: NodeSite, part: str, rank: int) -> Labels:
    """The labels of an operand of that rank."""
    before, dots, after = part.partition(_ELLIPSIS)
    covered = rank - len(before) - len(after)
    if not all(letter.isascii() and letter.isalpha() for letter in before + after) or covered < 0:
        raise site.invalid(f"{part!r} in the equation does not describe a tensor of rank {rank}")
    if covered and not dots:
        raise site.invalid(f"{part!r} in the equation leaves {covered} axes of a tensor of rank {rank} without a label")
    return (*before, *(f".{covered - 1 - k}" for k in range(covered)), *after)


def _result(site: NodeSite, part: str, dots: Sequence[str]) -> Labels:
    before, _, after = part.partition(_ELLIPSIS)
    if not all(letter.isascii() and letter.isalpha() for letter in before + after):
        raise site.invalid(f"{part!r} in the equation does not describe a result")
    return (*before, *dots, *after) if _ELLIPSIS in part else (*before,)


def _implied(operands: Sequence[Labels], dots: Sequence[str]) -> Labels:
    """Without an arrow: all under ellipses, then the letters that occur once, in the order of the alphabet."""
    letters = [label for labels in operands for label in labels if label[0] != "."]
    return (*dots, *sorted(letter for letter in letters if letters.count(letter) == 1))


def _extents(site: NodeSite, operands: Sequence[Labels], shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    extents: dict[str, int] = {}
    for labels, shape in zip(operands, shapes, strict=True):
        for label, extent in zip(labels, shape, strict=True):
            known = extents.setdefault(label, extent)
            if known != extent and 1 not in (known, extent):
                raise site.invalid(f"axes of extents {known} and {extent} have one label, {label!r}")
            extents[label] = max(known, extent)
        if any(len({e for each, e in zip(labels, shape, strict=True) if each == label}) > 1 for label in labels):
            raise site.invalid(f"the diagonal of axes of different extents in {list(shape)} is asked for")
    return extents
