# SPDX-License-Identifier: Apache-2.0
"""The rule `zoo_result`: a model's trial image is run on its board, and a record tells what came of it."""

load("//tools/rules/private:trial_info.bzl", "TrialInfo")

_BINUTILS = "//tools/toolchains:binutils_toolchain_type"
_QEMU = "//tools/qemu:toolchain_type"

def _zoo_result_impl(ctx):
    trial = ctx.attr.trial[TrialInfo]
    board = trial.board
    record = ctx.actions.declare_file(ctx.label.name + ".json")
    files = [ctx.file.model, trial.elf, board.textproto, trial.memory_json, board.execution]
    files += ctx.files.inputs + ctx.files.expected
    arguments = ctx.actions.args()
    arguments.add("--model", ctx.file.model)
    arguments.add("--elf", trial.elf)
    arguments.add("--board", board.textproto)
    arguments.add("--memory", trial.memory_json)
    arguments.add("--execution", board.execution)
    arguments.add_all(ctx.files.inputs, before_each = "--input")
    arguments.add_all(ctx.files.expected, before_each = "--expected")
    for option, file in {"--meta": ctx.file.meta, "--host": ctx.file.host}.items():
        if file:
            arguments.add(option, file)
            files.append(file)
    arguments.add("--out", record)
    if ctx.attr.watched:
        watched = ctx.attr.watched[TrialInfo].elf
        arguments.add("--watched-elf", watched)
        files.append(watched)
    tools = []
    if board.core != "host":
        binutils, qemu = ctx.toolchains[_BINUTILS].binutils, ctx.toolchains[_QEMU].qemu
        arguments.add("--qemu", qemu.executable)
        arguments.add("--objdump", binutils.objdump)
        tools = [binutils.files, qemu.files, qemu.executable, binutils.objdump]
    ctx.actions.run(
        executable = ctx.executable._measure if ctx.file.host else ctx.executable._measure_with_noise,
        arguments = [arguments],
        inputs = files,
        outputs = [record],
        tools = tools,
        mnemonic = "StowageZooRun",
        progress_message = "Running %{label}",
    )
    return [DefaultInfo(files = depset([record]))]

zoo_result = rule(
    implementation = _zoo_result_impl,
    doc = "Writes `<name>.json`; `tests/zoo/measure.py` says what is in it.",
    attrs = {
        "trial": attr.label(doc = "The trial image.", mandatory = True, providers = [TrialInfo]),
        "watched": attr.label(
            doc = "The trial image as a poison build under guard, if the model is tried so too.",
            providers = [TrialInfo],
        ),
        "model": attr.label(doc = "The model's file.", allow_single_file = True, mandatory = True),
        "inputs": attr.label_list(doc = "Vectors of each input.", allow_files = [".npy"], mandatory = True),
        "expected": attr.label_list(doc = "What is expected of each output.", allow_files = [".npy"], mandatory = True),
        "meta": attr.label(doc = "What the zoo tells of the model.", allow_single_file = [".json"]),
        "host": attr.label(doc = "The host's record, whose limits hold.", allow_single_file = [".json"]),
        "_measure": attr.label(default = "//tests/zoo:measure", executable = True, cfg = "exec"),
        "_measure_with_noise": attr.label(
            default = "//tests/zoo:measure_with_noise",
            executable = True,
            cfg = "exec",
        ),
    },
    toolchains = [_BINUTILS, _QEMU],
)
