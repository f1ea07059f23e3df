/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a model with states, step after step of one stream, with nothing but a C compiler: inputs of all steps from
 * standard input, to standard output the outputs and then the states after each step. The arena is full of rubbish
 * before the reset, and rubbish again is what a second stream in it begins with. STREAM_HEADER, STREAM_MODEL,
 * STREAM_RUN and STREAM_RESET come from the command line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stowage/poison.h"
#include STREAM_HEADER

static unsigned char *arena;

static int feed(void) {
    for (uint32_t i = 0; i < STREAM_MODEL.input_count; i++) {
        const struct stw_tensor *input = &STREAM_MODEL.inputs[i];
        if (fread(arena + input->offset_bytes, 1, input->size_bytes, stdin) != input->size_bytes) {
            return 0;
        }
    }
    return 1;
}

static void tell(const struct stw_tensor *tensors, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        fwrite(arena + tensors[i].offset_bytes, 1, tensors[i].size_bytes, stdout);
    }
}

static int stream(int steps, int rubbish) {
    memset(arena, rubbish, STREAM_MODEL.arena_bytes);
    if (STREAM_RESET(arena) != STW_OK || STREAM_RESET(NULL) != STW_BAD_ARENA) {
        return 0;
    }
    for (int step = 0; step < steps; step++) {
        if (!feed()) {
            return 0;
        }
#ifdef STW_POISON
        stw_poison_prepare(&STREAM_MODEL, arena);
#endif
        if (STREAM_RUN(arena) != STW_OK) {
            return 0;
        }
        tell(STREAM_MODEL.outputs, STREAM_MODEL.output_count);
        tell(STREAM_MODEL.states, STREAM_MODEL.state_count);
    }
    return 1;
}

int main(int argc, char **argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 0;
    void *memory = NULL;

    if (posix_memalign(&memory, STREAM_MODEL.arena_alignment_bytes, STREAM_MODEL.arena_bytes) != 0) {
        return 2;
    }
    arena = memory;
    if (!stream(steps, 0x5A) || !stream(steps, 0xA5)) {
        return 3;
    }
    free(memory);
#ifdef STW_POISON
    if (stw_poison_report()->stray_writes != 0u || stw_poison_report()->clobbered_slots != 0u) {
        return 4;
    }
#endif
    return 0;
}
