# SPDX-License-Identifier: Apache-2.0
"""The split: disjoint, complete, the same share of every class, and the images as the models expect them."""

import numpy as np

from examples.digits import augment, dataset


def test_the_bundled_images_are_the_known_ones() -> None:
    digits = dataset.load()
    assert digits.images.shape == (1797, 1, 8, 8)
    assert digits.images.dtype == np.float32
    assert (digits.images.min(), digits.images.max()) == (0.0, 1.0)
    assert np.bincount(digits.labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_every_image_is_either_trained_on_or_held_out() -> None:
    training, heldout = dataset.split_indices(dataset.load().labels)
    assert sorted([*training, *heldout]) == list(range(1797))
    assert len(heldout) >= 360


def test_no_image_is_on_both_sides_in_two_copies() -> None:
    training, heldout = dataset.split()
    assert not {image.tobytes() for image in training.images} & {image.tobytes() for image in heldout.images}


def test_every_class_gives_a_quarter() -> None:
    labels = dataset.load().labels
    _, heldout = dataset.split_indices(labels)
    shares = np.bincount(labels[heldout], minlength=10) / np.bincount(labels)
    assert np.abs(shares - dataset.HELDOUT_SHARE).max() < 0.004


def test_another_seed_holds_out_others() -> None:
    labels = dataset.load().labels
    _, heldout = dataset.split_indices(labels)
    _, others = dataset.split_indices(labels, seed=dataset.SPLIT_SEED + 1)
    assert set(heldout.tolist()) != set(others.tolist())


class _Extreme(np.random.Generator):
    """Draws a fixed share of the way from the low end of each range to the high one."""

    def __init__(self, share: float) -> None:
        super().__init__(np.random.PCG64(0))
        self._share = share

    def uniform(self, low: float, high: float, size: tuple[int, ...]) -> np.ndarray:  # type: ignore[override]
        return np.full(size, low + self._share * (high - low))


def test_the_middle_of_all_variations_is_the_image_itself() -> None:
    images = dataset.load().images[:50]
    np.testing.assert_array_equal(augment.vary(images, _Extreme(0.5)), images)


def test_a_variation_moves_the_ink_but_not_far() -> None:
    dot = np.zeros((1, 1, 8, 8), np.float32)
    dot[0, 0, 3, 4] = 1.0
    for share in (0.0, 1.0):
        moved = augment.vary(dot, _Extreme(share))[0, 0]
        assert moved[3, 4] < 0.9
        assert moved[2:5, 3:6].sum() == moved.sum() > 0.5
