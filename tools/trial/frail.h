/* SPDX-License-Identifier: Apache-2.0 */
/* A model written by hand in the shape of generated ones; frail_defect.h says which mistake its plan or kernels make. */
#ifndef FRAIL_H
#define FRAIL_H

#include "stowage/model.h"

#define FRAIL_ARENA_BYTES 32u
#define FRAIL_ARENA_ALIGNMENT_BYTES 8u

extern unsigned char frail_arena[FRAIL_ARENA_BYTES];
extern const struct stw_model frail_model;

enum stw_status frail_run(void *arena);

#endif /* FRAIL_H */
