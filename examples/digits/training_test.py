# SPDX-License-Identifier: Apache-2.0
"""Training: the same bits each time, and it learns."""

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from examples.digits import dataset, network
from examples.digits.export import export
from examples.digits.training import Epoch, train

FEW = np.arange(320)


def _trained(seed: int) -> list[Epoch]:
    training, _ = dataset.split()
    with threadpool_limits(limits=1):
        return list(train(training.take(FEW), epochs=6, seed=seed))


def test_training_again_gives_the_same_model() -> None:
    first, again = _trained(seed=1)[-1], _trained(seed=1)[-1]
    assert export(first.parameters).SerializeToString() == export(again.parameters).SerializeToString()


def test_another_seed_gives_another_model() -> None:
    first, other = _trained(seed=1)[-1], _trained(seed=2)[-1]
    assert export(first.parameters).SerializeToString() != export(other.parameters).SerializeToString()


def test_a_few_epochs_learn_digits_never_seen() -> None:
    epochs = _trained(seed=1)
    _, heldout = dataset.split()
    assert [epoch.number for epoch in epochs] == [1, 2, 3, 4, 5, 6]
    assert epochs[-1].loss < 0.5 * epochs[0].loss
    found = network.forward(epochs[-1].parameters, heldout.images).logits.argmax(axis=1)
    assert (found == heldout.labels).mean() > 0.8
