# SPDX-License-Identifier: Apache-2.0
"""The rule `striped_result`: a model as it is and in stripes run on one board, and a record tells what each took."""

load("//tools/rules/private:trial_info.bzl", "TrialInfo")

_QEMU = "//tools/qemu:toolchain_type"

def _striped_result_impl(ctx):
    plain, striped = ctx.attr.plain[TrialInfo], ctx.attr.striped[TrialInfo]
    board, qemu = plain.board, ctx.toolchains[_QEMU].qemu
    record = ctx.actions.declare_file(ctx.label.name + ".json")
    arguments = ctx.actions.args()
    arguments.add("--model", ctx.file.model)
    arguments.add("--board", board.textproto)
    arguments.add("--execution", board.execution)
    arguments.add("--qemu", qemu.executable)
    for name, trial in {"plain": plain, "striped": striped}.items():
        arguments.add("--{}-elf".format(name), trial.elf)
        arguments.add("--{}-memory".format(name), trial.memory_json)
    arguments.add_all(ctx.files.inputs, before_each = "--input")
    arguments.add("--out", record)
    files = [trial_file for trial in [plain, striped] for trial_file in [trial.elf, trial.memory_json]]
    ctx.actions.run(
        executable = ctx.executable._measure,
        arguments = [arguments],
        inputs = files + [ctx.file.model, board.textproto, board.execution] + ctx.files.inputs,
        outputs = [record],
        tools = [qemu.files, qemu.executable],
        mnemonic = "StowageStripedRun",
        progress_message = "Running %{label}",
    )
    return [DefaultInfo(files = depset([record]))]

striped_result = rule(
    implementation = _striped_result_impl,
    doc = "Writes `<name>.json`; `tests/zoo/measure_striped.py` says what is in it. Fails where outputs differ.",
    attrs = {
        "plain": attr.label(doc = "The trial image of the model as it is.", mandatory = True, providers = [TrialInfo]),
        "striped": attr.label(doc = "The one within a limit of RAM.", mandatory = True, providers = [TrialInfo]),
        "model": attr.label(doc = "The model's file.", allow_single_file = True, mandatory = True),
        "inputs": attr.label_list(doc = "Vectors of each input.", allow_files = [".npy"], mandatory = True),
        "_measure": attr.label(default = "//tests/zoo:measure_striped", executable = True, cfg = "exec"),
    },
    toolchains = [_QEMU],
)
