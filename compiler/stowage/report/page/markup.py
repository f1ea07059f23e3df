# SPDX-License-Identifier: Apache-2.0
"""Elements of HTML and SVG as text. Whatever is no element already is escaped, so that names can hold anything."""

from __future__ import annotations

from html import escape
from unicodedata import category

from stowage.report.short_name import short_name

_VOID = {"meta", "br"}
_NO_BREAK = "\N{NO-BREAK SPACE}"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | int) -> Markup:
    """An element; an underscore in an attribute's name stands for a hyphen, one at its end for nothing.

    Args:
        tag: the element's name.
        children: elements, and text, which is escaped.
        attributes: values are escaped.
    """
    written = "".join(
        f' {name.removesuffix("_").replace("_", "-")}="{_escaped(str(value))}"' for name, value in attributes.items()
    )
    if tag in _VOID:
        return Markup(f"<{tag}{written}>")
    inside = "".join(child if isinstance(child, Markup) else _escaped(child) for child in children)
    return Markup(f"<{tag}{written}>{inside}</{tag}>")


def joined(*parts: Markup) -> Markup:
    """Elements one after the other, each on a line of its own."""
    return Markup("\n".join(parts))


def short(name: str) -> Markup:
    """A name, cut where it is very long; the whole of it shows where the pointer rests."""
    return element("span", short_name(name), class_="name", title=name)


def of_bytes(size: int) -> str:
    """For instance "8,448 B", which no line is broken in."""
    return f"{size:,}{_NO_BREAK}B"


def _escaped(text: str) -> str:
    """Text without markup, and without characters that are not seen: controls, and those that turn the direction."""
    printable = "".join("\N{REPLACEMENT CHARACTER}" if category(each)[0] == "C" else each for each in text)
    return escape(printable, quote=True)
