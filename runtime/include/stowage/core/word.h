/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for kernels that move elements without looking at them. They may alias elements of any type, so that the compiler does
 * not take a move for unrelated to the kernels before and after it.
 */
#ifndef STOWAGE_CORE_WORD_H
#define STOWAGE_CORE_WORD_H

#include <stdint.h>

typedef uint8_t stw_word8;
typedef uint16_t __attribute__((may_alias)) stw_word16;
typedef uint32_t __attribute__((may_alias)) stw_word32;
typedef uint64_t __attribute__((may_alias)) stw_word64;

#endif /* STOWAGE_CORE_WORD_H */
