# SPDX-License-Identifier: Apache-2.0
"""Reads the DMA controllers of a board file."""

from __future__ import annotations

from typing import Any

from stowage.target.board import DmaController
from stowage.target.board_field import Field

MOST_CHANNELS = {"pl080": 8, "pl081": 2}
"""The programming models that have a driver in `hal/dma`, with how many channels such a controller has."""


def read_dma(here: Field, board: Any) -> tuple[DmaController, ...]:
    """The controllers of the message `board`, in the file's order.

    Raises:
        InvalidBoard: a name is there twice, a field is missing, or a controller has no driver.
    """
    here.unique(message.name for message in board.dma)
    return tuple(_read_controller(here, message, board.interrupts) for message in board.dma)


def _read_controller(dma: Field, message: Any, interrupts: int) -> DmaController:
    here = dma[(dma / "name").identifier(message.name)]
    model = (here / "model").one_of((here / "model").identifier(message.model), MOST_CHANNELS)
    return DmaController(
        name=message.name,
        model=model,
        base=(here / "base").positive(message.base),
        channels=_read_channels(here / "channels", message.channels, model),
        interrupt=_read_interrupt(here / "interrupt", message, interrupts),
    )


def _read_channels(here: Field, channels: int, model: str) -> int:
    if here.positive(channels) > MOST_CHANNELS[model]:
        raise here.refusal(f"is {channels}, a {model} has {MOST_CHANNELS[model]}", "correct the number or the model")
    return channels


def _read_interrupt(here: Field, message: Any, interrupts: int) -> int:
    if not message.HasField("interrupt"):
        raise here.refusal("is missing", "give the line of the chip that tells of both ends and errors")
    line: int = message.interrupt
    if line >= interrupts:
        raise here.refusal(f"is {line}, the board has {interrupts} lines from 0 on", "correct it, or interrupts")
    return line
