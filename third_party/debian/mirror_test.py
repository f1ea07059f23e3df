# SPDX-License-Identifier: Apache-2.0
"""Reading the archive's address out of apt's sources, in both of their styles."""

from __future__ import annotations

from pathlib import Path

import pytest

from third_party.debian.mirror import VARIABLE, Mirror, find_mirror

STANZA = """\
# Comment
Types: deb
# URIs: http://not.this.example/debian
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/archive.gpg
"""


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(VARIABLE, raising=False)
    (tmp_path / "sources.list.d").mkdir()
    return tmp_path


def test_stanza_style(apt: Path) -> None:
    (apt / "sources.list.d/debian.sources").write_text(STANZA)
    assert find_mirror(apt) == Mirror("http://mirror.example/debian", "/usr/share/keyrings/archive.gpg")


def test_one_line_style(apt: Path) -> None:
    (apt / "sources.list").write_text(
        "# deb http://no.example sid main\ndeb [arch=amd64 signed-by=/k.gpg] http://a.example/d/ sid main\n"
    )
    assert find_mirror(apt) == Mirror("http://a.example/d", "/k.gpg")


def test_one_line_without_options(apt: Path) -> None:
    (apt / "sources.list").write_text(
        "deb-src http://no.example trixie main\ndeb http://a.example/d trixie main contrib\n"
    )
    assert find_mirror(apt) == Mirror("http://a.example/d", None)


@pytest.mark.parametrize("suite", ["bookworm-security", "bookworm-updates", "noble", "nodistro"])
def test_only_an_archive_of_main_suites_will_do(apt: Path, suite: str) -> None:
    (apt / "sources.list").write_text(f"deb http://a.example/d {suite} main\n")
    assert find_mirror(apt) is None


def test_disabled_and_source_stanzas_do_not_count(apt: Path) -> None:
    disabled = STANZA + "Enabled: no\n"
    sources_only = STANZA.replace("Types: deb", "Types: deb-src")
    (apt / "sources.list.d/debian.sources").write_text(f"{disabled}\n{sources_only}")
    assert find_mirror(apt) is None


def test_discs_do_not_count(apt: Path) -> None:
    (apt / "sources.list").write_text("deb cdrom:[Debian_12]/ bookworm main\n")
    assert find_mirror(apt) is None


def test_key_given_in_place_is_left_to_apt(apt: Path) -> None:
    (apt / "sources.list.d/debian.sources").write_text(
        STANZA.replace("/usr/share/keyrings/archive.gpg", "\n -----BEGIN PGP")
    )
    assert find_mirror(apt) == Mirror("http://mirror.example/debian", None)


def test_variable_goes_before_apts_own(apt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "http://named.example/debian/")
    assert find_mirror(apt) == Mirror("http://named.example/debian", None)
    (apt / "sources.list.d/debian.sources").write_text(STANZA)
    assert find_mirror(apt) == Mirror("http://named.example/debian", "/usr/share/keyrings/archive.gpg")
