"""Finds out how a tree is built and tested, by its files alone, and says why."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from index.errors import RecipeError
from index.values import Language
from lab.making.settings import BuildSettings, System

FOLDER = "graft-build"
_SUFFIXES: Mapping[str, Language] = {
    ".c": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp", ".hpp": "cpp", ".hh": "cpp", ".hxx": "cpp",
}  # fmt: skip
# A build option by its name: one that adds tests, one that adds what no test needs or what fails on a newer compiler.
_ADDS_TESTS = re.compile(r"(^|_)(UNIT_?)?(TESTS?|TESTING|UNITTESTS?|GTEST)(_|$)|BUILDTESTS?$")
_NO_TESTS = re.compile(
    r"WITHOUT|DISABLE|SKIP|(^|_)NO_|INSTALL|FUZZ|PERF|BENCH|VALGRIND|COVERAGE|MEMCHECK|NETWORK|ONLINE|LARGE|SLOW|SANITI|ANALY[SZ]|VTUNE|PROFIL|EXTERNAL|SYSTEM|SHARED|DOWNLOAD"
)
_SUPERFLUOUS = re.compile(
    r"WERROR|WARNINGS?_AS_ERRORS?|(^|_)(DOCS?|DOXYGEN|DOCUMENTATION|MANPAGES?|BENCHMARKS?|FUZZ\w*)(_|$)"
)
_OPTION = re.compile(r"(?im)^\s*\w*option\s*\(\s*(\w+)\s+\"[^\"]*\"(?:\s+(\w+))?")
_VENDORED = re.compile(
    r"(^|/)(third[_-]?party|3rd[_-]?party|extern(al)?|vendor(ed)?|deps|submodules|contrib)(/|$)", re.I
)
_TARGET = re.compile(r"(?m)^(check|test|tests|runtests?|unittest|unit-tests?|testsuite)\s*:(?!=)")
_STARTS_PYTHON = re.compile(r"(?m)^[^#\n]*(?:^|[\s;&|(`])python[ \t]+[-$./\w\"']+\.py\b")
_NOTHING = "no CMakeLists.txt, meson.build, configure, configure.ac or Makefile at its root or below"
_BAZEL = ("WORKSPACE", "MODULE.bazel", "BUILD.bazel", "BUILD", "WORKSPACE.bazel")
_MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Detected:
    """What was detected. `target`: the Makefile's target that runs the tests, or "". `reasons` say why, a sentence
    each. One system's own part knows nothing of the tree's `languages`."""

    build: BuildSettings
    target: str = ""
    reasons: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()


class NoBuildSystemError(RecipeError):
    """No build system that is known here, in a tree of these `languages`."""

    def __init__(self, message: str, languages: tuple[Language, ...]) -> None:
        super().__init__(message)
        self.languages = languages


def detect_build(
    root: Path, configure_options: Sequence[str] = (), packages: Sequence[str] = (), used: System | None = None
) -> Detected:
    """How the tree at `root` is built. `configure_options`: options that its distribution gives to configure;
    `packages`: those that its build needs; `used`: the build system that it uses, which is taken where it has tests.
    Raises RecipeError, in one line, for a tree that has no source or is Bazel's, NoBuildSystemError for one whose
    build isn't known."""
    suffixes = {path.suffix.lower() for path in list_files_except_version_control(root)}
    languages = tuple(sorted({_SUFFIXES[suffix] for suffix in suffixes & _SUFFIXES.keys()}))
    if not languages:
        raise RecipeError(f"{root}: no C or C++ source file; give the root of a source tree")
    found = _find_build_systems(root)
    if not found:
        if bazel := next((name for name in _BAZEL if (root / name).is_file()), ""):
            raise RecipeError(
                f"{root}: {bazel} found and no other build system: Bazel isn't supported, as it builds in sandboxes of"
                " its own where no command can be recorded; write a CMakeLists.txt or a Makefile, or a recipe by hand"
            )
        inner = _find_inner_build_folder_with_most_sources(root)
        if not inner:
            raise NoBuildSystemError(f"{root}: {_NOTHING}", languages)
        within = detect_build(root / inner, configure_options, packages, used)
        commands = tuple(f"cd {shlex.quote(inner)} && {line}" for line in within.build.commands)
        folder = inner if within.build.folder == "." else f"{inner}/{within.build.folder}"
        build = within.build.model_copy(update={"commands": commands, "folder": folder})
        reasons = (f"no build system at the root, the one of {inner}/ is taken", *within.reasons)
        return replace(within, build=build, languages=languages, reasons=reasons)
    whys = [f"{system}: {why}" for system, why in found.items()]
    tested = [system for system, why in found.items() if "no test" not in why]
    system = used if used in tested else (tested or list(found))[0]
    others = [name for name in found if name != system]
    if others:
        why = (
            "by which Debian builds it" if system == used else "the first with tests of cmake, meson, autotools, make"
        )
        whys.append(
            f"{len(found)} build systems: {system} was taken, {why};"
            f" for another write `system: {others[0]}` and its commands"
        )
    detected = _BUILDS[system](root, configure_options)
    needed = [*packages, *(p for p in detected.build.packages if p not in packages)]
    if script := _find_script_calling_plain_python_or_empty(root):
        needed.append("python-is-python3")
        whys.append(f"python-is-python3: {script} asks for `python`, which the base calls python3")
    build = detected.build.model_copy(update={"packages": tuple(needed)})
    whys += detected.reasons
    if missing := find_missing_submodule_or_empty(root):
        whys.append(f"the submodule {missing} is missing: if the build needs it, run `git submodule update --init`")
    return replace(detected, build=build, languages=languages, reasons=tuple(whys))


