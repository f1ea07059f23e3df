/* SPDX-License-Identifier: Apache-2.0 */

/* What vector instructions make is what C makes, on random numbers: exit status 0 if it is, 1 otherwise. */

#include "stowage/core/output_s8.h"
#include "stowage/kernels/depthwise_conv2d_s8.h"
#include "stowage_hal/console.h"
#include "stowage_hal/init.h"

#if !defined(__ARM_FEATURE_MVE)
#error "this core has no vector instructions"
#endif

#define QUADS 20000
#define CONVOLUTIONS 400
#define IMAGE 4096
#define CHANNELS 40

static int8_t input[IMAGE], weights[25 * CHANNELS], made[IMAGE], wanted[IMAGE];
static int32_t bias[CHANNELS], multipliers[CHANNELS];
static int8_t shifts[CHANNELS];
static uint32_t state = 1;

/* A number from lowest to highest, by George Marsaglia's xorshift (Journal of Statistical Software, 2003). */
static int32_t number(int32_t lowest, int32_t highest) {
    const uint32_t range = (uint32_t)highest - (uint32_t)lowest + 1u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int32_t)((uint32_t)lowest + (range == 0 ? state : state % range));
}

static struct stw_output_s8 some_output(void) {
    const int32_t lowest = number(0, 1) ? -128 : number(-128, 0);
    const int32_t highest = number(0, 1) ? 127 : number(1, 127);
    const int32_t rounding = number(0, 1) ? STW_ROUNDING_SINGLE : STW_ROUNDING_DOUBLE;
    const struct stw_output_s8 output = {number(-128, 127), lowest, highest, number(0, 1), 1, rounding};

    return output;
}

static int32_t least_shift(const struct stw_output_s8 *output) {
    return output->rounding == STW_ROUNDING_DOUBLE ? 31 : STW_HIGH_WORD_SHIFT;
}

/* Four sums, of which some are as large as they may be and some end halfway between two integers. */
static int quad_agrees(void) {
    const struct stw_output_s8 output = some_output();
    const int32_t limit = output.rounding == STW_ROUNDING_DOUBLE ? INT32_MAX : STW_ACCUMULATOR_LIMIT - 1;
    int32_t sums[4], factors[4], right[4], lanes[4];
    int agree = 1;

    for (int32_t i = 0; i < 4; i++) {
        right[i] = number(least_shift(&output), number(0, 3) ? 45 : 62);
        factors[i] = number(0, 1) ? STW_ACCUMULATOR_LIMIT : number(STW_ACCUMULATOR_LIMIT, INT32_MAX);
        sums[i] = number(0, 3) ? number(-70000, 70000) : number(-limit, limit);
    }
    vst1q_s32(lanes, stw_output_quad(&output, vld1q_s32(sums), vld1q_s32(factors), vld1q_s32(right)));
    for (int32_t i = 0; i < 4; i++) {
        agree &= lanes[i] == stw_output_element_s8(&output, sums[i], factors[i], right[i]);
    }
    return agree;
}

/* A window over an image, all small. */
static struct stw_window some_window(void) {
    const int32_t channels = number(1, CHANNELS);
    struct stw_window w = {.batches = 1, .input_channels = channels, .output_channels = channels};

    w.kernel_height = number(1, 5), w.kernel_width = number(1, 5);
    w.stride_height = number(1, 2), w.stride_width = number(1, 2);
    w.dilation_height = number(1, 2), w.dilation_width = number(1, 2);
    w.input_height = number(1, 10), w.input_width = number(1, 10);
    w.output_height = number(1, 10), w.output_width = number(1, 10);
    w.pad_top = number(0, 3), w.pad_left = number(0, 3);
    return w;
}

static int convolution_agrees(void) {
    struct stw_depthwise_conv2d_s8_params p = {.window = some_window(), .output = some_output()};

    p.input_zero_point = number(-128, 127);
    p.backward = number(0, 1);
    p.output.narrow = number(0, 3) != 0;
    for (int32_t i = 0; i < IMAGE; i++) {
        input[i] = (int8_t)number(-128, 127);
    }
    for (int32_t i = 0; i < 25 * CHANNELS; i++) {
        weights[i] = (int8_t)number(-128, 127);
    }
    for (int32_t i = 0; i < CHANNELS; i++) {
        bias[i] = number(-20000, 20000);
        multipliers[i] = number(STW_ACCUMULATOR_LIMIT, INT32_MAX);
        shifts[i] = (int8_t)number(p.output.narrow ? least_shift(&p.output) : 31, 42);
    }
    for (int32_t i = 0; i < IMAGE; i++) {
        made[i] = wanted[i] = 99;
    }
    stw_depthwise_conv2d_s8(&p, input, weights, bias, multipliers, shifts, wanted);
    p.octets = 1;
    stw_depthwise_conv2d_s8(&p, input, weights, bias, multipliers, shifts, made);
    for (int32_t i = 0; i < IMAGE; i++) {
        if (made[i] != wanted[i]) {
            return 0;
        }
    }
    return 1;
}

static int say(const char *what, int32_t failed) {
    stw_hal_print_text(failed == 0 ? "ok " : "FAILED ");
    stw_hal_print_text(what);
    stw_hal_print_text("\n");
    return failed != 0;
}

int main(void) {
    int32_t quads = 0, convolutions = 0;

    stw_hal_init();
    for (int32_t i = 0; i < QUADS; i++) {
        quads += !quad_agrees();
    }
    for (int32_t i = 0; i < CONVOLUTIONS; i++) {
        convolutions += !convolution_agrees();
    }
    return say("four output elements at once", quads) + say("eight channels at once", convolutions);
}
