/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware that runs the classifier on as many frames as it is given. */
#include "classifier.h"
#include "stowage_hal/hal.h"

static volatile uint32_t frames = 12u;

int main(void) {
    stw_hal_init();
    return (int)classifier_run(classifier_arena, frames, 1u);
}
