# SPDX-License-Identifier: Apache-2.0
"""The memory report as people and tools read it."""

from __future__ import annotations

from tools.size.image import Symbol
from tools.size.report import report_record, report_text
from tools.size.usage import Part, Usage

USED = Usage(
    flash=(Part("flash", "code", 1000), Part("flash", "weights", 3000), Part("flash", "code", 96)),
    ram=(Part("sram", "stack", 2048), Part("sram", "arena", 512)),
    regions=(("flash", 4096, 8192), ("sram", 2560, 10240)),
    flash_symbols=(Symbol("kws_conv_weights", 0, 3000, ".stw_weights"), Symbol("main", 0, 96, ".text")),
    ram_symbols=(Symbol("kws_arena", 0, 512, ".stw_arena"),),
)
MODEL = {
    "model": "kws",
    "arena_bytes": 512,
    "lower_bound_bytes": 500,
    "gap_bytes": 12,
    "peak": {"step": "conv", "buffers": [{"name": "image", "size_bytes": 400}]},
}

TEXT = """\
Memory of //app:fw on board nrf52

  region              used          of
  flash              4,096       8,192 B   50.0 %
  sram               2,560      10,240 B   25.0 %

  flash              4,096 B
    weights          3,000 B
    code             1,096 B

  RAM                2,560 B
    stack            2,048 B
    arena              512 B
  of the stack, at most 364 B are ever used (static bound)

  largest in flash
         3,000 B  kws_conv_weights
            96 B  main

  largest in RAM
           512 B  kws_arena

  model kws: arena 512 B (lower bound 500 B, gap 12 B)
    peak in step "conv":
           400 B  image
"""


def test_the_text() -> None:
    assert report_text(report_record("//app:fw", "nrf52", USED, 364, [MODEL])) == TEXT


def test_the_record() -> None:
    record = report_record("//app:fw", "nrf52", USED, 364, [MODEL])
    assert (record["flash_bytes"], record["ram_bytes"], record["stack_bound_bytes"]) == (4096, 2560, 364)
    assert record["flash"] == {"weights": 3000, "code": 1096}
    assert record["models"] == [MODEL]
