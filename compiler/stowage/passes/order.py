# SPDX-License-Identifier: Apache-2.0
"""All passes in the order in which they run, and why each stands where it stands."""

from __future__ import annotations

from stowage.passes.absorb_transposes import ABSORB_TRANSPOSES
from stowage.passes.align_ranks import ALIGN_RANKS
from stowage.passes.dead_channels import DROP_DEAD_CHANNELS
from stowage.passes.depthwise import DEPTHWISE
from stowage.passes.drop_empty import DROP_EMPTY
from stowage.passes.drop_neutral import DROP_NEUTRAL
from stowage.passes.fit_accumulators import FIT_ACCUMULATORS
from stowage.passes.fold_affine import FOLD_AFFINE
from stowage.passes.fold_constants import DEQUANTISE_CONSTANTS, FOLD_CONSTANTS
from stowage.passes.fold_pad import FOLD_PAD
from stowage.passes.fold_quantise import FOLD_QUANTISE
from stowage.passes.fuse_activation import FUSE_ACTIVATION
from stowage.passes.fuse_addition import FUSE_ADDITION
from stowage.passes.graph_pass import Pass
from stowage.passes.layout import LAYOUT
from stowage.passes.merge_means import MERGE_MEANS
from stowage.passes.prune import PRUNE
from stowage.passes.signed_quantisation import SIGNED_QUANTISATION
from stowage.passes.simplify_gemm import SIMPLIFY_GEMM
from stowage.passes.sink_reshapes import SINK_RESHAPES
from stowage.passes.split_layers import SPLIT_LAYERS
from stowage.passes.symmetric_weights import SYMMETRIC_WEIGHTS
from stowage.passes.tables import TABLES
from stowage.passes.widen_halves import WIDEN_HALVES

FLOAT_PASSES: tuple[Pass, ...] = (
    # First: no other pass, and no kernel but those that read nothing of a constant, meets a tensor without elements.
    DROP_EMPTY,
    # Early: the others, and the kernels, compute in float32 alone.
    WIDEN_HALVES,
    # Weights reach the later passes as plain constants, or as integers behind one Dequantize.
    FOLD_CONSTANTS,
    # Once constants are known, and while operands have the ranks that the model gave them.
    DROP_NEUTRAL,
    # Before layout, which spares the Transpose in front of a flattening only if a dense layer follows.
    SIMPLIFY_GEMM,
    # Before layout and everything that asks for a sole user: copies of one Quantize would each count as one.
    PRUNE,
    # Before layout, which permutes operands of one rank alone.
    ALIGN_RANKS,
    # Before all fusions: the importer put Transposes between a convolution and what follows it.
    LAYOUT,
    # The constants that layout transposed, before anything looks for them.
    FOLD_CONSTANTS,
    # The Reshapes that layout left of Transposes that move nothing, before they are in the way.
    PRUNE,
    # After layout has decided for it, and while weights still are next to their layer.
    ABSORB_TRANSPOSES,
    # Before the fusions, which look at direct neighbours alone.
    SINK_RESHAPES,
    # Before activations are fused: a clamp between layer and normalisation would be in the way.
    FOLD_AFFINE,
    # Before quantise folding, which then meets an operator with its clamp as one node.
    FUSE_ACTIVATION,
    # Before quantise folding, which takes one operator at a time.
    MERGE_MEANS,
)
"""Those that work on reals: a float model that is to be quantised is when these have simplified it."""

SPARING_PASSES: tuple[Pass, ...] = (
    # After layers are split: a part of one may be dead.
    DROP_DEAD_CHANNELS,
    # When nothing looks for convolutions and sums any more.
    FUSE_ADDITION,
    # Last: equal tables and constants.
    PRUNE,
)
"""Those that take tensors out of a graph that could be compiled without them; the report tells what that saves."""

INTEGER_PASSES: tuple[Pass, ...] = (
    # Before quantise folding: the integer operators that it makes are signed.
    SIGNED_QUANTISATION,
    # After everything that works on reals; integers are rounded as the operators round them then.
    FOLD_QUANTISE,
    # Integer operators have weights with zero points only up to here.
    SYMMETRIC_WEIGHTS,
    # For layers that came as integers; those that quantise folding made fit already.
    FIT_ACCUMULATORS,
    # Again: activations that stood behind a Quantize now follow their operator.
    FUSE_ACTIVATION,
    # Weights are constants now, whether float or integer.
    DEPTHWISE,
    # After quantise folding, which moves Pads from between Dequantize and Quantize.
    FOLD_PAD,
    # The activations that no operator took, and changes of quantisation that meet.
    TABLES,
    # What quantise folding left to float kernels gets float weights.
    DEQUANTISE_CONSTANTS,
    # Reshapes that met: one may hide channels that two of them show.
    PRUNE,
    # When every layer is what it will be, with its padding and its rounding.
    SPLIT_LAYERS,
    *SPARING_PASSES,
)
"""Those that make integer operators, and what can only come after them."""

PASSES = FLOAT_PASSES + INTEGER_PASSES
