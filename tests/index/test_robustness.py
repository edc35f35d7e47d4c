"""Prevents: a file, a name or a moment that ends a build with an exception, a hang, or an index that is neither old
nor new."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from index.build import IndexReport, build_index
from index.repo_index import open_index
from index.values import Span, Target
from tests.support.indexes import Files, Indexed, Tree, content, parse_text

SNIPPET = """\
#define HOT __attribute__((hot))
#define MAKE(t) static t *t##_new(int n) { return alloc(n, sizeof(t)); }
#if defined(A)
HOT static int first(struct box *b, int n)
#else
HOT static int first_other(struct box *b, int n)
#endif
{
    for (int i = 0; i < n; i++) {
        if (b->items[i].handler("x\\n", 'c') == NULL) { continue; }
    }
    return second(b, (char)n) + third(n);
}
MAKE(box)
typedef struct { int a; union { char c; } u; } pair_t;
enum colour { RED = 1, BLUE };
"""
CPP_SNIPPET = """\
namespace outer { template <class T> class Box : public Base<T> {
  public: Box(int x) : Base<T>(x), size(x) {} ~Box() {} operator bool() const { return true; }
  T add(T x) const { auto f = [&](int y) { return y + size; }; return helper<T>(f(x)) + this->own(x); }
  private: int size; };
}
template <> int outer::Box<int>::add(int v) const try { return R"(x)"[v]; } catch (...) { throw; }
"""


def reasons(report: IndexReport) -> dict[str, str]:
    return dict(report.skipped)


STRANGE: Files = {
    "ok.c": "int ok(void) { return 1; }\n",
    "empty.c": "",
    "newline.c": "\n",
    "crlf.c": "/* doc */\r\nint crlf(int a)\r\n{\r\n  return ok();\r\n}\r\n",
    "bom.c": b"\xef\xbb\xbfint bom(void) { return 1; }\n",
    "utf16.c": "int wide(void) { return 1; }\n".encode("utf-16"),
    "latin.c": b"/* caf\xe9 */ int latin(void) { return '\xe9'; }\n",
    "cut.c": "int before(void) { return 1; }\nint cut(int a) { if (a) { return g(",
    "comment.c": "int whole(void) { return 1; } /* and then",
    "text.c": 'int text(void) { return 1; }\nchar *s = "and then',
    "nul.c": b"int nul(void) { return 0; }\n\0\0\0int after(void) { return 1; }\n",
    "braces.c": b"int f() {" + b"{" * 100_000,
    "closed.cpp": b"int f() {" + b"{" * 100_000 + b"}" * 100_001,
    "long.c": b"int x" + b"y" * 1_000_000 + b";\n",
    "line\nbreak.c": "int newline(void) { return 0; }\n",
    "tab\t'quote\".c": "int quoted(void) { return 0; }\n",
    "if.c": "#if A\n" * 5_000 + "int f(void) { return 1; }\n",
    "makers.c": "#define A(x) B(x) B(x)\n#define B(x) A(x) A(x)\nA(1)\nint made(void) { return 1; }\n",
}


def test_strange_files_end_in_a_report_and_the_others_are_found(tree: Tree, tmp_path: Path) -> None:
    began = time.process_time()
    root = tree(STRANGE)
    (root / "folder.c").mkdir()
    (root / "folder.c" / "inside.c").write_text("int inside(void) { return 0; }\n")
    (root / "up").symlink_to("..")
    (root / "loop.c").symlink_to("loop.c")
    (root / "dangling.c").symlink_to("nowhere.c")
    os.mkfifo(root / "pipe.c")
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.c")).write_text("int bad(void) { return 0; }\n")
    skipped = reasons(build_index(root, tmp_path / "index", workers=1))
    assert skipped.keys() == {
        "braces.c", "closed.cpp", "loop.c", "dangling.c", "pipe.c", "bad\\udcff.c", "utf16.c",
    }  # fmt: skip
    assert "UTF-16" in skipped["utf16.c"]
    assert (skipped["pipe.c"], skipped["loop.c"]) == ("not an ordinary file", "a symbolic link")
    with closing(open_index(tmp_path / "index", root)) as index:
        found = {(e.symbol.path, e.symbol.name) for e in index.functions}
    assert found >= {
        ("ok.c", "ok"),
        ("crlf.c", "crlf"),
        ("bom.c", "bom"),
        ("latin.c", "latin"),
        ("cut.c", "before"),
        ("comment.c", "whole"),
        ("text.c", "text"),
        ("nul.c", "nul"),
        ("line\nbreak.c", "newline"),
        ("tab\t'quote\".c", "quoted"),
        ("folder.c/inside.c", "inside"),
        ("makers.c", "made"),
    }
    assert build_index(root, tmp_path / "index", workers=1).reparsed == 0
    assert time.process_time() - began < 60


def test_a_file_with_crlf_has_the_lines_that_an_editor_shows(indexed: Indexed) -> None:
    index = indexed({"crlf.c": STRANGE["crlf.c"]})
    (entry,) = index.functions
    assert (entry.symbol.span, entry.symbol.docstring) == (Span(2, 5), "/* doc */")
    view = index.hide(Target("t", "crlf.c", Span(2, 5), "crlf", "", "", "c"), "strict")
    assert "ok()" not in view.file_text("crlf.c")


def test_a_file_of_100_mb_is_skipped_without_being_read(tree: Tree, tmp_path: Path) -> None:
    root = tree({"ok.c": STRANGE["ok.c"]})
    with (root / "generated.c").open("wb") as file:
        file.write(b"int generated(void) { return 1; }\n")
        file.truncate(100 * 2**20)
    began, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    skipped = reasons(build_index(root, tmp_path / "index", workers=1))
    assert list(skipped) == ["generated.c"]
    assert "larger" in skipped["generated.c"]
    assert time.process_time() - began < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def test_a_file_that_goes_or_grows_while_it_is_indexed_is_listed(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree({f"f{i}.c": f"int f{i}(void) {{ return {i}; }}\n" for i in range(4)})
    from index import build

    real = build._parse_file

    def parse(shared: object, scanned: object) -> object:
        (root / "f1.c").unlink(missing_ok=True)
        (root / "f2.c").write_text("int other(void) { return 1; }\n")
        return real(shared, scanned)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "_parse_file", parse)
    skipped = reasons(build_index(root, tmp_path / "index", workers=1))
    assert skipped == {"f1.c": "No such file or directory", "f2.c": "changed while it was indexed"}
    monkeypatch.undo()
    again = build_index(root, tmp_path / "index", workers=1)
    assert again.skipped == ()
    assert again.functions == 3


def test_a_file_that_may_not_be_read_is_listed(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As root chmod stops nobody, so the refusal comes from the call itself.
    root = tree({"a.c": "int a(void) { return 1; }\n", "secret.c": "int s(void) { return 1; }\n"})
    real = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "secret.c":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    skipped = reasons(build_index(root, tmp_path / "index", workers=1))
    assert skipped == {"secret.c": "Permission denied"}


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Real code with bytes changed, cut out and doubled."""
    data = bytearray(draw(st.sampled_from([SNIPPET, CPP_SNIPPET, SNIPPET + CPP_SNIPPET])).encode())
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(data) - 1))
        length = draw(st.integers(1, 40))
        how = draw(st.sampled_from(["byte", "cut", "double", "insert"]))
        if how == "byte":
            data[at] = draw(st.integers(0, 255))
        elif how == "cut" and len(data) > length + 1:
            del data[at : at + length]
        elif how == "double":
            data[at:at] = data[at : at + length]
        else:
            data[at:at] = draw(st.sampled_from([b"{", b"}", b"(", b"#if A\n", b"#else\n", b"#endif\n", b'"', b"##"]))
    return bytes(data)


