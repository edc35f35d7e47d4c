"""Prevents: a function renamed that one program compiles and another takes from a library, or that a library calls
back; a method renamed that a library's object defines, since std has one of its name; a registry renamed in which a
library's objects enter themselves, so that the program looks into an empty one; a library's function renamed that only
an inline function calls, so that no change of its header links."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace

import pytest

from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.images import build_image
from executor.repository.recipe import load_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from lab.variants.linker_symbols import find_names_in_symbols_shared_with_others
from tests.support.engines import cache_with_base
from tests.support.folder_session import FolderSession
from tests.support.projects import write_files

SOURCES = {
    # `both` is in a library as well; `asked` is called by the library; `mine` is neither.
    "a_c": "int both(void) { return 1; } int mine(void) { return 2; } int asked(void) { return 3; }",
    "use_c": "int both(void); int mine(void); int main(void) { return both() + mine(); }",
    "only_c": "int both(void); int main(void) { return both(); }",
    "lib_c": "int asked(void); int both(void) { return asked(); }",
}


class _Program:
    """Sources that are compiled, and what is found of their symbols. `lib.c` or `lib.cpp` becomes another project's
    archive, `-lelse`."""

    def __init__(self, folder, **sources):
        self.folder = folder
        (folder / "lib").mkdir()
        for name, text in sources.items():
            self.compile_source(name.replace("_", "."), text)

    def compile_source(self, name, text):
        (self.folder / name).write_text(text)
        self.run("g++" if name.endswith(".cpp") else "gcc", "-c", name)
        if name.startswith("lib."):
            self.run("ar", "crs", "lib/libelse.a", "lib.o")

    def run(self, *argv):
        subprocess.run(argv, cwd=self.folder, check=True)

    def make_unit(self, name, *flags, depends=()):
        stem, suffix = name.split(".")
        argv = ("g++" if suffix == "cpp" else "gcc", *flags, "-c", name)
        return BuildStep("compile", argv, ".", (f"{stem}.o",), (name,), (), depends)

    def make_link(self, name, *inputs, library=True):
        words = (f"-L{self.folder}/lib", "-lelse") if library else ()
        return BuildStep("link", ("gcc", *inputs, *words), ".", (name,), (), inputs)

    def find_names(self, *steps, outside=(), missing=frozenset(), mode="all", covers=()):
        recipe = SimpleNamespace(header_mode=mode, covers=covers)
        # What is found is kept there, and each call asks anew.
        folder = Path(mkdtemp(dir=self.folder))
        image = SimpleNamespace(graph=BuildGraph(steps, missing), folder=folder, key="", recipe=recipe)
        return find_names_in_symbols_shared_with_others(image, FolderSession(self.folder), outside)


def test_what_a_program_takes_from_a_library_stays_though_another_has_it(tmp_path):
    made = _Program(tmp_path, **SOURCES)
    made.run("ar", "crs", "own.a", "a.o")
    units = [made.make_unit(name) for name in ("a.c", "use.c", "only.c")]
    archives = [
        BuildStep("archive", ("ar", "own.a", path), ".", ("own.a",), (), (path,)) for path in ("a.o", "only.o")
    ]

    def found(*links, missing=frozenset()):
        return {"both", "mine", "asked"} & made.find_names(*units, *archives, *links, missing=missing)

    whole = made.make_link("whole", "use.o", "own.a", library=False)
    assert found(whole) == set()
    assert found(whole, made.make_link("other", "only.o")) == {"both"}
    assert found(made.make_link("calling", "use.o", "own.a")) == {"asked"}
    (tmp_path / "a.o").unlink()
    assert found(whole, missing=frozenset({"a.o"})) == set()


def test_a_method_that_the_librarys_class_has_stays_though_a_header_has_its_name(tmp_path):
    text = """struct Text { int find_last() const; };
    namespace std { int find_last(); }
    int main() { return Text().find_last() + std::find_last(); }"""
    made = _Program(tmp_path, use_cpp=text)
    unit, outside = made.make_unit("use.cpp"), ("const", "std", "find_last")
    assert made.find_names(unit, outside=outside) >= {"Text", "find_last"}
    assert "find_last" not in made.find_names(unit, outside=(*outside, "Text"))


REGISTRY = """struct Parser { virtual ~Parser() {} };
    template <class Kind> struct Registry { static int count; Registry() { count++; } };
    template <class Kind> int Registry<Kind>::count;
    inline int &users() { static int all; return all; }
    """


def test_data_that_the_librarys_objects_bring_along_too_stays(tmp_path):
    use = f"{REGISTRY} int main() {{ Parser parser; Registry<char> mine; return Registry<Parser>::count + users(); }}"
    made = _Program(tmp_path, use_cpp=use)

    def found(library):
        made.compile_source("lib.cpp", f"{REGISTRY} {library}")
        names = made.find_names(made.make_unit("use.cpp"), made.make_link("it", "use.o"))
        return {"Parser", "Registry", "count", "users", "all"} & names

    shared = found("static Registry<Parser> basic; Parser it; int more = users();")
    assert shared == {"Parser", "Registry", "count", "users", "all"}
    # A class of which both hold a table of functions works under two names.
    assert found("Parser it;") == set()


def test_what_an_inline_function_calls_stays_where_one_unit_stands_for_its_header(tmp_path):
    (tmp_path / "nodes.h").write_text("""int shift_all(int);
    int shift_mine(int);
    struct Nodes { int shift() const { return shift_all(2) + shift_mine(3); } int plain() const { return 4; } };
    """)
    made = _Program(
        tmp_path,
        use_cpp='#include "nodes.h"\nint shift_mine(int n) { return n; } int main() { return Nodes().plain(); }',
        lib_cpp="int shift_all(int n) { return n; } int shift_mine(int n) { return n; }",
    )
    steps = made.make_unit("use.cpp", "-O1", depends=("nodes.h",)), made.make_link("it", "use.o")

    def found(mode, *covers):
        return {"shift_all", "shift_mine"} & made.find_names(*steps, mode=mode, covers=covers)

    assert found("all") == set()
    assert found("override") == {"shift_all"}
    assert found("override", "*.h") == {"shift_all"}
    assert found("override", "other/*") == set()


OVERRIDING = """\
name: small
display: a small repository
languages: [cpp]
source: {directory: ../../tree}
build: {commands: [g++ -c use.cpp, g++ -o program use.o -L/usr/lib/x86_64-linux-gnu -lcrypt], goals: [program]}
header_mode: override
suites: [{name: unit, argv: [./program], parser: lines, timeout_factor: 1, timeout_min_s: 5, memory_mb: 256}]
parsers: {lines: {passed: '^ok (?P<name>[\\w:]+)$', failed: '^not ok (?P<name>[\\w:]+)$'}}
tests: {default: [unit]}
baseline_runs: 1
"""


@pytest.mark.bwrap
@pytest.mark.slow
def test_units_that_stand_for_headers_are_there_when_their_symbols_are_asked_for(tmp_path):
    """Prevents: objects in a folder that a sandbox empties with each command."""
    salt = (
        'extern "C" int crypt_checksalt(const char *);\n'
        "struct Salt { int check() const { return crypt_checksalt(0); } int plain() const { return 0; } };\n"
    )
    use = '#include <stdio.h>\n#include "salt.h"\nint main() { puts("ok plain"); return Salt().plain(); }\n'
    files = {"tree/salt.h": salt, "tree/use.cpp": use, "recipes/small/recipe.yaml": OVERRIDING}
    loaded = load_recipe(write_files(tmp_path, files) / "recipes/small/recipe.yaml")
    cache = cache_with_base(tmp_path / "cache")
    backend = open_unscheduled_backend("bwrap", cache)
    image = build_image(loaded, checkout_source(loaded, None, cache), backend, None, cache)
    assert "crypt_checksalt" in find_names_in_symbols_shared_with_others(image, backend, ())
