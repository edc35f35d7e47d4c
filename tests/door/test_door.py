"""Prevents: `import graft` that takes seconds, and a public name that can't be had; `No module named 'index.errors'`
for a user who has a folder `index/` or a file `agent.py`."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import graft
from graft._internals import NAMES
from tests.support.projects import write_files

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "litellm", "torch", "tree_sitter", "faiss", "pydantic", "docker"}
HELP = "sys.argv = ['graft', '--help']; from lab.cli.app import main; main()"


@pytest.mark.parametrize(
    ("program", "libraries"),
    [("import graft", HEAVY | {"scipy", "lightgbm", "yaml", "typer", "rich"}), (HELP, HEAVY)],
    ids=["import graft", "graft --help"],
)
def test_neither_importing_graft_nor_its_help_loads_a_library(program: str, libraries: set[str]) -> None:
    code = f"import atexit, sys; atexit.register(lambda: print({libraries} & {{*sys.modules}})); {program}"
    argv = [sys.executable, "-c", code]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "set()"


def test_every_public_name_can_be_had_and_says_what_it_is() -> None:
    assert [name for name in graft.__all__ if not (getattr(graft, name).__doc__ or "").strip()] == []
    with pytest.raises(AttributeError, match="module 'graft' has no attribute 'nonsense'"):
        _ = graft.nonsense  # type: ignore[attr-defined]


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "graft/__init__.py"
    assert graft.__version__.count(".") == 2


def test_what_is_not_there_is_the_users_mistake_in_one_line(tmp_path: Path, shop: graft.Index) -> None:
    target = shop.target(shop.functions()[0])
    for mistake, line in (
        (lambda: graft.open(folder=tmp_path / "none"), "no index there; make one: graft index build"),
        (lambda: graft.search(shop, "x", by="name"), r"search by 'name' is not known \(known: words, meaning\)"),  # type: ignore[arg-type]
        (lambda: graft.retrieve(shop, target, "lexicl"), "unknown 'lexicl'; did you mean 'lexical'"),
        (lambda: graft.load_run(tmp_path), "not a run folder"),
        (lambda: graft.grade(tmp_path), "not a run folder"),
    ):
        with pytest.raises(graft.UserError, match=line):
            mistake()


def test_only_a_function_can_be_a_target(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#define LIMIT 3\n")
    graft.index(tmp_path, tmp_path / "made", workers=1)
    with graft.open(folder=tmp_path / "made") as index:
        (limit,) = index.symbols("LIMIT")
        with pytest.raises(ValueError, match="a macro has no body to hide"):
            index.target(limit)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[graft.Index]:
    folder = tmp_path_factory.mktemp("shop") / "index"
    graft.index(ROOT / "examples" / "inventory" / "src", folder, workers=1)
    with graft.open(folder=folder) as index:
        yield index


def test_a_search_for_what_is_nowhere_finds_nothing(shop: graft.Index) -> None:
    assert graft.search(shop, "zebra") == ()


def test_a_retriever_sees_no_target_and_no_clone_of_it(shop: graft.Index) -> None:
    (months,) = shop.symbols("date_plus_months", graft.SymbolKind.FUNCTION)
    target = shop.target(months)
    view = graft.hide(shop, target)
    assert "/* body hidden */" in view.text(months)
    assert "/* body hidden */" not in shop.text(months)
    for by in ("bm25", "hybrid", "learned"):
        assert target.name not in [hit.symbol.name for hit in graft.retrieve(shop, target, by, limit=50)]


# Modules of the user's that have our names

FILES = 70
"""More than `index.worker_processes.MOST_ITEMS_IN_PROCESS`, so that a build starts its workers."""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with modules of the user's own that have our names and can't be imported unnoticed."""
    files = {f"{name}/__init__.py": f"raise RuntimeError('the wrong {name}')\n" for name in NAMES}
    files["agent.py"] = files.pop("agent/__init__.py")
    return write_files(tmp_path_factory.mktemp("theirs"), files)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f"file{number}.c": f"int f{number}(int x) {{ return x + {number}; }}\n" for number in range(FILES)}
    return write_files(tmp_path_factory.mktemp("tree"), files)


def run(*argv: str, cwd: Path, path: tuple[Path, ...] = (ROOT,)) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(str(folder) for folder in path)}
    return subprocess.run([sys.executable, *argv], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


def test_a_working_directory_and_a_pythonpath_with_our_names(theirs: Path, tmp_path: Path) -> None:
    script = tmp_path / "bin" / "graft"
    script.parent.mkdir()
    script.write_text("import sys\nfrom graft.__main__ import main\nsys.exit(main())\n")
    for program, path in ((("-m", "graft"), (ROOT,)), ((str(script),), (theirs, ROOT))):
        done = run(*program, "tasks", "list", "--dataset", "example", cwd=theirs, path=path)
        assert done.returncode == 0, done.stderr
        assert "18 tasks" in done.stdout


def test_a_build_with_workers_in_such_a_directory(theirs: Path, tree: Path, tmp_path: Path) -> None:
    command = ("-m", "graft", "index", "build", str(tree), "--index", str(tmp_path / "made"), "--workers", "2")
    done = run(*command, cwd=theirs, path=(theirs, ROOT))
    assert done.returncode == 0, done.stderr
    assert f"{FILES} functions" in done.stdout


def test_a_script_whose_workers_never_import_graft_first(theirs: Path, tree: Path, tmp_path: Path) -> None:
    """A worker of this script unpickles its work before anything has imported graft there."""
    script = theirs / "their_script.py"
    script.write_text(
        "if __name__ == '__main__':\n"
        "    import sys, graft\n"
        "    from pathlib import Path\n"
        "    from index.build import build_index\n"
        "    print(build_index(Path(sys.argv[1]), Path(sys.argv[2]), workers=2).functions)\n"
    )
    done = run(str(script), str(tree), str(tmp_path / "made"), cwd=theirs, path=(theirs, ROOT))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(FILES)


def test_a_module_of_our_name_that_is_already_imported_is_refused_in_one_line(tmp_path: Path) -> None:
    """Other modules of the user's are left alone."""
    write_files(tmp_path, {"index.py": "", "report.py": "ours = False\n"})
    done = run("-c", "import index, graft", cwd=tmp_path)
    assert done.returncode == 1
    (last,) = done.stderr.splitlines()[-1:]
    assert last.startswith("ImportError: graft can't be imported: the name 'index', which Graft uses, is taken by ")
    assert str(tmp_path / "index.py") in last
    done = run("-c", "import graft, report; print(report.__file__)", cwd=tmp_path)
    assert done.stdout.strip() == str(tmp_path / "report.py")
