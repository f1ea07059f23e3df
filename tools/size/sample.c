/* SPDX-License-Identifier: Apache-2.0 */
/* One thing of every kind of memory, of sizes that a test knows. */
#include "stowage/model.h"
#include "stowage_hal/hal.h"

volatile uint32_t sample_initialised[6] = {1u, 2u, 3u, 4u, 5u, 6u};
volatile uint32_t sample_zeroed[7];
STW_WEIGHTS("sample_weights") const int8_t sample_weights[123] = {1};
STW_ARENA("sample", 8) unsigned char sample_arena[456];

int main(void) {
    volatile const int8_t *weights = sample_weights;

    sample_arena[0] = (unsigned char)weights[sample_initialised[0]];
    sample_zeroed[0] = *(volatile unsigned char *)sample_arena;
    return 0;
}
