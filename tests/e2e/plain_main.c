/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a reader of the manual, without Bazel: vectors from standard input, outputs to standard output. */
#include <stdio.h>

#include STW_HEADER

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define MODEL JOIN(STW_NAME, _model)
#define ARENA JOIN(STW_NAME, _arena)
#define RUN JOIN(STW_NAME, _run)

int main(void) {
    const struct stw_tensor input = MODEL.inputs[0], output = MODEL.outputs[0];

    while (fread(ARENA + input.offset_bytes, input.size_bytes, 1, stdin) == 1) {
        if (RUN(ARENA) != STW_OK || fwrite(ARENA + output.offset_bytes, output.size_bytes, 1, stdout) != 1) {
            return 1;
        }
    }
    return RUN(ARENA + 1) == STW_BAD_ARENA ? 0 : 2;
}
