# SPDX-License-Identifier: Apache-2.0
"""Small random turns, stretches and shifts of the training images: 1,347 digits are few, and hands vary that way."""

import numpy as np

from examples.digits.dataset import Floats

MAX_TURN_RADIANS = 0.1
MAX_STRETCH = 0.1
MAX_SHIFT_PIXELS = 0.5


def _sources(count: int, side: int, draw: np.random.Generator) -> Floats:
    """Where each pixel of each new image comes from: row and column `[count, 2, side, side]`, in pixels."""
    turn = draw.uniform(-MAX_TURN_RADIANS, MAX_TURN_RADIANS, (count, 1, 1))
    stretch = 1 + draw.uniform(-MAX_STRETCH, MAX_STRETCH, (count, 2, 1, 1))
    shift = draw.uniform(-MAX_SHIFT_PIXELS, MAX_SHIFT_PIXELS, (count, 2, 1, 1))
    middle = (side - 1) / 2
    row, column = np.mgrid[:side, :side] - middle
    turned = np.stack([row * np.cos(turn) - column * np.sin(turn), row * np.sin(turn) + column * np.cos(turn)], axis=1)
    sources: Floats = (turned * stretch + shift + middle).astype(np.float32)
    return sources


def vary(images: Floats, draw: np.random.Generator) -> Floats:
    """Each image of `images[n, 1, side, side]`, moved by its own draw; bilinear in between, paper beyond the edge."""
    count, _, side, _ = images.shape
    framed = np.pad(images[:, 0], ((0, 0), (1, 1), (1, 1)))
    source = np.clip(_sources(count, side, draw) + 1, 0, side + 0.999)
    corner = source.astype(np.int64)
    part = source - corner
    image = np.arange(count)[:, np.newaxis, np.newaxis]
    row, column = corner[:, 0], corner[:, 1]
    above = framed[image, row, column] * (1 - part[:, 1]) + framed[image, row, column + 1] * part[:, 1]
    below = framed[image, row + 1, column] * (1 - part[:, 1]) + framed[image, row + 1, column + 1] * part[:, 1]
    moved: Floats = (above * (1 - part[:, 0]) + below * part[:, 0]).astype(np.float32)
    return moved[:, np.newaxis]
