/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_EXIT_H
#define STOWAGE_HAL_EXIT_H

/* The status of an image that a fault has stopped. */
#define STW_HAL_STATUS_FAULT 125

/* Ends the image; returning from main does the same with main's result. 0 means success, 1 to 124 are the image's own.
 *
 * The emulator ends with this status. A device writes "stowage: exit <status>" to its console and stops for good. */
__attribute__((noreturn)) void stw_hal_exit(int status);

#endif
