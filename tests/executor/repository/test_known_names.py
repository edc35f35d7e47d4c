"""What a repository defines. Prevents: honest calls that are flagged, so that nobody reads flags any more, and a call
of a test's own function, or of one that ends the program, that looks like the repository's."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from executor.grading.flags import find_flags
from executor.repository import known_names
from executor.repository.known_names import FORMAT, load_repository_names, recognise_names_by_tree_and_gold
from index.values import Span
from tests.support.projects import write_files

LIST_C = b"""\
#include "list.h"

int list_length(const struct list *l)
{
    return count(l->first, l->sort);
}

void list_write(const struct list *l)
{
    write(1, l->name, strlen(l->name));
}

int list_last(struct list *l) /* may call exit(3) { */
{
    leave_early(2);
    return (l->first)[3];
}
"""
LENGTH = Span(3, 6)
FILES = {
    "src/list.c": LIST_C,
    "src/list.h": b"#define MUST(x) x\ntypedef int (*sorter)(int);\nint list_made_elsewhere(int);\n"
    b"struct list { int n; };\n",
    "src/end.c": b"void leave(int n) {\n    _exit(n);\n}\nvoid leave_early(int n) { leave(n); }\n"
    b"static int count(int a, sorter s) { if (a) { return s(a); } return 0; }\n",
    "tests/harness.c": b"void test_pass(const char *name) { puts(name); }\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "tree", FILES)


def _flags(root: Path, body: str, span: Span = LENGTH) -> tuple[str, ...]:
    code = f"int list_length(const struct list *l)\n{{\n    {body}\n}}"
    return find_flags(code, recognise_names_by_tree_and_gold(root, "src/list.c", LIST_C, span, code))


def test_functions_macros_and_types_outside_tests_are_the_repositorys(root: Path) -> None:
    found = load_repository_names(root)
    assert {"list_length", "leave", "count", "MUST", "sorter", "list", "list_made_elsewhere"} <= found.names
    assert not {"test_pass", "exit", "puts"} & found.names
    assert found.leads == {"leave": "_exit", "leave_early": "_exit"}


def test_names_that_a_busy_machine_couldnt_read_are_read_later(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevents: honest answers that are flagged for good, after a moment without file handles."""

    def open_no_more(root: str, path: str) -> tuple[bytes, str]:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as busy:
        busy.setattr(known_names, "read_source_or_skip_reason", open_no_more)
        with pytest.raises(OSError, match="Too many open files"):
            load_repository_names(root)
    assert "list_length" in load_repository_names(root).names


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return MUST(count(l->first, 0)) + list_made_elsewhere(3);", ()),
        ("leave_early(0);", ()),
        ("leave(0);", ("calls leave, which leads to _exit and isn't called in this file",)),
        ("test_pass(0);", ("calls test_pass, which neither the repository defines nor this file calls",)),
        # Its siblings write, the gold doesn't.
        ("write(1, l, 3);", ("output: write",)),
        ("_exit(0);", ("exit: _exit",)),
        ("return (l->first)(3);", ("calls through a pointer",)),
    ],
)
def test_a_call_is_held_against_the_tree_the_file_and_the_gold(
    root: Path, body: str, expected: tuple[str, ...]
) -> None:
    assert _flags(root, body) == expected

    # What the gold does is unremarkable. It is another function's, in whose place the text defines this one.
    assert _flags(root, "write(1, l, 3);", Span(8, 11)) == ("defines list_length, as the repository does",)


def test_names_are_read_once_and_a_damaged_record_is_read_again(root: Path) -> None:
    found = load_repository_names(root)
    kept = root.with_name(f"tree.names-{FORMAT}.json")
    assert kept.is_file()
    (root / "src" / "end.c").unlink()
    load_repository_names.cache_clear()
    assert load_repository_names(root) == found
    kept.write_text("[]")
    load_repository_names.cache_clear()
    assert "leave" not in load_repository_names(root).names


@pytest.mark.parametrize(
    "body",
    [
        "server.report = 0;",
        "server . report [2].x += 1;",
        "++server.report;",
        "server.report--;",
        "if (l) server.rows[l->n].cell = 0;",
        "for (server.report = 0; ; ) break;",
        "reported = 1;",
        "int *state = &server.report; *state = 0;",
        "memset(&server.report, 0, 4);",
    ],
)
def test_a_write_to_state_that_the_file_never_names_is_flagged(root: Path, body: str) -> None:
    (flag,) = _flags(root, f"{body} return 0;")
    assert flag.startswith("writes to ") and flag.endswith(", which isn't named in this file")


@pytest.mark.parametrize(
    "body",
    [
        "int a = 0, b = 1; for (int i = 0, j = 0; i < a; i++, j++) b += j;",
        "struct list copy = *l; copy.n = 3; copy.n++;",
        "int n, m; n = m = 2; m++; count(&m, &n);",
        "int *p = 0, *q; q = p; *q = 3; *p++ = 1;",
        "int rows[3]; rows[1] = 2; ++rows[0];",
        "l->first = 0; l->first->next = 0;",
        "struct list made = {.n = 1};",
        "(void)l; (*l).n = 3;",
        "int n = 3, m = 4; int *p = &n, *q[] = {&m, p}; n = n & m; struct list **at = &l;",
    ],
)
def test_writes_to_what_the_body_declares_or_the_file_names_are_unremarkable(root: Path, body: str) -> None:
    assert _flags(root, f"{body} return 0;") == ()


def test_the_address_of_a_whole_global_is_flagged_unless_the_file_takes_it(root: Path) -> None:
    body = "struct state *s = &server; s->report = 0; return 0;"
    assert _flags(root, body) == ("takes &server, which isn't taken in this file",)
    code = f"int list_length(const struct list *l)\n{{\n    {body}\n}}"
    file = LIST_C + b"void watch(void) { use(&server); }\n"
    assert find_flags(code, recognise_names_by_tree_and_gold(root, "src/list.c", file, LENGTH, code)) == ()
