# SPDX-License-Identifier: Apache-2.0
"""What a firmware repository loads from Stowage."""

load("//tools/rules:board.bzl", _stowage_board = "stowage_board")
load("//tools/rules:budget_test.bzl", _stowage_budget_test = "stowage_budget_test")
load("//tools/rules:qemu_test.bzl", _stowage_qemu_test = "stowage_qemu_test")
load("//tools/rules/private:board_info.bzl", _BoardInfo = "BoardInfo")
load("//tools/rules/private:firmware.bzl", _stowage_firmware = "stowage_firmware")
load("//tools/rules/private:firmware_info.bzl", _StowageFirmwareInfo = "StowageFirmwareInfo")
load("//tools/rules/private:model.bzl", _stowage_model = "stowage_model")
load("//tools/rules/private:model_info.bzl", _StowageModelInfo = "StowageModelInfo")
load("//tools/rules/private:pool.bzl", _stowage_pool = "stowage_pool")
load("//tools/rules/private:pool_info.bzl", _StowagePoolInfo = "StowagePoolInfo")

BoardInfo = _BoardInfo
StowageFirmwareInfo = _StowageFirmwareInfo
StowageModelInfo = _StowageModelInfo
StowagePoolInfo = _StowagePoolInfo
stowage_board = _stowage_board
stowage_budget_test = _stowage_budget_test
stowage_firmware = _stowage_firmware
stowage_model = _stowage_model
stowage_pool = _stowage_pool
stowage_qemu_test = _stowage_qemu_test
