# SPDX-License-Identifier: Apache-2.0
"""Where this machine gets Debian's packages from, read from apt's own configuration.

No host is named in this repository. Every machine that has apt names one in its sources; a machine without apt may
name one in the environment variable STOWAGE_DEBIAN_MIRROR.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

VARIABLE = "STOWAGE_DEBIAN_MIRROR"
_SUITES = {"bullseye", "bookworm", "trixie", "forky", "duke", "sid"}
_SUITES |= {"unstable", "testing", "stable", "oldstable", "oldoldstable"}


class Mirror(NamedTuple):
    """A Debian archive: `url` has `dists/` and `pool/` below it; `signed_by` is the keyring that apt checks it with."""

    url: str
    signed_by: str | None


def find_mirror(apt_folder: Path = Path("/etc/apt")) -> Mirror | None:
    """The archive that serves Debian's main suites here, or None if apt names none."""
    named = os.environ.get(VARIABLE)
    for url, suites, signed_by in _sources(apt_folder):
        if re.match(r"(https?|file):", url) and not _SUITES.isdisjoint(suites):
            return Mirror((named or url).rstrip("/"), signed_by)
    return Mirror(named.rstrip("/"), None) if named else None


def _sources(apt_folder: Path) -> Iterator[tuple[str, list[str], str | None]]:
    """Each source as (URL, suites, keyring), in the order in which apt reads them."""
    files = [apt_folder / "sources.list"]
    files += sorted((apt_folder / "sources.list.d").glob("*"))
    for file in files:
        if file.suffix == ".sources":
            yield from _stanzas(file.read_text(errors="replace"))
        elif file.suffix == ".list" and file.is_file():
            yield from _lines(file.read_text(errors="replace"))


def _lines(text: str) -> Iterator[tuple[str, list[str], str | None]]:
    """Sources in the one-line style: `deb [options] URL suite component...`."""
    for match in re.finditer(r"^\s*deb\s+(?:\[(.*?)\]\s*)?(\S+)\s+(\S+)", text, re.MULTILINE):
        signed_by = re.search(r"signed-by=(\S+)", match[1] or "")
        yield match[2], [match[3]], signed_by[1] if signed_by else None


def _stanzas(text: str) -> Iterator[tuple[str, list[str], str | None]]:
    """Sources in the stanza style; a key given in place, not as a file, is left to apt's own trusted keys."""
    uncommented = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    for stanza in re.split(r"\n\s*\n", uncommented):
        fields = {name.lower(): value.strip() for name, value in re.findall(r"^([\w-]+):[ \t]*(.*)$", stanza, re.M)}
        if fields.get("enabled", "yes") != "no" and "deb" in fields.get("types", "").split():
            signed_by = fields.get("signed-by", "")
            for url in fields.get("uris", "").split():
                yield url, fields.get("suites", "").split(), signed_by if signed_by.startswith("/") else None


if __name__ == "__main__":
    found = find_mirror()
    if found is None:
        sys.exit(f"this machine's apt names no Debian archive: set {VARIABLE} to the URL of one")
    print(found.url)
