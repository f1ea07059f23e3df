# SPDX-License-Identifier: Apache-2.0
"""Reads the NPU of a board file, and refuses one that contradicts itself or hal/npu/README.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stowage.target.board import Board, Master, Npu, Role
from stowage.target.board_field import Field

COMMAND_FORMAT = "stowage_npu_1"

NPU_OPERATORS = (
    "conv2d",
    "depthwise_conv2d",
    "fully_connected",
    "max_pool2d",
    "average_pool2d",
    "add",
    "requantise",
)
"""All that an NPU of that format may run."""

_LEAST_BANKS, _MOST_BANKS = 4, 32
_MOST_BANK_BYTES = (1 << 24) - 1
_MOST_EXTENT = 255
_MOST_PORT_BYTES = 0xFFFF


def read_npu(here: Field, board: Any) -> Npu | None:
    """The NPU of a board message, if it has one.

    Raises:
        InvalidBoard: a field is missing or out of range, or two contradict each other.
    """
    if not board.HasField("npu"):
        return None
    message = board.npu
    npu = Npu(
        name=(here / "name").identifier(message.name),
        base=(here / "base").positive(message.base),
        macs_per_cycle=(here / "macs_per_cycle").positive(message.macs_per_cycle),
        banks=_within(here / "banks", message.banks, _LEAST_BANKS, _MOST_BANKS),
        operators=_read_operators(here / "operators", message.operators),
        command_format=(here / "command_format").one_of(message.command_format, (COMMAND_FORMAT,)),
        bank_bytes=_within(
            (here / "bank_bytes"), (here / "bank_bytes").aligned(message.bank_bytes), 1, _MOST_BANK_BYTES
        ),
        array_channels=_within(here / "array_channels", message.array_channels, 1, _MOST_EXTENT),
        array_pixels=_within(here / "array_pixels", message.array_pixels, 1, _MOST_EXTENT),
        array_depth=_within(here / "array_depth", message.array_depth, 1, _MOST_EXTENT),
        port_bytes=_within(here / "port_bytes", message.port_bytes, 1, _MOST_PORT_BYTES),
        dma_bytes=_within(here / "dma_bytes", message.dma_bytes, 1, _MOST_PORT_BYTES),
    )
    _check_array(here, npu)
    _check_ports(here, npu)
    return npu


def check_npu_reach(here: Field, board: Board) -> None:
    """Refuses a board whose NPU can't reach what it computes with.

    Raises:
        InvalidBoard: weights or arena may lie in a region that the NPU doesn't reach.
    """
    for role in (Role.WEIGHTS, Role.ARENA) if board.npu is not None else ():
        region = board.roles[role][0]
        if Master.NPU not in region.reached_by:
            raise (here / "regions")[region.name].refusal(
                f"takes the {role.value} of models, and the NPU does not reach it",
                "add NPU to its reached_by, or give the role to another region",
            )


def _within(here: Field, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise here.refusal(f"is {value}" if value else "is missing or 0", f"give a number from {least} to {most}")
    return value


def _read_operators(here: Field, names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        raise here.refusal("the NPU runs nothing", f"name some of {', '.join(NPU_OPERATORS)}")
    here.unique(names)
    return tuple(here.one_of(name, NPU_OPERATORS) for name in names)


def _check_array(here: Field, npu: Npu) -> None:
    macs = npu.array_channels * npu.array_pixels * npu.array_depth
    if macs != npu.macs_per_cycle:
        raise (here / "macs_per_cycle").refusal(
            f"is {npu.macs_per_cycle}, but an array of {npu.array_channels} channels, {npu.array_pixels} pixels and a "
            f"depth of {npu.array_depth} does {macs}",
            "correct one of them",
        )


def _check_ports(here: Field, npu: Npu) -> None:
    for what, extent in (("weights", npu.array_channels), ("input", npu.array_pixels)):
        if extent * npu.array_depth > npu.port_bytes:
            raise (here / "port_bytes").refusal(
                f"a port of {npu.port_bytes} bytes can't feed an array that takes {extent * npu.array_depth} bytes of "
                f"{what} a cycle",
                "give a wider port or a smaller array",
            )
    if npu.dma_bytes > npu.port_bytes:
        raise (here / "dma_bytes").refusal(
            f"the DMA moves {npu.dma_bytes} bytes a cycle through ports of {npu.port_bytes}",
            "give it no more than a port takes",
        )
