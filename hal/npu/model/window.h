/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of the model's commands that slide a window over an image, and the streams that they read and write. */
#ifndef STOWAGE_HAL_NPU_WINDOW_H
#define STOWAGE_HAL_NPU_WINDOW_H

#include "hal/npu/model/run.h"

struct stw_npu_image {
    int32_t height;
    int32_t width;
    int32_t channels;
    int32_t pixel_stride; /* bytes from one pixel to the next */
};

struct stw_npu_sliding {
    struct stw_npu_image input;
    struct stw_npu_image output;
    int32_t kernel_height, kernel_width;
    int32_t stride_height, stride_width;
    int32_t dilation_height, dilation_width;
    int32_t pad_top, pad_left;
    int32_t
        pad_value; /* of products: what stands outside of the image; of averages: the input's zero point */
    struct stw_npu_output result;
    bool by_count; /* of averages: parameters go by the number of elements */
    uint32_t input_at, parameters_at, output_at;
};

/* Where the streams lie in the banks. */
struct stw_npu_streams {
    const int8_t *input;
    const uint8_t *parameters;
    int8_t *output;
};

/* A position on the input: a tap of output pixel (y, x), which may lie outside of the image. */
struct stw_npu_tap {
    int32_t y;
    int32_t x;
};

enum stw_npu_error stw_npu_read_sliding(const uint32_t *words, struct stw_npu_sliding *sliding);

/* Takes the ports of input, output and so many bytes of parameters (0: there are none). */
enum stw_npu_error stw_npu_open(struct stw_npu_run *run, const struct stw_npu_sliding *s, uint64_t parameters,
                                struct stw_npu_streams *streams);

/* Whether every multiplier and shift of `count` records of `stride` bytes can be. */
enum stw_npu_error stw_npu_check_scales(const uint8_t *scales, int64_t count, uint32_t stride);

/* A sum as an output element, by a record of multiplier and shift. */
int8_t stw_npu_element(const struct stw_npu_output *output, int32_t sum, const uint8_t *scale);

/* Cycles of the array for so many steps an output channel and pixel, and so many bytes of parameters. */
uint64_t stw_npu_array_cycles(const struct stw_npu_machine *machine, const struct stw_npu_image *output,
                              uint64_t steps, uint64_t parameters);

static inline struct stw_npu_tap stw_npu_tap_of(const struct stw_npu_sliding *s, int32_t oy, int32_t ox,
                                                int32_t ky, int32_t kx) {
    const struct stw_npu_tap tap = {oy * s->stride_height - s->pad_top + ky * s->dilation_height,
                                    ox * s->stride_width - s->pad_left + kx * s->dilation_width};

    return tap;
}

static inline bool stw_npu_is_inside(const struct stw_npu_image *image, struct stw_npu_tap tap) {
    return tap.y >= 0 && tap.y < image->height && tap.x >= 0 && tap.x < image->width;
}

static inline int64_t stw_npu_pixel(const struct stw_npu_image *image, int32_t y, int32_t x) {
    return ((int64_t)y * image->width + x) * image->pixel_stride;
}

#endif