def find_other_tested_system(root: Path, system: System) -> System | None:
    """Another build system than `system` at the root, the first with tests."""
    found = _find_build_systems(root).items()
    return next((name for name, why in found if name != system and "no test" not in why), None)


def _find_build_systems(root: Path) -> dict[System, str]:
    """The build systems at the root, each with why it is believed, and whether it has tests."""
    return {system: why for system, look in _SYSTEMS.items() if (why := look(root))}


def _find_inner_build_folder_with_most_sources(root: Path) -> str:
    """Of the folders up to two below the root that have a build system the one that holds most source files, or ""."""
    counts: Counter[str] = Counter()
    for path in list_files_except_version_control(root):
        place = path.relative_to(root).parent
        if path.suffix.lower() in _SUFFIXES and not _VENDORED.search(place.as_posix()):
            counts.update("/".join(place.parts[:depth]) for depth in (1, 2) if len(place.parts) >= depth)
    inside = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0].count("/")))
    return next((inner for inner, _ in inside if _find_build_systems(root / inner)), "")


def list_files_except_version_control(root: Path) -> Iterator[Path]:
    """All files of the tree but those of version control."""
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in {".git", ".svn", ".hg", FOLDER})
        yield from (Path(where, name) for name in sorted(names))


def _read_text_start_or_empty(path: Path) -> str:
    try:
        return path.read_bytes()[:_MOST_BYTES].decode("utf-8", "replace")
    except OSError:
        return ""


def _find_unvendored_files(root: Path, *patterns: str) -> list[Path]:
    """The files whose names fit a pattern (fnmatch) and that aren't in a copy of another project."""
    return [
        path
        for path in list_files_except_version_control(root)
        if any(fnmatchcase(path.name, pattern) for pattern in patterns)
        and not _VENDORED.search(path.relative_to(root).parent.as_posix())
    ]


