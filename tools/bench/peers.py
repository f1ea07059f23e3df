# SPDX-License-Identifier: Apache-2.0
"""The MLPerf Tiny models in int8: what they may take in Stowage, and what they take elsewhere, in bytes of activations.

The figures of others are in `peers.json`. They are published, or were measured by the project; the floors are
arithmetic on the models.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("peers.json")


@dataclass(frozen=True, slots=True)
class Contest:
    """One of the five models.

    Attributes:
        title: what it is called in the tables.
        zoo: its folder in the zoo.
        bar_bytes: what its arena may take at most.
    """

    title: str
    zoo: str
    bar_bytes: int


@dataclass(frozen=True, slots=True)
class Peer:
    """Another compiler or runtime, or a floor.

    Attributes:
        name: whose figures these are, and of what.
        arena_bytes: by the model's folder in the zoo; missing where none is known.
        without_ports: whether the model's inputs and outputs come on top.
    """

    name: str
    arena_bytes: Mapping[str, int]
    without_ports: bool


def read_peers() -> tuple[tuple[Contest, ...], tuple[Peer, ...]]:
    """The five models, and everybody's figures for them."""
    told = json.loads(_FILE.read_text(encoding="utf-8"))
    contests = {key: Contest(each["title"], each["zoo"], told["bar"][key]) for key, each in told["models"].items()}
    peers = (
        Peer(
            each["name"],
            {contests[key].zoo: size for key, size in each["bytes"].items()},
            each.get("without_ports", False),
        )
        for each in told["peers"]
    )
    return tuple(contests.values()), tuple(peers)
