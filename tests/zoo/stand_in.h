/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in for a model that the compiler refused, so that an image can be built: no inputs, outputs or steps. */
#ifndef STOWAGE_ZOO_STAND_IN_H
#define STOWAGE_ZOO_STAND_IN_H

#include "stowage/model.h"

#define ZOO_ARENA_BYTES 8u

extern unsigned char zoo_arena[ZOO_ARENA_BYTES];
extern const struct stw_model zoo_model;

enum stw_status zoo_run(void *arena);

#endif /* STOWAGE_ZOO_STAND_IN_H */
