# SPDX-License-Identifier: Apache-2.0
"""What the Arm toolchains make, seen in the probe's ELF files; and the binary tools, run on one of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

FOLDER = Path("tools/toolchains")
# Build attributes of the Arm ABI (addenda, 2.3): the architecture, and whether floats go in registers.
ARCHITECTURES = {
    "cortex_m0": "v6S-M",
    "cortex_m3": "v7",
    "cortex_m33": "v8-M.mainline",
    "cortex_m4f": "v7E-M",
    "cortex_m55": "v8.1-M.mainline",
    "cortex_m7": "v7E-M",
}

WITHOUT_FLOAT_UNIT = {"cortex_m0", "cortex_m3"}


def core_names() -> list[str]:
    """The cores that there are toolchains for."""
    return os.environ["CORES"].split()


def run(program: str, *arguments: str | Path) -> str:
    """Run one of the binary tools and return what it prints."""
    finished = subprocess.run([os.environ[f"ARM_{program}"], *arguments], capture_output=True, text=True, check=True)
    return finished.stdout


@pytest.fixture(params=core_names())
def core(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def image(core: str) -> Path:
    return FOLDER / f"{core}_probe.elf"


def test_every_core_is_known_to_this_test() -> None:
    assert sorted(core_names()) == sorted(ARCHITECTURES)


def test_code_is_for_the_core(core: str, image: Path) -> None:
    attributes = run("READELF", "--arch-specific", image)
    assert f"Tag_CPU_arch: {ARCHITECTURES[core]}\n" in attributes
    assert "Tag_CPU_arch_profile: Microcontroller" in attributes or core == "cortex_m0"
    assert ("Tag_ABI_VFP_args: VFP registers" in attributes) == (core not in WITHOUT_FLOAT_UNIT)


def test_multiply_and_add_round_twice(core: str, image: Path) -> None:
    disassembly = run("OBJDUMP", "--disassemble", "--disassembler-options=force-thumb", image)
    instructions = {line.split("\t")[2].strip() for line in disassembly.splitlines() if line.count("\t") >= 2}
    assert not any(instruction.startswith(("vfma", "vmla")) for instruction in instructions)
    assert ("vmul.f32" in instructions) == (core not in WITHOUT_FLOAT_UNIT)


def test_unused_function_is_not_linked(image: Path) -> None:
    symbols = run("NM", image)
    assert " T reset\n" in symbols
    assert "unused_function" not in symbols


def test_debug_information_is_kept_without_a_path_of_the_build(image: Path) -> None:
    with image.open("rb") as file:
        information = ELFFile(file).get_dwarf_info()
        tops = [unit.get_top_DIE().attributes for unit in information.iter_CUs()]
    probe = [top for top in tops if top["DW_AT_name"].value == b"tools/toolchains/probe.c"]
    assert [top["DW_AT_comp_dir"].value for top in probe] == [b"."]


def test_image_names_no_folder_of_the_machine(image: Path) -> None:
    content = image.read_bytes()
    here = str(Path.cwd()).split("/bazel-out/")[0].encode()
    assert b"/proc/self/cwd" not in content
    assert b"execroot" not in content
    assert here not in content


def test_image_has_no_build_identifier(image: Path) -> None:
    with image.open("rb") as file:
        assert ELFFile(file).get_section_by_name(".note.gnu.build-id") is None


def test_archive_records_neither_time_nor_owner(core: str) -> None:
    archive = (FOLDER / f"lib{core}_probe_library.lo").read_bytes()
    name_bytes, fields_bytes = 16, 32
    member = archive.index(b"probe.o/")
    fields = archive[member + name_bytes : member + name_bytes + fields_bytes].split()
    assert fields == [b"0", b"0", b"0", b"644"]


def test_objcopy_makes_hex(tmp_path: Path, image: Path) -> None:
    hex_file = tmp_path / "probe.hex"
    run("OBJCOPY", "--output-target=ihex", image, hex_file)
    assert hex_file.read_text().startswith(":")


def test_size_counts_code(image: Path) -> None:
    text_bytes = int(run("SIZE", image).splitlines()[1].split()[0])
    assert 50 < text_bytes < 5000
