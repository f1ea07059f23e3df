/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of the NPU, as its driver and its model see them. README.md says what each is for.
 */
#ifndef STOWAGE_HAL_NPU_REGISTERS_H
#define STOWAGE_HAL_NPU_REGISTERS_H

#include <stdint.h>

#define STW_NPU_ID 0x55504E01u /* "NPU", version 1 */
#define STW_NPU_WINDOWS 8u

/* STATUS. */
#define STW_NPU_IDLE 0u
#define STW_NPU_BUSY 1u
#define STW_NPU_DONE 2u
#define STW_NPU_FAILED 3u

/* CONTROL. */
#define STW_NPU_CONTROL_INTERRUPT 1u /* raise an interrupt when a stream ends */

/* A window's ACCESS. */
#define STW_NPU_ACCESS_READ 1u
#define STW_NPU_ACCESS_WRITE 2u

/* ERROR: why a stream was given up. */
enum stw_npu_error {
    STW_NPU_OK = 0,
    STW_NPU_BAD_HEADER = 1,    /* no stream, of another version, or of another length than QUEUE_WORDS */
    STW_NPU_BAD_MACHINE = 2,   /* it is for more or other banks than there are */
    STW_NPU_BAD_COMMAND = 3,   /* an unknown command, of a wrong length, or beyond the end of the stream */
    STW_NPU_BAD_FIELD = 4,     /* a field out of its range */
    STW_NPU_BAD_BANK = 5,      /* beyond the end of a bank */
    STW_NPU_BAD_WINDOW = 6,    /* beyond a window, or not for that access */
    STW_NPU_BANK_CONFLICT = 7, /* two streams of a step on one port */
    STW_NPU_TWO_ENGINES = 8    /* a step with two commands for the engine */
};

/* A piece of system memory that the DMA may touch. */
struct stw_npu_window {
    volatile uint32_t base_low;
    volatile uint32_t base_high;
    volatile uint32_t size_bytes;
    volatile uint32_t access;
};

struct stw_npu_registers {
    volatile uint32_t id;        /* 0x00, read only */
    volatile uint32_t control;   /* 0x04 */
    volatile uint32_t status;    /* 0x08, read only */
    volatile uint32_t doorbell;  /* 0x0C, write 1: run the stream */
    volatile uint32_t interrupt; /* 0x10, 1: pending; write 0 to clear */
    volatile uint32_t error;     /* 0x14, read only: enum stw_npu_error */
    volatile uint32_t
        error_word; /* 0x18, read only: the word of the stream where the command at fault begins */
    volatile uint32_t queue_words; /* 0x1C */
    volatile uint32_t queue_low;   /* 0x20 */
    volatile uint32_t queue_high;  /* 0x24 */
    volatile uint32_t cycles_low;  /* 0x28, read only: by the documented timing, of the last stream */
    volatile uint32_t cycles_high; /* 0x2C, read only */
    volatile uint32_t banks;       /* 0x30, read only */
    volatile uint32_t bank_bytes;  /* 0x34, read only */
    volatile uint32_t array;       /* 0x38, read only: channels, pixels << 8, depth << 16 */
    volatile uint32_t ports;       /* 0x3C, read only: bank port bytes, DMA bytes << 16 */
    struct stw_npu_window window[STW_NPU_WINDOWS]; /* 0x40 */
};

#endif
