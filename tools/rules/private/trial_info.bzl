# SPDX-License-Identifier: Apache-2.0
"""What a trial image tells the rules that run it."""

TrialInfo = provider(
    doc = "A model's trial image, built for a board.",
    fields = {
        "elf": "File: the image.",
        "board": "BoardInfo: the board.",
        "memory_json": "File: the memory report of the model.",
        "pooled": "bool: whether the arena is that of a pool, of which one model may need less than all.",
    },
)
