/* SPDX-License-Identifier: Apache-2.0 */

/* Floating point and 64-bit integers work, in hardware or in libgcc, and so does the vector unit where there is one. The expected
 * bits are those of IEEE 754's single precision, rounded to nearest even. */

#include <stdint.h>

#include "hal/conformance/check.h"

#if defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE
#include <arm_mve.h>
#endif

static uint32_t bits_of(float value) {
    union {
        float value;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

/* Volatile, so that it is the core that computes. */
static volatile float one = 1.0f, three = 3.0f, tenth = 0.1f, big = 16777216.0f, tiny = 1.0e-38f;
static volatile int32_t minus_seven = -7;
static volatile uint64_t wide = 0x123456789ABCDEFu;
static volatile uint32_t divisor = 1000003u;

static void check_float(void) {
    check("float division rounds to nearest", bits_of(one / three) == 0x3EAAAAABu);
    check("float multiplication rounds to nearest", bits_of(tenth * tenth) == 0x3C23D70Bu);
    check("float addition rounds ties to even", bits_of(big + one) == 0x4B800000u);
    check("float results below the normal range are kept", bits_of(tiny * tenth) == 0x000AE398u);
    check("float converts to integer towards zero", (int32_t)(-three / (one + one)) == -1);
    check("integer converts to float", bits_of((float)minus_seven) == 0xC0E00000u);
}

static void check_integers(void) {
    check("64-bit multiplication", wide * 10u == 0xB60B60B60B60B56u);
    check("64-bit division", wide / divisor == 81985283260u && wide % divisor == 637115u);
}

static void check_vectors(void) {
#if defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE
    static volatile int32_t left[4] = {1, -2, 3, 2147483647};
    int32_t lanes[4];
    int32x4_t sum = vqaddq_s32(vld1q_s32((const int32_t *)left), vdupq_n_s32(5));
    vst1q_s32(lanes, sum);
    check("vectors add with saturation",
          lanes[0] == 6 && lanes[1] == 3 && lanes[2] == 8 && lanes[3] == 2147483647);
#endif
}

void check_arithmetic(void) {
    check_float();
    check_integers();
    check_vectors();
}
