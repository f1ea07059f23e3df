# SPDX-License-Identifier: Apache-2.0
"""Test support: pl081.c with the models of its device and of a data cache, through the machine's C compiler."""

from __future__ import annotations

import ctypes
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).absolute().parents[2]
BASE, SIZE = 0x2000_0000, 0x2_0000
CONTENT = bytes((i * 7 + i // 251) % 256 for i in range(SIZE))

BOARD = """\
#define STW_BOARD_CORE_HAS_CACHES %d
#define STW_BOARD_DMA_CHANNELS 4
#define STW_BOARD_DMA_LINES(X) \\
    X(0x40010000u, 0u, 5u) X(0x40010000u, 1u, 5u) X(0x40011000u, 0u, 7u) X(0x40011000u, 1u, 7u)
#define STW_BOARD_DMA_REGIONS(X) X("low", 0x20000000u, 0x18000u) X("high", 0x18000u + 0x20000000u, 0x8000u)
"""


class Controller(ctypes.CDLL):
    """The driver and its device, with the bytes that copies are counted in: a line of the cache, if there is one."""

    grain: int


@dataclass(frozen=True)
class Device:
    """The driver with its model, loaded; memory starts at BASE."""

    library: Controller
    memory: ctypes.Array[ctypes.c_uint8]

    def start(self, to: int, source: int, size: int) -> int:
        result: int = self.library.stw_hal_dma_start(ctypes.c_void_p(BASE + to), ctypes.c_void_p(BASE + source), size)
        return result

    def wait(self, handle: int) -> int:
        status: int = self.library.stw_hal_dma_wait(handle)
        return status

    def copy(self, to: int, source: int, size: int) -> int:
        return self.wait(self.start(to, source, size))

    def log(self) -> list[str]:
        text: bytes = self.library.model_log()
        return text.decode().split()


def load(folder: Path, has_caches: bool, without: str = "") -> Controller:
    """The driver, or what is left of it without a statement."""
    driver = (ROOT / "hal/dma/pl081.c").read_text()
    assert not without or driver.count(without) == 1
    (folder / "pl081.c").write_text(driver.replace(without, "") if without else driver)
    (folder / "hal/dma").mkdir(parents=True)
    (folder / "hal/dma/bus.h").write_text('#include "hal/dma/pl081_model.h"\n')
    (folder / "stw_board.h").write_text(BOARD % has_caches)
    flags = ["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    includes = [f"-I{folder}", f"-I{ROOT}", f"-I{ROOT}/hal/include"]
    sources = [str(folder / "pl081.c"), *(str(ROOT / "hal/dma" / name) for name in ("pl081_model.c", "cache_model.c"))]
    library = folder / f"caches{has_caches:d}.so"
    subprocess.run([os.environ.get("CC", "cc"), *flags, *includes, *sources, "-o", str(library)], check=True)
    loaded = Controller(str(library))
    loaded.model_start.restype = ctypes.c_void_p
    loaded.model_log.restype = ctypes.c_char_p
    loaded.grain = 32 if has_caches else 1
    return loaded


def started(library: Controller, seed: int = 1) -> Device:
    assert library.model_start(seed) == BASE
    return Device(library, (ctypes.c_uint8 * SIZE).from_address(BASE))


def fill(device: Device) -> bytes:
    ctypes.memmove(device.memory, CONTENT, SIZE)
    return CONTENT
