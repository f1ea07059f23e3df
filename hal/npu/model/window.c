/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/npu/model/window.h"

#include <stddef.h>

#include "hal/npu/stream.h"
#include "stowage/core/requantise.h"

static int32_t low(uint32_t word) {
    return (int32_t)(word & 0xFFFFu);
}

static int32_t high(uint32_t word) {
    return (int32_t)(word >> 16);
}

static int32_t byte_at(uint32_t word, uint32_t index) {
    return (int32_t)(word >> (8u * index) & 0xFFu);
}

static int32_t signed_byte(uint32_t word, uint32_t index) {
    return (int8_t)byte_at(word, index);
}

static bool is_image(const struct stw_npu_image *image) {
    return image->height > 0 && image->width > 0 && image->channels > 0 &&
           image->pixel_stride >= image->channels;
}

static uint64_t image_bytes(const struct stw_npu_image *image) {
    return ((uint64_t)image->height * (uint64_t)image->width - 1u) * (uint64_t)image->pixel_stride +
           (uint64_t)image->channels;
}

enum stw_npu_error stw_npu_read_output(uint32_t packed, uint32_t rounding, struct stw_npu_output *output) {
    output->zero_point = signed_byte(packed, 1u);
    output->lowest = signed_byte(packed, 2u);
    output->highest = signed_byte(packed, 3u);
    output->rounding = rounding;
    return rounding <= STW_ROUNDING_AWAY && output->lowest <= output->highest ? STW_NPU_OK
                                                                              : STW_NPU_BAD_FIELD;
}

static void read_window(const uint32_t *words, struct stw_npu_sliding *s) {
    s->kernel_height = byte_at(words[7], 0u);
    s->kernel_width = byte_at(words[7], 1u);
    s->stride_height = byte_at(words[7], 2u);
    s->stride_width = byte_at(words[7], 3u);
    s->pad_top = byte_at(words[8], 0u);
    s->pad_left = byte_at(words[8], 1u);
    s->dilation_height = byte_at(words[8], 2u);
    s->dilation_width = byte_at(words[8], 3u);
}

static bool is_window(const struct stw_npu_sliding *s) {
    return s->kernel_height > 0 && s->kernel_width > 0 && s->stride_height > 0 && s->stride_width > 0 &&
           s->dilation_height > 0 && s->dilation_width > 0;
}

enum stw_npu_error stw_npu_read_sliding(const uint32_t *words, struct stw_npu_sliding *s) {
    const struct stw_npu_image input = {low(words[4]), high(words[4]), low(words[5]), (int32_t)words[9]};
    const struct stw_npu_image output = {low(words[6]), high(words[6]), high(words[5]), (int32_t)words[10]};

    s->input_at = words[1];
    s->parameters_at = words[2];
    s->output_at = words[3];
    s->input = input;
    s->output = output;
    read_window(words, s);
    s->pad_value = signed_byte(words[11], 0u);
    s->by_count = words[12] >> 8 != 0u;
    if (!is_image(&input) || !is_image(&output) || !is_window(s) || words[12] >> 9 != 0u) {
        return STW_NPU_BAD_FIELD;
    }
    return stw_npu_read_output(words[11], words[12] & 0xFFu, &s->result);
}

enum stw_npu_error stw_npu_open(struct stw_npu_run *run, const struct stw_npu_sliding *s, uint64_t parameters,
                                struct stw_npu_streams *streams) {
    enum stw_npu_error error = STW_NPU_OK;

    streams->input = (int8_t *)stw_npu_engine_stream(run, s->input_at, image_bytes(&s->input), &error);
    streams->parameters = NULL;
    if (error == STW_NPU_OK && parameters > 0u) {
        streams->parameters = stw_npu_engine_stream(run, s->parameters_at, parameters, &error);
    }
    if (error == STW_NPU_OK) {
        streams->output = (int8_t *)stw_npu_engine_stream(run, s->output_at, image_bytes(&s->output), &error);
    }
    return error;
}

enum stw_npu_error stw_npu_check_scales(const uint8_t *scales, int64_t count, uint32_t stride) {
    for (int64_t i = 0; i < count; i++, scales += stride) {
        const int32_t shift = stw_npu_word(scales + 4);

        if (stw_npu_word(scales) < 0 || shift < 1 || shift > 62) {
            return STW_NPU_BAD_FIELD;
        }
    }
    return STW_NPU_OK;
}

int8_t stw_npu_element(const struct stw_npu_output *output, int32_t sum, const uint8_t *scale) {
    const int32_t scaled =
        stw_requantise(sum, stw_npu_word(scale), stw_npu_word(scale + 4), (int32_t)output->rounding);
    const int64_t value = (int64_t)scaled + output->zero_point;

    if (value < output->lowest) {
        return (int8_t)output->lowest;
    }
    return (int8_t)(value > output->highest ? output->highest : value);
}

uint64_t stw_npu_array_cycles(const struct stw_npu_machine *machine, const struct stw_npu_image *output,
                              uint64_t steps, uint64_t parameters) {
    const uint64_t pixels = (uint64_t)output->height * (uint64_t)output->width;

    return STW_NPU_COMMAND_CYCLES + stw_npu_ceil(parameters, machine->port_bytes) +
           stw_npu_ceil((uint64_t)output->channels, machine->array_channels) *
               stw_npu_ceil(pixels, machine->array_pixels) * steps;
}
