# SPDX-License-Identifier: Apache-2.0
"""Writes `samples.h`: the first few held-out images as the int8 model takes them, with their labels."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COUNT = 10
_HEAD = """\
/* The first {count} held-out digits, one 8x8 image a row, and what they show. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>

#define SAMPLE_COUNT {count}u

"""


def header(images: NDArray[np.int8], labels: NDArray[np.uint8]) -> str:
    """The text of the header for images [image, channel, row, column] and labels [image]."""
    rows = "".join(f"    {{{', '.join(map(str, image.ravel().tolist()))}}},\n" for image in images)
    pixels = images[0].size
    return (
        _HEAD.format(count=len(images))
        + f"static const int8_t sample_images[SAMPLE_COUNT][{pixels}] = {{\n{rows}}};\n\n"
        + f"static const uint8_t sample_labels[SAMPLE_COUNT] = {{{', '.join(map(str, labels.tolist()))}}};\n\n"
        + "#endif /* SAMPLES_H */\n"
    )


def main(images: str, labels: str, out: str) -> None:
    """Reads two NumPy files and writes the header."""
    Path(out).write_text(header(np.load(images)[:COUNT], np.load(labels)[:COUNT]))


if __name__ == "__main__":
    main(*sys.argv[1:])
