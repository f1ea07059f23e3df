/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model twice in one image, on the NPU and on the processor. Each vector of inputs.bin (as in tools/trial/model_trial.c) goes
 * through both; what came of it is written to the console, a line a figure:
 *
 *     vectors 2
 *     different_bytes 0        in which outputs of the two differ
 *     streams 2                command streams that the NPU has run to their end
 *     failed_streams 0
 *     cycles 123               of all streams, by the NPU's own timing
 *     end 1
 *
 * The linker puts this file's stw_hal_npu_run before the driver's (--wrap).
 */
#include <stdbool.h>
#include <stdint.h>

#include "on_npu.h"
#include "on_processor.h"
#include "stowage/npu.h"
#include "stowage_hal/hal.h"
#include "stowage_hal/host_file.h"

int32_t __real_stw_hal_npu_run(const struct stw_hal_npu_job *job);
int32_t __wrap_stw_hal_npu_run(const struct stw_hal_npu_job *job);

static uint64_t vectors, different_bytes, streams, failed_streams, cycles;

int32_t __wrap_stw_hal_npu_run(const struct stw_hal_npu_job *job) {
    const int32_t error = __real_stw_hal_npu_run(job);

    if (error == STW_HAL_NPU_OK) {
        streams++;
    } else {
        failed_streams++;
    }
    cycles += stw_hal_npu_cycles();
    return error;
}

static void tell(const char *name, uint64_t value) {
    stw_hal_print_text(name);
    stw_hal_print_text(" ");
    stw_hal_print_u64(value);
    stw_hal_print_text("\n");
}

/* Reads the next vector for both models; false where there is none. */
static bool read_vector(int32_t file) {
    for (uint32_t i = 0u; i < on_npu_model.input_count; i++) {
        const struct stw_tensor *input = &on_npu_model.inputs[i];
        unsigned char *to = on_npu_arena + input->offset_bytes;
        unsigned char *other = on_processor_arena + on_processor_model.inputs[i].offset_bytes;

        if (stw_hal_file_read(file, to, input->size_bytes) != (int32_t)input->size_bytes) {
            return false;
        }
        for (uint32_t k = 0u; k < input->size_bytes; k++) {
            other[k] = to[k];
        }
    }
    return true;
}

static void compare(void) {
    for (uint32_t i = 0u; i < on_npu_model.output_count; i++) {
        const struct stw_tensor *output = &on_npu_model.outputs[i];
        const unsigned char *made = on_npu_arena + output->offset_bytes;
        const unsigned char *wanted = on_processor_arena + on_processor_model.outputs[i].offset_bytes;

        for (uint32_t k = 0u; k < output->size_bytes; k++) {
            different_bytes += made[k] != wanted[k];
        }
    }
}

int main(void) {
    int32_t file;

    stw_hal_init();
    file = stw_hal_file_open("inputs.bin", STW_HAL_FILE_READ);
    if (file < 0 || on_npu_model.output_count != on_processor_model.output_count) {
        return 1;
    }
    for (; read_vector(file); vectors++) {
        if (on_npu_run(on_npu_arena) != STW_OK || on_processor_run(on_processor_arena) != STW_OK) {
            return 2;
        }
        compare();
    }
    tell("vectors", vectors);
    tell("different_bytes", different_bytes);
    tell("streams", streams);
    tell("failed_streams", failed_streams);
    tell("cycles", cycles);
    tell("end", 1u);
    return 0;
}
