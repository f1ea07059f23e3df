/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs models of an image, one after the other in one arena, as a file of the machine that runs the test says.
 *
 * requests.bin holds, request after request, the index of a model as uint32_t and the bytes of its inputs in the
 * model's order. answers.bin gets for each the index, the run's enum answer_status as uint32_t, and the bytes of the
 * outputs. Before a run the arena is filled with a pattern, one for requests in even places, another in odd ones, so
 * that the same request twice in a row tells outputs that depend on what the arena held before.
 *
 * The arena of a model lies between fences. Under AddressSanitizer they are poisoned, and whoever reads or writes there
 * ends the program; on a board they are painted and looked at after the run.
 */
#include "tests/conformance/image.h"
#include "stowage_hal/hal.h"
#include "stowage_hal/host_file.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#define FENCE_BYTES STW_CONFORMANCE_FENCE_BYTES
#define PAINT 0xC3u

enum answer_status { ANSWER_RIGHT = 0, ANSWER_RUN_FAILED = 1, ANSWER_FENCE_BROKEN = 2 };

enum image_status { IMAGE_DONE = 0, IMAGE_NO_FILE = 1, IMAGE_SHORT_FILE = 2 };

struct exchange {
    int32_t requests;
    int32_t answers;
    unsigned char fill;
};

static unsigned char *const arena = stw_conformance_arena + FENCE_BYTES;

#ifdef __SANITIZE_ADDRESS__
static void put_fences(uint32_t arena_bytes) {
    __asan_poison_memory_region(stw_conformance_arena, stw_conformance_arena_bytes);
    __asan_unpoison_memory_region(arena, arena_bytes);
}

static int are_fences_whole(uint32_t arena_bytes) {
    (void)arena_bytes;
    return 1;
}
#else
static void put_fences(uint32_t arena_bytes) {
    memset(stw_conformance_arena, (int)PAINT, FENCE_BYTES);
    memset(arena + arena_bytes, (int)PAINT, FENCE_BYTES);
}

static int are_fences_whole(uint32_t arena_bytes) {
    for (uint32_t i = 0; i < FENCE_BYTES; i++) {
        if (stw_conformance_arena[i] != PAINT || arena[arena_bytes + i] != PAINT) {
            return 0;
        }
    }
    return 1;
}
#endif

static int read_inputs(const struct exchange *exchange, const struct stw_model *model) {
    for (uint32_t i = 0; i < model->input_count; i++) {
        const struct stw_tensor *input = &model->inputs[i];
        const int32_t count =
            stw_hal_file_read(exchange->requests, arena + input->offset_bytes, input->size_bytes);
        if (count < 0 || (uint32_t)count != input->size_bytes) {
            return -1;
        }
    }
    return 0;
}

static int write_outputs(const struct exchange *exchange, const struct stw_model *model) {
    for (uint32_t i = 0; i < model->output_count; i++) {
        const struct stw_tensor *output = &model->outputs[i];
        if (stw_hal_file_write(exchange->answers, arena + output->offset_bytes, output->size_bytes) != 0) {
            return -1;
        }
    }
    return 0;
}

static enum answer_status answer_status(const struct stw_conformance_case *asked) {
    if (asked->run(arena) != STW_OK) {
        return ANSWER_RUN_FAILED;
    }
    return are_fences_whole(asked->model->arena_bytes) ? ANSWER_RIGHT : ANSWER_FENCE_BROKEN;
}

static enum image_status answer(const struct exchange *exchange, uint32_t index) {
    const struct stw_conformance_case *asked = &stw_conformance_cases[index];

    put_fences(asked->model->arena_bytes);
    memset(arena, exchange->fill, asked->model->arena_bytes);
    if (read_inputs(exchange, asked->model) != 0) {
        return IMAGE_SHORT_FILE;
    }
    const uint32_t head[2] = {index, (uint32_t)answer_status(asked)};
    if (stw_hal_file_write(exchange->answers, head, sizeof head) != 0) {
        return IMAGE_NO_FILE;
    }
    return write_outputs(exchange, asked->model) == 0 ? IMAGE_DONE : IMAGE_NO_FILE;
}

static enum image_status answer_all(struct exchange *exchange) {
    enum image_status status = IMAGE_DONE;
    uint32_t index = 0;

    while (status == IMAGE_DONE &&
           stw_hal_file_read(exchange->requests, &index, sizeof index) == sizeof index) {
        exchange->fill ^= 0xFFu;
        status = index < stw_conformance_case_count ? answer(exchange, index) : IMAGE_SHORT_FILE;
    }
    return status;
}

int main(void) {
    struct exchange exchange = {.fill = 0xA5u};

    stw_hal_init();
    exchange.requests = stw_hal_file_open("requests.bin", STW_HAL_FILE_READ);
    exchange.answers = stw_hal_file_open("answers.bin", STW_HAL_FILE_WRITE);
    if (exchange.requests < 0 || exchange.answers < 0) {
        return IMAGE_NO_FILE;
    }
    const enum image_status status = answer_all(&exchange);
    (void)stw_hal_file_close(exchange.answers);
    (void)stw_hal_file_close(exchange.requests);
    return (int)status;
}
