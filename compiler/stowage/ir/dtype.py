# SPDX-License-Identifier: Apache-2.0
"""Element types: the names that the dumps, NumPy, MLIR and the generated C use for one and the same thing."""

from __future__ import annotations

import enum

import numpy as np


class DType(enum.Enum):
    """An element type; the value is its MLIR spelling (signless where ONNX's is signed, ``ui`` where it is
    unsigned)."""

    F16 = "f16"
    F32 = "f32"
    F64 = "f64"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    U8 = "ui8"
    U16 = "ui16"
    U32 = "ui32"
    U64 = "ui64"
    BOOL = "i1"

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The NumPy dtype that holds one element."""
        return np.dtype(_NUMPY[self.value])

    @property
    def size_bytes(self) -> int:
        """Bytes of one element in the arena (a bool takes one byte)."""
        return self.numpy.itemsize

    @property
    def is_float(self) -> bool:
        """Whether elements are IEEE 754 numbers."""
        return self in (DType.F16, DType.F32, DType.F64)

    @staticmethod
    def of(dtype: np.dtype[np.generic]) -> DType:
        """The element type of a NumPy array's dtype; KeyError where Stowage has none."""
        return _FROM_NUMPY[np.dtype(dtype).name]


_NUMPY = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "i1": "bool",
}
_FROM_NUMPY = {name: DType(mlir) for mlir, name in _NUMPY.items()}
