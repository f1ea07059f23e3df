# SPDX-License-Identifier: Apache-2.0
"""The command line: `stowage compile MODEL --board BOARD --out DIR`, `stowage report MODEL --board BOARD`,
`stowage pareto MODEL --board BOARD`, `stowage pool NAME --board BOARD --out DIR --model MODEL --model MODEL` and
`stowage plan PROBLEM [--capacity SIZE]`.

Exit status 0 when the output is complete, 1 when the model, the board or an argument's value is refused (one sentence
on standard error and no output file), 2 with a word on the usage when an argument is missing or unknown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from stowage.compile_command import add_compile
from stowage.errors import StowageError
from stowage.pareto_command import add_pareto
from stowage.plan_command import add_plan
from stowage.pool_command import add_pool
from stowage.report_command import add_report


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    try:
        options = _parser().parse_args(arguments)
        return int(options.run(options))
    except StowageError as refusal:
        print(f"stowage: {refusal}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="stowage", description="Neural networks to C with every byte planned.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_compile(commands.add_parser("compile", help="turn a model into C sources for a board"))
    add_pareto(commands.add_parser("pareto", help="tell what arenas a model can have, and what each costs"))
    add_plan(commands.add_parser("plan", help="find places for the buffers of a CSV table"))
    add_pool(commands.add_parser("pool", help="turn several models into C sources that share one arena"))
    add_report(commands.add_parser("report", help="tell what memory a model takes on a board, and why"))
    return parser


if __name__ == "__main__":
    # `bazel run` starts programs in a folder of its own and says where the person was.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main())
