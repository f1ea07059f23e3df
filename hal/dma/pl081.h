/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_DMA_PL081_H
#define STOWAGE_HAL_DMA_PL081_H

/* Registers of Arm's PrimeCell DMA controllers PL080 (eight channels) and PL081 (two), by their offsets, as far as copies
 * from memory to memory need them: Technical Reference Manuals DDI 0196 and DDI 0218, chapter 3. */

#define STW_PL081_INT_TC_STATUS 0x004u    /* a bit for each channel that has ended and says so by interrupt */
#define STW_PL081_INT_TC_CLEAR 0x008u     /* the bits that are written are forgotten */
#define STW_PL081_INT_ERROR_STATUS 0x00Cu /* a bit for each channel that met an error of the bus */
#define STW_PL081_INT_ERROR_CLEAR 0x010u
#define STW_PL081_CONFIGURATION 0x030u
#define STW_PL081_CONFIGURATION_ENABLE (1u << 0)

/* Registers of a channel, by their offsets from STW_PL081_CHANNEL. */
#define STW_PL081_CHANNEL(number) (0x100u + 0x20u * (number))
#define STW_PL081_SOURCE 0x00u
#define STW_PL081_DESTINATION 0x04u
#define STW_PL081_NEXT_ITEM 0x08u
#define STW_PL081_CONTROL 0x0Cu
#define STW_PL081_CHANNEL_CONFIGURATION 0x10u

/* Control: how many units of which width, what moves on, whether the end is told. */
#define STW_PL081_MOST_UNITS 0xFFFu
#define STW_PL081_BURST_OF_4 (1u << 12 | 1u << 15)
#define STW_PL081_WIDTHS(log2) ((log2) << 18 | (log2) << 21)
#define STW_PL081_INCREMENTS (1u << 26 | 1u << 27)
#define STW_PL081_INTERRUPT_AT_END (1u << 31)

/* Channel configuration; flow control 0 is from memory to memory, led by the controller. */
#define STW_PL081_CHANNEL_ENABLE (1u << 0)
#define STW_PL081_TELL_ERROR (1u << 14)
#define STW_PL081_TELL_END (1u << 15)

#endif
