# SPDX-License-Identifier: Apache-2.0
"""Training the digit network from scratch: epochs of varied images, Adam, a learning rate that falls to nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from examples.digits import adam, augment, network
from examples.digits.dataset import Digits
from examples.digits.layers import Array

BATCH_IMAGES = 32
FIRST_RATE = 1e-2


@dataclass(frozen=True, slots=True)
class State:
    """The network between two steps, and the optimiser's memory."""

    parameters: dict[str, Array]
    moments: adam.Moments


@dataclass(frozen=True, slots=True)
class Epoch:
    """The network after an epoch, with the mean loss in nats and the accuracy on what the epoch showed it."""

    number: int
    parameters: dict[str, Array]
    loss: float
    accuracy: float


def _batches(data: Digits, draw: np.random.Generator) -> Iterator[Digits]:
    """The images in a new order, each varied, in whole batches; the few that are left over wait for another epoch."""
    order = draw.permutation(len(data.labels))
    for start in range(0, len(order) - BATCH_IMAGES + 1, BATCH_IMAGES):
        batch = data.take(order[start : start + BATCH_IMAGES])
        yield Digits(augment.vary(batch.images, draw), batch.labels)


def _rate(done: float) -> float:
    """Learning rate after the share `done` of the training: half a cosine down to zero (arXiv:1608.03983)."""
    return float(FIRST_RATE * 0.5 * (1 + np.cos(np.pi * done)))


def _step(state: State, batch: Digits, rate: float) -> tuple[State, float, float]:
    """The state one step further, with the loss and the accuracy on `batch` before it."""
    trace = network.forward(state.parameters, batch.images)
    slopes = network.gradients(state.parameters, trace, batch.labels)
    moved = State(*adam.step(state.parameters, slopes, state.moments, rate))
    hits = trace.logits.argmax(axis=1) == batch.labels
    return moved, network.loss(trace, batch.labels), float(hits.mean())


def train(data: Digits, epochs: int, seed: int) -> Iterator[Epoch]:
    """Trains from scratch and yields the network after each epoch."""
    draw = np.random.Generator(np.random.PCG64(seed))
    parameters = network.initial_parameters(draw)
    state = State(parameters, adam.at_rest(parameters))
    steps = epochs * (len(data.labels) // BATCH_IMAGES)
    for number in range(1, epochs + 1):
        losses, accuracies = [], []
        for batch in _batches(data, draw):
            state, loss, accuracy = _step(state, batch, _rate(state.moments.steps / steps))
            losses.append(loss)
            accuracies.append(accuracy)
        yield Epoch(number, state.parameters, float(np.mean(losses)), float(np.mean(accuracies)))
