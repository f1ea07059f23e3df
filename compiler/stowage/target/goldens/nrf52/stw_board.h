/* SPDX-License-Identifier: Apache-2.0 */
/* Board nrf52: Nordic nRF52840 (nRF52840 DK). Generated from its board.textproto. */
#ifndef STW_BOARD_H
#define STW_BOARD_H

#define STW_BOARD_NAME "nrf52"
#define STW_BOARD_CLOCK_HZ 64000000u
#define STW_BOARD_INTERRUPTS 48
#define STW_BOARD_IS_HOST 0
#define STW_BOARD_CORE_HAS_CACHES 0

/* Instructions per SysTick tick in the emulator, times 2^31; 0 where no emulator runs the board. */
#define STW_BOARD_COUNTER_SCALE_Q31 0x28000000u

#define STW_BOARD_NRF_UART_BASE 0x40002000u
#define STW_BOARD_NRF_UART_TX_PIN 6u
#define STW_BOARD_NRF_UART_BAUD_REGISTER 0x01d7e000u

/* Internal flash: flash, read and execute. */
#define STW_REGION_FLASH_BASE 0x00000000u
#define STW_REGION_FLASH_BYTES 0x100000u

/* Internal SRAM, eight 8 KiB and one 192 KiB AHB slaves: sram, read and write. */
#define STW_REGION_SRAM_BASE 0x20000000u
#define STW_REGION_SRAM_BYTES 0x40000u

/* STW_BOARD_WRITABLE_REGIONS(X) is X(name, base, bytes) for each region that an image may write. */
#define STW_BOARD_WRITABLE_REGIONS(X) \
    X("sram", STW_REGION_SRAM_BASE, STW_REGION_SRAM_BYTES)

/* Copies that the board's DMA controllers run at once, and the interrupts that tell of their ends. */
#define STW_BOARD_DMA_CHANNELS 0
#define STW_BOARD_DMA_INTERRUPTS(X)

#endif
