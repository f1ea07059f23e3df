/* SPDX-License-Identifier: Apache-2.0 */
/* Listens frame by frame, then reads one digit; both models share an arena. Exit status 0 where both ran. */
#include "meter.h"
#include "stowage_hal/hal.h"

static int listen(int frame) {
    int16_t *loudness = meter_buffer_loudness(meter_arena);

    memset(listener_input_frame(meter_arena), 0, LISTENER_INPUT_FRAME_BYTES);
    if (listener_run(meter_arena) != STW_OK) {
        return 0;
    }
    loudness[frame] = listener_output_classes(meter_arena)[0] > 0.5f;
    return 1;
}

int main(void) {
    int frame = 0;

    stw_hal_init();
    listener_reset(meter_arena);
    while (frame < (int)METER_BUFFER_LOUDNESS_ELEMENTS && listen(frame)) {
        frame++;
    }
    memset(reader_input_image(meter_arena), 0, READER_INPUT_IMAGE_BYTES);
    if (reader_run(meter_arena) != STW_OK) {
        return 100;
    }
    return frame - (int)METER_BUFFER_LOUDNESS_ELEMENTS;
}
