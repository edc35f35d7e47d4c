"""The base is made from the host's own apt source. Prevents: a wrong mirror or key ring picked from sources.list, and
a half-made base taken for a whole one; a tree in which the next run of tests finds what an earlier one left."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from executor.sandbox.base import AptSource, base_rootfs_path, find_apt_source_or_raise, make_base
from executor.sandbox.bwrap.backend import BwrapBackend
from executor.sandbox.tree_files import restore_folder
from index.errors import ConfigError, SandboxError, UserError
from tests.support.engines import cache_with_base, unavailable
from tests.support.projects import write_files

ONE_LINE = """\
# deb http://commented.example/debian trixie main
deb [arch=amd64 signed-by=/keys/a.gpg] http://one.example/debian bookworm main contrib # the mirror
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

# nothing but an aside

Types: deb
URIs: http://five.example/x
Suites: forky
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
"""


def test_a_suite_and_its_key_are_found_or_the_known_suites_are_named(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    (tmp_path / "sources.list").write_text(ONE_LINE)
    (tmp_path / "parts" / "x.sources").write_text(DEB822)
    settings = {"sourcelist": tmp_path / "sources.list", "sourceparts": tmp_path / "parts"}
    (tmp_path / "apt.conf").write_text("".join(f'Dir::Etc::{key} "{path}";\n' for key, path in settings.items()))
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    assert find_apt_source_or_raise("bookworm") == AptSource("http://one.example/debian", Path("/keys/a.gpg"))
    assert find_apt_source_or_raise("bookworm-updates") == AptSource("http://two.example/debian", None)
    assert find_apt_source_or_raise("trixie") == AptSource("http://three.example/debian", Path("/keys/b.gpg"))
    assert find_apt_source_or_raise("forky") == AptSource("http://five.example/x", None)
    with pytest.raises(UserError, match=r"'sid'.*bookworm, bookworm-updates, forky, trixie"):
        find_apt_source_or_raise("sid")
    (tmp_path / "sources.list").write_text("deb nonsense\n")
    with pytest.raises(UserError, match="apt can't list its sources"):
        find_apt_source_or_raise("trixie")


def test_what_is_missing_is_named_and_a_base_that_is_there_isnt_made_again(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("executor.sandbox.base.debootstrap_path", lambda: None)
    with pytest.raises(UserError, match="apt-get install debootstrap"):
        make_base(tmp_path, "bookworm")
    assert not base_rootfs_path(tmp_path, "bookworm").exists()
    base_rootfs_path(tmp_path, "bookworm").mkdir()
    assert make_base(tmp_path, "bookworm") == base_rootfs_path(tmp_path, "bookworm")
    assert caplog.messages


FAKE = """\
#!/bin/sh
# debootstrap OPTION... SUITE TARGET MIRROR
while [ $# -gt 3 ]; do shift; done
echo "I: Validating libfoo 1.2" && echo "I: Extracting libfoo..."
echo "I: Unpacking libfoo:amd64..." && echo "I: Configuring libfoo:amd64..."
mkdir -p "$2/etc" "$2/usr/bin" "$2/var/cache/apt" "$2/var/lib/apt/lists"
echo root:x:0:0::/root:/bin/sh >"$2/etc/passwd"
echo a >"$2/usr/bin/answers" && echo b >"$2/usr/bin/kept"
exit ${FAIL:-0}
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A debootstrap that makes a base of two files."""
    program = tmp_path / "debootstrap"
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setattr("executor.sandbox.base.debootstrap_path", lambda: str(program))
    monkeypatch.setattr("executor.sandbox.base.os.getuid", lambda: 0)
    monkeypatch.setattr(
        "executor.sandbox.base.find_apt_source_or_raise", lambda *_: AptSource("http://a.example", None)
    )


def test_files_that_a_candidate_may_not_ask_are_gone(tmp_path, fake, caplog):
    made = make_base(tmp_path, "x", name="x-1", files_to_remove=["usr/bin/answers"], needed_mb=1)
    assert caplog.messages[-1] == f"base x-1: made {made}"
    assert [path.name for path in (made / "usr" / "bin").iterdir()] == ["kept"]
    assert (made / "etc" / "passwd").read_text().splitlines()[1:] == ["graft:x:1000:1000::/tmp:/bin/sh"]
    with pytest.raises(SandboxError, match="usr/bin/moved"):
        make_base(tmp_path, "x", name="x-2", files_to_remove=["usr/bin/moved"], needed_mb=1)
    assert not base_rootfs_path(tmp_path, "x-2").exists()


def test_a_base_shows_one_count_and_keeps_the_output(tmp_path, fake, monkeypatch):
    """Prevents: 600 lines of debootstrap on the screen."""
    shown = []

    class Shown:
        @contextmanager
        def open_count(self, what, total):
            yield lambda steps=1, /, note="": shown.append((total, note))

    make_base(tmp_path, "x", name="x-1", needed_mb=1, progress=Shown())
    assert shown == [(2, "Unpacking libfoo:amd64"), (2, "Configuring libfoo:amd64")]
    monkeypatch.setenv("FAIL", "3")
    with pytest.raises(SandboxError, match=r"debootstrap failed: .*debootstrap\.log"):
        make_base(tmp_path, "x", name="x-2", needed_mb=1)
    assert "Validating libfoo" in (tmp_path / "base" / "x-2" / "debootstrap.log").read_text()


@pytest.mark.slow
def test_further_packages_are_added_by_apt(tmp_path):
    """Prevents: a benchmark that can't be made because a package that it builds with is virtual, or because the first
    alternative of one conflicts with another."""
    cache = cache_with_base(tmp_path)
    if not base_rootfs_path(cache, "bookworm").is_dir():
        unavailable("no base root file system: `graft images base`")
    made = make_base(cache, "bookworm", ["libz-dev", "libcurl4-gnutls-dev", "libcurl-dev"], name="x-1")
    assert (made / "usr/include/zlib.h").is_file()
    installed = (made / "var/lib/dpkg/status").read_text()
    assert "Package: libcurl4-gnutls-dev" in installed
    assert "Package: libcurl4-openssl-dev" not in installed
    assert not (made / "usr/sbin/policy-rc.d").exists()
    assert not list((made / "var/cache/apt").iterdir())
    # What apt left as it was is kept once on the disk.
    compiler = "usr/lib/gcc/x86_64-linux-gnu/12/cc1"
    assert (made / compiler).samefile(base_rootfs_path(cache, "bookworm") / compiler)
    assert not (made / "etc/ld.so.cache").samefile(base_rootfs_path(cache, "bookworm") / "etc/ld.so.cache")
    # The base from which it was made is a link here, and is as it was.
    assert (
        "Package: libcurl4-gnutls-dev" not in (base_rootfs_path(cache, "bookworm") / "var/lib/dpkg/status").read_text()
    )
    with pytest.raises(SandboxError, match=r"apt failed: .*no-such-package.*apt\.log"):
        make_base(cache, "bookworm", ["no-such-package"], name="x-2")


def test_the_tree_is_put_back_whatever_was_done_to_it(tmp_path: Path) -> None:
    tree, names = tmp_path / "tree", ("a/one", "a/deep/two", "three", "a/gone", "a/folder-now")
    wanted = write_files(tmp_path / "wanted", {name: name for name in names})
    for name in names:
        os.utime(wanted / name, (1_000_000, 1_000_000))
    (wanted / "link").symlink_to("three")
    shutil.copytree(wanted, tree, symlinks=True)
    marker = tmp_path / "marker"
    marker.touch()
    since = marker.stat().st_ctime_ns
    stamp = (tree / "a/one").stat()
    (tree / "a/one").write_text("ONE")
    os.utime(tree / "a/one", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    (tree / "a/gone").unlink()
    (tree / "a/folder-now").unlink()
    write_files(tree, {"a/folder-now/x": "", "new/file": ""})
    (tree / "link").unlink()
    (tree / "link").symlink_to("/etc/passwd")
    (tree / "a/deep").chmod(0o700)
    restore_folder(wanted, tree, since)

    def state(folder: Path) -> dict[str, tuple[object, ...]]:
        found = {}
        for path in sorted(folder.rglob("*")):
            is_plain = path.is_file() and not path.is_symlink()
            content = path.read_text() if is_plain else path.readlink() if path.is_symlink() else None
            found[str(path.relative_to(folder))] = (path.lstat().st_mode, content, is_plain and path.stat().st_mtime)
        return found

    assert state(tree) == state(wanted)


def test_a_base_that_the_user_named_and_that_is_not_there_is_the_users_mistake(tmp_path):
    for base, kind, message in (
        ("/nope", ConfigError, "base: no root file system at /nope; name another, or leave it out"),
        (None, SandboxError, "run `graft images base`"),
    ):
        with pytest.raises(kind, match=message), BwrapBackend(tmp_path).builder(base):
            pass
