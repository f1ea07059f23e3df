# SPDX-License-Identifier: Apache-2.0
"""The rule `zoo_watch`: a model is run as a poison build, and as another under guard."""

load("//tools/rules/private:trial_info.bzl", "TrialInfo")

_QEMU = "//tools/qemu:toolchain_type"

def _zoo_watch_impl(ctx):
    trial = ctx.attr.trial[TrialInfo]
    qemu = ctx.toolchains[_QEMU].qemu
    record = ctx.actions.declare_file(ctx.label.name + ".json")
    images = [trial.elf, ctx.attr.poison[TrialInfo].elf, ctx.attr.guarded[TrialInfo].elf]
    arguments = ctx.actions.args()
    arguments.add("--model", ctx.file.model)
    arguments.add("--board", trial.board.textproto)
    arguments.add("--memory", trial.memory_json)
    arguments.add("--execution", trial.board.execution)
    arguments.add("--qemu", qemu.executable)
    arguments.add_all(images, before_each = "--elf")
    arguments.add_all(ctx.files.inputs, before_each = "--input")
    arguments.add("--out", record)
    ctx.actions.run(
        executable = ctx.executable._watch,
        arguments = [arguments],
        inputs = [ctx.file.model, trial.board.textproto, trial.memory_json, trial.board.execution] + images + ctx.files.inputs,
        outputs = [record],
        tools = [qemu.files, qemu.executable],
        mnemonic = "StowageZooWatch",
        progress_message = "Watching %{label}",
    )
    return [DefaultInfo(files = depset([record]))]

zoo_watch = rule(
    implementation = _zoo_watch_impl,
    doc = """Writes `<name>.json`; `tests/zoo/watch.py` says what is in it.

For models with large arenas, which may take too many regions of the memory protection unit to be watched and guarded at
once.""",
    attrs = {
        "trial": attr.label(doc = "The trial image.", mandatory = True, providers = [TrialInfo]),
        "poison": attr.label(doc = "It as a poison build.", mandatory = True, providers = [TrialInfo]),
        "guarded": attr.label(doc = "It under guard.", mandatory = True, providers = [TrialInfo]),
        "model": attr.label(doc = "The model's file.", allow_single_file = True, mandatory = True),
        "inputs": attr.label_list(doc = "Vectors of each input.", allow_files = [".npy"], mandatory = True),
        "_watch": attr.label(default = "//tests/zoo:watch", executable = True, cfg = "exec"),
    },
    toolchains = [_QEMU],
)
