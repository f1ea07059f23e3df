# SPDX-License-Identifier: Apache-2.0
"""What the command line shows while it works: one line a stage on standard error, with its time."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_PATIENCE_SECONDS = 2.0


class Progress:
    """Prints a line when a stage is done: its name, what there is now, and the milliseconds that it took."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._since = time.perf_counter()

    def done(self, stage: str, what: str) -> None:
        """Tells that a stage has ended."""
        now = time.perf_counter()
        print(f"stowage: {stage:<22} {what:<28} {(now - self._since) * 1e3:8.1f} ms", file=self._stream, flush=True)
        self._since = now

    def still(self, stage: str, what: str) -> None:
        """Tells that a stage goes on, unless the last line is not two seconds old."""
        if time.perf_counter() - self._since >= _PATIENCE_SECONDS:
            self.done(stage, what)
