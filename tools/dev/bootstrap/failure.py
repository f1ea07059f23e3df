# SPDX-License-Identifier: Apache-2.0
"""The one way in which setting Bazel up fails: a sentence that says what happened and what to do."""

from __future__ import annotations

ELSEWISE = "or install bazelisk (or Bazel 7), which ./bazelw uses where it finds it"


class SetUpFailed(Exception):
    """Bazel could not be set up; the message is for the person who ran ./bazelw."""
