# SPDX-License-Identifier: Apache-2.0
"""A board that contradicts itself is refused, and so is a model that is too big for its board."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from onnx import ModelProto, helper

from stowage.frontend.from_onnx.model_making import floats, model_of, relu_model, saved
from stowage.target.board import STACK_GUARD_BYTES
from tests.refused.command_line import refusal, stowage

# Of the nRF52840: 256 KiB of RAM, of which the stack takes 4 KiB, and 1 MiB of flash.
ARENA_CAPACITY = 256 * 1024 - 4096
WEIGHTS_CAPACITY = 1024 * 1024
NRF52 = Path("boards/nrf52/board.textproto")


def large_sum(elements: int) -> ModelProto:
    """Two inputs that live until the one node, which may write its output over either."""
    node = helper.make_node("Add", ["x", "y"], ["z"], name="sum")
    return model_of([node], [floats("x", [elements]), floats("y", [elements])], [floats("z", [elements])])


def large_product(width: int, depth: int) -> ModelProto:
    """A matrix of width x depth and one value a column."""
    node = helper.make_node("Gemm", ["x", "w", "b"], ["y"], name="dense")
    random = np.random.default_rng(2)
    constants = {
        "w": random.normal(size=(width, depth)).astype(np.float32),
        "b": random.normal(size=depth).astype(np.float32),
    }
    return model_of([node], [floats("x", [1, width])], [floats("y", [1, depth])], constants)


def edited_board(folder: Path, old: str, new: str) -> Path:
    text = NRF52.read_text()
    assert text.count(old) == 1
    path = folder / "board.textproto"
    path.write_text(text.replace(old, new))
    return path


def residual(elements: int) -> ModelProto:
    """A step whose operand has to outlive it: both its tensors are alive at once, and no more than they."""
    nodes = [
        helper.make_node("Tanh", ["x"], ["t"], name="bend"),
        helper.make_node("Add", ["x", "t"], ["y"], name="sum"),
    ]
    return model_of(nodes, [floats("x", [elements])], [floats("y", [elements])])


def test_arena_too_big(tmp_path: Path) -> None:
    path = saved(residual(32768), tmp_path)
    needed = 2 * 4 * 32768
    assert refusal(path, "nrf52", tmp_path / "out") == (
        f'{path}: node "bend": the arena needs {needed:,} B, but region sram of board nrf52 has {ARENA_CAPACITY:,} B '
        f'for it, {needed - ARENA_CAPACITY:,} B too few; the peak holds "x" (131,072 B), "t" (131,072 B); '
        f'no placement of these tensors takes less than {needed:,} B: quantize = "int8" would make it about '
        f"{needed // 4:,} B, which fits, half the elements (channels, rows or columns) of all 3 tensors of 131,072 B "
        f"or more would make it about {needed // 2:,} B, which fits, or choose a board with more memory."
    )


def wide_middle() -> ModelProto:
    """Two convolutions with an image of 64 channels between them."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["wide"], name="widen", pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["wide", "v"], ["y"], name="narrow", pads=[1, 1, 1, 1]),
    ]
    constants = {"w": np.ones((64, 1, 3, 3), np.float32), "v": np.ones((1, 64, 3, 3), np.float32)}
    return model_of(nodes, [floats("x", [1, 1, 44, 44])], [floats("y", [1, 1, 44, 44])], constants)


def test_stripes_that_reach_no_board_are_named_with_what_they_reach(tmp_path: Path) -> None:
    path = saved(wide_middle(), tmp_path)
    sentence = refusal(path, "microbit", tmp_path / "out")
    told = re.search(
        r'wide layers in stripes of rows \(ram = "(\d+)"\) would make it about [\d,]+ B, [\d,]+ B too many', sentence
    )
    assert told, sentence
    as_told = ("compile", path, "--board", "nrf52", "--ram", told[1], "--out", tmp_path / "striped", "--quiet")
    assert stowage(*as_told).returncode == 0


