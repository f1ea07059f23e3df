/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_CONFORMANCE_CHECK_H
#define STOWAGE_HAL_CONFORMANCE_CHECK_H

/* Writes "ok <what>" or "FAILED <what>" to the console; the suite fails if one check fails. */
void check(const char *what, int holds);

/* The first time, spoils all variables and starts the image again from its reset handler; then does nothing. */
void restart_with_spoilt_memory(void);

/* The suite's parts, one file each. */
void check_sections(void);
void check_regions(void);
void check_memory_functions(void);
void check_print(void);
void check_arithmetic(void);
void check_counter(void);
void check_stack(void);
void check_dma(void);

#endif
