/* SPDX-License-Identifier: Apache-2.0 */
/* The model on the machine that builds: it runs in an arena of the test's own, and refuses one that is misaligned. */
#include <string.h>

#include "reader.h"

static _Alignas(READER_ARENA_ALIGNMENT_BYTES) unsigned char arena[READER_ARENA_BYTES];

int main(void) {
    memset(reader_input_image(arena), READER_INPUT_IMAGE_ZERO_POINT, READER_INPUT_IMAGE_BYTES);
    if (reader_run(arena) != STW_OK) {
        return 1;
    }
    return reader_run(arena + 1) == STW_BAD_ARENA ? 0 : 2;
}
