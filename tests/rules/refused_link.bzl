# SPDX-License-Identifier: Apache-2.0
"""refused_link: what the linker says where an image does not fit its board."""

load("@rules_cc//cc:action_names.bzl", "CPP_LINK_EXECUTABLE_ACTION_NAME")
load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("//tools/rules/private:board_info.bzl", "BoardInfo")
load("//tools/rules/private:board_transition.bzl", "board_transition")

def _refused_link_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    board = ctx.attr._board[BoardInfo]
    archives = [
        library.static_library or library.pic_static_library
        for target in ctx.attr.deps + [ctx.attr._hal, ctx.attr._device_port]
        for linker_input in target[CcInfo].linking_context.linker_inputs.to_list()
        for library in linker_input.libraries
    ]
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    image = ctx.label.name + ".elf"
    variables = cc_common.create_link_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        output_file = image,
        user_link_flags = ["-Wl,--whole-archive"] + [archive.path for archive in archives] + ["-Wl,--no-whole-archive"] +
                          ["-T", board.linker_script.path],
    )
    command = [cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = CPP_LINK_EXECUTABLE_ACTION_NAME,
    )] + cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_LINK_EXECUTABLE_ACTION_NAME,
        variables = variables,
    )
    said = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.run_shell(
        command = 'out="$1"; shift; if "$@" 2>"$out"; then echo >&2 "it was linked"; exit 1; fi',
        arguments = [said.path] + command,
        inputs = depset(archives + [board.linker_script], transitive = [toolchain.all_files]),
        outputs = [said],
        mnemonic = "StowageRefusedLink",
    )
    return [DefaultInfo(
        files = depset([said]),
        runfiles = ctx.runfiles([said]),
    )]

refused_link = rule(
    implementation = _refused_link_impl,
    doc = "Links as `stowage_firmware` does, expects that the linker refuses, and keeps what it says in `<name>.txt`.",
    cfg = board_transition,
    attrs = {
        "board": attr.label(
            doc = "The board that is too small.",
            mandatory = True,
        ),
        "deps": attr.label_list(
            doc = "C libraries; all of the image that is not HAL.",
            providers = [CcInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_device_port": attr.label(default = "//hal:device_port", providers = [CcInfo]),
        "_hal": attr.label(default = "//hal", providers = [CcInfo]),
    },
    toolchains = use_cc_toolchain(),
    fragments = ["cpp"],
)
