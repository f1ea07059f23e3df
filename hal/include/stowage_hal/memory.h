/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_MEMORY_H
#define STOWAGE_HAL_MEMORY_H

#include <stddef.h>

/* The four functions of C's <string.h> (C99 7.21) that an image has: no C library comes with the toolchain, but compilers
 * call these behind a program's back. */

/* Copies size_bytes bytes that don't overlap. Returns to. */
void *memcpy(void *to, const void *from, size_t size_bytes);

/* Copies size_bytes bytes that may overlap. Returns to. */
void *memmove(void *to, const void *from, size_t size_bytes);

/* Sets size_bytes bytes to the low byte of value. Returns to. */
void *memset(void *to, int value, size_t size_bytes);

/* Compares bytes as unsigned. Returns a number below, at or above zero as left is below, the same as or above right. */
int memcmp(const void *left, const void *right, size_t size_bytes);

#endif
