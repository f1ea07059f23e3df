# SPDX-License-Identifier: Apache-2.0
"""BatchNormalization as inference means it."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.reduction import BatchNormalization


def _batch_normalization(site: NodeSite) -> Results:
    """Along axis 1 where ONNX has channels; the operator needs no image, so nothing is transposed."""
    site.only("training_mode", 0, 0)
    site.only("spatial", 1, 1)
    if any(site.makes(index) for index in range(1, 5)):
        raise site.unsupported("more than the first output is used, which is for training", "export for inference")
    op = BatchNormalization(axis=1, epsilon=site.scalar("epsilon", 1e-5))
    return (site.add(op, site.real(0), *(site.weights(index) for index in range(1, 5))),)


IMPORTERS: Importers = {"BatchNormalization": _batch_normalization}
