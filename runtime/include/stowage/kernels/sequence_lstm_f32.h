/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TensorFlow Lite's LSTM of floats over a sequence.
 *
 *   input           [steps, batches, inputs]
 *   weights         [4 * hidden, inputs], recurrence [4 * hidden, hidden], bias [4 * hidden]: gates input, forget, cell, output
 *   hidden_state    [batches, hidden], cell_state [batches, hidden]: before the first step
 *   output          [steps, batches, hidden]: the hidden state after each step
 *   cell            [batches, hidden]: after the last one
 *
 *   c' = clamp(sigmoid(f) c + sigmoid(i) tanh(g), -cell_clip, cell_clip), h' = sigmoid(o) tanh(c')
 *
 * Products are summed as core/dot_f32.h says. Scratch, in floats: 4 * hidden.
 *
 * In place: walks forward. Cell and scratch must not overlap anything. The output may lie over the input, at a safe
 * distance of 4 * max(0, hidden - inputs) * (steps * batches - 1) bytes, and over hidden_state, at one of 0 bytes.
 */
#ifndef STOWAGE_KERNELS_SEQUENCE_LSTM_F32_H
#define STOWAGE_KERNELS_SEQUENCE_LSTM_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"
#include "stowage/kernels/recurrent_f32.h"

struct stw_sequence_lstm_f32_params {
    int32_t steps;
    int32_t batches;
    int32_t inputs;
    int32_t hidden;
    float cell_clip; /* infinity where the cell state is not clipped */
};

/* The cell and the hidden state of one batch after a step. */
STW_KERNEL void stw_sequence_lstm_states_f32(const struct stw_sequence_lstm_f32_params *p, const float *gates,
                                             float *cell, float *held) {
    const int32_t hidden = p->hidden;

    for (int32_t i = 0; i < hidden; ++i) {
        const float kept = stw_sigmoid_f32(gates[hidden + i]) * cell[i];
        const float added = stw_sigmoid_f32(gates[i]) * stw_tanh_f32(gates[2 * hidden + i]);

        cell[i] = stw_clamp_f32(kept + added, -p->cell_clip, p->cell_clip);
        held[i] = stw_sigmoid_f32(gates[3 * hidden + i]) * stw_tanh_f32(cell[i]);
    }
}

STW_KERNEL void stw_sequence_lstm_f32(const struct stw_sequence_lstm_f32_params *p, const float *input,
                                      const float *weights, const float *recurrence, const float *bias,
                                      const float *hidden_state, const float *cell_state, float *scratch,
                                      float *output, float *cell) {
    const int32_t rows = 4 * p->hidden;
    const float *held = hidden_state;

    stw_copy_state_f32(cell, cell_state, p->batches * p->hidden);
    for (int32_t step = 0; step < p->steps; ++step) {
        for (int32_t batch = 0; batch < p->batches; ++batch) {
            const int32_t first = batch * p->hidden;

            for (int32_t row = 0; row < rows; ++row) {
                const float given = stw_dot_1x1_f32(bias[row], input, weights + row * p->inputs, p->inputs);

                scratch[row] =
                    given + stw_dot_1x1_f32(0.0f, held + first, recurrence + row * p->hidden, p->hidden);
            }
            stw_sequence_lstm_states_f32(p, scratch, cell + first, output + first);
            input += p->inputs;
        }
        held = output;
        output += p->batches * p->hidden;
    }
}

#endif /* STOWAGE_KERNELS_SEQUENCE_LSTM_F32_H */
