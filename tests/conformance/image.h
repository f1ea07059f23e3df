/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an image of many models is made of: the generated table of its models, and the arena that serves one after the
 * other.
 */
#ifndef STOWAGE_TESTS_CONFORMANCE_IMAGE_H
#define STOWAGE_TESTS_CONFORMANCE_IMAGE_H

#include "stowage/model.h"

/* Width of the fences before and after the bytes of a model's arena, and alignment of what lies between. */
#define STW_CONFORMANCE_FENCE_BYTES 64u

struct stw_conformance_case {
    const struct stw_model *model;
    enum stw_status (*run)(void *arena);
};

extern const struct stw_conformance_case stw_conformance_cases[];
extern const uint32_t stw_conformance_case_count;

/* As large as the largest model's arena and two fences. */
extern unsigned char stw_conformance_arena[];
extern const uint32_t stw_conformance_arena_bytes;

#endif /* STOWAGE_TESTS_CONFORMANCE_IMAGE_H */
