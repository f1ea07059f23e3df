# SPDX-License-Identifier: Apache-2.0
"""Reads how a board's images are executed and where they write their text."""

from __future__ import annotations

from typing import Any

from stowage.target.board import CmsdkUart, Console, Execution, NrfUart, QemuMachine, RunsOn
from stowage.target.board_field import Field
from stowage.target.core import Core

_LARGEST_ICOUNT_SHIFT = 10


def read_execution(board: Field, message: Any, core: Core) -> Execution:
    """How tests execute an image.

    Raises:
        InvalidBoard: nothing is said, or it contradicts the core or itself.
    """
    here = board / "exec"
    way = message.exec.WhichOneof("way")
    if way is None:
        raise here.refusal("is missing", "say qemu, device or host")
    if (way == "host") != core.is_host:
        raise here.refusal(f"{way} can't execute code for {core.title}", "correct exec or core")
    return _read_qemu(here / "qemu", message.exec.qemu) if way == "qemu" else RunsOn(way)


def read_console(board: Field, message: Any) -> Console | None:
    """Where a flashed image writes its text, or None.

    Raises:
        InvalidBoard: a field of the port is missing.
    """
    if not message.HasField("console"):
        return None
    here = board / "console"
    port = message.console.WhichOneof("port")
    if port is None:
        raise here.refusal("names no port", "give nrf_uart or cmsdk_uart, or leave console out")
    return (
        _read_nrf_uart(here / port, message.console)
        if port == "nrf_uart"
        else _read_cmsdk(here / port, message.console)
    )


def _read_qemu(here: Field, message: Any) -> QemuMachine:
    if not message.machine:
        raise (here / "machine").refusal("is missing", "name a machine that `qemu-system-arm -machine help` lists")
    systick_hz = (here / "systick_hz").positive(message.systick_hz)
    _check_icount_shift(here / "icount_shift", message.icount_shift, systick_hz)
    return QemuMachine(message.machine, message.cpu, tuple(message.arguments), message.icount_shift, systick_hz)


def _check_icount_shift(here: Field, shift: int, systick_hz: int) -> None:
    # Rounding to the nearest instruction is exact only if an instruction lasts more than two ticks.
    if shift > _LARGEST_ICOUNT_SHIFT:
        raise here.refusal(f"is {shift}, QEMU takes at most {_LARGEST_ICOUNT_SHIFT}", "give a smaller one")
    if systick_hz << shift <= 2_000_000_000:
        raise here.refusal(
            f"an instruction lasts {1 << shift} ns, not more than two ticks of a {systick_hz} Hz SysTick",
            "give a larger one, or the counter can't be exact",
        )


def _read_nrf_uart(here: Field, console: Any) -> NrfUart:
    port = console.nrf_uart
    base = (here / "base").positive(port.base)
    return NrfUart(base, port.tx_pin, (here / "baud_register").positive(port.baud_register))


def _read_cmsdk(here: Field, console: Any) -> CmsdkUart:
    port = console.cmsdk_uart
    return CmsdkUart((here / "base").positive(port.base), (here / "baud_divisor").positive(port.baud_divisor))
