# SPDX-License-Identifier: Apache-2.0
"""The cores that there are toolchains for, and how each is told to the compiler.

The floating-point units are single-precision, as on the smallest chip of each core. The Cortex-M55 does without vector
floating point: its vector unit flushes denormals to zero, and float32 results are to be the same on every core.
"""

CORES = {
    "cortex_m0": ["-mcpu=cortex-m0", "-mfloat-abi=soft"],
    "cortex_m3": ["-mcpu=cortex-m3", "-mfloat-abi=soft"],
    "cortex_m33": ["-mcpu=cortex-m33", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"],
    "cortex_m4f": ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
    "cortex_m55": ["-mcpu=cortex-m55+nomve.fp", "-mfloat-abi=hard"],
    "cortex_m7": ["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"],
}
