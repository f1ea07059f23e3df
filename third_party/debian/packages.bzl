# SPDX-License-Identifier: Apache-2.0
"""Unpack pinned Debian packages into a repository, as a step of a repository rule.

A lock is a JSON list of {"name", "version", "path", "sha256"}; lock.py writes it. A path is relative to an archive, and
which archive is the machine's affair: apt's configuration names it (see mirror.py). The hash decides what is accepted.
"""

VARIABLE = "STOWAGE_DEBIAN_MIRROR"

def find_mirror(rctx):
    """The URL of the Debian archive that this machine uses.

    Args:
      rctx: the repository rule's context
    Returns:
      the URL, or None where neither apt nor the variable STOWAGE_DEBIAN_MIRROR names one
    """
    python = rctx.which("python3") or fail("python3 is not on the PATH: install it")
    found = rctx.execute([python, "-B", rctx.path(Label("//third_party/debian:mirror.py"))])
    return found.stdout.strip() if found.return_code == 0 else None

def unpack_packages(rctx, mirror, lock):
    """Downloads every package of a lock, checks its hash, and unpacks its files into the repository.

    Args:
      rctx: the repository rule's context
      mirror: the URL of a Debian archive
      lock: the label of the lock file
    """
    packages = json.decode(rctx.read(lock))
    for package in packages:
        package["download"] = rctx.download(
            url = mirror + "/" + package["path"],
            output = _archive(package),
            sha256 = package["sha256"],
            block = False,
        )
    for package in packages:
        rctx.report_progress("unpacking " + package["name"])
        package["download"].wait()
        rctx.extract(_archive(package), output = "package")
        rctx.extract("package/data.tar.xz")
        rctx.delete("package")
        rctx.delete(_archive(package))

def _archive(package):
    return package["name"] + ".deb"

def wrap_program(rctx, path):
    """Puts a script in a program's place that starts it with the repository's own loader and libraries.

    The machine's C library, older or newer than the packages', then does not matter.

    Args:
      rctx: the repository rule's context
      path: the program, relative to the repository
    """
    folder, _, name = path.rpartition("/")
    root = "/".join([".."] * len(folder.split("/")))
    rctx.execute(["mv", path, path + ".elf"])
    rctx.file(
        path,
        executable = True,
        content = _WRAPPER.format(name = name, root = root),
    )

_WRAPPER = """#!/bin/sh
here="${{0%/*}}"
root="$here/{root}"
exec "$root/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --argv0 "$0" \\
  --library-path "$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu" "$here/{name}.elf" "$@"
"""
