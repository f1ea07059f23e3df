# SPDX-License-Identifier: Apache-2.0
"""An apt of our own: its sources, lists and archives in a folder of ours, nothing installed, any user.

It downloads a suite's packages with all that they depend on. The machine's apt contributes the archive's address, the
keyring that the index is checked with, and its proxies; what the machine has installed does not matter.
"""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from third_party.debian.mirror import Mirror
from tools.dev.bootstrap.failure import ELSEWISE, SetUpFailed
from tools.dev.bootstrap.progress import Counter

# bazel-bootstrap depends on a Java compiler, half of the whole download, that only Java rules would call. apt takes
# it for installed and leaves it out.
_TAKEN_FOR_INSTALLED = """\
Package: default-jdk-headless
Status: install ok installed
Architecture: amd64
Version: 2:1.999
Maintainer: nobody
Description: left out
"""


class PrivateApt:
    """apt with its whole state below `folder`, for one suite."""

    def __init__(self, folder: Path, mirror: Mirror, suite: str) -> None:
        self._folder, self._suite = folder, suite
        self.archives = folder / "archives"
        for name in ("lists/partial", "archives/partial", "nowhere/partial", "sources.list.d", "preferences.d"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "status").write_text(_TAKEN_FOR_INSTALLED)
        signed_by = f"[signed-by={mirror.signed_by}] " if mirror.signed_by else ""
        (folder / "sources.list").write_text(f"deb {signed_by}{mirror.url} {suite} main\n")

    def update(self) -> None:
        """Fetch the suite's index; apt checks its signature."""
        self._run("apt-get", "update", "--error-on=any")

    def describe(self, packages: list[str]) -> str:
        """The index's stanzas of these packages, separated by empty lines."""
        return self._run("apt-cache", "show", "--no-all-versions", *packages)

    def download(self, packages: list[str]) -> list[Path]:
        """Download the packages and what they depend on, and return the archives."""
        # apt lists what it has yet to download; with no archives at all, everything.
        nowhere = ("-o", f"Dir::Cache::Archives={self._folder}/nowhere")
        listed = self._run("apt-get", *nowhere, "install", "--print-uris", *packages)
        wanted = re.findall(r"^'\S+' (\S+) (\d+) ", listed, re.MULTILINE)
        megabytes = sum(int(size_bytes) for _, size_bytes in wanted) // 1_000_000
        self._run("apt-get", "install", "--download-only", *packages, watch=Counter("downloading", megabytes, "MB"))
        return [self.archives / name for name, _ in wanted]

    def _run(self, program: str, *arguments: str, watch: Counter | None = None) -> str:
        command = [program, "-qq", *self._options(), *arguments]
        with (self._folder / "log").open("w+") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                self._wait(process, watch)
            finally:
                process.kill()
            log.seek(0)
            output = log.read()
        if process.returncode != 0:
            raise SetUpFailed(
                f"{self._reason(output)}: check the network and apt's sources, then run again, {ELSEWISE}"
            )
        return output

    def _wait(self, process: subprocess.Popen[bytes], watch: Counter | None) -> None:
        while process.poll() is None:
            time.sleep(0.2)
            if watch:
                watch.show(self._downloaded_bytes() // 1_000_000)
        if watch and process.returncode == 0:
            watch.show(self._downloaded_bytes() // 1_000_000)

    def _downloaded_bytes(self) -> int:
        size_bytes = 0
        for file in self.archives.rglob("*.deb"):
            with suppress(FileNotFoundError):  # apt moves an archive out of partial/ when it is whole
                size_bytes += file.stat().st_size
        return size_bytes

    def _reason(self, output: str) -> str:
        errors = [line[2:].strip() for line in output.splitlines() if line.startswith("E:")]
        return f"apt could not get Debian {self._suite}'s packages ({errors[0] if errors else 'it gave no reason'})"

    def _options(self) -> list[str]:
        settings = {
            "Dir::Etc::SourceList": self._folder / "sources.list",
            "Dir::Etc::SourceParts": self._folder / "sources.list.d",
            "Dir::Etc::Preferences": "/dev/null",
            "Dir::Etc::PreferencesParts": self._folder / "preferences.d",
            "Dir::State": self._folder,
            "Dir::State::Lists": self._folder / "lists",
            "Dir::State::Status": self._folder / "status",
            "Dir::Cache": self._folder,
            "Dir::Cache::Archives": self.archives,
            "APT::Architecture": "amd64",
            "APT::Get::Assume-Yes": "true",
            "APT::Install-Recommends": "false",
            "APT::Keep-Downloaded-Packages": "true",
            # A root user's apt would download as a user who cannot write here.
            "APT::Sandbox::User": "root",
            # A mirror may serve an index that is weeks old; its signature still counts.
            "Acquire::Check-Valid-Until": "false",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
        }
        return [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
