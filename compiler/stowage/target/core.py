# SPDX-License-Identifier: Apache-2.0
"""The processor cores that Stowage compiles for, and what each can do."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class MpuKind(enum.Enum):
    """Which memory protection unit a core has."""

    NONE = "none"
    PMSAV7 = "pmsav7"
    PMSAV8 = "pmsav8"


@dataclass(frozen=True, slots=True)
class Core:
    """A processor core.

    Attributes:
        name: Stowage's name, that of the Bazel constraint value.
        title: the vendor's name, for people.
        fpu: whether it computes float32 in hardware.
        dsp: whether it has the DSP extension (SIMD within a 32-bit register).
        mve: whether it has the M-profile Vector Extension (Helium).
        thumb1: whether it has little more than the 16-bit instructions, which reach eight registers.
        caches: whether it may have instruction and data caches, to be turned on at reset.
        mpu: its memory protection unit, as in the chips and machines that Stowage knows.
        mpu_regions: how many regions that unit has.
        vector_alignment_bytes: smallest alignment of a vector table that the core accepts, whatever its length.
    """

    name: str
    title: str
    fpu: bool = False
    dsp: bool = False
    mve: bool = False
    thumb1: bool = False
    caches: bool = False
    mpu: MpuKind = MpuKind.NONE
    mpu_regions: int = 0
    vector_alignment_bytes: int = 128

    @property
    def is_host(self) -> bool:
        """Whether this is the machine that builds, rather than a microcontroller."""
        return self.name == "host"


CORES: dict[str, Core] = {
    core.name: core
    for core in (
        Core("cortex_m0", "Cortex-M0", thumb1=True),
        Core("cortex_m3", "Cortex-M3", mpu=MpuKind.PMSAV7, mpu_regions=8),
        Core("cortex_m4f", "Cortex-M4F", fpu=True, dsp=True, mpu=MpuKind.PMSAV7, mpu_regions=8),
        Core("cortex_m7", "Cortex-M7", fpu=True, dsp=True, caches=True, mpu=MpuKind.PMSAV7, mpu_regions=8),
        Core("cortex_m33", "Cortex-M33", fpu=True, dsp=True, mpu=MpuKind.PMSAV8, mpu_regions=8),
        Core("cortex_m55", "Cortex-M55", fpu=True, dsp=True, mve=True, caches=True, mpu=MpuKind.PMSAV8, mpu_regions=8),
        Core("host", "the host", fpu=True),
    )
}
