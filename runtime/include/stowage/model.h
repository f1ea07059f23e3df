/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every generated model has in common: the status of a run, the description of its inputs and outputs, and the
 * attributes by which its bytes find their region of the board.
 *
 * A generated `<model>.h` is the manual of one model; `<model>_run(arena)` is all that a product needs of it. The
 * descriptor `<model>_model` is for code that serves any model (test harnesses, loggers); where nobody uses it the linker
 * leaves it out.
 */
#ifndef STOWAGE_MODEL_H
#define STOWAGE_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* The result of a run. */
enum stw_status {
    STW_OK = 0,        /* the outputs hold the answer */
    STW_BAD_ARENA = 1, /* the arena is null or not aligned as the model's header says; nothing was touched */
    STW_BAD_SIZE = 2,  /* the model is not planned for these extents of its dimensions; nothing was touched */
    STW_DEVICE_ERROR = 3, /* a device reported an error: the outputs are any, and the next run is whole */
    STW_INPUT_ERROR = 4,  /* rows of the input did not come: the outputs are any, and the next run is whole */
};

/* Element types, one for each that a tensor may have. */
enum stw_element {
    STW_F16, /* IEEE 754 binary16, its bits in a uint16_t; stowage/core/half.h converts from and to float */
    STW_F32,
    STW_F64,
    STW_I8,
    STW_I16,
    STW_I32,
    STW_I64,
    STW_U8,
    STW_U16,
    STW_U32,
    STW_U64,
    STW_BOOL,
};

/* A model input or output. */
struct stw_tensor {
    const char *name; /* the C identifier that the model's header uses */
    enum stw_element element;
    uint32_t offset_bytes; /* from the start of the arena */
    uint32_t elements;
    uint32_t size_bytes;
};

/*
 * A buffer of the arena and its life. Moment 0 is before the first step, when the caller writes the inputs; step k runs
 * at moment k + 1; the moment after the last step is when the caller reads the outputs. Both ends belong to the life.
 */
struct stw_slot {
    uint32_t offset_bytes;
    uint32_t size_bytes;
    uint32_t first;
    uint32_t last;
};

/* An arena beside the main one, in another region: the offsets of its buffers count from its own start. */
struct stw_arena {
    const char *name; /* `<model>_arena_<name>` is the default one */
    uint32_t size_bytes;
    const struct stw_slot *slots;
    uint32_t slot_count;
};

/* A model as data. Everything it points at is constant and lives as long as the image. */
struct stw_model {
    const char *name;
    uint32_t arena_bytes;
    uint32_t arena_alignment_bytes;
    uint32_t steps;
    const struct stw_tensor *inputs;
    uint32_t input_count;
    const struct stw_tensor *outputs;
    uint32_t output_count;
    const struct stw_tensor *states; /* what is kept between runs; <model>_reset gives it its initial value */
    uint32_t state_count;
    const struct stw_slot *slots; /* every buffer of the arena, for checks that watch a run */
    uint32_t slot_count;
    const struct stw_arena *arenas; /* those beside the main one, in the order in which a run takes them */
    uint32_t arena_count;
};

/* Places a default arena in the section that the board's linker script gives to the role `arena`. */
#define STW_ARENA(model, alignment_bytes)                                                                    \
    __attribute__((section(".stw_arena." model), aligned(alignment_bytes)))

/* Places an arena in another of the board's regions for arenas, of role `arena` or `arena_fast`. */
#define STW_ARENA_IN(role, region, model, alignment_bytes)                                                   \
    __attribute__((section(".stw_" role ".in_" region "." model), aligned(alignment_bytes)))

/* Places a constant in the section that the board's linker script gives to the role `weights`. */
#define STW_WEIGHTS(symbol) __attribute__((section(".stw_weights." symbol), aligned(8)))

/* Places a constant in a later region of the role `weights`, which the linker script names. */
#define STW_WEIGHTS_IN(region, symbol)                                                                       \
    __attribute__((section(".stw_weights.in_" region "." symbol), aligned(8)))

#endif /* STOWAGE_MODEL_H */
