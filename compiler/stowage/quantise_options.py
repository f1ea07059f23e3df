# SPDX-License-Identifier: Apache-2.0
"""The options of the command line that ask for quantisation."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from stowage.errors import StowageError
from stowage.ir.dtype import DType
from stowage.quantise.request import BEST, RANGE_CHOICES, Labelled, Quantisation

_INTERFACES = {"int8": DType.I8, "float": DType.F32}
_NEED_QUANTISE = (
    "calibration",
    "ranges",
    "keep_float",
    "largest_error",
    "interface",
    "labelled_inputs",
    "labels",
    "min_accuracy",
)


def add_quantise_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options to the parser of `stowage compile`."""
    group = parser.add_argument_group("quantisation of a float model")
    group.add_argument("--quantize", choices=["int8"], help="turn the float model into one of 8-bit integers")
    group.add_argument("--calibration", type=Path, metavar="FILE", help="sample inputs, .npz or .npy")
    group.add_argument("--ranges", choices=RANGE_CHOICES, help=f"how activations' ranges are chosen (default: {BEST})")
    group.add_argument("--keep-float", action="append", metavar="NODE", help="a node that stays float")
    group.add_argument(
        "--largest-error", metavar="SHARE", help="keep the worst nodes float, so that the outputs' error is less"
    )
    group.add_argument("--interface", choices=_INTERFACES, help="type of inputs and outputs (default: int8)")
    group.add_argument("--labelled-inputs", type=Path, metavar="FILE", help="inputs to measure accuracy on")
    group.add_argument("--labels", type=Path, metavar="FILE", help="the class of each of them, a .npy file")
    group.add_argument("--min-accuracy", metavar="SHARE", help="least accuracy of the int8 model")


def quantisation_of(options: argparse.Namespace) -> Quantisation | None:
    """What the options ask for.

    Raises:
        StowageError: an option is missing beside another, or has no such value.
    """
    if options.quantize is None:
        _check_unused(options)
        return None
    if options.calibration is None:
        remedy = "give sample inputs as --calibration FILE"
        raise StowageError(where="--quantize", reason="there is nothing to measure ranges on", remedy=remedy)
    return Quantisation(
        calibration=options.calibration,
        ranges=options.ranges or BEST,
        keep_float=tuple(options.keep_float or ()),
        largest_error=None if options.largest_error is None else _share("--largest-error", options.largest_error),
        interface=_INTERFACES[options.interface or "int8"],
        labelled=_labelled(options),
    )


def _check_unused(options: argparse.Namespace) -> None:
    for name in _NEED_QUANTISE:
        if getattr(options, name):
            option = f"--{name.replace('_', '-')}"
            raise StowageError(
                where=option, reason="nothing is quantised", remedy="add --quantize int8 or leave it out"
            )


def _labelled(options: argparse.Namespace) -> Labelled | None:
    given = [options.labelled_inputs, options.labels, options.min_accuracy]
    if all(each is None for each in given):
        return None
    if any(each is None for each in given):
        reason = "accuracy needs labelled inputs, their labels and a budget"
        remedy = "give all of --labelled-inputs, --labels and --min-accuracy"
        raise StowageError(where="--min-accuracy", reason=reason, remedy=remedy)
    return Labelled(options.labelled_inputs, options.labels, _share("--min-accuracy", options.min_accuracy))


def _share(option: str, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise StowageError(where=option, reason=f'"{text}" is no share of 1', remedy="write for instance 0.975")
    return share
