# SPDX-License-Identifier: Apache-2.0
"""Functions that a model defines for itself are replaced by their bodies."""

from __future__ import annotations

from onnx import ModelProto

from stowage.errors import InvalidModel


def inlined(model: ModelProto) -> ModelProto:
    """The model without functions of its own.

    Raises:
        InvalidModel: they call each other in a circle or do not fit their calls.
    """
    if not model.functions:
        return model
    from onnx.inliner import inline_local_functions  # few models have functions

    try:
        return inline_local_functions(model)
    except Exception as error:  # the C++ inliner raises whatever its checks raise
        reason = str(error).split("\n")[0][:200]
        raise InvalidModel(
            reason=f"the model's own functions cannot be put in place of their calls ({reason})",
            remedy="inline them with onnx.inliner and check the model",
        ) from None
