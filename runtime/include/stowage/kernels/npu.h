/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a model that the board's NPU computes: one command stream, which the compiler has made for that NPU.
 *
 *   stream   uint32 [stream_words], the commands (hal/npu/stream.h)
 *   data     uint8  [data_bytes], weights, biases, scales and tables as the commands copy them into the NPU's banks
 *   inputs   int8, each of so many bytes as the parameters say
 *   outputs  int8, likewise
 *
 * Overlap: as far as the stream reads an input before it writes over it, which the compiler finds out of the stream's copies
 * (compiler/stowage/npu/in_place.py). Every output is written whole, if the NPU reports no error; else its bytes are any.
 * stw_npu_<inputs>_<outputs> returns STW_OK, or STW_DEVICE_ERROR.
 */
#ifndef STOWAGE_KERNELS_NPU_H
#define STOWAGE_KERNELS_NPU_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/model.h"
#include "stowage/npu.h"

struct stw_npu_params {
    uint32_t stream_words;
    uint32_t data_bytes;
    uint32_t input_bytes[4];
    uint32_t output_bytes[2];
};

STW_KERNEL enum stw_status stw_npu_run(const struct stw_npu_params *p, const uint32_t *stream,
                                       const uint8_t *data, uint32_t inputs, const int8_t *const *input,
                                       uint32_t outputs, int8_t *const *output) {
    const struct stw_hal_npu_window first = {data, p->data_bytes, 0u};
    struct stw_hal_npu_job job;

    job.stream = stream;
    job.stream_words = p->stream_words;
    job.windows = 1u + inputs + outputs;
    job.window[0] = first;
    for (uint32_t i = 0u; i < inputs; i++) {
        const struct stw_hal_npu_window window = {input[i], p->input_bytes[i], 0u};
        job.window[1u + i] = window;
    }
    for (uint32_t i = 0u; i < outputs; i++) {
        const struct stw_hal_npu_window window = {output[i], p->output_bytes[i], 1u};
        job.window[1u + inputs + i] = window;
    }
    return stw_hal_npu_run(&job) == STW_HAL_NPU_OK ? STW_OK : STW_DEVICE_ERROR;
}

/* A function for each number of inputs and outputs, since a kernel's pointers are its arguments. */
#define STW_NPU_IN_1 const int8_t *a
#define STW_NPU_IN_2 STW_NPU_IN_1, const int8_t *b
#define STW_NPU_IN_3 STW_NPU_IN_2, const int8_t *c
#define STW_NPU_IN_4 STW_NPU_IN_3, const int8_t *d
#define STW_NPU_OUT_1 int8_t *x
#define STW_NPU_OUT_2 STW_NPU_OUT_1, int8_t *y
#define STW_NPU_LIST_IN_1 a
#define STW_NPU_LIST_IN_2 a, b
#define STW_NPU_LIST_IN_3 a, b, c
#define STW_NPU_LIST_IN_4 a, b, c, d
#define STW_NPU_LIST_OUT_1 x
#define STW_NPU_LIST_OUT_2 x, y

#define STW_NPU_KERNEL(inputs, outputs)                                                                      \
    struct stw_npu_##inputs##_##outputs##_params {                                                           \
        struct stw_npu_params npu;                                                                           \
    };                                                                                                       \
    STW_KERNEL enum stw_status stw_npu_##inputs##_##outputs(                                                 \
        const struct stw_npu_##inputs##_##outputs##_params *p, const uint32_t *stream, const uint8_t *data,  \
        STW_NPU_IN_##inputs, STW_NPU_OUT_##outputs) {                                                        \
        const int8_t *const input[] = {STW_NPU_LIST_IN_##inputs};                                            \
        int8_t *const output[] = {STW_NPU_LIST_OUT_##outputs};                                               \
                                                                                                             \
        return stw_npu_run(&p->npu, stream, data, inputs, input, outputs, output);                           \
    }

STW_NPU_KERNEL(1, 1)
STW_NPU_KERNEL(1, 2)
STW_NPU_KERNEL(2, 1)
STW_NPU_KERNEL(2, 2)
STW_NPU_KERNEL(3, 1)
STW_NPU_KERNEL(3, 2)
STW_NPU_KERNEL(4, 1)
STW_NPU_KERNEL(4, 2)

#endif
