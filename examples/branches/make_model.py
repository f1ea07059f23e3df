# SPDX-License-Identifier: Apache-2.0
"""Makes every file of this folder again: the float32 and the int8 model, eight inputs, and what ONNX Runtime answers.

Nothing is trained: weights, calibration images and inputs are drawn from fixed seeds.
"""

import os
from pathlib import Path

from absl import app, flags, logging

from examples.branches import products

_OUT = flags.DEFINE_string("out", None, "Folder for the files; this example's own folder unless given.")


def _own_folder() -> Path:
    """This example's folder in the source tree, also when Bazel runs a copy of this file from elsewhere."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    return Path(workspace) / "examples" / "branches" if workspace else Path(__file__).parent


def main(_: list[str]) -> None:
    """Writes the files into this example's folder, or where `--out` says."""
    for line in products.write(Path(_OUT.value) if _OUT.value else _own_folder()):
        logging.info("%s", line)


if __name__ == "__main__":
    app.run(main)
