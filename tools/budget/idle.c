/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware that runs no model, whatever it depends on. */
int main(void) {
    return 0;
}
