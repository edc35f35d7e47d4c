"""Prevents: a wheel that lacks a package or a data file, so that `graft` works in a checkout alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import graft
from tests.support.projects import write_files

ROOT = Path(__file__).parents[2]
FOLDERS = ("agent", "examples", "executor", "experiments", "graft", "index", "lab", "recipes", "retrieval")

# One process builds the wheel for all of them.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout. Its build back end comes from a package index."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode and os.environ.get("GRAFT_CI") != "1" and "No matching distribution" in done.stderr:
        pytest.skip("no package index: the wheel's build back end can't be had")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it. It shares this one's libraries, which take minutes to install."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, str(wheel)], check=True, timeout=120)
    (site,) = (folder / "lib").glob("python*/site-packages")
    # A .pth file that lies there isn't read again: this checkout's own editable install stays out.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and no path of the checkout's."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(program: Path, *argv: str, seconds: int = 120) -> str:
    done = subprocess.run([str(program), *argv], capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_installs_one_name_and_lacks_no_file(wheel: Path) -> None:
    tracked = run(Path("git"), "-C", str(ROOT), "ls-files", *FOLDERS).splitlines()
    files = {path if path.startswith("graft/") else f"graft/internal/{path}" for path in tracked}
    files = {path.replace("graft/stubs/", "graft/") for path in files}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == files


@pytest.mark.usefixtures("empty", "used_cache")
def test_the_command_works_in_an_empty_folder(environment: Path) -> None:
    program = environment / "bin" / "graft"
    assert run(program, "--version").strip().endswith(graft.__version__)
    assert run(program, "tasks", "list", "--dataset", "example").splitlines()[-1].startswith("18 tasks")
    keys = ["dataset=example", "repos=example", "tasks=check-digit", "arms=oracle,lexical+compile", "audit=none"]
    shown = run(program, "run", "oracle", "model=gold", "sandbox=process", *keys)
    assert "lexical+compile" in shown
    assert Path("runs/oracle-gold/report.json").is_file()
    run(program, "show", "runs/oracle-gold", "--html", "report.html")
    assert "check_digit" in Path("report.html").read_text()


@pytest.mark.usefixtures("used_cache")
def test_the_door_and_its_workers_come_from_the_wheel(environment: Path, empty: Path) -> None:
    wrong = {f"{name}/__init__.py": f"raise RuntimeError('the wrong {name}')\n" for name in ("index", "agent")}
    write_files(empty, wrong | {f"file{number}.c": f"int f{number}(void) {{ return 1; }}\n" for number in range(70)})
    script = (
        "import graft, index.build\n"
        "print(graft.__version__, index.build.__file__)\n"
        "print(graft.index('.', 'made', workers=2).functions)\n"
    )
    own, functions = run(environment / "bin" / "python", "-c", script).splitlines()
    assert own.startswith(f"{graft.__version__} {environment}")
    assert functions == "70"


def test_a_type_checker_follows_the_door_of_the_wheel(environment: Path, empty: Path) -> None:
    (empty / "script.py").write_text(
        "import graft\n"
        "with graft.open('tree') as index:\n"
        "    (symbol,) = index.symbols('f', graft.SymbolKind.FUNCTION)\n"
        "    reveal_type(symbol.span.first)\n"
        "    reveal_type(graft.hide(index, index.target(symbol)).text(symbol))\n"
        "reveal_type(graft.run('oracle', model='gold').arms[0].pass_at_1)\n"
    )
    options = ["--strict", "--cache-dir", "cache", "--python-executable", str(environment / "bin" / "python")]
    shown = run(Path(sys.executable), "-m", "mypy", *options, "script.py", seconds=300)
    assert re.findall(r'Revealed type is "(?:builtins\.)?(\w+)"', shown) == ["int", "str", "float"]


@pytest.mark.usefixtures("empty", "used_cache")
def test_a_folder_that_pip_installs_into_is_enough(wheel: Path, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", "packages", str(wheel)]
    run(Path(sys.executable), *command)
    assert sorted(p.name for p in (empty / "packages").iterdir() if ".dist-info" not in p.name) == ["bin", "graft"]
    monkeypatch.setenv("PYTHONPATH", str(empty / "packages"))
    shown = run(Path(sys.executable), "-m", "graft", "tasks", "list", "--dataset", "example")
    assert "18 tasks" in shown


@pytest.mark.usefixtures("empty", "used_cache")
@pytest.mark.timeout(900)
@pytest.mark.skipif(shutil.which("make") is None, reason="the example is built by make")
def test_the_demo_runs_from_the_wheel(environment: Path) -> None:
    # The whole demo runs in `.ci/run`, from the checkout.
    shown = run(environment / "bin" / "graft", "demo", "tasks=text-trim", seconds=800)
    assert "oracle+compile" in shown
    assert Path("runs/demo/report.md").is_file()
