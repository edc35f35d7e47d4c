"""The trees that the index is compared with clang on, and how their units compile: redis and bullet3 at the
benchmark's commits, and Debian's source packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tree:
    """A package, the folder of its source that is indexed, its units (patterns in that folder) and their flags.
    `{root}` in a flag is the folder, `{work}` the folder of the packages. `prepare` are the shell commands that make
    generated headers in the unpacked source."""

    package: str
    units: Sequence[str]
    flags: Sequence[str] = ()
    folder: str = "."
    without: Sequence[str] = ()
    prepare: str = ""

    def list_units(self, root: Path, headers: Path) -> Iterator[tuple[str, Sequence[str]]]:
        """Each unit's path and flags."""
        work = root.parents[1] if self.folder == "." else root.parents[1 + len(Path(self.folder).parts)]
        flags = [flag.format(root=root, work=work) for flag in self.flags]
        paths = sorted({path for pattern in self.units for path in root.glob(pattern)})
        for path in paths:
            relative = path.relative_to(root).as_posix()
            if not any(part in relative for part in self.without):
                yield relative, [*flags, "-w", "-isystem", str(headers)]


_CPP = ("-std=c++17", "-xc++")
_GTEST = ("googletest/include", "googletest", "googlemock/include", "googlemock")
_REDIS_PARTS = ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")
TREES = {
    "redis": Tree(
        "redis",
        ("src/*.c", *(f"deps/{part}/*.c" for part in _REDIS_PARTS)),
        (
            *("-DREDIS_STATIC=", "-DREDIS_TEST", "-DLUA_USE_MKSTEMP", "-DENABLE_CJSON_GLOBAL"),
            *(f"-I{{root}}/deps/{part}" for part in _REDIS_PARTS),
        ),
        prepare="cd src; ./mkreleasehdr.sh",
    ),
    # The unity sources hold the others, OpenCL's need its headers.
    "bullet3": Tree(
        "bullet3",
        ("src/**/*.cpp",),
        ("-DBT_USE_DOUBLE_PRECISION", "-I{root}/src"),
        without=("All.cpp", "OpenCL"),
    ),
    "unzip": Tree("unzip", ("*.c", "unix/unix.c"), ("-DUNIX", "-I{root}", "-I{root}/unix")),
    "libf2c": Tree(
        "libf2c2",
        ("*.c",),
        ("-I{root}", "-Wno-implicit-function-declaration", "-std=gnu89", "-DINTEGER_STAR_8"),
        prepare="cp f2c.h0 f2c.h; cp signal1.h0 signal1.h; cp sysdep1.h0 sysdep1.h; make -f makefile.u arith.h",
    ),
    "sqlite": Tree(
        "sqlite3",
        ("src/*.c",),
        ("-I{root}", "-I{root}/src", "-DSQLITE_ENABLE_FTS5", "-DSQLITE_OS_UNIX=1", "-DSQLITE_DEBUG"),
        without=("test", "shell", "tclsqlite"),
        prepare="./configure && make .target_source && rm -r tsrc",
    ),
    "googletest": Tree(
        "googletest",
        ("googletest/src/*.cc", "googlemock/src/*.cc", "googletest/samples/sample?.cc"),
        (*_CPP, *(f"-I{{root}}/{folder}" for folder in _GTEST)),
        without=("-all.cc",),
    ),
    "abseil": Tree(
        "abseil", ("absl/strings/*.cc", "absl/flags/*.cc"), (*_CPP, "-I{root}"), without=("test", "benchmark")
    ),
    "linux": Tree(
        "linux",
        ("lib/[a-k]*.c", "kernel/*.c"),
        (
            *("-nostdinc", "-std=gnu11", "-D__KERNEL__", "-fshort-wchar", "-m32"),
            *("-I{root}/arch/x86/include", "-I{root}/arch/x86/include/generated", "-I{root}/include"),
            *("-I{root}/arch/x86/include/uapi", "-I{root}/arch/x86/include/generated/uapi"),
            *("-I{root}/include/uapi", "-I{root}/include/generated/uapi"),
            *("-include", "{root}/include/linux/compiler-version.h", "-include", "{root}/include/linux/kconfig.h"),
            *("-include", "{root}/include/linux/compiler_types.h", "-DKBUILD_MODNAME=KBUILD_STR(x)"),
            *("-DKBUILD_BASENAME=KBUILD_STR(x)", "-DKBUILD_MODFILE=KBUILD_STR(x)"),
        ),
        prepare="make ARCH=x86 tinyconfig prepare; rm -r drivers sound net fs tools samples Documentation",
    ),
    "boost": Tree(
        "boost1.81",
        ("filesystem/src/*.cpp", "program_options/src/*.cpp", "json/src/src.cpp", "serialization/src/*.cpp"),
        (*_CPP, "-I{work}/boost1.81/include"),
        folder="libs",
        without=("windows", "winmain"),
        prepare="mkdir ../include; cp -r libs/*/include/boost libs/numeric/*/include/boost ../include; "
        "cd libs; rm -r $(ls | grep -vx 'filesystem\\|program_options\\|json\\|serialization')",
    ),
    "qt": Tree(
        "qtbase-opensource-src",
        ("tools/q[a-m]*.cpp",),
        (
            *(*_CPP, "-fPIC", "-DQT_BUILD_CORE_LIB", "-I{work}/qtroot/usr/include/x86_64-linux-gnu/qt5/QtCore"),
            *(f"-I{{work}}/qtbase-opensource-src/tree/include{folder}" for folder in ("", "/QtCore")),
            *("-I{work}/qtroot/usr/include/x86_64-linux-gnu/qt5/QtCore/5.15.8/QtCore/private",),
            "-I{work}/qtroot/usr/include/x86_64-linux-gnu/qt5",
            *("-I{work}/qtbase-opensource-src/tree/include/QtCore/5.15.8",),
            *("-I{work}/qtbase-opensource-src/tree/include/QtCore/5.15.8/QtCore", "-I{root}/global", "-I{root}/tools"),
        ),
        folder="src/corelib",
        prepare="perl bin/syncqt.pl -version 5.15.8 -outdir . -quiet .",
    ),
    # Of Debian's llvm-toolchain-16 the folders llvm/include, llvm/lib/Support and llvm/lib/Analysis; beside the tree
    # `generated`, with what Debian's llvm-16-dev has below include/llvm-16 and a config.h.
    "llvm": Tree(
        "llvm",
        ("lib/Support/[A-D]*.cpp", "lib/Analysis/[A-C]*.cpp"),
        (*_CPP, "-I{root}/include", "-I{work}/llvm/generated", "-D__STDC_LIMIT_MACROS", "-D__STDC_CONSTANT_MACROS"),
    ),
}
