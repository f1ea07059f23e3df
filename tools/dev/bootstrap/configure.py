# SPDX-License-Identifier: Apache-2.0
"""What the packages' maintainer scripts would have done, as far as Bazel and its actions need it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

# Links that update-alternatives would have made, in usr/bin.
_ALTERNATIVES = {
    "awk": "mawk",
    "c++": "g++",
    "cc": "gcc",
    "java": "../lib/jvm/default-java/bin/java",
    "which": "which.debianutils",
}
# Files and folders that enter.sh binds the machine's own over.
_BOUND_FILES = ("resolv.conf", "hosts", "passwd", "group", "pip.conf")
# The first keeps every sandbox until the disk is full; the second does nothing any more but warn.
_UNWANTED_SETTINGS = ("--sandbox_debug", "--host_javabase=@local_jdk//:jdk")
_MACHINE_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def configure(root: Path, sources: Path, downloads: Path) -> None:
    """Finish the unpacked `root`: links, certificates, Bazel's settings.

    `sources` is the folder of this repository, `downloads` the folder in which Bazel keeps what it downloads.
    """
    for name, target in _ALTERNATIVES.items():
        (root / "usr/bin" / name).symlink_to(target)
    for name in _BOUND_FILES:
        (root / "etc" / name).touch()
    (root / "etc/apt").mkdir(exist_ok=True)
    _gather_certificates(root)
    shutil.copytree(sources / "third_party/registry", root / "usr/share/stowage/registry")
    _write_bazel_settings(root / "etc/bazel/bazelrc", sources / "tools/dev/bootstrap/system.bazelrc", downloads)


def _write_bazel_settings(file: Path, ours: Path, downloads: Path) -> None:
    """Debian's settings less two, then ours, then the one store of downloads that every output folder shares."""
    debians = [line for line in file.read_text().splitlines() if not line.endswith(_UNWANTED_SETTINGS)]
    shared_store = f"common --repository_cache={downloads}"
    file.write_text("\n".join([*debians, ours.read_text(), shared_store, ""]))


def _gather_certificates(root: Path) -> None:
    """The certificate authorities of Debian and of the machine, as OpenSSL's bundle and as Java's trust store."""
    authorities = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    if _MACHINE_CERTIFICATES.is_file():
        authorities.append(_MACHINE_CERTIFICATES)
    bundle = root / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_text("\n".join(file.read_text() for file in authorities))
    trust_store = root / "etc/ssl/certs/java/cacerts"
    trust_store.parent.mkdir(exist_ok=True)
    enter = Path(__file__).with_name("enter.sh")
    export = ["openssl", "pkcs12", "-export", "-nokeys", "-jdktrust", "anyExtendedKeyUsage"]
    export += ["-certpbe", "NONE", "-nomac"]  # Java opens its default store without a password
    files = ["-in", str(bundle), "-out", str(trust_store), "-passout", "pass:changeit"]
    # The folder of the set-up lies in the cache, which is the same inside as outside.
    subprocess.run([enter, root, *export, *files], check=True, stdin=subprocess.DEVNULL)