def test_what_fits_in_stripes_alone_is_compiled_and_told(tmp_path: Path) -> None:
    done = stowage("report", saved(wide_middle(), tmp_path), "--board", "nrf52", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "  stripes      layer by layer it takes 500,400 B; +" in done.stdout


def test_a_second_arena_that_would_do_is_named_and_does(tmp_path: Path) -> None:
    """The tensor between the caller's two may lie in the core's own memory, beside the 512 KiB of the arena."""
    nodes = [
        helper.make_node("Slice", ["x", "first", "last"], ["row"], name="pick"),
        helper.make_node("Tanh", ["row"], ["t"], name="bend"),
        helper.make_node("Add", ["x", "t"], ["y"], name="sum"),
    ]
    rows = {"first": np.array([0], np.int64), "last": np.array([1], np.int64)}
    shape = [4, 28_800]
    path = saved(model_of(nodes, [floats("x", shape)], [floats("y", shape)], rows), tmp_path)
    sentence = refusal(path, "stm32h747", tmp_path / "out")
    told = re.search(
        r'a second arena in (\w+) \(arenas = \{"fast": "(\d+)"\}\) would make it about [\d,]+ B, which fits', sentence
    )
    assert told, sentence
    as_told = (
        "compile",
        path,
        "--board",
        "stm32h747",
        "--arena",
        f"fast={told[2]}",
        "--out",
        tmp_path / "two",
        "--quiet",
    )
    assert stowage(*as_told).returncode == 0


def test_inputs_too_big(tmp_path: Path) -> None:
    path = saved(large_sum(65536), tmp_path)
    sentence = refusal(path, "nrf52", tmp_path / "out")
    assert sentence.startswith(f"{path}: the caller's inputs: the arena needs {2 * 4 * 65536:,} B, but region sram ")


def test_arena_one_element_too_big(tmp_path: Path) -> None:
    """The largest sum that fits compiles; with one element more, each tensor takes 8 bytes more with its alignment."""
    fits = saved(large_sum(ARENA_CAPACITY // 8), tmp_path, "fits.onnx")
    assert stowage("compile", fits, "--board", "nrf52", "--out", tmp_path / "fits", "--quiet").returncode == 0
    over = saved(large_sum(ARENA_CAPACITY // 8 + 1), tmp_path, "over.onnx")
    assert " B too few; " in refusal(over, "nrf52", tmp_path / "over")


def test_weights_too_big(tmp_path: Path) -> None:
    path = saved(large_product(1024, 260), tmp_path)
    needed = 4 * (1024 * 260 + 260)
    assert refusal(path, "nrf52", tmp_path / "out") == (
        f'{path}: node "dense": the weights need {needed:,} B, but region flash of board nrf52 has '
        f"{WEIGHTS_CAPACITY:,} B for them, {needed - WEIGHTS_CAPACITY:,} B too few; the largest are "
        f'weights of "dense" ({4 * 1024 * 260:,} B), bias of "dense" ({4 * 260:,} B); '
        f'quantize = "int8" would make them about {1024 * 260 + 4 * 260:,} B, make these layers smaller, or choose a '
        "board with more memory for weights."
    )


def test_reservation_counts(tmp_path: Path) -> None:
    """What fits the bare chip does not fit beside a SoftDevice: it takes 12 KiB, and the stack above needs a guard."""
    path = saved(large_sum(ARENA_CAPACITY // 8), tmp_path)
    sentence = refusal(path, "nrf52", tmp_path / "out", "--reserve", "softdevice_s140")
    taken = 12 * 1024 + STACK_GUARD_BYTES
    assert f"region sram of board nrf52 has {ARENA_CAPACITY - taken:,} B for it, {taken:,} B too few; " in sentence


def test_overlapping_regions(tmp_path: Path) -> None:
    board = edited_board(tmp_path, "base: 0x20000000\n  size_bytes: 0x00040000", "base: 0xff000\n  size_bytes: 0x40000")
    assert refusal(saved(relu_model(), tmp_path), board, tmp_path / "out") == (
        f'{board}: regions[sram]: starts at 0xff000, inside region "flash" that ends at 0x100000; '
        "correct the base or the size of one of them."
    )


def test_role_of_a_region_that_is_not_there(tmp_path: Path) -> None:
    board = edited_board(tmp_path, '  arena: "sram"', '  arena: "sarm"')
    sentence = refusal(saved(relu_model(), tmp_path), board, tmp_path / "out")
    assert sentence.startswith(f"{board}: roles.arena")
    assert '"sarm"' in sentence


def test_unknown_board(tmp_path: Path) -> None:
    assert refusal(saved(relu_model(), tmp_path), "nrf25", tmp_path / "out") == (
        "nrf25: there is no such board; name one of host, microbit, mps2_an385, mps2_an386, mps2_an500, "
        "mps2_an505, mps2_an521_npu, mps3_an547, nrf52, stm32h747, or the path of a file board.textproto."
    )


def test_missing_board_file(tmp_path: Path) -> None:
    board = tmp_path / "none.textproto"
    sentence = refusal(saved(relu_model(), tmp_path), board, tmp_path / "out")
    assert sentence.startswith(f"{board}: ")
    assert "No such file or directory" in sentence


def test_unknown_reservation(tmp_path: Path) -> None:
    sentence = refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", "--reserve", "softdevice")
    assert sentence.endswith(
        'nrf52/board.textproto: reservations: there is no "softdevice"; use one of bootloader, softdevice_s140.'
    )
