"""Prevents: an image whose objects lost more than debug information, so that a candidate's link fails or `make` builds
all anew; a thin archive or one for optimization at link time that is broken on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.build.debug_information import drop_debug_information_of_objects
from executor.repository.build.recorder import install_recording_wrappers, take_recorded_graph
from executor.sandbox.contract import Builder, Command
from executor.sandbox.process import open_process_and_remove_leftovers
from tests.support.projects import write_files

MAKEFILE = """\
CFLAGS = -g $(MORE)
app: main.o libthin.a libu.a
\t$(CC) $(CFLAGS) -o $@ $^
libu.a: a b.o
\t$(AR) rcs $@ 'a folder/a.o' b.o
libthin.a: c.o
\t$(AR) rcsT $@ c.o
a: a\\ folder/a.c
\t$(CC) $(CFLAGS) -c 'a folder/a.c' -o 'a folder/a.o' && touch a
"""
FILES = {
    "Makefile": MAKEFILE,
    "a folder/a.c": "static int seen(int x) { return x; }\nint a(int x) { return seen(x) - 1; }\n",
    "b.c": "int a(int);\nint b(void) { return a(1); }\n",
    "c.c": "int b(void);\nint c(void) { return b(); }\n",
    "main.c": "int c(void);\nint main(void) { return c(); }\n",
}
MADE = ("main.o", "a folder/a.o", "b.o", "c.o", "libu.a", "libthin.a")


def _read_objects(builder: Builder) -> dict[str, tuple[str, bool]]:
    """Of each file its time of change, and whether it holds debug information."""

    def read(*argv: str) -> str:
        done = builder.run(Command(argv))
        assert done.ok, done.text
        return done.text

    return {path: (read("stat", "-c", "%y", path), ".debug_info" in read("objdump", "-h", path)) for path in MADE}


@pytest.mark.parametrize("more", ["", "-flto"])
def test_only_debug_information_goes(tmp_path: Path, more: str) -> None:
    backend = open_process_and_remove_leftovers(tmp_path / "cache")
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path / "tree", FILES))

        def run(line: str) -> str:
            done = builder.run(Command(("sh", "-c", line), env=install_recording_wrappers(builder)))
            assert done.ok, done.text
            return done.text

        run(f"make MORE={more}")
        before = _read_objects(builder)
        if not more:
            assert all(has_debug for _, has_debug in before.values())
        drop_debug_information_of_objects(builder, take_recorded_graph(builder))
        after = _read_objects(builder)
        assert {path: time for path, (time, _) in after.items()} == {path: time for path, (time, _) in before.items()}
        if more:
            assert after == before
        else:
            assert not any(has_debug for _, has_debug in after.values())
            assert "seen" in run("nm 'a folder/a.o'")
        # The thin archive still names its member, nothing is out of date, and the program links and runs.
        assert run("head -c 7 libthin.a") == "!<thin>"
        assert "up to date" in run("make")
        run(f"rm app && make MORE={more} && ./app")
