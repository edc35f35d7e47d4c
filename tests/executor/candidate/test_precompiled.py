"""Precompiled headers. Prevents: a header that changes a check's messages, that a draft took part in, or that fills
the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from executor.candidate.compiler import SessionCompiler, precompile_includes_of_slow_units
from executor.candidate.precompiled import HEADER, HeaderStore, find_precompilable_unit
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.images import Image
from index.values import Span
from tests.fixtures.executor_fixtures import Tiny

UNIT = """\
// Heavy enough that a header is worth it.
#include <map>
#include <string>
#include "calc.h"

using namespace std;

int hole(const map<string, int> &ages)
{
    return ages.at("x");
}

int behind() { return hole({}); }
"""
SPAN = Span(8, 11)
GOOD = 'int hole(const map<string, int> &ages)\n{\n    return ages.at("MARK");\n}\n'
DRAFTS = (
    GOOD.replace("ages.at", "undeclared_name + ages.at"),
    GOOD,
    GOOD.replace(".at", ".no_such_member"),
    GOOD.replace("ages.at(", "ages.at(3, "),
    GOOD.rstrip().removesuffix("}"),
    "long hole(int other)\n{\n    return to_string(other);\n}\n",
    '#include <set>\nint hole(const map<string, int> &ages)\n{\n    int unused;\n    return "text";\n}\n',
)


@dataclass(slots=True)
class Watched:
    """A backend whose sessions keep what they were told to write and run."""

    inner: Any
    name: str = "bwrap"
    isolated: bool = True
    sessions: list[Mock] = field(default_factory=list)

    @contextmanager
    def session(self, key: str) -> Iterator[Mock]:
        with self.inner.session(key) as session:
            self.sessions.append(Mock(wraps=session, root=session.root))
            yield self.sessions[-1]


def list_commands(session: Mock) -> list[Sequence[str]]:
    return [call.args[0].argv for call in session.run.call_args_list]


def list_header_uses(session: Mock) -> list[bool]:
    """Of each check, whether it was given the header."""
    return ["-include" in argv for argv in list_commands(session) if "-fsyntax-only" in argv]


@pytest.fixture
def heavy(tiny_bwrap: Tiny, tmp_path: Path) -> Image:
    """The tiny repository as if it had been built from one C++ unit."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "unit.cpp").write_text(UNIT)
    argv = ("g++", "-std=c++17", "-O1", "-Wall", "-c", "unit.cpp", "-o", "build/unit.o")
    compiled = BuildStep("compile", argv, ".", ("build/unit.o",), ("unit.cpp",), (), ("unit.cpp", "calc.h"))
    linked = BuildStep("link", ("g++", "build/unit.o"), ".", ("build/test",), (), ("build/unit.o",))
    image: Image = replace(tiny_bwrap.image, graph=BuildGraph((compiled, linked)), source_root=root)
    return image


def test_a_header_changes_no_message_and_no_draft_changes_a_header(
    heavy: Image, tiny_bwrap: Tiny, tmp_path: Path
) -> None:
    store = HeaderStore(tmp_path / "headers", slow_s=0.1)
    with SessionCompiler(heavy, tiny_bwrap.backend, "unit.cpp", SPAN) as compiler:
        plain = [compiler.check(draft) for draft in DRAFTS]
    assert [bool(found) for found in plain] == [True, False, *[True] * 5]

    first = Watched(tiny_bwrap.backend)
    with SessionCompiler(heavy, first, "unit.cpp", SPAN, store) as compiler:
        assert compiler.check(DRAFTS[0]) == plain[0]
    watched, made = first.sessions
    assert list_header_uses(watched) == [False]
    assert any("c++-header" in argv for argv in list_commands(made))
    written = [call.args for call in made.write.call_args_list]
    assert written and all(b"MARK" not in data for _, data in written)
    assert all(path == f"{HEADER}" or data.endswith(UNIT[-40:].encode()) for path, data in written)

    second = Watched(tiny_bwrap.backend)
    with SessionCompiler(heavy, second, "unit.cpp", SPAN, store) as compiler:
        assert [compiler.check(draft) for draft in DRAFTS] == plain
    (session,) = second.sessions
    assert list_header_uses(session) == [True] * len(DRAFTS), "made once, used by all, never in vain"


