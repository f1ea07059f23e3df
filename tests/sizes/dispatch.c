/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream whose runs are of different lengths, as ONNX Runtime computes it, all in one arena by one entry point; and
 * sizes that nobody planned, which must leave every byte as it was. Exit status 0 where all is well, otherwise one of
 * enum trouble.
 */
#include "classifier.h"
#include "stowage_hal/hal.h"
#include "stream.h"
#include "stream_vectors.h"

enum trouble { FINE = 0, NOT_RUN = 1, OTHER_RESULT = 2, NO_REFUSAL = 3, TOUCHED = 4, A_PLACE = 5 };

#define MARK 0x5Au

static int is_near(float mine, float theirs) {
    const float difference = mine < theirs ? theirs - mine : mine - theirs;

    return difference <= 1.0e-5f;
}

static enum trouble run_chunk(uint32_t frames, const float *inputs, const float *expected) {
    memcpy(stream_input_x(stream_arena, frames), inputs, stream_model_for(frames)->inputs[0].size_bytes);
    if (stream_run(stream_arena, frames) != STW_OK) {
        return NOT_RUN;
    }
    for (uint32_t i = 0; i < stream_model_for(frames)->outputs[0].elements; i++) {
        if (!is_near(stream_output_y(stream_arena, frames)[i], expected[i])) {
            return OTHER_RESULT;
        }
    }
    return FINE;
}

static enum trouble run_stream(void) {
    enum trouble trouble = FINE;
    const float *inputs = stream_inputs;
    const float *expected = stream_expected;

    if (stream_reset(stream_arena) != STW_OK) {
        return NOT_RUN;
    }
    for (uint32_t i = 0; i < STREAM_RUNS && trouble == FINE; i++) {
        trouble = run_chunk(stream_frames[i], inputs, expected);
        inputs += stream_frames[i] * STREAM_FEATURES;
        expected += stream_frames[i] * STREAM_HIDDEN;
    }
    return trouble;
}

/* Each extent is planned, but not with the other; or neither is. */
static enum trouble refuse_sizes(void) {
    static const uint32_t sizes[][2] = {{8u, 3u}, {9u, 1u}, {1u, 8u}, {0u, 0u}, {0xFFFFFFFFu, 2u}};

    memset(classifier_arena, (int)MARK, CLASSIFIER_ARENA_BYTES);
    for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (classifier_run(classifier_arena, sizes[i][0], sizes[i][1]) != STW_BAD_SIZE ||
            classifier_run(NULL, sizes[i][0], sizes[i][1]) != STW_BAD_SIZE) {
            return NO_REFUSAL;
        }
        if (classifier_input_x(classifier_arena, sizes[i][0], sizes[i][1]) != NULL ||
            classifier_output_y(classifier_arena, sizes[i][0], sizes[i][1]) != NULL ||
            classifier_model_for(sizes[i][0], sizes[i][1]) != NULL) {
            return A_PLACE;
        }
    }
    for (uint32_t i = 0; i < CLASSIFIER_ARENA_BYTES; i++) {
        if (classifier_arena[i] != MARK) {
            return TOUCHED;
        }
    }
    return classifier_run(classifier_arena + 1, 8u, 1u) == STW_BAD_ARENA ? FINE : NO_REFUSAL;
}

int main(void) {
    enum trouble trouble = FINE;

    stw_hal_init();
    trouble = run_stream();
    if (trouble == FINE) {
        trouble = refuse_sizes();
    }
    stw_hal_print_text("sizes done\n");
    return (int)trouble;
}
