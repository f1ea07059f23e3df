# SPDX-License-Identifier: Apache-2.0
"""The repositories that MODULE.bazel names, for workspaces without modules."""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
load("//third_party/arm_none_eabi:repository.bzl", "arm_none_eabi_repository")
load("//third_party/chromium:repository.bzl", "chromium_repository")
load("//third_party/cppcheck:repository.bzl", "cppcheck_repository")
load("//third_party/qemu:repository.bzl", "qemu_repository")
load("//tools/toolchains/host:host_cc_repository.bzl", "host_cc_repository")

def stowage_rules():
    """The rules that Stowage is built with, in the versions of MODULE.bazel, unless the workspace has its own."""
    maybe(
        http_archive,
        name = "bazel_skylib",
        sha256 = "bc283cdfcd526a52c3201279cda4bc298652efa898b10b4db0837dc51652756f",
        url = "https://github.com/bazelbuild/bazel-skylib/releases/download/1.7.1/bazel-skylib-1.7.1.tar.gz",
    )
    maybe(
        http_archive,
        name = "platforms",
        sha256 = "218efe8ee736d26a3572663b374a253c012b716d8af0c07e842e82f238a0a7ee",
        url = "https://github.com/bazelbuild/platforms/releases/download/0.0.10/platforms-0.0.10.tar.gz",
    )
    maybe(
        http_archive,
        name = "rules_cc",
        sha256 = "7e2a1f6c5dd908e6e88d7c80257c99d14e16fa985b56342287fddb6a32c435b5",
        strip_prefix = "rules_cc-0.0.11",
        url = "https://github.com/bazelbuild/rules_cc/releases/download/0.0.11/rules_cc-0.0.11.tar.gz",
    )
    maybe(
        http_archive,
        name = "rules_python",
        sha256 = "a5640fddd4beb03e8c1fde5ed7160c0ba6bd477e7d048661c30c06936a26fd63",
        strip_prefix = "rules_python-0.22.1",
        url = "https://github.com/bazelbuild/rules_python/releases/download/0.22.1/rules_python-0.22.1.tar.gz",
    )

def stowage_toolchains():
    """The repositories of the toolchains."""
    arm_none_eabi_repository(name = "arm_none_eabi")
    chromium_repository(name = "chromium")
    cppcheck_repository(name = "cppcheck")
    host_cc_repository(name = "host_cc")
    qemu_repository(name = "qemu")
