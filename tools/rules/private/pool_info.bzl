# SPDX-License-Identifier: Apache-2.0
"""What a pool of models tells the rules that use it."""

StowagePoolInfo = provider(
    doc = "Models compiled to C for the board of the current configuration, in one arena.",
    fields = {
        "name": "string: the C identifier of the pool.",
        "models": "list of StowageModelInfos: the models as they are in the pool.",
        "memory_text": "File: the pool's memory report for people.",
        "memory_json": "File: the pool's memory report for tools, all sizes in bytes.",
    },
)
