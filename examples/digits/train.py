# SPDX-License-Identifier: Apache-2.0
"""Trains the digit network and makes every file of this folder again: models, held-out images, expected outputs.

The same machine gives the same bytes each time: every draw is seeded and BLAS runs on one thread, whose order of
additions is fixed. Another machine's BLAS may add in another order and so arrive at other, equally good weights.
"""

import os
from pathlib import Path

from absl import app, flags, logging
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from examples.digits import products
from examples.digits.dataset import split
from examples.digits.training import train

_EPOCHS = flags.DEFINE_integer("epochs", 80, "How often each training image is shown.", lower_bound=1)
_SEED = flags.DEFINE_integer("seed", 1, "Seed of the first weights, of the order and of the variations.")
_OUT = flags.DEFINE_string("out", None, "Folder for the files; this example's own folder unless given.")


def _own_folder() -> Path:
    """This example's folder in the source tree, also when Bazel runs a copy of this file from elsewhere."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    return Path(workspace) / "examples" / "digits" if workspace else Path(__file__).parent


def main(_: list[str]) -> None:
    """Trains, with a line an epoch, then writes the files and says what each model achieves."""
    training, heldout = split()
    with threadpool_limits(limits=1):
        for epoch in train(training, _EPOCHS.value, _SEED.value):
            logging.info("epoch %3d  loss %.4f  accuracy %.4f", epoch.number, epoch.loss, epoch.accuracy)
        folder = Path(_OUT.value) if _OUT.value else _own_folder()
        for line in products.write(folder, epoch.parameters, training, heldout):
            logging.info("%s", line)


if __name__ == "__main__":
    app.run(main)
