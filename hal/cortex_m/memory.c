/* SPDX-License-Identifier: Apache-2.0 */

/* By words where possible. Compiled such that their own loops don't become calls to themselves. Where the core takes
 * unaligned words, a packed access is one instruction; elsewhere the compiler makes it from bytes. */

#include "stowage_hal/memory.h"

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;

struct __attribute__((packed, may_alias)) unaligned_word {
    uint32_t value;
};

static int is_aligned(const void *pointer) {
    return ((uintptr_t)pointer & 3u) == 0;
}

/* Reads each block before it writes it, so that `to` may also lie below `from` and overlap it. */
void *memcpy(void *to, const void *from, size_t size_bytes) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; size_bytes > 0 && !is_aligned(out); size_bytes--) {
        *out++ = *in++;
    }
    if (is_aligned(in)) {
        for (; size_bytes >= 16; size_bytes -= 16, in += 16, out += 16) {
            const word *source = (const word *)(const void *)in;
            word a = source[0], b = source[1], c = source[2], d = source[3];
            word *target = (word *)(void *)out;
            target[0] = a, target[1] = b, target[2] = c, target[3] = d;
        }
    }
    for (; size_bytes >= 4; size_bytes -= 4, in += 4, out += 4) {
        *(word *)(void *)out = ((const struct unaligned_word *)in)->value;
    }
    for (; size_bytes > 0; size_bytes--) {
        *out++ = *in++;
    }
    return to;
}

static void copy_downwards(unsigned char *out_end, const unsigned char *in_end, size_t size_bytes) {
    for (; size_bytes > 0 && !is_aligned(out_end); size_bytes--) {
        *--out_end = *--in_end;
    }
    for (; size_bytes >= 4; size_bytes -= 4) {
        in_end -= 4;
        out_end -= 4;
        *(word *)(void *)out_end = ((const struct unaligned_word *)in_end)->value;
    }
    for (; size_bytes > 0; size_bytes--) {
        *--out_end = *--in_end;
    }
}

void *memmove(void *to, const void *from, size_t size_bytes) {
    if ((uintptr_t)to - (uintptr_t)from >= size_bytes) {
        return memcpy(to, from, size_bytes);
    }
    copy_downwards((unsigned char *)to + size_bytes, (const unsigned char *)from + size_bytes, size_bytes);
    return to;
}

void *memset(void *to, int value, size_t size_bytes) {
    unsigned char *out = to;
    unsigned char byte = (unsigned char)value;
    word pattern = byte * 0x01010101u;
    for (; size_bytes > 0 && !is_aligned(out); size_bytes--) {
        *out++ = byte;
    }
    for (; size_bytes >= 16; size_bytes -= 16, out += 16) {
        word *target = (word *)(void *)out;
        target[0] = pattern, target[1] = pattern, target[2] = pattern, target[3] = pattern;
    }
    for (; size_bytes >= 4; size_bytes -= 4, out += 4) {
        *(word *)(void *)out = pattern;
    }
    for (; size_bytes > 0; size_bytes--) {
        *out++ = byte;
    }
    return to;
}

int memcmp(const void *left, const void *right, size_t size_bytes) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (; size_bytes > 0 && *a == *b; size_bytes--) {
        a++;
        b++;
    }
    return size_bytes > 0 ? *a - *b : 0;
}
