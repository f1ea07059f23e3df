# SPDX-License-Identifier: Apache-2.0
"""The options that say which model is compiled for which board, and how."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeVar

from stowage.dump import size_of
from stowage.errors import StowageError
from stowage.extents import Extents, dimension_extents, varying
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, Level, Observer, compile_model
from stowage.progress import Progress
from stowage.quantise_options import add_quantise_options, quantisation_of
from stowage.size_option import size_of_option
from stowage.sized_pipeline import CompiledSizes, compile_sizes
from stowage.target.find_board import find_board

Told = TypeVar("Told", str, int)


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Declares the model, the board and what is said of them."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .onnx or .tflite file")
    add_board_options(parser)
    add_compiling_options(parser)


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Declares the board, and whether progress is shown."""
    parser.add_argument("--board", required=True, help="a board's name (nrf52) or the path of a board.textproto")
    parser.add_argument(
        "--reserve", action="append", default=[], metavar="NAME", help="a reservation of the board to honour"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, only errors")


def add_compiling_options(parser: argparse.ArgumentParser) -> None:
    """Declares how a model is compiled for whatever board."""
    parser.add_argument("--name", default="", help="C identifier of the model (default: from the file's name)")
    parser.add_argument(
        "--dimension",
        action="append",
        default=[],
        type=dimension_extents,
        metavar="NAME=N",
        help="extent of a symbolic dimension, or several (10,20 or 16..64/16), each of which gets a plan of its own",
    )
    parser.add_argument(
        "--constant",
        action="append",
        default=[],
        type=_constant,
        metavar="INPUT=N,...",
        help="the input is a constant of this build, for instance rate=16000; may be given more than once",
    )
    parser.add_argument(
        "--state",
        action="append",
        default=[],
        type=_state,
        metavar="INPUT=OUTPUT",
        help="the input holds in each run what the output held after the last; may be given more than once",
    )
    parser.add_argument(
        "--ram",
        type=size_of_option("--ram"),
        metavar="SIZE",
        help="the most that the arena may take, such as 20KiB: parts of the model run in stripes where it takes more",
    )
    parser.add_argument(
        "--arena",
        action="append",
        default=[],
        type=_arena,
        metavar="REGION=SIZE",
        help="an arena more, of at most that size, in another of the board's regions for arenas, or in fast, the first "
        "for arena_fast; buffers lie where they cost least; may be given more than once",
    )
    parser.add_argument(
        "--stream-input",
        action="store_true",
        help="the input, an image, is fed by rows while the model runs, so that it never is whole",
    )
    parser.add_argument(
        "--prefetch",
        action="store_true",
        help="bring weights into the arena by DMA, ahead of the steps that read them, where that pays",
    )
    parser.add_argument(
        "--no-npu", action="store_true", help="the processor computes all of the model, whatever NPU the board has"
    )
    add_quantise_options(parser)


def compiled_by(options: argparse.Namespace, observe: Observer = lambda stage, level: None) -> Compiled | CompiledSizes:
    """The model that the options name, compiled at one size or at several; progress goes to standard error unless they
    say not to.

    Args:
        options: the parsed command line.
        observe: told of every stage.

    Raises:
        StowageError: as `compile_model` or `compile_sizes`, or an option contradicts another.
    """
    target = find_board(options.board, tuple(options.reserve))
    wanted, dimensions = request_by(options), dimensions_of(options)
    if varying(dimensions):
        return compile_sizes(wanted, dimensions, target, shown(options, observe))
    return compile_model(wanted, target, shown(options, observe))


def dimensions_of(options: argparse.Namespace) -> dict[str, Extents]:
    """What the options say of dimensions, by their names.

    Raises:
        StowageError: they say two things of one.
    """
    told: dict[str, Extents] = {}
    for name, extents in options.dimension:
        if told.setdefault(name, extents) != extents:
            reason, remedy = f'dimension "{name}" is there twice', "give all its extents in one list"
            raise StowageError(where="--dimension", reason=reason, remedy=remedy)
    return told


def request_by(options: argparse.Namespace) -> ModelRequest:
    """What the options ask for of a model, with those dimensions alone that have one extent.

    Raises:
        StowageError: an option contradicts another.
    """
    quantisation = quantisation_of(options)
    return ModelRequest(
        model=options.model,
        name=options.name,
        dimensions={name: extents[0] for name, extents in dimensions_of(options).items() if len(extents) == 1},
        states=_once(options.state, "--state", "input", "is in two pairs", "give each state an input of its own"),
        fixed=_once(options.constant, "--constant", "input", "is given two values", "give it one"),
        quantisation=quantisation,
        ram_bytes=options.ram,
        prefetch=options.prefetch,
        npu=not options.no_npu,
        arenas=_once(options.arena, "--arena", "region", "is given two sizes", "give it one"),
        stream_input=options.stream_input,
    )


def shown(options: argparse.Namespace, observe: Observer) -> Observer:
    """An observer that also shows progress, unless the options say not to."""
    progress = Progress()

    def observed(stage: str, level: Level) -> None:
        observe(stage, level)
        if not options.quiet:
            progress.done(stage, size_of(level))

    return observed


def _constant(text: str) -> tuple[str, str]:
    name, separator, elements = text.rpartition("=")
    if not separator or not name:
        reason = f'"{text}" does not give an input its elements'
        raise StowageError(where="--constant", reason=reason, remedy="write INPUT=N,..., for instance rate=16000")
    return name, elements


def _arena(text: str) -> tuple[str, int]:
    region, separator, size = text.partition("=")
    if not separator or not region:
        reason = f'"{text}" does not give a region a size'
        raise StowageError(where="--arena", reason=reason, remedy="write REGION=SIZE, for instance fast=16KiB")
    return region, size_of_option(f"--arena {region}")(size)


def _state(text: str) -> tuple[str, str]:
    held, separator, kept = text.partition("=")
    if not separator or not held or not kept:
        reason = f'"{text}" does not pair an input with an output'
        raise StowageError(where="--state", reason=reason, remedy="write INPUT=OUTPUT, for instance h_in=h_out")
    return held, kept


def _once(pairs: list[tuple[str, Told]], option: str, kind: str, fault: str, remedy: str) -> dict[str, Told]:
    """What an option says of inputs or regions, by their names; of none two things."""
    told: dict[str, Told] = {}
    for name, value in pairs:
        if told.setdefault(name, value) != value:
            raise StowageError(where=option, reason=f'{kind} "{name}" {fault}', remedy=remedy)
    return told
