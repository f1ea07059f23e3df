# SPDX-License-Identifier: Apache-2.0
"""Extents that make no sense, and models that cannot have several, are refused, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import helper

from stowage.frontend.from_onnx.model_making import floats, model_of, relu_model, saved
from tests.refused.command_line import refusal, snapshot, stowage


def varying(folder: Path) -> Path:
    """y = relu(x), both [batch, frames]."""
    shape = ["batch", "frames"]
    node = helper.make_node("Relu", ["x"], ["y"], name="r")
    return saved(model_of([node], [floats("x", shape)], [floats("y", shape)]), folder)


def refused(folder: Path, *arguments: str, model: Path | None = None) -> str:
    return refusal(model or varying(folder), "nrf52", folder / "out", *arguments)


def test_every_combination_makes_files(tmp_path: Path) -> None:
    """The command without which no refusal here would mean anything."""
    out = tmp_path / "out"
    extents = ("--dimension=batch=1", "--dimension=frames=2,8..16/4")
    done = stowage("compile", varying(tmp_path), "--board", "nrf52", "--out", out, "--name", "kws", *extents)
    assert done.returncode == 0, done.stderr
    files = set(snapshot(out) or {})
    assert {"kws.h", "kws_weights.c", "kws_memory.txt", "kws_2.c", "kws_8.h", "kws_12_arena.h", "kws_16.c"} <= files
    assert not {name for name in files if name.startswith("kws_1_")}


def test_a_list_that_is_none(tmp_path: Path) -> None:
    assert refused(tmp_path, "--dimension=frames=8,") == (
        '--dimension: "frames=8," does not give a dimension positive whole numbers; write NAME=N, for instance '
        "batch=1, or several as in frames=10,20 or frames=16..64/16."
    )


def test_too_many_extents(tmp_path: Path) -> None:
    assert refused(tmp_path, "--dimension=frames=1..100000000") == (
        "--dimension: dimension 'frames': more than 64 extents, each of which would get a plan of its own; a model may "
        "have 64; leave out those that your firmware does not run."
    )


def test_too_many_combinations(tmp_path: Path) -> None:
    sentence = refused(tmp_path, "--dimension=frames=1..13", "--dimension=batch=1..5")
    assert sentence.startswith(f"{tmp_path / 'model.onnx'}: --dimension: 'frames' and 'batch': 65 combinations of ext")


def test_a_dimension_that_is_there_twice(tmp_path: Path) -> None:
    assert refused(tmp_path, "--dimension=frames=8", "--dimension=frames=16") == (
        '--dimension: dimension "frames" is there twice; give all its extents in one list.'
    )


def test_a_dimension_without_values_is_named_whatever_the_others_have(tmp_path: Path) -> None:
    sentence = refused(tmp_path, "--dimension=frames=8,16")
    assert "at frames = 8: input 'x': its dimension 'batch' is dynamic, but firmware needs a fixed one;" in sentence


def test_a_dimension_that_there_is_not(tmp_path: Path) -> None:
    model = saved(relu_model(), tmp_path)
    assert refused(tmp_path, "--dimension=frames=8,16", model=model) == (
        f"{model}: at frames = 8: dimension 'frames': the model has no such dimension, it has no dynamic dimensions; "
        "correct it."
    )


def test_a_size_at_which_the_model_contradicts_itself(tmp_path: Path) -> None:
    node = helper.make_node("Add", ["x", "c"], ["y"], name="a")
    constants = {"c": np.ones(4, np.float32)}
    model = saved(model_of([node], [floats("x", ["n"])], [floats("y", None)], constants), tmp_path)
    sentence = refused(tmp_path, "--dimension=n=4,5", model=model)
    assert sentence.startswith(f"{model}: at n = 5: Add node 'a': shapes [5] and [4] do not")


def test_a_size_that_does_not_fit(tmp_path: Path) -> None:
    sentence = refused(tmp_path, "--dimension=frames=8,160000", "--dimension=batch=1")
    assert ": at frames = 160000: " in sentence
    assert "but region sram of board nrf52 has 258,048 B for it" in sentence


def test_a_state_whose_shape_varies(tmp_path: Path) -> None:
    node = helper.make_node("Add", ["x", "h"], ["y"], name="a")
    model = saved(model_of([node], [floats("x", ["n"]), floats("h", ["n"])], [floats("y", ["n"])]), tmp_path)
    assert refused(tmp_path, "--dimension=n=4,8", "--state=h=y", model=model) == (
        f'{model}: state "h": it is 4 at n = 4 but 8 at n = 8, and a state is kept from runs at one size to runs at '
        "another; give its dimensions one extent each."
    )


def test_a_model_that_the_build_quantises(tmp_path: Path) -> None:
    model = varying(tmp_path)
    samples = tmp_path / "samples.npy"
    np.save(samples, np.zeros((4, 1, 8), np.float32))
    arguments = ("--dimension=frames=8,16", "--quantize=int8", f"--calibration={samples}")
    assert refused(tmp_path, *arguments, model=model) == (
        f"{model}: dimension 'frames': it has 2 extents, but a model that the build quantises is measured on samples "
        "of one size; give it one extent, or quantise the model before it comes here."
    )


def test_a_model_that_brings_weights_into_the_arena(tmp_path: Path) -> None:
    model = varying(tmp_path)
    arguments = ("--dimension=batch=1,2", "--dimension=frames=8", "--prefetch")
    assert refused(tmp_path, *arguments, model=model) == (
        f"{model}: --prefetch: dimension 'batch' has 2 extents, and a model of several sizes does not bring weights "
        "into the arena; leave it out (prefetch), or give the dimension one extent."
    )


def test_a_pool_of_a_model_of_several_sizes(tmp_path: Path) -> None:
    model, out = varying(tmp_path), tmp_path / "out"
    pool = ("pool", "speech", "--board", "nrf52", "--out", out, "--quiet", "--model", model)
    done = stowage(*pool, "--dimension=batch=1", "--dimension=frames=8,16")
    assert (done.returncode, snapshot(out)) == (1, None)
    assert done.stderr == (
        f"stowage: {model}: dimension 'frames' has several extents, but a model of a pool has one size; give it one, "
        "or leave the model out.\n"
    )