def test_a_prepared_units_first_check_is_quick_and_none_is_looked_at_twice(
    heavy: Image, tiny_bwrap: Tiny, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    in_cpp = replace(heavy, recipe=heavy.recipe.model_copy(update={"languages": ("cpp",)}))
    places = [("unit.cpp", SPAN)]
    for slow_s, is_slow in ((0.1, True), (1000.0, False)):
        store = HeaderStore(tmp_path / str(slow_s), slow_s=slow_s)
        precompile_includes_of_slow_units(in_cpp, tiny_bwrap.backend, places, store)
        again, watched = Watched(tiny_bwrap.backend), Watched(tiny_bwrap.backend)
        precompile_includes_of_slow_units(in_cpp, again, places, store)  # type: ignore[arg-type]
        assert list_header_uses(again.sessions[0]) == []
        with SessionCompiler(in_cpp, watched, "unit.cpp", SPAN, store) as compiler:  # type: ignore[arg-type]
            compiler.check(DRAFTS[0])
        assert list_header_uses(watched.sessions[0]) == [is_slow]
    assert [line.partition(" takes ")[0] for line in caplog.messages if " takes " in line] == [
        "tiny: a check of unit.cpp"
    ]
    unasked = Watched(tiny_bwrap.backend)
    precompile_includes_of_slow_units(heavy, unasked, places, store)  # type: ignore[arg-type]
    assert unasked.sessions == [], "a repository of C alone"


def test_a_header_that_the_compiler_refuses_is_left_out_and_made_anew(
    heavy: Image, tiny_bwrap: Tiny, tmp_path: Path
) -> None:
    store = HeaderStore(tmp_path / "headers", slow_s=1000.0)
    watched = Watched(tiny_bwrap.backend)
    with SessionCompiler(heavy, watched, "unit.cpp", SPAN, store) as compiler:
        plain = compiler.check(DRAFTS[0])
        argv = next(argv for argv in list_commands(watched.sessions[0]) if "-fsyntax-only" in argv)
        unit = find_precompilable_unit(heavy.key, compiler._session.root, "unit.cpp", SPAN, UNIT.encode(), argv, ".")  # type: ignore[union-attr]
        assert unit is not None
        store.store_header_or_mark_useless(unit.key, b"gpch.of another compiler" * 100)
        assert store.is_stored_or_useless(unit.key)
        assert compiler.check(DRAFTS[0]) == plain
        assert not store.is_stored_or_useless(unit.key)
        assert compiler.check(GOOD) == []
    # One that was found to be of no use is neither read nor made again.
    store.store_header_or_mark_useless(unit.key, b"")
    with SessionCompiler(heavy, watched, "unit.cpp", SPAN, replace(store, slow_s=0.1)) as compiler:
        assert compiler.check(DRAFTS[0]) == plain
    assert not any("c++-header" in argv for session in watched.sessions for argv in list_commands(session))


def test_what_a_header_cant_stand_for_gets_none() -> None:
    argv = ("g++", "-fsyntax-only", "unit.cpp")

    def has(argv: tuple[str, ...], path: str = "unit.cpp", span: Span = SPAN) -> bool:
        return find_precompilable_unit("image", "/graft/src", path, span, UNIT.encode(), argv, ".") is not None

    assert has(argv) and has(("g++", "-fsyntax-only", "/graft/src/unit.cpp"))
    assert not has((*argv, "-include", "config.h"))
    assert not has((*argv, "-x", "c++"))
    assert not has(argv, path="unit.h"), "a header's function is checked in another file"
    assert not has(argv, span=Span(2, 4))


def test_the_disk_is_bounded_and_the_least_used_goes(tmp_path: Path) -> None:
    store = HeaderStore(tmp_path / "headers", limit_mb=1)
    texts = {key: os.urandom(400_000) for key in ("a", "b", "c")}
    for age, key in ((300, "a"), (200, "b")):
        store.store_header_or_mark_useless(key, texts[key])
        path = store.folder / f"{key}.zst"
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    assert store.read_header("a") == texts["a"]
    store.store_header_or_mark_useless("c", texts["c"])
    assert [store.is_stored_or_useless(key) for key in "abc"] == [True, False, True]
    store.store_header_or_mark_useless("huge", os.urandom(2_100_000))
    assert not store.is_stored_or_useless("huge")
    (store.folder / "a.zst").write_bytes(b"\x28\xb5\x2f\xfd torn")
    assert store.read_header("a") is None and not store.is_stored_or_useless("a")


def test_one_header_is_made_at_a_time(tmp_path: Path) -> None:
    store = HeaderStore(tmp_path / "headers")
    with store.try_lock() as first, store.try_lock() as second:
        assert first and not second
    with store.try_lock() as again:
        assert again
