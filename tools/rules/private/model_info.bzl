# SPDX-License-Identifier: Apache-2.0
"""What a compiled model tells the rules that use it."""

StowageModelInfo = provider(
    doc = "A model compiled to C for the board of the current configuration.",
    fields = {
        "name": "string: the C identifier, prefix of every generated symbol and file.",
        "headers": "list of Files: `<name>.h`, `<name>_arena.h`, `<name>_weights.h`; in a pool also the others'.",
        "sources": "list of Files: `<name>.c` and `<name>_weights.c`; in a pool also the pool's.",
        "header": "string: the header to include for it and its arena: `<name>.h`, or that of its pool.",
        "include": "string: the folder of the headers, for an include path.",
        "size": "dict: from names of dimensions to extents, in a size of a model of several; else empty.",
        "sizes": "list of StowageModelInfos: each size of a model of several; else empty.",
        "run": "string: the C call of a run with `{}` for the arena: `<name>_run({})`, of a size that of its model's entry point.",
        "arena": "string: the C name of its arena: `<name>_arena`, or that of its pool.",
        "library": "CcInfo: of a size, what has been compiled of all sizes, so that no two images compile it; else None.",
        "request": "struct: how the compiler makes it: `arguments`, the command line (strings and Files), `inputs`, the Files that " +
                   "this reads, and `suffixes`, the endings of the files that come of it.",
        "arenas": "list of strings: what it calls its arenas beside that: `<name>_arena_<each>`.",
        "prefetch": "bool: whether its run may start copies of `stowage_hal/dma.h`.",
        "stream_input": "bool: whether a function of its caller feeds its input by rows.",
        "memory_text": "File: the memory report for people.",
        "memory_json": "File: the memory report for tools, all sizes in bytes.",
    },
)
