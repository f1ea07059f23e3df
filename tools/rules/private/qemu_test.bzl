# SPDX-License-Identifier: Apache-2.0
"""The rule `stowage_qemu_test`: a model on an emulated board, against expected outputs."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load(":board_info.bzl", "BoardInfo")
load(":board_transition.bzl", "board_transition")
load(":launcher.bzl", "launcher")
load(":model_info.bzl", "StowageModelInfo")
load(":pool_info.bzl", "StowagePoolInfo")
load(":trial_image.bzl", "TRIAL_ATTRS", "trial_image")
load(":trial_info.bzl", "TrialInfo")

def _model(ctx):
    """The model by itself, at the size that is asked for, or as it is in the pool."""
    model = ctx.attr.model[StowageModelInfo]
    if not ctx.attr.pool:
        return _at_size(ctx, model) if model.sizes or ctx.attr.dimensions else model
    pool = ctx.attr.pool[StowagePoolInfo]
    for pooled in pool.models:
        if pooled.name == model.name:
            return pooled
    fail("{}: pool {} has no model {}".format(ctx.label, pool.name, model.name))

def _at_size(ctx, model):
    for size in model.sizes:
        if {name: str(extent) for name, extent in size.size.items()} == ctx.attr.dimensions:
            return size
    there_are = " or ".join([str({name: str(extent) for name, extent in size.size.items()}) for size in model.sizes])
    fail("{}: model {} is not planned for dimensions = {}; {}".format(
        ctx.label,
        model.name,
        ctx.attr.dimensions,
        "say which of its sizes is tested: " + there_are if there_are else "it has one size: leave them out",
    ))

def _trial_impl(ctx):
    model, board = _model(ctx), ctx.attr._board[BoardInfo]
    elf = trial_image(ctx, model, board, ctx.attr.poison, ctx.attr.guard)
    return [
        DefaultInfo(files = depset([elf])),
        TrialInfo(elf = elf, board = board, memory_json = model.memory_json, pooled = ctx.attr.pool != None),
    ]

stowage_trial = rule(
    implementation = _trial_impl,
    doc = "The image that tries a model out on a board; `stowage_qemu_test` makes it.",
    cfg = board_transition,
    attrs = {
        "model": attr.label(doc = "The model.", mandatory = True, providers = [StowageModelInfo]),
        "board": attr.label(doc = "The board.", mandatory = True),
        "dimensions": attr.string_dict(doc = "Which size of a model of several it is."),
        "pool": attr.label(doc = "The pool in whose arena it runs.", providers = [StowagePoolInfo]),
        "poison": attr.bool(doc = "Whether the model watches its own plan while it runs."),
        "guard": attr.bool(doc = "Whether the memory protection unit keeps the model to its arena and stack."),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    } | TRIAL_ATTRS,
    toolchains = use_cc_toolchain(),
    fragments = ["cpp"],
)

_BINUTILS = "//tools/toolchains:binutils_toolchain_type"
_QEMU = "//tools/qemu:toolchain_type"

def _qemu_test_impl(ctx):
    trial = ctx.attr.trial[TrialInfo]
    board = trial.board
    binutils, qemu = ctx.toolchains[_BINUTILS].binutils, ctx.toolchains[_QEMU].qemu
    arguments = ["--elf", trial.elf, "--board", board.textproto, "--memory", trial.memory_json]
    for name in board.reserve:
        arguments += ["--reserve", name]
    arguments += ["--execution", board.execution]
    files = [trial.elf, board.textproto, trial.memory_json, board.execution]
    transitive = []
    if board.core != "host":
        arguments += ["--qemu", qemu.executable, "--objdump", binutils.objdump]
        transitive = [binutils.files, qemu.files]
        files += [qemu.executable, binutils.objdump]
    for file in ctx.files.inputs:
        arguments += ["--input", file]
    for file in ctx.files.expected:
        arguments += ["--expected", file]
    if ctx.file.labels:
        arguments += ["--labels", ctx.file.labels, "--min-accuracy", ctx.attr.min_accuracy]
    arguments += ["--steps", str(ctx.attr.steps), "--relative", ctx.attr.relative]
    arguments += ["--pooled"] if trial.pooled else []
    arguments += ["--same-class"] if ctx.attr.same_class else []
    arguments += ["--varying-instructions"] if ctx.attr.varying_instructions else []
    files += ctx.files.inputs + ctx.files.expected + ctx.files.labels
    return [launcher(ctx, ctx.attr._judge, arguments, files, transitive)]

qemu_judge_test = rule(
    implementation = _qemu_test_impl,
    doc = "Runs a trial image and compares its outputs; `stowage_qemu_test` makes it.",
    attrs = {
        "trial": attr.label(doc = "The trial image.", mandatory = True, providers = [TrialInfo]),
        "inputs": attr.label_list(doc = "Vectors of each input.", allow_files = [".npy"], mandatory = True),
        "expected": attr.label_list(doc = "What is expected of each output.", allow_files = [".npy"], mandatory = True),
        "labels": attr.label(doc = "The right class of each vector.", allow_single_file = [".npy"]),
        "min_accuracy": attr.string(doc = "Share of vectors whose class must be right.", default = "0"),
        "steps": attr.int(doc = "Largest difference of an integer output.", default = 1),
        "relative": attr.string(doc = "Largest difference of a float output.", default = "1e-5"),
        "same_class": attr.bool(doc = "Whether the largest element has to be the same one."),
        "varying_instructions": attr.bool(doc = "Whether executed instructions may depend on the input."),
        "_judge": attr.label(default = "//tools/trial:judge", executable = True, cfg = "target"),
    },
    toolchains = [_BINUTILS, _QEMU],
    test = True,
)
