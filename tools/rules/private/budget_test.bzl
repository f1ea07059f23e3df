# SPDX-License-Identifier: Apache-2.0
"""The rule `stowage_budget_test`: what a firmware may take, as a test."""

load(":firmware_info.bzl", "StowageFirmwareInfo")
load(":launcher.bzl", "launcher")

_BINUTILS = "//tools/toolchains:binutils_toolchain_type"
_QEMU = "//tools/qemu:toolchain_type"
_BUDGETS = ["flash", "ram", "stack", "instructions"]

def _budget_test_impl(ctx):
    firmware = ctx.attr.firmware[StowageFirmwareInfo]
    board = firmware.board
    binutils, qemu = ctx.toolchains[_BINUTILS].binutils, ctx.toolchains[_QEMU].qemu
    arguments = ["--firmware", str(ctx.attr.firmware.label).lstrip("@"), "--elf", firmware.elf, "--board", board.textproto]
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
    return [launcher(ctx, ctx.attr._judge, arguments, files, [binutils.files, qemu.files])]

stowage_budget_test = rule(
    implementation = _budget_test_impl,
    doc = """Fails where a firmware takes more than its budget of flash, RAM, stack or executed instructions.

Prints, on pass as on failure, a table of used, limit and headroom with the largest contributors by name, and on failure the attributes
that would accept the new figures.

Flash is all that the image stores, initial values of variables included. RAM is arenas, variables and the whole stack. Stack is the
static bound: the deepest way through the call graph with one interrupt at the worst moment. Instructions are those of one run of each
model of the firmware, added up, counted in QEMU; they are the same on every machine and for every input.

Sizes are written as `"24KiB"`, `"1MiB"` or plain bytes, instructions as `"6M"`, `"250k"` or plain; what has no budget is shown without
a limit.""",
    attrs = {
        "firmware": attr.label(
            doc = "The `stowage_firmware`.",
            mandatory = True,
            providers = [StowageFirmwareInfo],
        ),
        "flash": attr.string(doc = "Budget of stored bytes."),
        "ram": attr.string(doc = "Budget of writable bytes."),
        "stack": attr.string(doc = "Budget of the stack's static bound."),
        "instructions": attr.string(doc = "Budget of executed instructions."),
        "_judge": attr.label(default = "//tools/budget:judge", executable = True, cfg = "target"),
    },
    toolchains = [_BINUTILS, _QEMU],
    test = True,
)
