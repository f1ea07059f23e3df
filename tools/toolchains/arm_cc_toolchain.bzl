# SPDX-License-Identifier: Apache-2.0
"""arm_cc_toolchain: everything that Bazel wants to know of the toolchain for one core."""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load(":arm_cc_toolchain_config.bzl", "arm_cc_toolchain_config")

def arm_cc_toolchain(name):
    """Declares the constraint value of a core and the toolchain that makes code for it.

    Args:
      name: the core: a key of CORES, and the constraint value's name
    """
    native.constraint_value(
        name = name,
        constraint_setting = ":core",
        visibility = ["//visibility:public"],
    )
    arm_cc_toolchain_config(
        name = name + "_config",
        core = name,
    )
    cc_toolchain(
        name = name + "_cc",
        all_files = ":arm_all_files",
        ar_files = "@arm_none_eabi//:binutils_files",
        as_files = "@arm_none_eabi//:compiler_files",
        compiler_files = "@arm_none_eabi//:compiler_files",
        dwp_files = ":no_files",
        linker_files = "@arm_none_eabi//:linker_files",
        objcopy_files = "@arm_none_eabi//:binutils_files",
        strip_files = "@arm_none_eabi//:binutils_files",
        supports_param_files = True,
        toolchain_config = name + "_config",
    )
    native.toolchain(
        name = name + "_cc_toolchain",
        exec_compatible_with = [
            "@platforms//cpu:x86_64",
            "@platforms//os:linux",
        ],
        target_compatible_with = [
            "@platforms//os:none",
            name,
        ],
        toolchain = name + "_cc",
        toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
    )
