# SPDX-License-Identifier: Apache-2.0
"""Identity, and values that may be absent: whether one is there is known at build time."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.structure.nested import Structures, Translate, bind_outputs, known


def _identity(site: NodeSite, translate: Translate) -> None:
    bind_outputs(site, list(site.proto.input))


def _optional(site: NodeSite, translate: Translate) -> None:
    if site.has(0):
        bind_outputs(site, [site.proto.input[0]])
    else:
        site.tensors.bind_absent(site.proto.output[0])


def _has_element(site: NodeSite, translate: Translate) -> None:
    there = site.has(0) and not site.tensors.is_absent(site.proto.input[0])
    bind_outputs(site, [known(site, "there", np.array(there))])


def _get_element(site: NodeSite, translate: Translate) -> None:
    if not site.has(0) or site.tensors.is_absent(site.proto.input[0]):
        raise site.invalid("it takes what is absent")
    bind_outputs(site, [site.proto.input[0]])


STRUCTURES: Structures = {
    "Identity": _identity,
    "Optional": _optional,
    "OptionalHasElement": _has_element,
    "OptionalGetElement": _get_element,
}
