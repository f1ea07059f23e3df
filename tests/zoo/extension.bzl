# SPDX-License-Identifier: Apache-2.0
"""The module extension that makes the repository of real models, for this repository's own tests."""

load(":repository.bzl", "zoo_repository")

zoo = module_extension(
    implementation = lambda _mctx: zoo_repository(name = "stowage_zoo"),
    doc = "The repository @stowage_zoo.",
)
