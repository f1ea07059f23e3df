# SPDX-License-Identifier: Apache-2.0
"""Test support: schedules with many branches, of the kinds that networks have and of worse ones.

Each is the network's shape with sizes drawn at random: from a seed comes the same schedule every time.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.ops.movement import Concat
from stowage.ir.tensor_type import TensorType
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.kernel import KernelCall, Overlap

_SIZES = (16, 32, 64, 96, 128, 256)


def tensor(name: str, elements: int) -> Value:
    """A value of so many bytes."""
    return Value(name, TensorType((elements,), DType.I8))


def step(output: Value, *operands: Value, in_place: bool = False) -> Step:
    """A step that may write over any of its operands, or over none."""
    overlaps = tuple(Overlap(index, 0) for index in range(len(operands))) if in_place else ()
    op = {1: Relu(), 2: Add()}.get(len(operands), Concat(0))
    return Step(Node(f"make_{output.name}", op, operands, (output,)), KernelCall("h.h", "f", (), (), overlaps=overlaps))


def branching_steps(schedule: Schedule) -> int:
    """The steps that join several values, or whose output several steps read."""
    reads = [value.name for each in schedule.steps for value in each.node.inputs]
    return sum(len(s.node.inputs) > 1 or reads.count(s.node.output.name) > 1 for s in schedule.steps)


class _Network:
    """Steps as they are added; what nobody reads at the end is the model's output."""

    def __init__(self, seed: int, elements: int = 64) -> None:
        self.random = Random(seed)
        self.input = tensor("x", elements)
        self.steps: list[Step] = []

    def add(self, *operands: Value, elements: int | None = None, in_place: bool = False) -> Value:
        size = elements or self.random.choice(_SIZES)
        made = tensor(f"t{len(self.steps)}", size)
        self.steps.append(step(made, *dict.fromkeys(operands), in_place=in_place))
        return made

    def separable(self, operand: Value, elements: int) -> Value:
        """A depthwise convolution, which runs in place, and a pointwise one, which does not."""
        between = self.add(operand, elements=operand.type.elements, in_place=True)
        return self.add(between, elements=elements)

    def schedule(self) -> Schedule:
        read = {value.name for each in self.steps for value in each.node.inputs}
        outputs = tuple(each.node.output for each in self.steps if each.node.output.name not in read)
        return Schedule("m", (self.input,), outputs, tuple(self.steps), (), ())


def tangled(steps: int, reach: int, seed: int) -> Schedule:
    """Every step reads up to three of the last few values; the last one made is the output, others may be dropped."""
    random, made, found = Random(seed), [tensor("x", 10)], list[Step]()
    for index in range(steps):
        operands = {random.choice(made[-reach:]) for _ in range(random.choice([1, 1, 2, 3]))}
        made.append(tensor(f"t{index}", random.choice(_SIZES)))
        in_place = random.random() < 0.5
        found.append(step(made[-1], *sorted(operands, key=lambda value: value.name), in_place=in_place))
    return Schedule("m", (made[0],), (made[-1],), tuple(found), (), ())


def layered(layers: int, width: int, seed: int) -> Schedule:
    """Layers of steps, each of which reads one to three values of the layer before."""
    network = _Network(seed)
    before = [network.input]
    for _ in range(layers):
        count = network.random.randint(2, width)
        before = [
            network.add(
                *network.random.sample(before, min(len(before), network.random.randint(1, 3))),
                in_place=network.random.random() < 0.3,
            )
            for _ in range(count)
        ]
    network.add(*before)
    return network.schedule()


def series_parallel(joins: int, seed: int) -> Schedule:
    """Branches within branches, each split joined again."""
    network = _Network(seed)

    def block(operand: Value, left: int) -> Value:
        if left == 0:
            return network.add(operand, in_place=network.random.random() < 0.3)
        if network.random.random() < 0.3:
            first = network.random.randint(0, left)
            return block(block(operand, first), left - first)
        share = network.random.randint(0, left - 1)
        fork = network.add(operand)
        return network.add(block(fork, share), block(fork, left - 1 - share), in_place=network.random.random() < 0.5)

    block(network.input, joins)
    return network.schedule()


def darts(cells: int, seed: int) -> Schedule:
    """Cells of DARTS: four nodes that each add two operations on earlier nodes, all concatenated."""
    return _cells(cells, 4, seed, concat_all=True)


def nasnet(cells: int, seed: int) -> Schedule:
    """Cells of NASNet: five additions of two operations each; what none of them reads is concatenated."""
    return _cells(cells, 5, seed, concat_all=False)


