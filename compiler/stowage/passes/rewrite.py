# SPDX-License-Identifier: Apache-2.0
"""Rules applied until none applies any more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from stowage.ir.graph import Graph, Node
from stowage.passes.editor import GraphEditor

Rule = Callable[[GraphEditor, Node], bool]
"""Looks at one node and its neighbours and edits them, or leaves them alone and returns False.

Each rule must lower something that no other rule of its pass raises (nodes, floats, distance to the outputs): so a
pass ends.
"""


def rewrite(graph: Graph, *rules: Rule) -> Graph:
    """Offers every node, and again each one that an edit has touched, to the rules in their order."""
    editor = GraphEditor(graph)
    pending = deque(editor)
    waiting = set(pending)
    while pending:
        key = pending.popleft()
        waiting.discard(key)
        node = editor.node(key)
        if node is not None and any(rule(editor, node) for rule in rules):
            again = dict.fromkeys([*editor.touched, key])
            pending.extend(other for other in again if other not in waiting)
            waiting.update(again)
        editor.touched.clear()
    return editor.finish()
