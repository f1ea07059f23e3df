# SPDX-License-Identifier: Apache-2.0
"""The rules behind `stowage_budget_test`: the test, and the command that accepts new figures."""

load(":firmware_info.bzl", "StowageFirmwareInfo")
load(":launcher.bzl", "launcher")

_BINUTILS = "//tools/toolchains:binutils_toolchain_type"
_QEMU = "//tools/qemu:toolchain_type"
_BUDGETS = ["flash", "ram", "stack", "instructions"]

def _label(label):
    return str(label).removeprefix("@@").removeprefix("@")

def _check(ctx, firmware):
    if firmware.board.core == "host":
        fail("{}: budgets are of a board's memory; {} is for the host".format(ctx.label, ctx.attr.firmware.label))
    if not ctx.attr.ram_in and not [budget for budget in _BUDGETS if getattr(ctx.attr, budget)]:
        fail("{}: it has no budget; set one of {} or ram_in".format(ctx.label, ", ".join(_BUDGETS)))

def _launch(ctx, program, test):
    """A launcher of a program that measures the firmware; `test` is the label of the test, which has the budgets."""
    firmware = ctx.attr.firmware[StowageFirmwareInfo]
    board = firmware.board
    _check(ctx, firmware)
    binutils, qemu = ctx.toolchains[_BINUTILS].binutils, ctx.toolchains[_QEMU].qemu
    arguments = ["--test", test, "--firmware", _label(ctx.attr.firmware.label), "--elf", firmware.elf, "--board", board.textproto]
    for name in board.reserve:
        arguments += ["--reserve", name]
    arguments += ["--objdump", binutils.objdump, "--qemu", qemu.executable, "--execution", board.execution]
    files = [firmware.elf, board.textproto, board.execution, binutils.objdump, qemu.executable]
    for trial in firmware.trials:
        arguments += ["--trial", trial.elf, trial.memory_json]
        files += [trial.elf, trial.memory_json]
    for budget in _BUDGETS:
        if getattr(ctx.attr, budget):
            arguments += ["--" + budget, getattr(ctx.attr, budget)]
    for region, budget in ctx.attr.ram_in.items():
        arguments += ["--ram-in", "{}={}".format(region, budget)]
    return [launcher(ctx, program, arguments, files, [binutils.files, qemu.files])]

_ATTRS = {
    "firmware": attr.label(
        doc = "The `stowage_firmware`.",
        mandatory = True,
        providers = [StowageFirmwareInfo],
    ),
    "flash": attr.string(doc = "Budget of stored bytes."),
    "ram": attr.string(doc = "Budget of writable bytes."),
    "ram_in": attr.string_dict(doc = "Budgets of writable bytes in single regions, by name."),
    "stack": attr.string(doc = "Budget of the stack's static bound."),
    "instructions": attr.string(doc = "Budget of executed instructions."),
}

def _judge_impl(ctx):
    return _launch(ctx, ctx.attr._judge, _label(ctx.label))

budget_judge_test = rule(
    implementation = _judge_impl,
    doc = "Fails where a firmware takes more than its budget; `stowage_budget_test` makes it.",
    attrs = _ATTRS | {
        "_judge": attr.label(default = "//tools/budget:judge", executable = True, cfg = "target"),
    },
    toolchains = [_BINUTILS, _QEMU],
    test = True,
)

def _accept_impl(ctx):
    return _launch(ctx, ctx.attr._accept, _label(ctx.label).removesuffix(".accept"))

budget_accept = rule(
    implementation = _accept_impl,
    doc = "Writes the new figures of broken budgets into the BUILD file of the test; `stowage_budget_test` makes it.",
    attrs = _ATTRS | {
        "_accept": attr.label(default = "//tools/budget:accept", executable = True, cfg = "target"),
    },
    executable = True,
    toolchains = [_BINUTILS, _QEMU],
)