def _make_build_file_and_tests_describer(pattern: str, main: str, *more: str) -> Callable[[Path], str]:
    """Tells of a tree that it has the build system's file `main`, and the first file in which the pattern shows a
    test; "" for one without `main`."""

    def describe_tests(root: Path) -> str:
        if not (root / main).is_file():
            return ""
        files = (
            path
            for path in _find_unvendored_files(root, main, *more)
            if re.search(pattern, _read_text_start_or_empty(path))
        )
        found = next(files, None)
        return f"{main}, no test in it" if found is None else f"{main}, and {found.relative_to(root)} adds tests"

    return describe_tests


def _describe_autotools_script_and_tests_or_empty(root: Path) -> str:
    script = next((n for n in ("configure", "configure.ac", "configure.in") if (root / n).is_file()), "")
    if not script:
        return ""
    for path in _find_unvendored_files(root, "Makefile.am", "Makefile.in"):
        text = _read_text_start_or_empty(path)
        words = r"check-local|tests?" if "generated by automake" in text else r"check(-local)?|tests?"
        if re.search(rf"(?m)^[ \t]*(TESTS[ \t]*\+?=[ \t]*\S|({words})[ \t]*:)", text):
            return f"{script}, and {path.relative_to(root)} has tests"
    return f"{script}, no test in its Makefiles"


def _describe_makefile_and_tests_or_empty(root: Path) -> str:
    path = _find_makefile(root)
    if path is None:
        return ""
    target = _TARGET.search(_read_text_start_or_empty(path))
    return f"{path.name}, target {target[1]}" if target else f"{path.name}, no test target"


def _find_makefile(root: Path) -> Path | None:
    return next((root / n for n in ("GNUmakefile", "Makefile", "makefile") if (root / n).is_file()), None)


_SYSTEMS: Mapping[System, Callable[[Path], str]] = {
    "cmake": _make_build_file_and_tests_describer(
        r"(?im)^\s*(add_test|gtest_discover_tests|catch_discover_tests|gtest_add_tests)\s*\(",
        "CMakeLists.txt",
        "*.cmake",
    ),
    "meson": _make_build_file_and_tests_describer(r"(?m)^\s*test\s*\(", "meson.build"),
    "autotools": _describe_autotools_script_and_tests_or_empty,
    "make": _describe_makefile_and_tests_or_empty,
}
# Older C defines a variable in every file that includes its header, which linkers refuse without -fcommon.
_FLAGS = {"CFLAGS": "-O1 -fcommon", "CXXFLAGS": "-O1"}
# What autoreconf makes is newer than the manuals, which make would write again by a program that isn't there.
_NO_MANUALS = {"MAKEINFO": "true", "HELP2MAN": "true"}
# A patch of Debian's may be newer than what the tree's authors made of the file. Where autoreconf doesn't make all of
# it again, make would, one by one and by other versions of these programs, and fail.
_NO_REMAKING = {"ACLOCAL": "true", "AUTOCONF": "true", "AUTOHEADER": "true", "AUTOMAKE": "true"}
# The programs of the tests are built, and none is run: automake's harness takes an empty list. Where a tree's own rule
# runs tests nevertheless, and one fails, what they need is built folder by folder. A program that doesn't link is no
# test; a folder of which none does stops the build, as something that they all need is missing.
_CHECK = (
    "make -j$JOBS check TESTS= || for made in $(grep -rl --include=Makefile '^check-am:' .); do rules='graft-check:"
    " $(check_LIBRARIES) $(check_LTLIBRARIES) $(check_PROGRAMS) $(check_SCRIPTS) $(check_DATA)\\ngraft-some: ;"
    ' @ls $(check_PROGRAMS) | grep -q .\\n\'; printf "$rules" | make -k -j$JOBS -C $(dirname $made) -f Makefile -f -'
    ' graft-check || printf "$rules" | make -C $(dirname $made) -f Makefile -f - graft-some || exit 1; done'
)
# A warning would fail bodies that are right, and the stub, which leaves its parameters unused. -Werror=implicit...,
# =int-conversion and =incompatible... stay: they are errors of the language. Only files that configure has just made
# are changed.
_NO_WERROR = "sed -i -E 's/-(Werror|pedantic-errors|Werror=([^i]|i[^mn])[^ ]*)( |$)/\\3/g' {} +"

