/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command stream of the NPU, version 1: 32-bit words, little-endian. README.md describes every command and field.
 *
 * A stream begins with a header of STW_NPU_HEADER_WORDS: magic, version, words in all, banks, bytes of a bank, windows.
 * The first word of a command is its code, and the number of its words << 16.
 */
#ifndef STOWAGE_HAL_NPU_STREAM_H
#define STOWAGE_HAL_NPU_STREAM_H

#define STW_NPU_MAGIC 0x4D525453u /* "STRM" */
#define STW_NPU_VERSION 1u
#define STW_NPU_HEADER_WORDS 6u

#define STW_NPU_CODE(word) ((word) & 0xFFFFu)
#define STW_NPU_LENGTH(word) ((word) >> 16)

/* Codes, and the words that each takes. */
#define STW_NPU_END 0x01u
#define STW_NPU_STEP 0x02u
#define STW_NPU_COPY_IN 0x10u
#define STW_NPU_COPY_OUT 0x11u
#define STW_NPU_CONV2D 0x20u
#define STW_NPU_DEPTHWISE 0x21u
#define STW_NPU_FULLY_CONNECTED 0x22u
#define STW_NPU_MAX_POOL 0x23u
#define STW_NPU_AVERAGE_POOL 0x24u
#define STW_NPU_ADD 0x25u
#define STW_NPU_REQUANTISE 0x26u

#define STW_NPU_COPY_WORDS 8u
#define STW_NPU_WINDOW_WORDS 13u
#define STW_NPU_FULLY_CONNECTED_WORDS 9u
#define STW_NPU_ADD_WORDS 12u
#define STW_NPU_REQUANTISE_WORDS 5u

/* Where something lies in the banks: the bank << 24, and bytes from its start. */
#define STW_NPU_BANK(address) ((address) >> 24)
#define STW_NPU_OFFSET(address) ((address) & 0xFFFFFFu)

/* Bytes of what goes with an output channel: bias, multiplier, shift, each int32. */
#define STW_NPU_CHANNEL_BYTES 12u
/* Bytes of what goes with a count of averaged elements: multiplier, shift. */
#define STW_NPU_COUNT_BYTES 8u
#define STW_NPU_TABLE_BYTES 256u

/* The documented timing, in cycles. */
#define STW_NPU_STEP_CYCLES 4u
#define STW_NPU_COPY_CYCLES 8u
#define STW_NPU_COMMAND_CYCLES 16u

#endif
