/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bit-exact model of the NPU in README.md: what it computes, what it refuses and how many cycles that takes.
 *
 * It is its hardware's stand-in: linked into programs on the host, and the firmware of a second core that plays the NPU. It
 * touches the machine's banks and what the windows cover, and nothing else, whatever a stream says.
 */
#ifndef STOWAGE_HAL_NPU_MACHINE_H
#define STOWAGE_HAL_NPU_MACHINE_H

#include <stdint.h>

#include "hal/npu/registers.h"

/* What a descriptor in a board file says of an NPU, and its memory. */
struct stw_npu_machine {
    uint8_t *memory; /* banks * bank_bytes */
    uint32_t banks;
    uint32_t bank_bytes;
    uint32_t array_channels;
    uint32_t array_pixels;
    uint32_t array_depth;
    uint32_t port_bytes;
    uint32_t dma_bytes;
};

/* The machine that the macros STW_NPU_… describe, with its memory. */
#define STW_NPU_MACHINE(memory)                                                                              \
    {(memory),                                                                                               \
     STW_NPU_BANKS,                                                                                          \
     STW_NPU_BANK_BYTES,                                                                                     \
     STW_NPU_ARRAY_CHANNELS,                                                                                 \
     STW_NPU_ARRAY_PIXELS,                                                                                   \
     STW_NPU_ARRAY_DEPTH,                                                                                    \
     STW_NPU_PORT_BYTES,                                                                                     \
     STW_NPU_DMA_BYTES}

/* Gives the registers what they have after a reset. */
void stw_npu_model_reset(const struct stw_npu_machine *machine, struct stw_npu_registers *registers);

/* Does what a doorbell asks for, if one has rung: runs the stream to its end, or gives it up with an error. */
void stw_npu_model_poll(const struct stw_npu_machine *machine, struct stw_npu_registers *registers);

#endif
