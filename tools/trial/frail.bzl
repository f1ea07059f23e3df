# SPDX-License-Identifier: Apache-2.0
"""frail_model: the model that is written by hand to be wrong, for tests of what catches it."""

load("//tools/rules/private:model_info.bzl", "StowageModelInfo")

def _frail_model_impl(ctx):
    folder = ctx.label.name + ".frail/"
    defect = ctx.actions.declare_file(folder + "frail_defect.h")
    define = "#define FRAIL_{}\n".format(ctx.attr.defect.upper()) if ctx.attr.defect else ""
    ctx.actions.write(defect, define)
    header = ctx.actions.declare_file(folder + "frail.h")
    ctx.actions.symlink(output = header, target_file = ctx.file._header)
    memory = ctx.actions.declare_file(folder + "frail_memory.json")
    ctx.actions.write(memory, '{"model": "frail", "arena_bytes": 32, "inputs": [{"size_bytes": 8}]}\n')
    return [
        DefaultInfo(files = depset([memory])),
        StowageModelInfo(
            name = "frail",
            headers = [header, defect],
            sources = [ctx.file._source],
            header = "frail.h",
            include = header.dirname,
            size = {},
            sizes = [],
            run = "frail_run({})",
            arena = "frail_arena",
            library = None,
            memory_text = memory,
            memory_json = memory,
            prefetch = False,
            arenas = [],
            stream_input = False,
        ),
    ]

frail_model = rule(
    implementation = _frail_model_impl,
    doc = "The model of frail.c with one defect, or with none.",
    attrs = {
        "defect": attr.string(
            doc = "Which mistake it makes.",
            values = [
                "",
                "clobbers_live",
                "fault",
                "reads_dead",
                "reads_past_arena",
                "writes_below_arena",
                "writes_data",
                "writes_past_arena",
                "writes_past_edge",
            ],
        ),
        "_header": attr.label(default = "//tools/trial:frail.h", allow_single_file = True),
        "_source": attr.label(default = "//tools/trial:frail.c", allow_single_file = True),
    },
    provides = [StowageModelInfo],
)
