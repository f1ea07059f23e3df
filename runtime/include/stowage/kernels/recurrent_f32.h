/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recurrent layers over a sequence of floats, in one direction.
 *
 *   input [steps, batches, inputs], weights [gates * hidden, inputs], recurrence [gates * hidden, hidden],
 *   bias [2 * gates * hidden] (of the input, then of the recurrence), states [batches, hidden] before the first step
 *   -> result 0: all hidden states [steps, batches, hidden]; 1: the last hidden, 2: the last cell state [batches, hidden];
 *      3: all hidden states, then the last cell state; 4: the last hidden state, then the last cell state
 *
 *   stw_lstm_f32  gates i, o, f, g: c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c')
 *   stw_gru_f32   gates z, r, n: h' = (1 - z) n + z h; r goes into the recurrent part of n before
 *                 the product, or behind product and bias where reset_after is 1
 *   stw_rnn_f32   h' = tanh(sum), or its positive part where relu is 1
 *
 * `reverse` takes the steps from the last to the first. Products are summed as core/dot_f32.h says.
 *
 * Scratch, in floats: LSTM 6 * hidden, GRU 5 * hidden, RNN 2 * hidden: the gates, then the states of one batch.
 * Scratch must not overlap anything.
 *
 * In place: batch by batch, each step reads its row of the input before it writes. Over the input the safe distance
 * in bytes is, or 0 if that is negative, the largest over all rows but the first that is read of
 *
 *     4 * (hidden * vectors of the output up to the last that is written before the row - inputs * rows before it)
 *
 * which for one batch and result 0 is 4 * max(0, hidden - inputs) * (steps - 1). It is one of a backward walk for
 * result 0 in reverse, with everything counted from the ends, else of a forward walk. The output may be the states of
 * before the first step, at a safe distance of 0 bytes in the same direction, if it is no longer than these (results
 * 3 and 4 are) or there is one batch: all states of a batch are read before any is written.
 */
#ifndef STOWAGE_KERNELS_RECURRENT_F32_H
#define STOWAGE_KERNELS_RECURRENT_F32_H

#include <stdint.h>

#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

/* The first fields of the parameters of every such kernel. */
#define STW_RECURRENT_SHAPE                                                                                  \
    int32_t steps;                                                                                           \
    int32_t batches;                                                                                         \
    int32_t inputs;                                                                                          \
    int32_t hidden;                                                                                          \
    int32_t reverse; /* 0 or 1 */                                                                            \
    int32_t result;  /* 0 to 4; without a cell 0 or 1 */

/* sums[r] = bias[r] + row r of the matrix times the vector. */
STW_SHARED void stw_affine_f32(float *sums, const float *bias, const float *matrix, const float *vector,
                               int32_t rows, int32_t columns) {
    for (int32_t row = 0; row < rows; ++row) {
        sums[row] = stw_dot_1x1_f32(bias[row], vector, matrix + row * columns, columns);
    }
}

/* sums[r] += the same. */
STW_SHARED void stw_add_affine_f32(float *sums, const float *bias, const float *matrix, const float *vector,
                                   int32_t rows, int32_t columns) {
    for (int32_t row = 0; row < rows; ++row) {
        sums[row] += stw_dot_1x1_f32(bias[row], vector, matrix + row * columns, columns);
    }
}

