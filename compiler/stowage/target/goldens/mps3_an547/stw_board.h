/* SPDX-License-Identifier: Apache-2.0 */
/* Board mps3_an547: Arm MPS3 FPGA board with the Cortex-M55 image AN547. Generated from its board.textproto. */
#ifndef STW_BOARD_H
#define STW_BOARD_H

#define STW_BOARD_NAME "mps3_an547"
#define STW_BOARD_CLOCK_HZ 32000000u
#define STW_BOARD_INTERRUPTS 128
#define STW_BOARD_IS_HOST 0
#define STW_BOARD_CORE_HAS_CACHES 1

/* Instructions per SysTick tick in the emulator, times 2^31; 0 where no emulator runs the board. */
#define STW_BOARD_COUNTER_SCALE_Q31 0x1f400000u

#define STW_BOARD_CMSDK_UART_BASE 0x59303000u
#define STW_BOARD_CMSDK_UART_BAUD_DIVISOR 217u

/* Instruction TCM, loaded with the image and used as flash: tcm, read and execute. */
#define STW_REGION_ITCM_BASE 0x00000000u
#define STW_REGION_ITCM_BYTES 0x80000u

/* SRAM in block RAM, loaded with the image and used as flash for weights: sram, read and execute. */
#define STW_REGION_SRAM_BASE 0x01000000u
#define STW_REGION_SRAM_BYTES 0x200000u

/* Data TCM: tcm, read and write. */
#define STW_REGION_DTCM_BASE 0x20000000u
#define STW_REGION_DTCM_BYTES 0x80000u

/* Internal SRAM of the subsystem: sram, read and write. */
#define STW_REGION_ISRAM_BASE 0x21000000u
#define STW_REGION_ISRAM_BYTES 0x400000u

/* DDR4, the first 64 MiB, loaded with the image and used as flash for weights that SRAM has no room for: dram, read and execute. */
#define STW_REGION_DDR_IMAGE_BASE 0x60000000u
#define STW_REGION_DDR_IMAGE_BYTES 0x4000000u

/* DDR4, the rest of the first quarter of a gigabyte: dram, read and write. */
#define STW_REGION_DDR_BASE 0x64000000u
#define STW_REGION_DDR_BYTES 0xc000000u

/* STW_BOARD_WRITABLE_REGIONS(X) is X(name, base, bytes) for each region that an image may write. */
#define STW_BOARD_WRITABLE_REGIONS(X) \
    X("dtcm", STW_REGION_DTCM_BASE, STW_REGION_DTCM_BYTES) \
    X("isram", STW_REGION_ISRAM_BASE, STW_REGION_ISRAM_BYTES) \
    X("ddr", STW_REGION_DDR_BASE, STW_REGION_DDR_BYTES)

/* Copies that the board's DMA controllers run at once, and the interrupts that tell of their ends. */
#define STW_BOARD_DMA_CHANNELS 0
#define STW_BOARD_DMA_INTERRUPTS(X)

#endif
