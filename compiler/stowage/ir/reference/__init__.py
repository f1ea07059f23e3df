# SPDX-License-Identifier: Apache-2.0
"""What every operator means, in NumPy: `run` computes any graph, quantised nodes bit for bit as the kernels do."""

from stowage.ir.reference.interpreter import run

__all__ = ["run"]
