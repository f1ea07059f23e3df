/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TensorFlow Lite's LSTM of int8 over a sequence. stowage/ir/tflite/lstm.py is the definition.
 *
 *   input           int8  [steps, batches, inputs]
 *   weights         int8  [4 * hidden, inputs], recurrence [4 * hidden, hidden]: gates input, forget, cell, output
 *   bias            int32 [4 * hidden], less the zero point of the input times the weights; recurrent_bias likewise
 *   hidden_state    int8  [batches, hidden], cell_state int16 [batches, hidden]: before the first step
 *   output          int8  [steps, batches, hidden]: the hidden state after each step
 *   cell            int16 [batches, hidden]: after the last one
 *
 * Each gate sums in 16 bits with 12 fraction bits what the input and then what the hidden state gives, each rounded twice
 * (core/requantise.h) and saturated. Activations are those of core/transcendental_s16.h.
 *
 * Scratch: int16 [4 * hidden].
 *
 * In place: walks forward. Cell and scratch must not overlap anything. The output may lie over the input, at a safe
 * distance of max(0, hidden - inputs) * (steps * batches - 1) bytes, and over hidden_state, at one of 0 bytes.
 */
#ifndef STOWAGE_KERNELS_SEQUENCE_LSTM_S8_H
#define STOWAGE_KERNELS_SEQUENCE_LSTM_S8_H

#include <stdint.h>

#include "stowage/core/dot_s8.h"
#include "stowage/core/kernel.h"
#include "stowage/core/requantise.h"
#include "stowage/core/transcendental_s16.h"

#define STW_LSTM_GATES 4
#define STW_GATE_INTEGER_BITS 3

struct stw_sequence_lstm_s8_params {
    int32_t steps;
    int32_t batches;
    int32_t inputs;
    int32_t hidden;
    int32_t input_multipliers[STW_LSTM_GATES];
    int32_t input_shifts[STW_LSTM_GATES];
    int32_t recurrent_multipliers[STW_LSTM_GATES];
    int32_t recurrent_shifts[STW_LSTM_GATES];
    int32_t hidden_multiplier;
    int32_t hidden_shift;
    int32_t hidden_zero_point;
    int32_t cell_integer_bits;
    int32_t cell_limit; /* what the cell state stays within; 32768 where it is not clipped */
};

/* Constant data of the layer. */
struct stw_lstm_s8 {
    const int8_t *weights;
    const int8_t *recurrence;
    const int32_t *bias;
    const int32_t *recurrent_bias;
};

/* The sums of all gates for one input and hidden vector. */
STW_KERNEL void stw_lstm_gates_s8(const struct stw_sequence_lstm_s8_params *p,
                                  const struct stw_lstm_s8 *layer, const int8_t *input, const int8_t *held,
                                  int16_t *gates) {
    for (int32_t gate = 0; gate < STW_LSTM_GATES; ++gate) {
        for (int32_t i = 0; i < p->hidden; ++i) {
            const int32_t row = gate * p->hidden + i;
            const int32_t given =
                stw_dot_1x1_s8(layer->bias[row], input, layer->weights + row * p->inputs, p->inputs);
            const int32_t recurrent = stw_dot_1x1_s8(layer->recurrent_bias[row], held,
                                                     layer->recurrence + row * p->hidden, p->hidden);
            const int32_t first = stw_clamp_s16(
                stw_requantise_double(given, p->input_multipliers[gate], p->input_shifts[gate]));
            const int32_t second =
                stw_requantise_double(recurrent, p->recurrent_multipliers[gate], p->recurrent_shifts[gate]);

            gates[row] = (int16_t)stw_clamp_s16(first + stw_clamp(second, -65536, 65536));
        }
    }
}

/* The cell and the hidden state of one batch after a step. */
STW_KERNEL void stw_lstm_states_s8(const struct stw_sequence_lstm_s8_params *p, const int16_t *gates,
                                   int16_t *cell, int8_t *held) {
    for (int32_t i = 0; i < p->hidden; ++i) {
        const int32_t in = stw_logistic_s16(gates[i], STW_GATE_INTEGER_BITS);
        const int32_t forget = stw_logistic_s16(gates[p->hidden + i], STW_GATE_INTEGER_BITS);
        const int32_t candidate = stw_tanh_s16(gates[2 * p->hidden + i], STW_GATE_INTEGER_BITS);
        const int32_t out = stw_logistic_s16(gates[3 * p->hidden + i], STW_GATE_INTEGER_BITS);
        const int32_t kept = stw_fixed_divide(forget * cell[i], 15);
        const int32_t added = stw_fixed_divide(in * candidate, 15 + p->cell_integer_bits);
        const int32_t state = stw_clamp(stw_clamp_s16(kept + added), -p->cell_limit, p->cell_limit);
        const int32_t product = out * stw_tanh_s16(state, p->cell_integer_bits);
        const int32_t result = stw_requantise_double(product, p->hidden_multiplier, p->hidden_shift);

        cell[i] = (int16_t)state;
        held[i] = stw_clamp_s8(result + p->hidden_zero_point, INT8_MIN, INT8_MAX);
    }
}

STW_KERNEL void stw_sequence_lstm_s8(const struct stw_sequence_lstm_s8_params *p, const int8_t *input,
                                     const int8_t *weights, const int8_t *recurrence, const int32_t *bias,
                                     const int32_t *recurrent_bias, const int8_t *hidden_state,
                                     const int16_t *cell_state, int16_t *scratch, int8_t *output,
                                     int16_t *cell) {
    const struct stw_lstm_s8 layer = {weights, recurrence, bias, recurrent_bias};
    const int8_t *held = hidden_state;

    for (int32_t i = 0; i < p->batches * p->hidden; ++i) {
        cell[i] = cell_state[i];
    }
    for (int32_t step = 0; step < p->steps; ++step) {
        for (int32_t batch = 0; batch < p->batches; ++batch) {
            const int32_t first = batch * p->hidden;

            stw_lstm_gates_s8(p, &layer, input, held + first, scratch);
            stw_lstm_states_s8(p, scratch, cell + first, output + first);
            input += p->inputs;
        }
        held = output;
        output += p->batches * p->hidden;
    }
}

#endif /* STOWAGE_KERNELS_SEQUENCE_LSTM_S8_H */
