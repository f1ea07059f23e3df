/* SPDX-License-Identifier: Apache-2.0 */

/* A mistake a sanitizer should find, chosen by the first argument; one that goes unseen where there is no sanitizer. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

static volatile int nine = 9;
static volatile int largest = INT_MAX;
static volatile char row[9];
static volatile char *volatile cursor = row;
static volatile float a = 16777217.0f, b = 16777215.0f, c = -1.0f;

int main(int count, char **arguments) {
    const char *mistake = count > 1 ? arguments[1] : "none";
    if (strcmp(mistake, "overrun") == 0) {
        cursor[nine] = 1;
    } else if (strcmp(mistake, "overflow") == 0) {
        largest = largest + 1;
    }
    /* One rounding an operation: the exact product, minus one, has other bits. */
    printf("done %a\n", (double)(a * b + c));
    return 0;
}
