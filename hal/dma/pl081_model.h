/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_DMA_PL081_MODEL_H
#define STOWAGE_HAL_DMA_PL081_MODEL_H

#include <stdint.h>

/* What a driver sees of the bus (hal/dma/bus.h) where a model stands in for the device: tests alone. Unlike an emulator's, this
 * one takes its time, ends copies in any order, reports errors and can be stuck. Time passes when the driver reaches for
 * the bus; then interrupts come, too. */

uint32_t stw_bus_read(uint32_t address);
void stw_bus_write(uint32_t address, uint32_t value);
void stw_bus_barrier(void);
void stw_bus_pause(void);
void stw_bus_enable_interrupt(uint32_t number);

/* The model's board: two controllers, of which the second has another interrupt; memory at one fixed address. */
#define MODEL_MEMORY_BASE 0x20000000u
#define MODEL_MEMORY_BYTES 0x20000u
#define MODEL_CONTROLLERS 2u
#define MODEL_CONTROLLER(index) (0x40010000u + 0x1000u * (index))
#define MODEL_INTERRUPT(index) (5u + 2u * (index))

/* Maps the memory and starts anew; `seed` decides when what happens. Returns the memory, or null. */
uint8_t *model_start(uint32_t seed);

/* Gives the memory back. */
void model_end(void);

/* From now on a bus error meets whoever touches the byte at `address`, an address within memory, or 0 for none. */
void model_break(uint32_t address);

/* From now on nothing moves; or it goes on. */
void model_hold(int32_t is_held);

/* Rules of the Technical Reference Manual that the driver has broken so far. */
uint32_t model_violations(void);

/* What happened, as text: "c<address>+<bytes>" cleaned, "d" dropped, "x" both, "m" the first unit of a piece moved. */
const char *model_log(void);

#endif
