"""Prevents: a name that only names a parameter in a system header taken for one that the repository's code could mean,
and a field, macro or type of such a header taken for a parameter."""

from __future__ import annotations

import pytest

from executor.variants.outside import chunks, is_own, public_words


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
    assert public_words(header.encode()) == {name.encode() for name in names.split()}


def test_parts_of_an_expansion_know_their_file() -> None:
    text = b'# 1 "src/a.c"\nint a;\n# 1 "/usr/include/x.h" 1 3 4\nint x;\n# 2 "src/../inc/b.h" 2\nint b;\n'
    parts = list(chunks(text, "/root/tree", "."))
    assert parts == [("src/a.c", b"int a;\n"), ("/usr/include/x.h", b"int x;\n"), ("inc/b.h", b"int b;\n")]
    assert [is_own(path, ["inc/*"]) for path, _ in parts] == [True, False, False]
    assert not is_own("<built-in>", [])
