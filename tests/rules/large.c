/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware with more constants than the small board has flash for, and no room for its variables either. */
#include "stowage_hal/hal.h"

#define TABLE_BYTES 0x4000
#define BUFFER_BYTES 0x2000

extern const unsigned char large_table[TABLE_BYTES];
const unsigned char large_table[TABLE_BYTES] = {1};
static volatile unsigned char buffer[BUFFER_BYTES];

int main(void) {
    stw_hal_init();
    for (int index = 0; index < BUFFER_BYTES; index++) {
        buffer[index] = large_table[index];
    }
    return buffer[0];
}
