# SPDX-License-Identifier: Apache-2.0
"""Set Bazel up for ./bazelw: Debian's packaged Bazel in a root file system of its own, in the user's cache folder.

Nothing is installed on the machine, and any user may run it. The folder appears under its name only when it is whole;
a run that is interrupted leaves what it downloaded for the next, and two runs at once wait for each other.
"""

from __future__ import annotations

import argparse
import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from third_party.debian.mirror import VARIABLE, Mirror, find_mirror
from tools.dev.bootstrap.apt import PrivateApt
from tools.dev.bootstrap.configure import configure
from tools.dev.bootstrap.failure import ELSEWISE, SetUpFailed
from tools.dev.bootstrap.progress import say
from tools.dev.bootstrap.unpack import unpack

_HERE = Path(__file__).resolve().parent
_SOURCES = _HERE.parents[2]
_NEEDED_BYTES = 3_000_000_000


def set_up(root: Path, major: str) -> None:
    """Make `root`, unless another run has made it meanwhile."""
    cache = root.parent
    cache.mkdir(parents=True, exist_ok=True)
    with _locked(cache / "lock"):
        if root.exists():
            return
        mirror = _check_machine(cache)
        say(f"setting Bazel {major} up in {root}, once; it takes a minute or two")
        growing = root.with_suffix(".unfinished")
        if growing.exists():
            shutil.rmtree(growing)
        unpack(_download(cache / "apt", mirror), growing)
        say("configuring")
        configure(growing, _SOURCES, cache / "downloads")
        _check_version(growing, major)
        growing.rename(root)
        shutil.rmtree(cache / "apt")
        say("Bazel is set up")


def _check_machine(cache: Path) -> Mirror:
    """Refuse early what would fail late, and return the archive to download from."""
    for program in ("apt-get", "dpkg-deb", "tar", "unshare"):
        if shutil.which(program) is None:
            raise SetUpFailed(f"no {program} on this machine: ./bazelw sets Bazel up on Debian only, {ELSEWISE}")
    if not _can_enter():
        raise SetUpFailed(
            "this machine forbids the name spaces that a root file system of one's own takes: "
            f"allow unprivileged user namespaces, in a container run it privileged, {ELSEWISE}"
        )
    mirror = find_mirror()
    if mirror is None:
        raise SetUpFailed(f"apt names no Debian archive: set {VARIABLE} to the URL of one, {ELSEWISE}")
    if shutil.disk_usage(cache).free < _NEEDED_BYTES:
        raise SetUpFailed(f"{cache} has less than {_NEEDED_BYTES // 10**9} GB free: free some, or set XDG_CACHE_HOME")
    return mirror


def _can_enter() -> bool:
    """Whether this user may have mounts of its own, as itself or as root of a user name space."""
    attempts = (["unshare", "--mount", "true"], ["unshare", "--user", "--map-root-user", "--mount", "true"])
    return any(subprocess.run(attempt, capture_output=True).returncode == 0 for attempt in attempts)


def _download(folder: Path, mirror: Mirror) -> list[Path]:
    apt = PrivateApt(folder, mirror, "sid")
    say("reading the package index")
    apt.update()
    lines = (_HERE / "packages.txt").read_text().splitlines()
    return apt.download([line for line in lines if line and not line.startswith("#")])


def _check_version(root: Path, major: str) -> None:
    """Run Bazel once: it proves that the root file system can be entered here and holds the version asked for."""
    run = subprocess.run([_HERE / "enter.sh", root, "bazel", "--version"], capture_output=True, text=True)
    if run.returncode != 0:
        raise SetUpFailed(f"Bazel does not start in {root} ({run.stderr.strip()}): report this, {ELSEWISE}")
    version = run.stdout.split()[1]
    if version.split(".")[0] != major:
        raise SetUpFailed(f"Debian now carries Bazel {version}, and this repository needs {major}: install bazelisk")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another run is setting Bazel up; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Parse the two arguments that ./bazelw gives, and turn a failure into its sentence."""
    parser = argparse.ArgumentParser(description="Set Bazel up for ./bazelw.")
    parser.add_argument("--root", type=Path, required=True, help="the folder to make")
    parser.add_argument("--major", required=True, help="Bazel's major version")
    arguments = parser.parse_args()
    try:
        set_up(arguments.root, arguments.major)
    except SetUpFailed as failure:
        sys.exit(f"bazelw: {failure}.")
    except KeyboardInterrupt:
        sys.exit("\nbazelw: interrupted while setting Bazel up; run it again to go on from here.")
    except OSError as error:
        sys.exit(f"bazelw: {error.strerror or error} ({error.filename}): Bazel is not set up; mend that and run again.")


if __name__ == "__main__":
    main()
