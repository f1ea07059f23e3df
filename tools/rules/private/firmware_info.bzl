# SPDX-License-Identifier: Apache-2.0
"""What a firmware tells the rules that judge it."""

StowageFirmwareInfo = provider(
    doc = "A firmware: the image for the device and what is needed to measure it.",
    fields = {
        "elf": "File: the image that is flashed.",
        "emulated_elf": "File: the same image with the emulator's console and exit.",
        "board": "BoardInfo: the board that it is for.",
        "trials": "list of structs, one a model: `elf`, its trial image, and `memory_json`, its memory report.",
    },
)
