# SPDX-License-Identifier: Apache-2.0
"""board_image: an image for a board from C libraries alone, for tests of what images are made of."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load(":board_info.bzl", "BoardInfo")
load(":board_transition.bzl", "board_transition")
load(":c_toolchain.bzl", "link_image")

def _board_image_impl(ctx):
    port = ctx.attr._device_port if ctx.attr.port == "device" else ctx.attr._emulated_port
    libraries = [target[CcInfo] for target in ctx.attr.deps + [ctx.attr._hal, port]]
    elf = link_image(ctx, ctx.label.name + ".elf", libraries, ctx.attr._board[BoardInfo])
    return [DefaultInfo(
        files = depset([elf]),
        runfiles = ctx.runfiles([elf]),
    )]

board_image = rule(
    implementation = _board_image_impl,
    doc = "Links C libraries, one of which has `main`, with the HAL into `<name>.elf` for a board. No flag is needed.",
    cfg = board_transition,
    attrs = {
        "board": attr.label(
            doc = "The board: a `stowage_board`.",
            mandatory = True,
        ),
        "deps": attr.label_list(
            doc = "The libraries; all of the image that is not HAL.",
            providers = [CcInfo],
        ),
        "port": attr.string(
            doc = "Whether the image is for the emulator or for the device.",
            mandatory = True,
            values = ["emulated", "device"],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_device_port": attr.label(default = "//hal:device_port", providers = [CcInfo]),
        "_emulated_port": attr.label(default = "//hal:emulated_port", providers = [CcInfo]),
        "_hal": attr.label(default = "//hal", providers = [CcInfo]),
    },
    toolchains = use_cc_toolchain(),
    fragments = ["cpp"],
)
