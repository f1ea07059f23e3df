# SPDX-License-Identifier: Apache-2.0
"""Kernel calls as MLIR attributes, and back. Arrays are named by their digest, as everywhere in dumps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stowage.ir.graph import Array, digest_of
from stowage.ir.text.attributes import Attribute, TextError, decode, encode
from stowage.target.kernels.kernel import Argument, KernelCall, KernelConstant, Overlap, ParameterValue

Parameters = tuple[tuple[str, ParameterValue], ...]


@dataclass(frozen=True, slots=True)
class _NamedArray:
    """A `KernelConstant` without its bytes."""

    role: str
    digest: str


_FIELDS: Mapping[str, Any] = {
    "header": str,
    "function": str,
    "arguments": tuple[Argument, ...],
    "scratch_bytes": tuple[int, ...],
    "scratch_alignment_bytes": int,
    "overlaps": tuple[Overlap, ...],
}


def encode_call(call: KernelCall) -> dict[str, Attribute]:
    """The attributes of a call."""
    fields = {name: encode(getattr(call, name)) for name in _FIELDS}
    constants = tuple(_NamedArray(constant.role, digest_of(constant.array)) for constant in call.constants)
    return {**fields, "parameters": encode_parameters(call.parameters), "constants": encode(constants)}


def decode_call(attribute: Attribute, arrays: Mapping[str, Array]) -> KernelCall:
    """The call that a dictionary stands for, its constants taken from a table by digest.

    Raises:
        TextError: it stands for none, or a constant is not in the table.
    """
    if not isinstance(attribute, Mapping) or attribute.keys() != _FIELDS.keys() | {"parameters", "constants"}:
        raise TextError(f"a call has the fields {', '.join(_FIELDS)}, parameters, constants")
    fields = {name: decode(attribute[name], hint) for name, hint in _FIELDS.items()}
    constants = tuple(_constants(attribute["constants"], arrays))
    return KernelCall(parameters=decode_parameters(attribute["parameters"]), constants=constants, **fields)


def encode_parameters(parameters: Parameters) -> dict[str, Attribute]:
    """A call's parameters as a dictionary."""
    return {name: encode(value) for name, value in parameters}


def decode_parameters(attribute: Attribute) -> Parameters:
    """The parameters that a dictionary stands for.

    Raises:
        TextError: it stands for none.
    """
    if not isinstance(attribute, Mapping):
        raise TextError(f"{attribute!r} is no dictionary of parameters")
    return tuple((name, decode(value, ParameterValue)) for name, value in attribute.items())


def _constants(attribute: Attribute, arrays: Mapping[str, Array]) -> Iterator[KernelConstant]:
    for named in decode(attribute, tuple[_NamedArray, ...]):
        if named.digest not in arrays:
            raise TextError(f"the table of constants has no {named.digest}")
        yield KernelConstant(named.role, arrays[named.digest])
