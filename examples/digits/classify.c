/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware that recognises handwritten digits: runs the model on a few images that are linked in and tells on the console
 * what it saw. Its exit status is the number of images that it got wrong.
 *
 *     image 0: label 6, answer 6, probability 249/255
 */
#include "digits.h"
#include "samples.h"
#include "stowage_hal/hal.h"

static uint32_t largest(const int8_t *scores) {
    uint32_t best = 0;

    for (uint32_t i = 1; i < DIGITS_OUTPUT_PROBABILITIES_ELEMENTS; i++) {
        best = scores[i] > scores[best] ? i : best;
    }
    return best;
}

static void tell(uint32_t image, uint32_t answer, int8_t score) {
    stw_hal_print_text("image ");
    stw_hal_print_u64(image);
    stw_hal_print_text(": label ");
    stw_hal_print_u64(sample_labels[image]);
    stw_hal_print_text(", answer ");
    stw_hal_print_u64(answer);
    stw_hal_print_text(", probability ");
    stw_hal_print_s32(score - DIGITS_OUTPUT_PROBABILITIES_ZERO_POINT);
    stw_hal_print_text("/255\n");
}

/* Whether the model gives the image its label. */
static int classify(uint32_t image) {
    memcpy(digits_input_image(digits_arena), sample_images[image], DIGITS_INPUT_IMAGE_BYTES);
    if (digits_run(digits_arena) != STW_OK) {
        return 0;
    }
    const int8_t *scores = digits_output_probabilities(digits_arena);
    const uint32_t answer = largest(scores);
    tell(image, answer, scores[answer]);
    return answer == sample_labels[image];
}

int main(void) {
    int wrong = 0;

    stw_hal_init();
    for (uint32_t image = 0; image < SAMPLE_COUNT; image++) {
        wrong += !classify(image);
    }
    return wrong;
}
