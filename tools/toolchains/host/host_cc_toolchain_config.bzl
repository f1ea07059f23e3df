# SPDX-License-Identifier: Apache-2.0
"""host_cc_toolchain_config: how the host's own C compiler is called."""

load("@host_cc//:host_cc.bzl", "HOST_AR", "HOST_CC", "HOST_INCLUDE_FOLDERS", "HOST_STRIP")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "tool")
load("@rules_cc//cc:defs.bzl", "CcToolchainConfigInfo", "cc_common")
load("//tools/toolchains:actions.bzl", "archive_actions", "compile_actions", "link_actions", "strip_actions")
load(
    "//tools/toolchains:features.bzl",
    "debug_information_feature",
    "exact_float_feature",
    "hosted_feature",
    "keep_debug_information_feature",
    "optimisation_feature",
    "reproducible_feature",
    "sanitizers_feature",
    "strict_c_feature",
    "warnings_feature",
)

def _host_cc_toolchain_config_impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "host",
        target_system_name = "local",
        target_cpu = "host",
        target_libc = "local",
        compiler = "cc",
        action_configs = compile_actions(tool(path = HOST_CC)) +
                         link_actions(tool(path = HOST_CC)) +
                         archive_actions(tool(path = HOST_AR)) +
                         strip_actions(tool(path = HOST_STRIP)),
        cxx_builtin_include_directories = HOST_INCLUDE_FOLDERS,
        features = [
            feature(name = "supports_dynamic_linker", enabled = True),
            feature(name = "supports_pic", enabled = True),
            hosted_feature(),
            optimisation_feature(),
            exact_float_feature(),
            debug_information_feature(),
            keep_debug_information_feature(),
            reproducible_feature(),
            warnings_feature(),
            strict_c_feature(),
            sanitizers_feature(),
        ],
    )

host_cc_toolchain_config = rule(
    implementation = _host_cc_toolchain_config_impl,
    doc = "The configuration of the cc_toolchain for the host: the same C as on the boards, and sanitizers.",
    provides = [CcToolchainConfigInfo],
)
