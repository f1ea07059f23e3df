# SPDX-License-Identifier: Apache-2.0
"""The actions of a C toolchain: their groups, as features speak of them, and which program does each."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "action_config")

C_ACTIONS = [ACTION_NAMES.c_compile]

COMPILE_ACTIONS = C_ACTIONS + [
    ACTION_NAMES.assemble,
    ACTION_NAMES.preprocess_assemble,
    ACTION_NAMES.cpp_compile,
]

_LINK_EXECUTABLE_ACTIONS = [ACTION_NAMES.cpp_link_executable]

_LINK_SHARED_ACTIONS = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

LINK_ACTIONS = _LINK_EXECUTABLE_ACTIONS + _LINK_SHARED_ACTIONS

# Bazel's own features that put a link's inputs and outputs on its command line.
_LINK_MECHANICS = ["output_execpath_flags", "library_search_directories", "libraries_to_link", "user_link_flags"]

def _done_by(program, names, implies):
    return [
        action_config(
            name,
            enabled = True,
            implies = implies,
            tools = [program],
        )
        for name in names
    ]

def compile_actions(compiler):
    """The configurations of compiling and assembling, done by a tool()."""
    mechanics = ["user_compile_flags", "compiler_input_flags", "compiler_output_flags"]
    return _done_by(compiler, COMPILE_ACTIONS, mechanics)

def link_actions(compiler):
    """The configurations of linking, done by the compiler, a tool()."""
    return (_done_by(compiler, _LINK_EXECUTABLE_ACTIONS, _LINK_MECHANICS) +
            _done_by(compiler, _LINK_SHARED_ACTIONS, ["shared_flag"] + _LINK_MECHANICS))

def archive_actions(archiver):
    """The configuration of making a static library, done by a tool()."""
    return _done_by(archiver, [ACTION_NAMES.cpp_link_static_library], ["archiver_flags"])

def strip_actions(stripper):
    """The configuration of stripping, done by a tool()."""
    return _done_by(stripper, [ACTION_NAMES.strip], [])
