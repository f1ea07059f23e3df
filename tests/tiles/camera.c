/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A camera that delivers images row by row to a model that never has one of them whole: the scores are those of the same
 * model with its input whole, to the bit. A camera that stops ends the run, and the next one works. Exit status 0 where
 * all is well, otherwise one of enum trouble.
 */
#include "digits_rows.h"
#include "digits_whole.h"
#include "stowage_hal/hal.h"

enum trouble {
    FINE = 0,
    NOT_RUN = 1,
    OTHER_RESULT = 2,
    WRONG_ROWS = 3,
    NO_FAILURE = 4,
    ASKED_ON = 5,
    NO_REFUSAL = 6,
    NO_SAVING = 7
};

#define ROWS DIGITS_ROWS_INPUT_IMAGE_ROWS
#define ROW_BYTES DIGITS_ROWS_INPUT_IMAGE_ROW_BYTES
#define NEVER ROWS
#define IMAGES 20u

struct camera {
    int8_t image[ROWS * ROW_BYTES];
    uint32_t stops_at;   /* the row that does not come */
    uint32_t delivered;  /* rows */
    uint32_t disordered; /* calls that did not ask for what is next */
    uint32_t stopped;    /* calls that were answered with a failure */
};

/* Where a product would wait for its line interrupt; here, whether the camera has not stopped before. */
static int have_arrived(struct camera *camera, uint32_t first_row, uint32_t row_count) {
    if (first_row != camera->delivered || row_count == 0u ||
        row_count > DIGITS_ROWS_INPUT_IMAGE_ROWS_AT_ONCE || row_count > ROWS - first_row) {
        camera->disordered++;
        return 0;
    }
    if (first_row + row_count > camera->stops_at) {
        camera->stopped++;
        return 0;
    }
    camera->delivered += row_count;
    return 1;
}

static int read_rows(void *context, uint32_t first_row, uint32_t row_count, void *destination) {
    struct camera *camera = context;

    if (!have_arrived(camera, first_row, row_count)) {
        return -1;
    }
    memcpy(destination, camera->image + first_row * ROW_BYTES, row_count * ROW_BYTES);
    return 0;
}

/* An image of noise, another one for each number. */
static void shoot(struct camera *camera, uint32_t number, uint32_t stops_at) {
    uint32_t noise = 12345u + 977u * number;

    for (uint32_t i = 0; i < sizeof(camera->image); i++) {
        noise = noise * 1664525u + 1013904223u;
        camera->image[i] = (int8_t)((int32_t)(noise >> 24) - 128);
    }
    camera->stops_at = stops_at;
    camera->delivered = 0u;
    camera->disordered = 0u;
    camera->stopped = 0u;
}

static int is_same_as_whole(const struct camera *camera) {
    memcpy(digits_whole_input_image(digits_whole_arena), camera->image, sizeof(camera->image));
    return digits_whole_run(digits_whole_arena) == STW_OK &&
           memcmp(digits_whole_output_probabilities(digits_whole_arena),
                  digits_rows_output_probabilities(digits_rows_arena),
                  DIGITS_ROWS_OUTPUT_PROBABILITIES_BYTES) == 0;
}

static enum trouble run_image(struct camera *camera, uint32_t number) {
    const struct stw_row_source source = {read_rows, camera};

    shoot(camera, number, NEVER);
    if (digits_rows_run(digits_rows_arena, &source) != STW_OK) {
        return NOT_RUN;
    }
    if (camera->delivered != DIGITS_ROWS_INPUT_IMAGE_ROWS_READ || camera->disordered != 0u) {
        return WRONG_ROWS;
    }
    return is_same_as_whole(camera) ? FINE : OTHER_RESULT;
}

/* The camera stops at a row, then delivers another image. */
static enum trouble stop(struct camera *camera, uint32_t row) {
    const struct stw_row_source source = {read_rows, camera};

    shoot(camera, row, row);
    if (digits_rows_run(digits_rows_arena, &source) != STW_INPUT_ERROR) {
        return NO_FAILURE;
    }
    if (camera->stopped != 1u || camera->disordered != 0u) {
        return ASKED_ON;
    }
    return run_image(camera, row + 1u);
}

static enum trouble refuse(void) {
    const struct stw_row_source none = {NULL, NULL};

    if (digits_rows_run(digits_rows_arena, NULL) != STW_INPUT_ERROR ||
        digits_rows_run(digits_rows_arena, &none) != STW_INPUT_ERROR ||
        digits_rows_run(NULL, &none) != STW_BAD_ARENA) {
        return NO_REFUSAL;
    }
    return DIGITS_ROWS_ARENA_BYTES < DIGITS_WHOLE_ARENA_BYTES ? FINE : NO_SAVING;
}

int main(void) {
    static struct camera camera;
    enum trouble trouble = refuse();

    stw_hal_init();
    for (uint32_t i = 0; i < IMAGES && trouble == FINE; i++) {
        trouble = run_image(&camera, i);
    }
    for (uint32_t row = 0; row < DIGITS_ROWS_INPUT_IMAGE_ROWS_READ && trouble == FINE; row++) {
        trouble = stop(&camera, row);
    }
    if (trouble == FINE) {
        stw_hal_print_text("rows done\n");
    }
    return (int)trouble;
}
