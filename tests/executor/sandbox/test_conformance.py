"""Every backend keeps the contract's ordinary promises. Prevents: a candidate judged on another one's leftovers, a
verdict read from a truncated or reordered log, a half-made image taken for a whole one."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Command, CommandLimits
from index.errors import SandboxError
from tests.executor.sandbox.conftest import find_sleeps


def test_files_go_in_and_out(session):
    session.write("new/deep/file.bin", bytes(range(256)) * 1000)
    assert session.read("new/deep/file.bin") == bytes(range(256)) * 1000
    assert session.read("new/deep/file.bin", limit=10) == bytes(range(10))
    assert session.read("kept.txt") == b"kept\n"
    assert session.run(Command(["cat", f"{session.root}/kept.txt"])).output == b"kept\n"
    with pytest.raises(FileNotFoundError):
        session.read("nothing/here")
    with pytest.raises(FileNotFoundError):
        session.read("new/deep")


def test_a_replaced_file_keeps_its_mode_and_belongs_to_the_commands_user(session):
    session.write("tool", b"#!/bin/sh\necho one\n")
    assert session.run(Command(["chmod", "750", "tool"])).ok
    session.write("tool", b"#!/bin/sh\necho two\n")
    assert session.run(Command(["./tool"])).output == b"two\n"
    assert session.run(Command(["stat", "-c", "%a", "tool"])).output == b"750\n"
    assert session.run(Command(["sh", "-c", "echo more >> tool && rm -r tool"])).ok

    # It keeps its time only where that is asked for.
    times = Command(["stat", "-c", "%Y", "kept.txt"])
    assert session.run(Command(["touch", "-d", "@1000000000", "kept.txt"])).ok
    session.write("kept.txt", b"new\n", keep_time=True)
    assert session.run(times).output == b"1000000000\n"
    assert session.read("kept.txt") == b"new\n"
    session.write("kept.txt", b"newer\n")
    assert int(session.run(times).output) > 1000000000


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["true"], 0),
        (["sh", "-c", "exit 3"], 3),
        (["./attack", "segv"], 128 + signal.SIGSEGV),
        (["sh", "-c", "kill -9 $$"], 128 + signal.SIGKILL),
        (["sh", "-c", "exit 124"], 124),
        (["no-such-program"], 127),
        (["./kept.txt"], 126),
    ],
)
def test_the_exit_code_is_the_commands_own(session, argv, code):
    result = session.run(Command(argv))
    assert (result.exit_code, result.timed_out, result.oom) == (code, False, False)
    assert result.ok == (code == 0)


def test_the_hosts_environment_stays_outside(place, monkeypatch):
    monkeypatch.setenv("GRAFT_TEST_API_KEY", "sk-very-secret")
    with place.backend.session(place.key) as session:
        seen = session.run(Command(["env"])).output.decode()
    assert "PATH=" in seen
    assert "secret" not in seen


def test_cwd_and_env_reach_the_command(session):
    session.write("sub/f", b"")
    show = Command(["sh", "-c", 'pwd; echo "$A"; ls'], cwd="sub", env={"A": "x y=$z"})
    assert session.run(show).output.decode() == f"{session.root}/sub\nx y=$z\nf\n"
    assert session.run(Command(["pwd"], cwd="/")).output == b"/\n"
    # A candidate may have deleted the folder: that is no failure of the sandbox.
    assert session.run(Command(["pwd"], cwd="not/there")).exit_code == 126


def test_stdin_is_given_whole_and_may_be_ignored(session):
    data = os.urandom(1_000_000)
    summed = session.run(Command(["sha256sum"], stdin=data)).output.split()[0].decode()
    assert summed == hashlib.sha256(data).hexdigest()
    assert session.run(Command(["true"], stdin=data)).ok
    assert session.run(Command(["cat"])).output == b""


def test_stderr_is_merged_in_the_order_written(session):
    result = session.run(Command(["sh", "-c", "for i in 1 2 3; do echo o$i; echo e$i >&2; done"]))
    assert result.output == b"o1\ne1\no2\ne2\no3\ne3\n"
    assert not result.truncated


def test_100_mb_of_output_cost_little_and_keep_the_head(session):
    limits = CommandLimits(output_bytes=1_000_000)
    flood = session.run(Command(["sh", "-c", "echo head; head -c 100000000 /dev/zero"], limits=limits))
    assert (flood.exit_code, flood.truncated, len(flood.output)) == (0, True, 1_000_000)
    assert flood.output.startswith(b"head\n")
    assert flood.wall_s < 20
    exact = session.run(Command(["head", "-c", "1000000", "/dev/zero"], limits=limits))
    assert (exact.truncated, len(exact.output)) == (False, 1_000_000)


@pytest.mark.parametrize("hang", [True, False], ids=["hanging", "ending"])
def test_no_escaped_child_outlives_its_command(session, hang):
    limits = CommandLimits(wall_s=1.5 if hang else 30)
    result = session.run(Command(["./attack", "escape", str(int(hang))], limits=limits))
    assert (result.exit_code, result.timed_out) == ((None, True) if hang else (0, False))
    assert result.wall_s < 15
    beats = session.read("beat")
    assert beats
    time.sleep(0.3)
    assert session.read("beat") == beats


def test_a_signal_to_its_whole_group_ends_the_command_alone(session):
    """A process group spans pid namespaces: the sandbox's own processes in it died too, and a candidate that ends so
    was an infrastructure failure, which is never counted."""
    done = session.run(Command(["sh", "-c", "kill -TERM 0; sleep 20"], limits=CommandLimits(wall_s=10)))
    assert (done.exit_code, done.timed_out) == (128 + 15, False)


def test_cpu_seconds_are_told(session):
    result = session.run(Command(["./attack", "spin"]))
    idle = session.run(Command(["sleep", "0.5"]))
    assert result.cpu_s is not None and idle.cpu_s is not None
    assert 0.05 < result.cpu_s < result.wall_s + 0.5
    assert idle.cpu_s < 0.3


def test_a_new_session_starts_from_the_image(place):
    with place.backend.session(place.key) as session:
        session.write("attack.c", b"overwritten")
        session.write("leftover", b"x")
        session.run(Command(["sh", "-c", "chmod -R u+w .; rm -rf ./* .??*; echo gone; ls -A"]))
        session.run(Command(["sh", "-c", f'rm -rf "{session.root}"'], cwd="/"))
        session.write("still/usable", b"yes")
        assert session.run(Command(["cat", "still/usable"])).output == b"yes"
    with place.backend.session(place.key) as session:
        assert session.read("kept.txt") == b"kept\n"
        assert b"hostile" in session.read("attack.c")
        assert session.run(Command(["sh", "-c", "./attack nothing; test $? = 2"])).ok
        with pytest.raises(FileNotFoundError):
            session.read("leftover")


def test_put_tree_keeps_modes_times_and_links_and_leaves_git_out(place, tmp_path):
    source = tmp_path / "tree"
    for name in (".git/config", "sub/.git/config", "sub/x.sh", ".gitignore"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("content")
    (source / "sub/x.sh").chmod(0o750)
    os.utime(source / "sub/x.sh", ns=(1_600_000_000_123_456_789,) * 2)
    (source / "link").symlink_to("sub/x.sh")
    (source / "dangling").symlink_to("/nowhere/at all")
    with place.backend.builder(place.base) as builder:
        builder.put_tree(source)
        listing = builder.run(Command(["find", ".", "-mindepth", "1", "-printf", r"%P %l\n"])).output.decode()
        kept = [".gitignore ", "dangling /nowhere/at all", "link sub/x.sh", "sub ", "sub/x.sh "]
        assert sorted(listing.splitlines()) == kept
        stat = builder.run(Command(["stat", "-c", "%a %.Y", "sub/x.sh"])).output
        assert stat.startswith(b"750 1600000000.1234567")
        assert builder.run(Command(["touch", "sub/x.sh", "sub/new", "new"])).ok


def test_an_image_is_whole_or_not_there(place):
    backend, key = place.backend, f"{place.key}-second"
    with pytest.raises(RuntimeError), backend.builder(place.base) as builder:
        builder.write("half", b"")
        raise RuntimeError("the build failed")
    with pytest.raises(SandboxError, match=rf"{key}.*graft images build"), backend.session(key):
        pass
    assert key not in [image.key for image in backend.images()]
    try:
        for content in (b"first", b"second"):
            with backend.builder(place.base) as builder:
                builder.write("f", content)
                builder.commit(key, {"content": content.decode()})
        with backend.session(key) as session:
            assert session.read("f") == b"second"
        (found,) = [image for image in backend.images() if image.key == key]
        assert found.labels["content"] == "second"
        assert found.created.startswith("20")
    finally:
        backend.remove(key)
    with pytest.raises(SandboxError), backend.session(key):
        pass
    backend.remove(key)  # a second time is no error
    with pytest.raises(SandboxError, match="key"), backend.session("../../etc"):
        pass


_DIE_WITHIN = """
import os, signal, sys
from pathlib import Path
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Command
import threading
backend = open_unscheduled_backend(sys.argv[1], Path(sys.argv[2]))
session = backend.session(sys.argv[3]).__enter__()
hang = Command(["sh", "-c", "sleep 61.25 & sleep 61.25"])
threading.Thread(target=session.run, args=(hang,), daemon=True).start()
threading.Event().wait(1.5)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_graft_left_is_swept(place):
    args = [sys.executable, "-c", _DIE_WITHIN, place.backend.name, str(place.cache), place.key]
    died = subprocess.run(args, cwd=Path(__file__).parents[3], capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    # As the next start of Graft does.
    open_unscheduled_backend(place.backend.name, place.cache)
    deadline = time.monotonic() + 5
    while (left := find_sleeps("61.25")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    scratch = place.cache / "tmp" / place.backend.name
    assert not scratch.exists() or list(scratch.iterdir()) == []