# Makefiles that leave a dependency out fail with several jobs by chance, and not with one.
_MAKE = "make -j$JOBS || make"


def _detect_cmake_build(root: Path, configure_options: Sequence[str]) -> Detected:
    defined = [word for word in configure_options if word.startswith("-D")]
    reasons = [f"Debian's rules configure with {', '.join(defined)}"] if defined else []
    own = {"CMAKE_BUILD_TYPE": "None", "BUILD_TESTING": "ON"}
    options = {"CMAKE_BUILD_TYPE": "", **dict(word[2:].split("=", 1) for word in defined if "=" in word), **own}
    for path in _find_unvendored_files(root, "CMakeLists.txt", "*.cmake"):
        for name, default in _OPTION.findall(_read_text_start_or_empty(path)):
            upper = name.upper()
            if _ADDS_TESTS.search(upper) and not _NO_TESTS.search(upper):
                options[name] = "ON"
            elif _SUPERFLUOUS.search(upper) and default.upper() != "OFF":
                options[name] = "OFF"
    given = " ".join(f"-D{name}={shlex.quote(value)}" for name, value in options.items())
    commands = (
        f"cmake -S . -B {FOLDER} {given}",
        f"find {FOLDER} -name flags.make -exec {_NO_WERROR}",
        f"make -C {FOLDER} -j$JOBS || make -C {FOLDER}",
    )
    build = BuildSettings(system="cmake", folder=FOLDER, commands=commands, env=_FLAGS)
    return Detected(build, reasons=tuple(reasons))


def _detect_meson_build(root: Path, configure_options: Sequence[str]) -> Detected:
    given = [w for w in configure_options if w.startswith("-D") and "=" in w]
    options = _read_text_start_or_empty(root / "meson_options.txt") + _read_text_start_or_empty(root / "meson.options")
    for name, kind in re.findall(r"option\(\s*'([\w-]+)'\s*,\s*type\s*:\s*'(\w+)'", options):
        if _ADDS_TESTS.search(name.upper().replace("-", "_")) and not _NO_TESTS.search(name.upper()):
            given.append(f"-D{name}={'enabled' if kind == 'feature' else 'true'}")
    fixed = "--buildtype=plain --default-library=static --wrap-mode=nodownload"
    commands = (" ".join(["meson setup", FOLDER, fixed, *given]), f"ninja -C {FOLDER} -j$JOBS")
    packages = ("meson", "ninja-build")
    build = BuildSettings(system="meson", folder=FOLDER, commands=commands, env=_FLAGS, packages=packages)
    return Detected(build)


def _detect_autotools_build(root: Path, configure_options: Sequence[str]) -> Detected:
    commands: list[str] = []
    reasons: list[str] = []
    if not (root / "configure").is_file():
        script = _choose_script_making_configure(root)
        commands.append(script if script == "autoreconf -fi" else f"NOCONFIGURE=1 {script}")
        reasons.append(f"no configure in the tree, so {script} makes it")
    elif changed := _find_changed_autotools_input_or_empty(root):
        commands.append("autoreconf -fi")
        reasons.append(f"{changed} is newer than what is made of it, so autoreconf -fi makes that again")
    packages = ("autoconf", "automake", "libtool", "autopoint", "gettext") if commands else ()
    given = [
        w
        for w in configure_options
        if w.startswith("--") and not re.match(r"--(prefix|libdir|bindir|mandir|host|build)", w)
    ]
    is_automake = bool(_find_unvendored_files(root, "Makefile.am"))
    is_autoconf = (root / "configure.ac").is_file() or (root / "configure.in").is_file()
    if is_autoconf:
        given = [*given, "--disable-shared", "--enable-static"]
    target = "" if "no test" in _describe_autotools_script_and_tests_or_empty(root) else "check"
    # Automake writes an empty target `check` into each Makefile.in.
    names = ("Makefile.am",) if is_automake else ("Makefile.in", "Makefile")
    target = next(
        (match[1] for name in names if (match := _TARGET.search(_read_text_start_or_empty(root / name)))), target
    )
    commands.append(" ".join(["./configure", *dict.fromkeys(given)]))
    if is_autoconf:
        commands.append(f"find . -name Makefile -newer config.status -exec {_NO_WERROR}")
    commands.append(_MAKE)
    if is_automake:
        commands.append(_CHECK)
    if not is_automake or target not in ("", "check"):
        commands.append(f"make {target or 'check'} || true")
    env = _FLAGS | _NO_MANUALS | ({} if packages else _NO_REMAKING)
    build = BuildSettings(system="autotools", commands=tuple(commands), env=env, packages=packages)
    return Detected(build, target, tuple(reasons))


