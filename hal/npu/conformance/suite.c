/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a board with an NPU has to do: models give on it what the processor's kernels give, bit for bit, whatever the input; a
 * stream that is wrong is refused with its reason, and the next one runs; an error in the middle of a model's run ends it with a
 * status, and the next run is whole.
 *
 * The linker puts this file's stw_hal_npu_run before the driver's (--wrap).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branches_npu.h"
#include "branches_processor.h"
#include "digits_npu.h"
#include "digits_processor.h"
#include "hal/npu/registers.h"
#include "stowage/npu.h"
#include "stowage_hal/hal.h"
#include "stw_board.h"

#define RUNS 4u

struct pair {
    const struct stw_model *model; /* the NPU's; the other has the same inputs and outputs in other places */
    const struct stw_model *other;
    unsigned char *arena;
    unsigned char *other_arena;
    enum stw_status (*run)(void *arena);
    enum stw_status (*run_other)(void *arena);
};

static const struct pair pairs[] = {
    {&digits_npu_model, &digits_processor_model, digits_npu_arena, digits_processor_arena, digits_npu_run,
     digits_processor_run},
    {&branches_npu_model, &branches_processor_model, branches_npu_arena, branches_processor_arena,
     branches_npu_run, branches_processor_run},
};

static uint32_t state = 1u;
static bool failed;
static bool shuts_output; /* whether streams find their last window shut */

int32_t __real_stw_hal_npu_run(const struct stw_hal_npu_job *job);
int32_t __wrap_stw_hal_npu_run(const struct stw_hal_npu_job *job);

int32_t __wrap_stw_hal_npu_run(const struct stw_hal_npu_job *job) {
    struct stw_hal_npu_job given = *job;

    if (shuts_output) {
        given.windows--;
    }
    return __real_stw_hal_npu_run(&given);
}

static void check(bool holds, const char *what) {
    stw_hal_print_text(holds ? "ok " : "FAILED ");
    stw_hal_print_text(what);
    stw_hal_print_text("\n");
    failed = failed || !holds;
}

static unsigned char next_byte(void) {
    state = state * 1664525u + 1013904223u;
    return (unsigned char)(state >> 24);
}

static void fill(const struct pair *pair) {
    for (uint32_t i = 0u; i < pair->model->input_count; i++) {
        unsigned char *input = pair->arena + pair->model->inputs[i].offset_bytes;
        unsigned char *other = pair->other_arena + pair->other->inputs[i].offset_bytes;

        for (uint32_t k = 0u; k < pair->model->inputs[i].size_bytes; k++) {
            input[k] = next_byte();
            other[k] = input[k];
        }
    }
}

static bool is_same(const struct pair *pair) {
    for (uint32_t i = 0u; i < pair->model->output_count; i++) {
        const unsigned char *output = pair->arena + pair->model->outputs[i].offset_bytes;
        const unsigned char *other = pair->other_arena + pair->other->outputs[i].offset_bytes;

        for (uint32_t k = 0u; k < pair->model->outputs[i].size_bytes; k++) {
            if (output[k] != other[k]) {
                return false;
            }
        }
    }
    return true;
}

static void check_pair(const struct pair *pair) {
    bool same = true;

    for (uint32_t i = 0u; i < RUNS; i++) {
        fill(pair);
        same = same && pair->run(pair->arena) == STW_OK && pair->run_other(pair->other_arena) == STW_OK &&
               is_same(pair);
    }
    check(same, pair->model->name);
    check(stw_hal_npu_cycles() > 0u, "the NPU counts its cycles");
}

/* A copy from a window that only may be written. */
static void check_refusal(void) {
    static const uint32_t stream[] = {
        0x4D525453u, 1u, 16u, 1u, STW_NPU_BANK_BYTES, 1u,         0x00080010u, 0u, 0u, 0u,
        4u,          1u, 0u,  0u, 0x00010002u,        0x00010001u};
    static unsigned char bytes[4];
    const struct stw_hal_npu_job job = {stream, sizeof stream / 4u, 1u, {{bytes, sizeof bytes, 1u}}};

    check(stw_hal_npu_run(&job) == (int32_t)STW_NPU_BAD_WINDOW,
          "a stream that is wrong is refused with its reason");
}

/* The NPU computes, and fails at the copy that would write the first output. */
static void check_failed_run(const struct pair *pair) {
    fill(pair);
    shuts_output = true;
    check(pair->run(pair->arena) == STW_DEVICE_ERROR,
          "an error in the middle of a run ends it with a status");
    shuts_output = false;
    check(stw_hal_npu_cycles() > 0u, "the NPU had begun");
}

int main(void) {
    stw_hal_init();
    for (size_t i = 0u; i < sizeof pairs / sizeof pairs[0]; i++) {
        check_pair(&pairs[i]);
    }
    check_refusal();
    check_pair(&pairs[0]);
    check_failed_run(&pairs[1]);
    check_pair(&pairs[1]);
    stw_hal_print_text("end of suite\n");
    return failed ? 1 : 0;
}
