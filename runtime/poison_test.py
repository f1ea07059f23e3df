# SPDX-License-Identifier: Apache-2.0
"""The watch of a poison build with more living buffers than it has digests: none is left out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parent
MODEL = """
#include <stdio.h>
#include <stdlib.h>
#include "stowage/poison.h"

enum { LIVING = 1100, MADE = 2 };

static struct stw_slot slots[LIVING + MADE];
static unsigned char arena[2 * (LIVING + MADE)];

/* One step, which makes the first two buffers and clobbers those that the command line names. */
int main(int count, char **values) {
    for (uint32_t i = 0; i < LIVING + MADE; i++) {
        slots[i] = i < MADE ? (struct stw_slot){2u * i, 2u, 1u, 2u} : (struct stw_slot){2u * i, 2u, 0u, 2u};
    }
    const struct stw_model model = {
        .arena_bytes = sizeof arena, .steps = 1u, .slots = slots, .slot_count = LIVING + MADE};
    stw_poison_prepare(&model, arena);
    stw_poison_step_begin(&model, 0u, arena);
    arena[0] = 1u;
    for (int i = 1; i < count; i++) {
        arena[2 * atoi(values[i])] ^= 0x10u;
    }
    stw_poison_step_end(&model, 0u, arena);
    const struct stw_poison_report *report = stw_poison_report();
    printf("%u %u %u\\n", report->stray_writes, report->clobbered_slots, report->first_offset);
    return 0;
}
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watch")
    source, image = folder / "model.c", folder / "model"
    source.write_text(MODEL)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME / 'include'}", "-o", str(image)]
    subprocess.run([os.environ.get("CC", "cc"), *flags, str(source), str(RUNTIME / "core/poison.c")], check=True)
    return image


@pytest.mark.parametrize("clobbered", [[], [2], [513], [514], [1101], [2, 600, 1101]])
def test_every_buffer_that_lives_through_a_step_is_watched(image: Path, clobbered: list[int]) -> None:
    run = subprocess.run([image, *map(str, clobbered)], check=True, capture_output=True, text=True)
    stray, slots, first_offset = map(int, run.stdout.split())
    assert stray == 0
    if not clobbered:
        assert slots == 0
        return
    # 1,100 buffers share 512 digests: a spoilt one is told with those that it shares its digest with.
    told = {slot for slot in range(2, 1102) if any((slot - each) % 512 == 0 for each in clobbered)}
    assert slots == len(told)
    assert first_offset == 2 * min(told)
