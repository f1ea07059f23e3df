# SPDX-License-Identifier: Apache-2.0
"""The 1,797 handwritten digits that scikit-learn carries, split once and for all.

Source: E. Alpaydin and C. Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository
(1998), https://doi.org/10.24432/C50P49; the part that scikit-learn installs with itself, so nothing is downloaded.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]

SPLIT_SEED = 20
HELDOUT_SHARE = 0.25
MAX_PIXEL = 16.0


@dataclass(frozen=True, slots=True)
class Digits:
    """Images `[N, C=1, H=8, W=8]`, grey from 0.0 (paper) to 1.0 (ink), and their classes `[N]`, 0 to 9."""

    images: Floats
    labels: Labels

    def take(self, indices: Indices) -> "Digits":
        """The images at `indices`, in that order."""
        return Digits(self.images[indices], self.labels[indices])


def load() -> Digits:
    """All images, in the order in which scikit-learn has them."""
    bundled = load_digits()
    images = (bundled.images / MAX_PIXEL).astype(np.float32)
    return Digits(images[:, np.newaxis], bundled.target.astype(np.uint8))


def split_indices(labels: Labels, share: float = HELDOUT_SHARE, seed: int = SPLIT_SEED) -> tuple[Indices, Indices]:
    """Which images train and which are held out: `share` of every class is held out, chosen by `seed`.

    Both lists are shuffled over the classes, so that any stretch of the held-out images is a fair sample.
    """
    draw = np.random.Generator(np.random.PCG64(seed))
    training: list[Indices] = []
    heldout: list[Indices] = []
    for digit in range(10):
        members = draw.permutation(np.flatnonzero(labels == digit))
        cut = round(share * len(members))
        heldout.append(members[:cut])
        training.append(members[cut:])
    return draw.permutation(np.concatenate(training)), draw.permutation(np.concatenate(heldout))


def split() -> tuple[Digits, Digits]:
    """The training images and the held-out ones, the latter never seen by training or calibration."""
    digits = load()
    training, heldout = split_indices(digits.labels)
    return digits.take(training), digits.take(heldout)
