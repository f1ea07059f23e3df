# SPDX-License-Identifier: Apache-2.0
"""The transition with which a target is built for the board that its attribute `board` names."""

_PLATFORMS = "//command_line_option:platforms"
_BOARD = "//tools/rules:board"

def _board_transition_impl(_settings, attr):
    board = attr.board
    return {
        _PLATFORMS: [board],
        _BOARD: board.same_package_label(board.name + ".board"),
    }

board_transition = transition(
    implementation = _board_transition_impl,
    inputs = [],
    outputs = [_PLATFORMS, _BOARD],
)
