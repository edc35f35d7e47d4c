"""Prevents: a name that only names a parameter in a system header taken for one that the repository's code could mean,
and a field, macro or type of such a header taken for a parameter;
a unit given what another printed, since both ran at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.build.graph import BuildStep
from lab.variants.external_names import (
    PREPROCESS,
    find_public_words,
    is_own_file,
    run_unit_compilers,
    split_preprocessed_by_file,
)
from tests.support.folder_session import FolderSession


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("extern int open(const char *path, int flags, ...);", "extern int open const char"),
        ("ssize_t read(int fd, void *buf, size_t count);", "ssize_t read int void size_t"),
        ("struct stat { long st_size; char pad[4], *name; };", "struct stat long st_size char pad name"),
        ("typedef void (*handler)(int sig);", "typedef void handler int"),
        ("int (*compare)(const void *, const void *);", "int compare const void"),
        ("#define FD_SET(fd, set) ((set)->bits[fd] |= mask)", "FD_SET bits mask"),
        ('#define NAME "words of a text"', "NAME"),
        ("#undef OTHER", "undef OTHER"),
        ("void f(struct key, unsigned count);", "void f struct key unsigned count"),
        ("static inline int twice(int number) { return number + number; }", "static inline int twice return number"),
    ],
)
def test_names_that_code_elsewhere_can_mean(header: str, names: str) -> None:
    assert find_public_words(header.encode()) == {name.encode() for name in names.split()}


def test_parts_of_an_expansion_know_their_file() -> None:
    text = b'# 1 "src/a.c"\nint a;\n# 1 "/usr/include/x.h" 1 3 4\nint x;\n# 2 "src/../inc/b.h" 2\nint b;\n'
    parts = list(split_preprocessed_by_file(text, "/root/tree", "."))
    assert parts == [("src/a.c", b"int a;\n"), ("/usr/include/x.h", b"int x;\n"), ("inc/b.h", b"int b;\n")]
    assert [is_own_file(path, ["inc/*"]) for path, _ in parts] == [True, False, False]
    assert not is_own_file("<built-in>", [])


def test_units_that_run_side_by_side_keep_their_outputs(tmp_path: Path) -> None:
    units = []
    for number in range(17):
        # The first has the most to print, and the last can't be preprocessed.
        text = f"int unit{number};\n" * (100_000 if number == 0 else 1) + "#error no\n" * (number == 16)
        (tmp_path / f"{number}.c").write_text(text)
        argv = ("cc", "-c", f"{number}.c")
        units.append(BuildStep("compile", argv, "", (f"{number}.o",), (f"{number}.c",)))
    found = list(run_unit_compilers(FolderSession(tmp_path), units, *PREPROCESS))  # type: ignore[arg-type]
    assert [unit for unit, _, _ in found] == units
    for number, (_, status, output) in enumerate(found[:-1]):
        assert status == 0 and f"int unit{number};".encode() in output
    assert found[-1][1] != 0
