"""The base is made from the host's own apt source. Prevents: a wrong mirror or key ring picked from sources.list,
and a half-made base taken for a whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.sandbox.base import AptSource, base_path, find_source, make_base, parse_deb822, parse_one_line
from index.errors import SandboxError, UserError

ONE_LINE = """\
# deb http://commented.example/debian trixie main
deb [arch=amd64 signed-by=/keys/a.gpg] http://one.example/debian bookworm main contrib # the mirror
deb-src http://one.example/debian bookworm main
deb http://two.example/debian bookworm-updates main
"""
DEB822 = """\
Types: deb deb-src
# an aside within the stanza
URIs: http://three.example/debian
Suites: trixie
 trixie-updates
Components: main
Signed-By: /keys/b.gpg

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: sid
Components: main

Types: deb
URIs: http://four.example/x
Suites: sid
Components: contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
"""


def test_both_formats_are_read():
    one, two = parse_one_line(ONE_LINE)
    assert one == AptSource("http://one.example/debian", ("bookworm",), ("main", "contrib"), Path("/keys/a.gpg"))
    assert (two.suites, two.keyring) == (("bookworm-updates",), None)
    three, four = parse_deb822(DEB822)
    assert three == AptSource(
        "http://three.example/debian", ("trixie", "trixie-updates"), ("main",), Path("/keys/b.gpg")
    )
    assert (four.uri, four.keyring) == ("http://four.example/x", None)


def test_a_suite_is_found_or_the_known_ones_are_named(tmp_path):
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text(ONE_LINE)
    (tmp_path / "sources.list.d" / "x.sources").write_text(DEB822)
    assert find_source("bookworm", tmp_path).uri == "http://one.example/debian"
    assert find_source("trixie", tmp_path).uri == "http://three.example/debian"
    with pytest.raises(UserError, match=r"'sid'.*bookworm, bookworm-updates, trixie"):
        find_source("sid", tmp_path)


def test_a_base_that_is_there_is_not_made_again(tmp_path, caplog):
    base_path(tmp_path, "bookworm").mkdir(parents=True)
    assert make_base(tmp_path, "bookworm") == base_path(tmp_path, "bookworm")
    assert caplog.messages


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("executor.sandbox.base.debootstrap_path", lambda: None)
    with pytest.raises(UserError, match="apt-get install debootstrap"):
        make_base(tmp_path, "bookworm")
    assert not base_path(tmp_path, "bookworm").exists()


FAKE = """\
#!/bin/sh
# debootstrap OPTION... SUITE TARGET MIRROR
while [ $# -gt 3 ]; do shift; done
mkdir -p "$2/etc" "$2/usr/bin" "$2/var/cache/apt" "$2/var/lib/apt/lists"
echo a >"$2/usr/bin/answers" && echo b >"$2/usr/bin/kept"
"""


def test_files_that_a_candidate_may_not_ask_are_gone(tmp_path, monkeypatch, caplog):
    program = tmp_path / "debootstrap"
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setattr("executor.sandbox.base.debootstrap_path", lambda: str(program))
    monkeypatch.setattr("executor.sandbox.base.os.getuid", lambda: 0)
    monkeypatch.setattr(
        "executor.sandbox.base.find_source", lambda *_: AptSource("http://a.example", ("x",), ("main",), None)
    )
    made = make_base(tmp_path, "x", name="x-1", without=["usr/bin/answers"], needed_mb=1)
    assert caplog.messages[-1] == f"base x-1: made {made}"
    assert [path.name for path in (made / "usr" / "bin").iterdir()] == ["kept"]
    with pytest.raises(SandboxError, match="usr/bin/moved"):
        make_base(tmp_path, "x", name="x-2", without=["usr/bin/moved"], needed_mb=1)
    assert not base_path(tmp_path, "x-2").exists()
