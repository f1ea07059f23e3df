# SPDX-License-Identifier: Apache-2.0
"""The actions of a C toolchain, grouped as features speak of them."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")

COMPILE_ACTIONS = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.preprocess_assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.cpp_compile,
]

C_ACTIONS = [ACTION_NAMES.c_compile]

LINK_ACTIONS = [
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]
