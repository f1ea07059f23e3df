# SPDX-License-Identifier: Apache-2.0
"""If: the branch that a condition known at build time takes stands in place of the node."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import Body, Structures, Translate, bind_outputs


def _if(site: NodeSite, translate: Translate) -> None:
    condition = site.known(0, "the condition")
    if condition.size != 1:
        raise site.invalid(f"the condition has {condition.size} elements, but must have one")
    body = Body(site, "then_branch" if condition.any() else "else_branch", translate)
    if body.inputs:
        raise site.invalid("a branch has inputs, but nothing gives them")
    bind_outputs(site, body.place([]))


STRUCTURES: Structures = {"If": _if}