@settings(max_examples=150, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), st.sampled_from(["a.c", "a.cpp", "a.h"]))
@example(SNIPPET.replace("int first(", "i{nt first(").encode(), "a.c")
def test_broken_code_gives_symbols_inside_the_file_or_a_reason(data: bytes, path: str) -> None:
    found = parse_text(data, path)
    lines = data.count(b"\n") + 1
    for row in found.symbols:
        assert 0 <= row.start <= row.end <= len(data)
        assert 1 <= row.first <= row.last <= lines
        assert row.first == data.count(b"\n", 0, row.start) + 1
        assert row.body == -1 or row.start <= row.body < row.end
        assert row.name
    assert all(0 <= site.owner < len(found.symbols) for site in found.sites)
    assert 0 <= found.error_bytes <= len(data)


def _generated(root: Path, version: int, files: int = 260) -> None:
    for i in range(files):
        body = f"return f{(i * 7 + version) % files}(a) + {version * (i % 3 == 0)};"
        (root / f"f{i}.c").write_text(f'#include "f{(i + 1) % files}.h"\nint f{i}(int a)\n{{\n  {body}\n}}\n')


# Counts the files that it puts into the database, and halts at the one with the given number.
BUILD = """
import sys, time
from pathlib import Path
from index.store import writer as store
from index.build import build_index
real, halt, done = store.insert_file, int(sys.argv[3]), 0
def insert(connection, result):
    global done
    real(connection, result)
    done += 1
    if done == halt:
        print("halted", flush=True)
        time.sleep(60)
store.insert_file = insert
build_index(Path(sys.argv[1]), Path(sys.argv[2]), workers=1)
"""


def _killed(root: Path, folder: Path, inserted: int) -> None:
    """A build in a process group of its own, killed when it has put so many files into the database."""
    argv = [sys.executable, "-c", BUILD, str(root), str(folder), str(inserted)]
    process = subprocess.Popen(argv, start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "halted\n"
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()


@pytest.mark.parametrize("changed", [0, 3, 260])
def test_builds_killed_at_random_moments_end_in_what_a_fresh_build_gives(tmp_path: Path, changed: int) -> None:
    """`changed`: files that an update redoes, 0 for a build from nothing. 3 are one transaction, of which nothing
    may stay; of more than 200 what was committed stays, and isn't done again."""
    root, folder = tmp_path / "tree", tmp_path / "index"
    root.mkdir()
    _generated(root, 1)
    chance = random.Random(changed)
    before = None
    if changed:
        build_index(root, folder, workers=1)
        before = content(folder, root)
        _generated(root, 2, changed)
    # The first past a commit; two of them at most, so that 100 of 260 files are left for the last.
    for first, last in ((65, 120), (1, 100), (1, 60)):
        _killed(root, folder, chance.randint(1, 2) if changed == 3 else chance.randint(first, last))
        if before is not None:
            assert content(folder, root) == before
    report = build_index(root, folder, workers=1)
    assert report.functions == 260
    assert report.reparsed == 3 if changed == 3 else report.reparsed <= 260 - 64
    build_index(root, tmp_path / "fresh", workers=1)
    assert content(folder, root) == content(tmp_path / "fresh", root)