STW_KERNEL void stw_copy_state_f32(float *to, const float *from, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

/* Where the vectors of a step lie: step 0 is the first that is taken. */
#define STW_STEP_ROW(p, step, batch)                                                                         \
    (((p)->reverse ? (p)->steps - 1 - (step) : (step)) * (p)->batches + (batch))

struct stw_lstm_f32_params {
    STW_RECURRENT_SHAPE
};

STW_KERNEL void stw_lstm_step_f32(const struct stw_lstm_f32_params *p, const float *gates, float *h,
                                  float *c) {
    const int32_t hidden = p->hidden;

    for (int32_t i = 0; i < hidden; ++i) {
        const float kept = stw_sigmoid_f32(gates[2 * hidden + i]) * c[i];

        c[i] = kept + stw_sigmoid_f32(gates[i]) * stw_tanh_f32(gates[3 * hidden + i]);
        h[i] = stw_sigmoid_f32(gates[hidden + i]) * stw_tanh_f32(c[i]);
    }
}

/* The last states of a batch to where the result has them. */
STW_KERNEL void stw_lstm_keep_f32(const struct stw_lstm_f32_params *p, const float *h, const float *c,
                                  float *output) {
    const int32_t state = p->batches * p->hidden;

    if (p->result == 1 || p->result == 4) {
        stw_copy_state_f32(output, h, p->hidden);
    }
    if (p->result >= 2) {
        const int32_t before = p->result == 3 ? p->steps : p->result == 4 ? 1 : 0;

        stw_copy_state_f32(output + before * state, c, p->hidden);
    }
}

STW_KERNEL void stw_lstm_f32(const struct stw_lstm_f32_params *p, const float *input, const float *weights,
                             const float *recurrence, const float *bias, const float *hidden_state,
                             const float *cell_state, float *scratch, float *output) {
    const int32_t rows = 4 * p->hidden;
    float *h = scratch + rows;
    float *c = h + p->hidden;

    for (int32_t batch = 0; batch < p->batches; ++batch) {
        stw_copy_state_f32(h, hidden_state + batch * p->hidden, p->hidden);
        stw_copy_state_f32(c, cell_state + batch * p->hidden, p->hidden);
        for (int32_t step = 0; step < p->steps; ++step) {
            const int32_t row = STW_STEP_ROW(p, step, batch);

            stw_affine_f32(scratch, bias, weights, input + row * p->inputs, rows, p->inputs);
            stw_add_affine_f32(scratch, bias + rows, recurrence, h, rows, p->hidden);
            stw_lstm_step_f32(p, scratch, h, c);
            if (p->result == 0 || p->result == 3) {
                stw_copy_state_f32(output + row * p->hidden, h, p->hidden);
            }
        }
        stw_lstm_keep_f32(p, h, c, output + batch * p->hidden);
    }
}

struct stw_gru_f32_params {
    STW_RECURRENT_SHAPE
    int32_t reset_after; /* 0 or 1 */
};

/* Gates z and r are sums already; `candidate` is the sum of the input's part. `spare` has room for one vector. */
STW_KERNEL void stw_gru_step_f32(const struct stw_gru_f32_params *p, float *gates, const float *recurrence,
                                 const float *bias, float *h, float *spare) {
    const int32_t hidden = p->hidden;
    float *candidate = gates + 2 * hidden;

    for (int32_t i = 0; i < hidden; ++i) {
        gates[i] = stw_sigmoid_f32(gates[i]);
        gates[hidden + i] = stw_sigmoid_f32(gates[hidden + i]);
        spare[i] = gates[hidden + i] * h[i];
    }
    if (p->reset_after != 0) {
        stw_affine_f32(spare, bias, recurrence, h, hidden, hidden);
        for (int32_t i = 0; i < hidden; ++i) {
            candidate[i] += gates[hidden + i] * spare[i];
        }
    } else {
        stw_add_affine_f32(candidate, bias, recurrence, spare, hidden, hidden);
    }
    for (int32_t i = 0; i < hidden; ++i) {
        h[i] = (1.0f - gates[i]) * stw_tanh_f32(candidate[i]) + gates[i] * h[i];
    }
}

STW_KERNEL void stw_gru_f32(const struct stw_gru_f32_params *p, const float *input, const float *weights,
                            const float *recurrence, const float *bias, const float *hidden_state,
                            float *scratch, float *output) {
    const int32_t rows = 3 * p->hidden;
    const int32_t gates = 2 * p->hidden;
    float *h = scratch + rows;

    for (int32_t batch = 0; batch < p->batches; ++batch) {
        stw_copy_state_f32(h, hidden_state + batch * p->hidden, p->hidden);
        for (int32_t step = 0; step < p->steps; ++step) {
            const int32_t row = STW_STEP_ROW(p, step, batch);

            stw_affine_f32(scratch, bias, weights, input + row * p->inputs, rows, p->inputs);
            stw_add_affine_f32(scratch, bias + rows, recurrence, h, gates, p->hidden);
            stw_gru_step_f32(p, scratch, recurrence + gates * p->hidden, bias + rows + gates, h,
                             h + p->hidden);
            if (p->result == 0) {
                stw_copy_state_f32(output + row * p->hidden, h, p->hidden);
            }
        }
        if (p->result != 0) {
            stw_copy_state_f32(output + batch * p->hidden, h, p->hidden);
        }
    }
}

struct stw_rnn_f32_params {
    STW_RECURRENT_SHAPE
    int32_t relu; /* 0 or 1 */
};

STW_KERNEL void stw_rnn_f32(const struct stw_rnn_f32_params *p, const float *input, const float *weights,
                            const float *recurrence, const float *bias, const float *hidden_state,
                            float *scratch, float *output) {
    const int32_t rows = p->hidden;
    float *h = scratch + rows;

    for (int32_t batch = 0; batch < p->batches; ++batch) {
        stw_copy_state_f32(h, hidden_state + batch * rows, rows);
        for (int32_t step = 0; step < p->steps; ++step) {
            const int32_t row = STW_STEP_ROW(p, step, batch);

            stw_affine_f32(scratch, bias, weights, input + row * p->inputs, rows, p->inputs);
            stw_add_affine_f32(scratch, bias + rows, recurrence, h, rows, rows);
            for (int32_t i = 0; i < rows; ++i) {
                h[i] = p->relu ? stw_clamp_f32(scratch[i], 0.0f, STW_INFINITY) : stw_tanh_f32(scratch[i]);
            }
            if (p->result == 0) {
                stw_copy_state_f32(output + row * rows, h, rows);
            }
        }
        if (p->result != 0) {
            stw_copy_state_f32(output + batch * rows, h, rows);
        }
    }
}

#endif /* STOWAGE_KERNELS_RECURRENT_F32_H */
