/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models of a pool run alternately, each beside the same model with an arena of its own: outputs and states have to be
 * equal to the bit after every run, and the caller's buffers as they were written. Two of the models are one network
 * with a state each. Exit status 0 where all is well, otherwise one of enum trouble.
 */
#include "digits_alone.h"
#include "speech.h"
#include "stowage_hal/hal.h"
#include "stream_alone.h"

enum trouble {
    FINE = 0,
    NOT_RUN = 1,
    OTHER_OUTPUT = 2,
    OTHER_STATE = 3,
    SPOILED_INPUT = 4,
    SPOILED_OUTPUT = 5,
    SPOILED_BUFFER = 6
};

#define ROUNDS 120u
#define RESET_ROUND 60u

/* A model in the pool and the same one alone. */
struct pair {
    const struct stw_model *pooled;
    const struct stw_model *alone;
    unsigned char *arena;
    enum stw_status (*run_pooled)(void *arena);
    enum stw_status (*run_alone)(void *arena);
};

static unsigned char second_arena[STREAM_ALONE_ARENA_BYTES] __attribute__((aligned(8)));

static const struct pair pairs[] = {
    {&first_model, &stream_alone_model, stream_alone_arena, first_run, stream_alone_run},
    {&second_model, &stream_alone_model, second_arena, second_run, stream_alone_run},
    {&digits_model, &digits_alone_model, digits_alone_arena, digits_run, digits_alone_run},
};

static uint32_t random_state = 1u;

static uint32_t draw(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Elements that both kinds of input may have: floats between -1 and 1, or any bytes. */
static void fill(const struct stw_tensor *tensor, unsigned char *one, unsigned char *other) {
    for (uint32_t i = 0; i < tensor->elements; i++) {
        if (tensor->element == STW_F32) {
            const float value = (float)((int32_t)(draw() & 0xFFFFu) - 0x8000) / 32768.0f;
            memcpy(one + 4u * i, &value, sizeof(value));
        } else {
            one[i] = (unsigned char)draw();
        }
    }
    memcpy(other, one, tensor->size_bytes);
}

static void fill_inputs(const struct pair *pair) {
    for (uint32_t i = 0; i < pair->pooled->input_count; i++) {
        const struct stw_tensor *input = &pair->pooled->inputs[i];
        fill(input, speech_arena + input->offset_bytes, pair->arena + pair->alone->inputs[i].offset_bytes);
    }
}

static int equal(const struct stw_tensor *pooled, const struct stw_tensor *alone, uint32_t count,
                 const unsigned char *arena) {
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(speech_arena + pooled[i].offset_bytes, arena + alone[i].offset_bytes,
                   pooled[i].size_bytes) != 0) {
            return 0;
        }
    }
    return 1;
}

static int inputs_are_equal(const struct pair *pair) {
    return equal(pair->pooled->inputs, pair->alone->inputs, pair->pooled->input_count, pair->arena);
}

static int outputs_are_equal(const struct pair *pair) {
    return equal(pair->pooled->outputs, pair->alone->outputs, pair->pooled->output_count, pair->arena);
}

static int all_states_are_equal(void) {
    for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const struct pair *pair = &pairs[i];
        if (!equal(pair->pooled->states, pair->alone->states, pair->pooled->state_count, pair->arena)) {
            return 0;
        }
    }
    return 1;
}

static int16_t sample(uint32_t index) {
    return (int16_t)(index * 7919u);
}

static int audio_is_whole(void) {
    for (uint32_t i = 0; i < SPEECH_BUFFER_AUDIO_ELEMENTS; i++) {
        if (speech_buffer_audio(speech_arena)[i] != sample(i)) {
            return 0;
        }
    }
    return 1;
}

/* The caller's work between runs. */
static void use_spectrum(float value) {
    for (uint32_t i = 0; i < SPEECH_BUFFER_SPECTRUM_ELEMENTS; i++) {
        speech_buffer_spectrum(speech_arena)[i] = value;
    }
}

static enum trouble run(const struct pair *pair) {
    fill_inputs(pair);
    use_spectrum(1.0e30f);
    if (!inputs_are_equal(pair)) {
        return SPOILED_INPUT;
    }
    if (pair->run_pooled(speech_arena) != STW_OK || pair->run_alone(pair->arena) != STW_OK) {
        return NOT_RUN;
    }
    if (!outputs_are_equal(pair)) {
        return OTHER_OUTPUT;
    }
    use_spectrum(-1.0e30f);
    if (!outputs_are_equal(pair)) {
        return SPOILED_OUTPUT;
    }
    if (!all_states_are_equal()) {
        return OTHER_STATE;
    }
    return audio_is_whole() ? FINE : SPOILED_BUFFER;
}

static void reset_first(void) {
    (void)first_reset(speech_arena);
    (void)stream_alone_reset(stream_alone_arena);
}

int main(void) {
    enum trouble trouble = FINE;

    stw_hal_init();
    memset(speech_arena, 0x5A, SPEECH_ARENA_BYTES);
    for (uint32_t i = 0; i < SPEECH_BUFFER_AUDIO_ELEMENTS; i++) {
        speech_buffer_audio(speech_arena)[i] = sample(i);
    }
    reset_first();
    (void)second_reset(speech_arena);
    (void)stream_alone_reset(second_arena);
    for (uint32_t round = 0; round < ROUNDS && trouble == FINE; round++) {
        if (round == RESET_ROUND) {
            reset_first();
        }
        trouble = run(&pairs[draw() % 3u]);
    }
    stw_hal_print_text("rounds done\n");
    return (int)trouble;
}
