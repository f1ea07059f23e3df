/* SPDX-License-Identifier: Apache-2.0 */
/* Board host: The machine that builds, for tests and tools. Generated from its board.textproto. */
#ifndef STW_BOARD_H
#define STW_BOARD_H

#define STW_BOARD_NAME "host"
#define STW_BOARD_CLOCK_HZ 1000000000u
#define STW_BOARD_INTERRUPTS 0
#define STW_BOARD_IS_HOST 1
#define STW_BOARD_CORE_HAS_CACHES 0

/* Instructions per SysTick tick in the emulator, times 2^31; 0 where no emulator runs the board. */
#define STW_BOARD_COUNTER_SCALE_Q31 0x0u

/* This board has no console of its own. */

/* What the operating system loads read-only: dram, read and execute. */
#define STW_REGION_IMAGE_BASE 0x00000000u
#define STW_REGION_IMAGE_BYTES 0x40000000u

/* What the operating system lets the program write: dram, read and write. */
#define STW_REGION_MEMORY_BASE 0x40000000u
#define STW_REGION_MEMORY_BYTES 0x40000000u

/* STW_BOARD_WRITABLE_REGIONS(X) is X(name, base, bytes) for each region that an image may write. */
#define STW_BOARD_WRITABLE_REGIONS(X) \
    X("memory", STW_REGION_MEMORY_BASE, STW_REGION_MEMORY_BYTES)

/* Copies that the board's DMA controllers run at once, and the interrupts that tell of their ends. */
#define STW_BOARD_DMA_CHANNELS 0
#define STW_BOARD_DMA_INTERRUPTS(X)

#endif
