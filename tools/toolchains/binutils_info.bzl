# SPDX-License-Identifier: Apache-2.0
"""BinutilsInfo: the programs that read and rewrite a board's ELF files."""

BinutilsInfo = provider(
    doc = "The binary tools for a board's ELF files. They run on the host; any core's files will do.",
    fields = {
        "files": "depset of File: everything the programs need to run; add it to an action's tools or a test's runfiles",
        "nm": "File: lists symbols",
        "objcopy": "File: turns an ELF into Intel HEX or a binary",
        "objdump": "File: disassembles",
        "readelf": "File: shows headers and sections",
        "size": "File: sums sections up",
    },
)
