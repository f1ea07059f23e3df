# SPDX-License-Identifier: Apache-2.0
"""TFLite's functions of 8-bit numbers, by the fixed-point definitions of its reference kernels.

All take integers without the input's zero point and give steps of the output without its zero point, not yet clamped.
The compiler makes tables of those of one number, so that none is computed on the device.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stowage.ir.requantise import Multiplier, quantise_multiplier
from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.change_of_scale import rectifier_quotient
from stowage.ir.tflite.fixed_point import NARROW, WIDE, Int64s, divided_by_power, multiplied
from stowage.ir.tflite.softmax import input_radius
from stowage.ir.tflite.transcendental import logistic, tanh

_INTEGER_BITS = 4
"""Of the argument of the logistic function and of tanh."""


def quantised_logistic(centred: Int64s, source: Quant) -> Int64s:
    """In steps of 1/256 from -128 on: the output's zero point is -128."""
    argument, inside = _argument(centred, source)
    steps = divided_by_power(logistic(argument, _INTEGER_BITS, WIDE), 31 - 8)
    return np.where(inside, steps, np.where(centred > 0, 255, 0))


def quantised_tanh(centred: Int64s, source: Quant) -> Int64s:
    """In steps of 1/128: the output's zero point is 0."""
    argument, inside = _argument(centred, source)
    steps = divided_by_power(tanh(argument, _INTEGER_BITS, WIDE), 31 - 7)
    return np.where(inside, steps, np.where(centred > 0, 127, -128))


def _argument(centred: Int64s, source: Quant) -> tuple[Int64s, NDArray[np.bool_]]:
    """The real numbers with four integer bits, and which of them these can hold."""
    fraction, left_shift = math.frexp(source.scale * 2.0 ** (31 - _INTEGER_BITS))
    radius = input_radius(_INTEGER_BITS, left_shift)
    inside = np.abs(centred) < radius
    return multiplied(np.where(inside, centred, 0), math.floor(fraction * 2**31 + 0.5), left_shift), inside


def leaky_relu_multipliers(source: Quant, result: Quant, alpha: float) -> tuple[Multiplier, Multiplier]:
    """What numbers from 0 on and negative ones are multiplied by, in single precision; the second has a sign."""
    kept = quantise_multiplier(rectifier_quotient(source.scale, result.scale))
    slope = float(np.float32(source.scale) * np.float32(alpha) / np.float32(result.scale))
    sloped = quantise_multiplier(abs(slope))
    return kept, Multiplier(-sloped.value if slope < 0 else sloped.value, sloped.shift)


def quantised_leaky_relu(centred: Int64s, source: Quant, result: Quant, alpha: float) -> Int64s:
    """Either side has a multiplier of its own."""
    kept, sloped = leaky_relu_multipliers(source, result, alpha)
    below = multiplied(centred, sloped.value, 31 - sloped.shift)
    return np.where(centred >= 0, multiplied(centred, kept.value, 31 - kept.shift), below)


def prelu_multipliers(source: Quant, slopes: Quant, result: Quant) -> tuple[Multiplier, Multiplier]:
    """What numbers are multiplied by, and products of numbers and slopes; in single precision."""
    number, slope, step = (np.float32(quant.scale) for quant in (source, slopes, result))
    return quantise_multiplier(float(number / step)), quantise_multiplier(float(number * slope / step))


def quantised_prelu(centred: Int64s, slopes: Int64s, kept: Multiplier, sloped: Multiplier) -> Int64s:
    """Numbers and slopes without zero points, broadcast; a negative number is multiplied by its slope."""
    products = multiplied(centred * slopes, sloped.value, 31 - sloped.shift)
    return np.where(centred >= 0, multiplied(centred, kept.value, 31 - kept.shift), products)


def quantised_hard_swish(centred: Int64s, source: Quant, result: Quant) -> Int64s:
    """In 16 bits: the input with 7 more bits, times the clamped (x + 3) / 6."""
    fine_scale = np.float32(1.0 / 128.0) * np.float32(source.scale)
    output, output_exponent = _narrow_multiplier(float(fine_scale / np.float32(result.scale)))
    relu, relu_exponent = _narrow_multiplier(float(fine_scale / (np.float32(3.0) / np.float32(32768.0))))
    fine = centred << 7
    gate = _gate(fine, relu, relu_exponent)
    product = _truncating(gate * NARROW.product(fine, output))
    return divided_by_power(product, -output_exponent)


def _truncating(product: Int64s) -> Int64s:
    """SaturatingDoublingHighMul: divided by 2**15 towards zero."""
    return NARROW.saturated(np.sign(product) * (np.abs(product) >> 15))


def _gate(fine: Int64s, multiplier: int, exponent: int) -> Int64s:
    """(x + 3) / 6 within 0 and 1, with 15 fraction bits."""
    value = NARROW.saturated(fine << (exponent - 1)) if exponent > 0 else fine
    value = NARROW.product(value, multiplier)
    value = NARROW.scaled(value, min(exponent, 1))
    return (value + (1 << 15)) >> 1


def _narrow_multiplier(real: float) -> tuple[int, int]:
    """A multiplier of 16 bits and its exponent."""
    multiplier = quantise_multiplier(real)
    return min((multiplier.value + (1 << 15)) >> 16, 2**15 - 1), 31 - multiplier.shift
