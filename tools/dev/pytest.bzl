# SPDX-License-Identifier: Apache-2.0
"""pytest_test: a py_test that runs its sources' test functions with pytest."""

load("@pip//:requirements.bzl", "requirement")
load("@rules_python//python:defs.bzl", "py_test")

def pytest_test(name, srcs, deps = [], data = [], size = "small", shard_count = None, args = [], **kwargs):
    """Runs every test function in srcs with pytest.

    `bazel test --test_filter=EXPRESSION` is pytest's `-k EXPRESSION`. Shards share the test functions out evenly.

    Args:
      name: the name of the test target
      srcs: the files with test functions; a conftest.py among them serves the others
      deps: the libraries under test, and PyPI packages; pytest itself comes along
      data: files that the tests read
      size: the size of one shard, as in every Bazel test
      shard_count: how many processes share the test functions
      args: further arguments to pytest
      **kwargs: whatever else py_test takes
    """
    main = Label("//tools/dev:pytest_main.py")
    settings = Label("//:pyproject.toml")
    tests = [src for src in srcs if not src.endswith("conftest.py")]
    py_test(
        name = name,
        size = size,
        srcs = srcs + [main],
        args = ["$(location %s)" % src for src in tests] + args,
        data = data + [settings],
        main = main,
        shard_count = shard_count,
        deps = deps + [requirement("pytest")],
        **kwargs
    )
