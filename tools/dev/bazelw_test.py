# SPDX-License-Identifier: Apache-2.0
"""Which Bazel ./bazelw takes, and what it says where it can set none up. The set-up itself takes a network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PARTS = ["bazelw", ".bazelversion", "tools/dev/bootstrap", "third_party/registry", "third_party/debian/mirror.py"]
# All that bazelw and the start of its set-up call; no apt-get.
PROGRAMS = "bash cat cut dirname dpkg-deb env find readlink sed sha256sum sort tar unshare xargs"


class Machine:
    """A copy of the workspace and a folder of programs that is the whole PATH."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self._programs, self._cache = folder / "workspace", folder / "bin", folder / "cache"
        self._programs.mkdir()
        (self._programs / "python3").symlink_to(sys.executable)
        for program in PROGRAMS.split():
            (self._programs / program).symlink_to(shutil.which(program) or f"/missing/{program}")
        for part in PARTS:
            self._copy(Path(part), self.workspace / part)

    def _copy(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)

    def install(self, name: str, version: str, exit_code: int = 0) -> None:
        """Put a program in the PATH that answers --version as Bazel does, and says so when it is run."""
        program = self._programs / name
        version_answer = f'[ "$1" = --version ] && echo "bazel {version}" && exit'
        program.write_text(f'#!/bin/sh\n{version_answer}\necho "{name} ran: $* in $PWD"\nexit {exit_code}\n')
        program.chmod(0o755)

    def bazelw(self, *arguments: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        """Run ./bazelw from a folder of the workspace."""
        environment = {"PATH": str(self._programs), "HOME": str(self._cache), "XDG_CACHE_HOME": str(self._cache)}
        command = [str(self.workspace / "bazelw"), *arguments]
        where = self.workspace / folder
        return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def wanted_major() -> str:
    return Path(".bazelversion").read_text().split(".")[0]


def test_takes_the_machines_bazel_of_the_same_major_version(machine: Machine) -> None:
    machine.install("bazel", f"{wanted_major()}.0.0")
    ran = machine.bazelw("build", "//a b", folder="tools/dev")
    assert ran.stdout == f"bazel ran: build //a b in {machine.workspace}/tools/dev\n"


def test_takes_bazelisk_before_bazel(machine: Machine) -> None:
    machine.install("bazel", f"{wanted_major()}.9.9")
    machine.install("bazelisk", f"{wanted_major()}.7.1")
    assert machine.bazelw("info").stdout.startswith("bazelisk")


def test_follows_a_link_to_itself(machine: Machine, tmp_path: Path) -> None:
    machine.install("bazel", f"{wanted_major()}.0.0")
    link = tmp_path / "link"
    link.symlink_to(machine.workspace / "bazelw")
    ran = subprocess.run([link, "info"], env={"PATH": str(tmp_path / "bin")}, capture_output=True, text=True)
    assert ran.stdout.startswith("bazel")


def test_exit_code_is_bazels(machine: Machine) -> None:
    machine.install("bazel", f"{wanted_major()}.0.0", exit_code=37)
    assert machine.bazelw("test").returncode == 37


@pytest.mark.parametrize("version", ["4.2.3", "77.0.0", "no_version", ""])
def test_sets_up_its_own_in_place_of_another_major_version(machine: Machine, version: str) -> None:
    machine.install("bazel", version)
    refused = machine.bazelw("info")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("bazelw: no apt-get on this machine:")


def test_failure_is_one_sentence_with_a_remedy_and_leaves_nothing_half_made(machine: Machine, tmp_path: Path) -> None:
    refused = machine.bazelw("info")
    assert refused.stderr.count("\n") == 1
    assert "install bazelisk" in refused.stderr
    assert [left.name for left in Path(tmp_path / "cache/stowage").iterdir()] == ["lock"]
