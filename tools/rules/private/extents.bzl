# SPDX-License-Identifier: Apache-2.0
"""The sizes that the attribute `dimensions` of a model asks for, as compiler/stowage/extents.py reads them.

What the compiler refuses is one size here: then the compiler says in its own words what is wrong.
"""

# As the compiler's.
_MOST_SIZES = 64

def _number(text):
    """A positive whole number, or 0 for what is none."""
    return int(text) if text.isdigit() and not text.startswith("0") and len(text) < 10 else 0

def _range(text):
    """The extents of a part of a list, none where it is no number and no range."""
    ends, slash, step = text.partition("/")
    first, dots, last = ends.partition("..")
    by = _number(step) if slash else 1
    if not dots:
        return [] if slash or not _number(first) else [_number(first)]
    if not _number(first) or not by or _number(last) <= _number(first) or (_number(last) - _number(first)) % by:
        return []
    count = (_number(last) - _number(first)) // by + 1
    return [] if count > _MOST_SIZES else [_number(first) + by * index for index in range(count)]

def _extents(text):
    """All extents of a dimension, none where the compiler will refuse them."""
    extents = []
    for part in text.split(","):
        more = _range(part)
        if not more or [extent for extent in more if extent in extents]:
            return []
        extents += more
    return extents if len(extents) <= _MOST_SIZES else []

def sizes(dimensions):
    """Every combination of the extents of dimensions that have several.

    Args:
      dimensions: the attribute

    Returns:
      a list of dicts from names of dimensions to extents; [{}] where no dimension has several
    """
    combinations = [{}]
    for name, text in dimensions.items():
        extents = _extents(text)
        if len(extents) > 1:
            combinations = [size | {name: extent} for size in combinations for extent in extents]
        if len(combinations) > _MOST_SIZES:
            return [{}]
    return combinations
