# SPDX-License-Identifier: Apache-2.0
"""The features that our toolchains are made of: one function a feature, one feature an idea."""

load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set")
load(":actions.bzl", "COMPILE_ACTIONS", "C_ACTIONS", "LINK_ACTIONS")

def _flags(actions, flags):
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags)],
    )

def core_feature(flags):
    """The core that code is made for; the linker needs it too, to pick libgcc."""
    return feature(
        name = "core",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS + LINK_ACTIONS, ["-mthumb"] + flags)],
    )

def freestanding_feature(include_folders):
    """No operating system, no C library: the compiler's own headers and libgcc are all there is."""
    isystem = [flag for folder in include_folders for flag in ["-isystem", folder]]
    return feature(
        name = "freestanding",
        enabled = True,
        flag_sets = [
            _flags(COMPILE_ACTIONS, ["-ffreestanding", "-nostdinc"] + isystem),
            _flags(LINK_ACTIONS, ["-nostartfiles", "-nolibc", "-static"]),
        ],
    )

def optimisation_feature():
    """Speed first: budgets are written in instructions as much as in bytes."""
    return feature(
        name = "optimisation",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-O2"])],
    )

def exact_float_feature():
    """float32 means one rounding an operation, on every core and on the host: no fused multiply-add."""
    return feature(
        name = "exact_float",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-ffp-contract=off"])],
    )

def sections_feature():
    """A section per function and datum."""
    return feature(
        name = "sections",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-ffunction-sections", "-fdata-sections"])],
    )

def garbage_collection_feature():
    """The linker leaves out what nothing refers to."""
    return feature(
        name = "garbage_collection",
        enabled = True,
        flag_sets = [_flags(LINK_ACTIONS, ["-Wl,--gc-sections"])],
    )

def debug_information_feature():
    """Debug information stays in the ELF, whence no byte of it reaches the device."""
    return feature(
        name = "debug_information",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-g"])],
    )

def keep_debug_information_feature():
    """Takes the place of Bazel's own feature of this name, which strips what it links."""
    return feature(name = "strip_debug_symbols")

def reproducible_feature():
    """The same bits from the same sources: no path of a build folder, no time, no owner, no build identifier."""
    return feature(
        name = "reproducible",
        enabled = True,
        flag_sets = [
            # Bazel has compilers take /proc/self/cwd for the folder in which they run.
            _flags(COMPILE_ACTIONS, [
                "-ffile-prefix-map=/proc/self/cwd=.",
                "-Wno-builtin-macro-redefined",
                "-D__DATE__=\"redacted\"",
                "-D__TIME__=\"redacted\"",
                "-D__TIMESTAMP__=\"redacted\"",
            ]),
            # The compiler names its own libraries relative to the folder that it was called in, in the linker's map too.
            _flags(COMPILE_ACTIONS + LINK_ACTIONS, ["-no-canonical-prefixes"]),
            _flags(LINK_ACTIONS, ["-Wl,--build-id=none"]),
        ],
    )

def headers_as_named_feature():
    """Headers under the names by which Bazel knows them, not under those that links lead to. GCC alone needs it."""
    return feature(
        name = "headers_as_named",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-fno-canonical-system-headers"])],
    )

def warnings_feature():
    """What every compiler run warns of."""
    return feature(
        name = "warnings",
        enabled = True,
        flag_sets = [_flags(COMPILE_ACTIONS, ["-Wall"])],
    )

def strict_c_feature():
    """Our own C: C99, and any warning an error. REPO.bazel asks for it in this repository alone."""
    return feature(
        name = "strict_c",
        flag_sets = [_flags(C_ACTIONS, [
            "-std=c99",
            "-Wextra",
            "-Wconversion",
            "-Wshadow",
            "-Wundef",
            "-Wstrict-prototypes",
            "-Werror",
        ])],
    )

def hosted_feature():
    """A program of the host's operating system, with its C library's mathematics."""
    return feature(
        name = "hosted",
        enabled = True,
        flag_sets = [_flags(LINK_ACTIONS, ["-lm"])],
    )

def sanitizers_feature():
    """AddressSanitizer and UndefinedBehaviorSanitizer, either of which ends the program at its first finding."""
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    return feature(
        name = "sanitizers",
        flag_sets = [_flags(COMPILE_ACTIONS + LINK_ACTIONS, flags)],
    )