def _cells(cells: int, nodes: int, seed: int, concat_all: bool) -> Schedule:
    network = _Network(seed)
    elements = 64
    stem = network.add(network.input, elements=3 * elements)
    outputs = [stem, stem]
    for cell in range(cells):
        elements = elements // 2 if cell % 3 == 2 else elements
        states = [network.add(value, elements=elements) for value in outputs[-2:]]
        read: set[str] = set()
        for _ in range(nodes):
            pair = network.random.sample(states, 2)
            read |= {value.name for value in pair}
            made = [_operation(network, value, elements) for value in pair]
            states.append(network.add(*made, elements=elements, in_place=True))
        ends = states[2:] if concat_all else [value for value in states[2:] if value.name not in read]
        outputs.append(network.add(*ends, elements=elements * len(ends)))
    return network.schedule()


def _operation(network: _Network, operand: Value, elements: int) -> Value:
    """Nothing, a pooling, or a separable convolution."""
    kind = network.random.randrange(4)
    if kind == 0:
        return operand
    if kind == 1:
        return network.add(operand, elements=elements)
    return network.separable(operand, elements)


def randwire(nodes: int, neighbours: int, seed: int) -> Schedule:
    """RandWire: a small-world graph (Watts and Strogatz) whose nodes sum up what they read and convolve it."""
    random = Random(seed)
    edges: set[tuple[int, int]] = set()
    for node in range(nodes):
        for hop in range(1, neighbours // 2 + 1):
            other = (node + hop) % nodes
            while random.random() < 0.75 and (other == node or (min(node, other), max(node, other)) in edges):
                other = random.randrange(nodes)
            if random.random() < 0.75:
                other = random.choice([each for each in range(nodes) if each != node])
            edges.add((min(node, other), max(node, other)))
    return _wired(nodes, edges, seed)


def erdos(nodes: int, seed: int) -> Schedule:
    """RandWire on a graph of Erdős and Rényi: any two nodes are joined with a chance of a fifth."""
    random = Random(seed)
    return _wired(nodes, {(a, b) for b in range(nodes) for a in range(b) if random.random() < 0.2}, seed)


def _wired(nodes: int, edges: set[tuple[int, int]], seed: int) -> Schedule:
    network = _Network(seed)
    stem = network.add(network.input, elements=64)
    made: list[Value] = []
    for node in range(nodes):
        operands = [made[a] for a, b in sorted(edges) if b == node] or [stem]
        total = network.add(*operands, elements=64, in_place=True) if len(operands) > 1 else operands[0]
        made.append(network.separable(total, 64))
    ends = [made[node] for node in range(nodes) if not any(a == node for a, _ in edges)]
    network.add(*ends, elements=64, in_place=True)
    return network.schedule()


def inception(modules: int, seed: int) -> Schedule:
    """Modules of four branches of one to three convolutions, joined."""
    network = _Network(seed)
    value = network.add(network.input)
    for _ in range(modules):
        ends = []
        for _ in range(4):
            end = value
            for _ in range(network.random.randint(1, 3)):
                end = network.add(end)
            ends.append(end)
        value = network.add(*ends, elements=sum(end.type.elements for end in ends))
    return network.schedule()


def fpn(levels: int, seed: int) -> Schedule:
    """A pyramid: features of each scale go up and down again, and every scale has its own two outputs (BiFPN-like)."""
    network = _Network(seed)
    down = [network.add(network.input, elements=2**levels * 8)]
    for level in range(1, levels):
        down.append(network.separable(down[-1], 2 ** (levels - level) * 8))
    for _ in range(2):
        up = [down[-1]]
        for value in reversed(down[:-1]):
            size = value.type.elements
            up.append(network.add(value, network.add(up[-1], elements=size), elements=size, in_place=True))
        up.reverse()
        again = [up[0]]
        for side, value in zip(down[1:], up[1:], strict=True):
            size = value.type.elements
            again.append(network.add(side, value, network.add(again[-1], elements=size), elements=size, in_place=True))
        down = again
    for value in down:
        network.add(network.add(value), elements=8)
    return network.schedule()


FAMILIES: dict[str, Callable[[int], Schedule]] = {
    "tangled 44": lambda seed: tangled(44, 5 + 3 * (seed % 6), seed),
    "tangled 60": lambda seed: tangled(60, 5 + 3 * (seed % 4), seed),
    "tangled wide": lambda seed: tangled(44, 44, seed),
    "layered": lambda seed: layered(12, 5, seed),
    "layered wide": lambda seed: layered(7, 9, seed),
    "series-parallel": lambda seed: series_parallel(20, seed),
    "darts": lambda seed: darts(6, seed),
    "nasnet": lambda seed: nasnet(5, seed),
    "randwire": lambda seed: randwire(32, 4, seed),
    "erdos": lambda seed: erdos(28, seed),
    "inception": lambda seed: inception(20, seed),
    "fpn": lambda seed: fpn(6, seed),
}
