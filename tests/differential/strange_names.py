# SPDX-License-Identifier: Apache-2.0
"""Names as exporters and hostile users give them: every one is legal in ONNX."""

from __future__ import annotations

import random

_STRANGE = (
    *("arena", "run", "model", "input", "output", "inputs", "outputs", "slots", "weights", "bias", "offset", "bytes"),
    *("int", "float", "double", "Float", "FLOAT", "return", "inline", "restrict", "asm", "NULL", "main", "memcpy"),
    *("uint8_t", "params", "stw_model", "input_x", "output_y", "x_offset", "x", "X", "y", "Y", "x_2", "X_2", "0", "1"),
    *(
        "a/b",
        "a:b",
        "a.b",
        "a b",
        "a\tb",
        "a\nb",
        "a\\",
        "a*/b",
        "a/*b",
        "a//b",
        "??/",
        '"',
        "'",
        "%s",
        "ä",
        "名",
        "🚢",
    ),
    *("_", "__", "___x", "-", ".", "input_input", "model_run", "arena_bytes", "bias_weights", "conv_weights", "no_de"),
    *("StatefulPartitionedCall/functional_1/block_17_depthwise_relu/Relu6;block_17/conv2d/Conv2D:0" * 2,),
    *("#define X", "${x}", "$(x)", "<x>", "x]", "{x}", "x;", "(x)", "@x", "!x", "x\r\ny", "\u2028", "\ufeff"),
)


class NameSource:
    """Fresh names: plain ones, or strange ones as long as there are any."""

    def __init__(self, choices: random.Random, strange: bool) -> None:
        self._tensors, self._nodes = list(_STRANGE) * strange, list(_STRANGE) * strange
        self._random = choices
        self._count = 0

    def tensor(self) -> str:
        """A name that no other tensor has."""
        return self._drawn(self._tensors, "t")

    def node(self) -> str:
        """A name that no other node has, or none."""
        return "" if self._random.random() < 0.1 else self._drawn(self._nodes, "n")

    def _drawn(self, left: list[str], prefix: str) -> str:
        self._count += 1
        if not left or self._random.random() < 0.3:
            return f"{prefix}{self._count}"
        return left.pop(self._random.randrange(len(left)))
