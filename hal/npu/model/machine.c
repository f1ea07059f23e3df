/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/npu/model/machine.h"

#include <stddef.h>

#include "hal/npu/model/run.h"
#include "hal/npu/stream.h"

/* A command for the engine: its code, its words, and what does it. */
struct command {
    uint32_t code;
    uint32_t words;
    enum stw_npu_error (*execute)(struct stw_npu_run *run, const uint32_t *words);
};

static const struct command engine_commands[] = {
    {STW_NPU_CONV2D, STW_NPU_WINDOW_WORDS, stw_npu_conv2d},
    {STW_NPU_DEPTHWISE, STW_NPU_WINDOW_WORDS, stw_npu_depthwise},
    {STW_NPU_FULLY_CONNECTED, STW_NPU_FULLY_CONNECTED_WORDS, stw_npu_fully_connected},
    {STW_NPU_MAX_POOL, STW_NPU_WINDOW_WORDS, stw_npu_max_pool},
    {STW_NPU_AVERAGE_POOL, STW_NPU_WINDOW_WORDS, stw_npu_average_pool},
    {STW_NPU_ADD, STW_NPU_ADD_WORDS, stw_npu_add},
    {STW_NPU_REQUANTISE, STW_NPU_REQUANTISE_WORDS, stw_npu_requantise},
};

static enum stw_npu_error check_header(const struct stw_npu_machine *machine, const uint32_t *stream,
                                       uint32_t words) {
    if (stream == NULL || words < STW_NPU_HEADER_WORDS || stream[0] != STW_NPU_MAGIC ||
        stream[1] != STW_NPU_VERSION || stream[2] != words) {
        return STW_NPU_BAD_HEADER;
    }
    if (stream[3] > machine->banks || stream[4] != machine->bank_bytes || stream[5] > STW_NPU_WINDOWS) {
        return STW_NPU_BAD_MACHINE;
    }
    return STW_NPU_OK;
}

static void end_step(struct stw_npu_run *run) {
    const uint64_t longest = run->dma_cycles > run->engine_cycles ? run->dma_cycles : run->engine_cycles;

    run->cycles += longest + STW_NPU_STEP_CYCLES;
    run->dma_cycles = 0u;
    run->engine_cycles = 0u;
    run->dma_banks = 0u;
    run->engine_banks = 0u;
}

static enum stw_npu_error on_engine(struct stw_npu_run *run, const uint32_t *words) {
    for (size_t i = 0; i < sizeof engine_commands / sizeof engine_commands[0]; i++) {
        const struct command *command = &engine_commands[i];

        if (STW_NPU_CODE(words[0]) != command->code) {
            continue;
        }
        if (STW_NPU_LENGTH(words[0]) != command->words) {
            return STW_NPU_BAD_COMMAND;
        }
        return run->engine_cycles == 0u ? command->execute(run, words) : STW_NPU_TWO_ENGINES;
    }
    return STW_NPU_BAD_COMMAND;
}

static enum stw_npu_error execute(struct stw_npu_run *run, const uint32_t *words) {
    const uint32_t code = STW_NPU_CODE(words[0]);

    if (code == STW_NPU_STEP) {
        end_step(run);
        return STW_NPU_LENGTH(words[0]) == 1u ? STW_NPU_OK : STW_NPU_BAD_COMMAND;
    }
    if (code == STW_NPU_COPY_IN || code == STW_NPU_COPY_OUT) {
        return STW_NPU_LENGTH(words[0]) == STW_NPU_COPY_WORDS
                   ? stw_npu_copy(run, words, code == STW_NPU_COPY_OUT)
                   : STW_NPU_BAD_COMMAND;
    }
    return on_engine(run, words);
}

/* Command by command, until END or the first error; `at` is where that is. */
static enum stw_npu_error walk(struct stw_npu_run *run, const uint32_t *stream, uint32_t count,
                               uint32_t *at) {
    enum stw_npu_error error = check_header(run->machine, stream, count);

    *at = 0u;
    if (error != STW_NPU_OK) {
        return error;
    }
    for (*at = STW_NPU_HEADER_WORDS; *at < count; *at += STW_NPU_LENGTH(stream[*at])) {
        const uint32_t length = STW_NPU_LENGTH(stream[*at]);

        if (length == 0u || length > count - *at) {
            return STW_NPU_BAD_COMMAND;
        }
        if (STW_NPU_CODE(stream[*at]) == STW_NPU_END) {
            return run->dma_banks + run->engine_banks == 0u && *at + 1u == count ? STW_NPU_OK
                                                                                 : STW_NPU_BAD_COMMAND;
        }
        error = execute(run, &stream[*at]);
        if (error != STW_NPU_OK) {
            return error;
        }
    }
    return STW_NPU_BAD_COMMAND;
}

static const uint32_t *queue(const struct stw_npu_registers *registers) {
    return (const uint32_t *)(uintptr_t)((uint64_t)registers->queue_high << 32 | registers->queue_low);
}

void stw_npu_model_reset(const struct stw_npu_machine *machine, struct stw_npu_registers *registers) {
    registers->control = 0u;
    registers->status = STW_NPU_IDLE;
    registers->doorbell = 0u;
    registers->interrupt = 0u;
    registers->error = STW_NPU_OK;
    registers->error_word = 0u;
    registers->cycles_low = 0u;
    registers->cycles_high = 0u;
    registers->banks = machine->banks;
    registers->bank_bytes = machine->bank_bytes;
    registers->array = machine->array_channels | machine->array_pixels << 8 | machine->array_depth << 16;
    registers->ports = machine->port_bytes | machine->dma_bytes << 16;
    registers->id = STW_NPU_ID;
}

void stw_npu_model_poll(const struct stw_npu_machine *machine, struct stw_npu_registers *registers) {
    struct stw_npu_run run = {machine, registers, 0u, 0u, 0u, 0u, 0u};
    enum stw_npu_error error;
    uint32_t at;

    if (registers->doorbell == 0u) {
        return;
    }
    registers->doorbell = 0u;
    registers->status = STW_NPU_BUSY;
    error = walk(&run, queue(registers), registers->queue_words, &at);
    registers->error = (uint32_t)error;
    registers->error_word = error == STW_NPU_OK ? 0u : at;
    registers->cycles_low = (uint32_t)run.cycles;
    registers->cycles_high = (uint32_t)(run.cycles >> 32);
    registers->status = error == STW_NPU_OK ? STW_NPU_DONE : STW_NPU_FAILED;
    registers->interrupt = registers->control & STW_NPU_CONTROL_INTERRUPT;
}
