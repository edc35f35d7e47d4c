"""Prevents: `No module named 'index.errors'` for a user who has a folder `index/` or a file `agent.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graft._internals import NAMES
from tests.support.projects import write_files

ROOT = Path(__file__).parents[2]
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
