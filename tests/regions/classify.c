/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware whose model has arenas in two regions: recognises the digits that are linked in, in both, and says how many it
 * got wrong.
 */
#include "digits_fast.h"
#include "samples.h"
#include "stowage_hal/hal.h"

static int classify(uint32_t image) {
    uint32_t best = 0;

    memcpy(digits_fast_input_image(digits_fast_arena), sample_images[image], DIGITS_FAST_INPUT_IMAGE_BYTES);
    if (digits_fast_run(digits_fast_arena, digits_fast_arena_fast) != STW_OK) {
        return 0;
    }
    const int8_t *scores = digits_fast_output_probabilities(digits_fast_arena);
    for (uint32_t i = 1; i < DIGITS_FAST_OUTPUT_PROBABILITIES_ELEMENTS; i++) {
        best = scores[i] > scores[best] ? i : best;
    }
    return best == sample_labels[image];
}

int main(void) {
    int32_t wrong = 0;

    stw_hal_init();
    for (uint32_t image = 0; image < SAMPLE_COUNT; image++) {
        wrong += !classify(image);
    }
    stw_hal_print_text("wrong ");
    stw_hal_print_s32(wrong);
    stw_hal_print_text("\n");
    return (int)wrong;
}