def _choose_script_making_configure(root: Path) -> str:
    # Plain autoreconf does where there are no submodules or files that autogen.sh would fetch.
    if re.search(r"git |bootstrap|gtkdocize|intltoolize|wget|curl", _read_text_start_or_empty(root / "autogen.sh")):
        return "./autogen.sh"
    scripts = [name for name in ("bootstrap", "bootstrap.sh") if (root / name).is_file()]
    return f"./{scripts[0]}" if scripts else "autoreconf -fi"


def _find_changed_autotools_input_or_empty(root: Path) -> str:
    """The first file that is newer than what autoconf or automake made of it, as one is that a patch changed; or "".
    Without these tools a build of such a tree stops, or goes on without the change."""
    included: list[str] = re.findall(r"(?m)^m4_include\(\[([^]]+)\]\)", _read_text_start_or_empty(root / "aclocal.m4"))
    pairs = [(root / name, root / "configure") for name in ("configure.ac", "configure.in", "acinclude.m4", *included)]
    pairs += [(path, path.with_suffix(".in")) for path in _find_unvendored_files(root, "Makefile.am")]
    for source, made in pairs:
        if source.is_file() and made.is_file() and source.stat().st_mtime_ns > made.stat().st_mtime_ns:
            return str(source.relative_to(root))
    return ""


def _detect_make_build(root: Path, configure_options: Sequence[str]) -> Detected:
    path = _find_makefile(root)
    match = _TARGET.search(_read_text_start_or_empty(path)) if path else None
    target = match[1] if match else ""
    commands = (_MAKE, *((f"make {target} || true",) if target else ()))
    return Detected(BuildSettings(system="make", commands=commands), target)


_BUILDS = {
    "cmake": _detect_cmake_build,
    "meson": _detect_meson_build,
    "autotools": _detect_autotools_build,
    "make": _detect_make_build,
}


def _find_script_calling_plain_python_or_empty(root: Path) -> str:
    """The first script that starts by the name `python`, or starts something by that name; or ""."""
    for path in list_files_except_version_control(root):
        is_script = path.suffix in ("", ".py", ".sh", ".test") and not path.is_symlink() and path.is_file()
        text = _read_text_start_or_empty(path) if is_script else ""
        starts = path.suffix != ".py" and text.startswith("#!") and _STARTS_PYTHON.search(text)
        if starts or re.match(r"#!.*[/ ]python\s", text):
            return path.relative_to(root).as_posix()
    return ""


def find_missing_submodule_or_empty(root: Path) -> str:
    """The folder of the first submodule that isn't there, or ""."""
    text = _read_text_start_or_empty(root / ".gitmodules")
    for path in re.findall(r"(?m)^\s*path\s*=\s*(\S.*)$", text):
        place = root / path.strip()
        if not place.is_dir() or not any(place.iterdir()):
            return str(path).strip()
    return ""
