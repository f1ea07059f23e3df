# SPDX-License-Identifier: Apache-2.0
"""arm_cc_toolchain_config: how GCC is called for one Arm core."""

load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "tool")
load("@rules_cc//cc:defs.bzl", "CcToolchainConfigInfo", "cc_common")
load(":actions.bzl", "archive_actions", "compile_actions", "link_actions", "strip_actions")
load(":cores.bzl", "CORES")
load(
    ":features.bzl",
    "core_feature",
    "debug_information_feature",
    "declared_paths_feature",
    "exact_float_feature",
    "freestanding_feature",
    "garbage_collection_feature",
    "keep_debug_information_feature",
    "optimisation_feature",
    "reproducible_feature",
    "sections_feature",
    "strict_c_feature",
    "warnings_feature",
)

def _folder_of(files, header):
    """The folder of a header that lies at the top of an include folder."""
    return [file.dirname for file in files if file.basename == header and "/include" in file.dirname][0]

def _arm_cc_toolchain_config_impl(ctx):
    include_folders = [
        _folder_of(ctx.files._compiler_include, "stdint.h"),
        _folder_of(ctx.files._compiler_include_fixed, "limits.h"),
    ]
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "arm_none_eabi_" + ctx.attr.core,
        target_system_name = "arm-none-eabi",
        target_cpu = ctx.attr.core,
        target_libc = "none",
        compiler = "gcc",
        action_configs = compile_actions(tool(tool = ctx.file._gcc)) +
                         link_actions(tool(tool = ctx.file._gcc)) +
                         archive_actions(tool(tool = ctx.file._ar)) +
                         strip_actions(tool(tool = ctx.file._strip)),
        cxx_builtin_include_directories = include_folders,
        features = [
            core_feature(CORES[ctx.attr.core]),
            freestanding_feature(include_folders),
            optimisation_feature(),
            exact_float_feature(),
            sections_feature(),
            garbage_collection_feature(),
            debug_information_feature(),
            keep_debug_information_feature(),
            reproducible_feature(),
            declared_paths_feature(),
            warnings_feature(),
            strict_c_feature(),
        ],
    )

def _program(name):
    return attr.label(
        default = "@arm_none_eabi//:usr/bin/arm-none-eabi-" + name,
        allow_single_file = True,
    )

arm_cc_toolchain_config = rule(
    implementation = _arm_cc_toolchain_config_impl,
    doc = "The configuration of a cc_toolchain that makes code for one core.",
    attrs = {
        "core": attr.string(
            doc = "a constraint value of //tools/toolchains:core",
            mandatory = True,
            values = CORES.keys(),
        ),
        "_ar": _program("ar"),
        "_compiler_include": attr.label(default = "@arm_none_eabi//:compiler_include"),
        "_compiler_include_fixed": attr.label(default = "@arm_none_eabi//:compiler_include_fixed"),
        "_gcc": _program("gcc"),
        "_strip": _program("strip"),
    },
    provides = [CcToolchainConfigInfo],
)
