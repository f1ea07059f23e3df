/* SPDX-License-Identifier: Apache-2.0 */
#include "zoo.h"

STW_ARENA("zoo", 8) unsigned char zoo_arena[ZOO_ARENA_BYTES];

const struct stw_model zoo_model = {
    .name = "zoo", .arena_bytes = ZOO_ARENA_BYTES, .arena_alignment_bytes = 8u};

enum stw_status zoo_run(void *arena) {
    return arena == NULL ? STW_BAD_ARENA : STW_OK;
}
