"""Small projects that know nothing of Graft: what `graft make` is tried on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_TEXT_C = """\
#include "text.h"

/* How many times the letter c stands in the text. */
int text_count(const char *text, char c)
{
    int count = 0;
    for (; *text; text++)
        count += *text == c;
    return count;
}

/* The place of the first letter c in the text, or -1 when there is none. */
int text_find(const char *text, char c)
{
    for (int at = 0; text[at]; at++)
        if (text[at] == c)
            return at;
    return -1;
}

/* How many words, separated by single blanks, the text holds. */
int text_words(const char *text)
{
    if (!*text)
        return 0;
    return text_count(text, ' ') + 1;
}

int text_bare(const char *text)
{
    int at = 0;
    while (text[at] == ' ')
        at++;
    return at;
}
"""
_TEXT_H = """\
int text_count(const char *text, char c);
int text_find(const char *text, char c);
int text_words(const char *text);
/* How many blanks the text begins with. */
int text_bare(const char *text);
"""
_LOUD = """\
#include <stdio.h>
#include "../src/text.h"
int main(void)
{
    printf("%s letters\\n", text_count("banana", 'a') == 3 ? "ok" : "not ok");
    printf("%s words\\n", text_words("one two three") == 3 && text_words("") == 0 ? "ok" : "not ok");
    return text_words("a b") != 2;
}
"""
_SILENT = """\
#include <assert.h>
#include "../src/text.h"
int main(void)
{
    assert(text_find("banana", 'n') == 2);
    assert(text_find("banana", 'x') == -1);
    assert(text_bare("  x") == 2);
    return 0;
}
"""
_CMAKE = """\
cmake_minimum_required(VERSION 3.13)
project(words C)
option(WORDS_BUILD_TESTS "Build the tests" OFF)
add_compile_options(-Wall -Wextra -Werror)
add_library(words STATIC src/text.c)
if(WORDS_BUILD_TESTS)
  enable_testing()
  foreach(name loud silent)
    add_executable(test_${name} tests/${name}.c)
    target_link_libraries(test_${name} words)
    add_test(NAME ${name} COMMAND test_${name})
  endforeach()
  add_test(NAME broken COMMAND test_loud)
  set_tests_properties(broken PROPERTIES WILL_FAIL TRUE)
endif()
"""


def cmake_project(root: Path) -> Path:
    """A C library of four functions with two test programs, of which one prints nothing. Its tests are off by default,
    its warnings are errors, and one entry of ctest fails."""
    files = {"CMakeLists.txt": _CMAKE, "LICENSE": "MIT License\n", "src/text.c": _TEXT_C, "src/text.h": _TEXT_H}
    return write_files(root, {**files, "tests/loud.c": _LOUD, "tests/silent.c": _SILENT})


_STACK = """\
#pragma once
namespace shelf {
/// A stack of lengths that knows its longest one.
class Stack {
public:
    /// Put a length on top of the stack.
    void push(int length)
    {
        lengths_[count_++] = length;
        if (length > longest_)
            longest_ = length;
    }
    /// Take the top length away and return it; 0 when there is none.
    int pop();
    int longest() const { return longest_; }

private:
    int lengths_[8] = {};
    int count_ = 0;
    int longest_ = 0;
};
} // namespace shelf
"""
_STACK_CPP = """\
#include "stack.hpp"
namespace shelf {
int Stack::pop()
{
    if (count_ == 0)
        return 0;
    return lengths_[--count_];
}
} // namespace shelf
"""
_CHECK_CPP = """\
#include <cstdio>
#include "stack.hpp"
int main()
{
    shelf::Stack stack;
    stack.push(2);
    stack.push(1);
    int first = stack.pop(), second = stack.pop(), third = stack.pop();
    std::printf("%d %d %d %d\\n", stack.longest(), first, second, third);
    return stack.longest() != 2;
}
"""
_MAKEFILE = """\
all: stack.o libshelf.a
libshelf.a: stack.o
\t$(AR) cr $@ stack.o
stack.o: stack.cpp stack.hpp
\t$(CXX) -c stack.cpp
check: check_stack all
\t./check_stack
check_stack: check_stack.cpp stack.o stack.hpp
\t$(CXX) -o $@ check_stack.cpp stack.o
"""


def makefile_project(root: Path) -> Path:
    """A C++ class with an inline method, in a tree with a plain Makefile whose target `check` runs one program."""
    files = {"Makefile": _MAKEFILE, "stack.hpp": _STACK, "stack.cpp": _STACK_CPP, "check_stack.cpp": _CHECK_CPP}
    return write_files(root, files)


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files (path -> content) below `root`, and return it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root
