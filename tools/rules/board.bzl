# SPDX-License-Identifier: Apache-2.0
"""stowage_board: a board that firmware can be built for."""

load("//tools/rules/private:board_files.bzl", "board_files")

def stowage_board(name, board, core, reserve = [], npu = None, visibility = ["//visibility:public"], **kwargs):
    """Makes a board of a board file: a platform called `name`, and `name.board` with what the rules need to know.

    Firmware and tests name it as `board = "//boards/nrf52"`; no flag is needed to build for it.

    Args:
      name: the board's name
      board: the board file, `board.textproto`; its schema is in `hal/proto/board.proto`
      core: the processor core that the board file names; it selects the toolchain
      reserve: names of the board file's reservations that images leave alone, for instance `["softdevice_s140"]`
      npu: the port of its NPU's driver, where the board file has an NPU: `second_core` is the one that Stowage brings
      visibility: who may build for the board
      **kwargs: what every rule takes, for instance `tags`
    """
    if core == "host":
        native.platform(
            name = name,
            parents = [Label("@local_config_platform//:host")],
            visibility = visibility,
            **kwargs
        )
    else:
        native.platform(
            name = name,
            constraint_values = [
                Label("@platforms//os:none"),
                Label("//tools/toolchains:" + core),
            ] + ([Label("//hal/npu:" + npu)] if npu else []),
            visibility = visibility,
            **kwargs
        )
    board_files(
        name = name + ".board",
        board = board,
        board_name = name,
        core = core,
        reserve = reserve,
        visibility = visibility,
        **kwargs
    )
