/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one digit; its exit status says which. */
#include "reader.h"
#include "stowage_hal/hal.h"

static const int8_t image[READER_INPUT_IMAGE_ELEMENTS] = {0};

int main(void) {
    stw_hal_init();
    memcpy(reader_input_image(reader_arena), image, sizeof(image));
    if (reader_run(reader_arena) != STW_OK) {
        return 100;
    }
    const int8_t *scores = reader_output_probabilities(reader_arena);
    int digit = 0;
    for (int i = 1; i < 10; i++) {
        digit = scores[i] > scores[digit] ? i : digit;
    }
    return digit;
}
