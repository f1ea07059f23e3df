# SPDX-License-Identifier: Apache-2.0
"""The action that runs the compiler."""

def run_compiler(ctx, command, board, out, stages, arguments, inputs, outputs, mnemonic, what):
    """Registers the action, of a rule that has the compiler as `_compiler`.

    Args:
      ctx: the rule's context
      command: the compiler's command and what has to follow it
      board: BoardInfo of the board that is compiled for
      out: the folder of all outputs
      stages: those of which the compiler is to print what it made
      arguments: the command's own
      inputs: the Files that the arguments name or that these files need
      outputs: the Files that come of it
      mnemonic: the action's
      what: what is compiled, for people
    """
    line = ctx.actions.args()
    line.add_all(command)
    line.add("--board", board.textproto)
    line.add_all(board.reserve, before_each = "--reserve")
    line.add("--out", out)
    line.add_all(stages, before_each = "--dump")
    line.add("--quiet")
    line.add_all(arguments)
    ctx.actions.run(
        executable = ctx.executable._compiler,
        arguments = [line],
        inputs = depset([board.textproto] + inputs),
        # Sums are added up in one order, and take the processor that the action was given.
        env = {"OPENBLAS_NUM_THREADS": "1"},
        outputs = outputs,
        mnemonic = mnemonic,
        progress_message = "Stowing {} for {}".format(what, board.name),
    )
