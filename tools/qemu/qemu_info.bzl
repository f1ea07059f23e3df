# SPDX-License-Identifier: Apache-2.0
"""QemuInfo: the emulator that runs a board's images."""

QemuInfo = provider(
    doc = "QEMU's emulator of Arm systems.",
    fields = {
        "executable": "File: qemu-system-arm",
        "files": "depset of File: everything it needs to run; add it to an action's tools or a test's runfiles",
    },
)
