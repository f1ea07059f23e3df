# SPDX-License-Identifier: Apache-2.0
"""What a compiled model tells the rules that use it."""

StowageModelInfo = provider(
    doc = "A model compiled to C for the board of the current configuration.",
    fields = {
        "name": "string: the C identifier, prefix of every generated symbol and file.",
        "headers": "list of Files: `<name>.h`, `<name>_arena.h`, `<name>_weights.h`.",
        "sources": "list of Files: `<name>.c` and `<name>_weights.c`.",
        "include": "string: the folder of the headers, for an include path.",
        "memory_text": "File: the memory report for people.",
        "memory_json": "File: the memory report for tools, all sizes in bytes.",
    },
)
