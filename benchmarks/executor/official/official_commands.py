"""What the published harness runs for one candidate: its commands, on the same machine and the same source.

`prepare` is done once, before the first candidate; `judge` for each. An exit status of 0 is its verdict. Redis is
built as upstream builds it (link-time optimisation), bullet3 in Release; its seven test programs run in the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.candidate.execute import read_unmodified_file
from executor.function.splice import splice_function
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits
from executor.values import Task
from index.errors import SandboxError

_BULLET3 = (
    "-DCMAKE_BUILD_TYPE=Release -DUSE_DOUBLE_PRECISION=ON -DBUILD_PYBULLET=OFF -DBUILD_CPU_DEMOS=OFF "
    "-DBUILD_OPENGL3_DEMOS=OFF -DBUILD_BULLET2_DEMOS=ON -DUSE_GRAPHICAL_BENCHMARK=OFF -DBUILD_ENET=OFF "
    "-DBUILD_CLSOCKET=OFF -DBUILD_UNIT_TESTS=ON -DBUILD_EXTRAS=ON"
)
_PROGRAMS = {
    "collision/Test_Collision", "BulletDynamics/Test_btKinematicCharacterController",
    "BulletDynamics/pendulum/Test_BulletDynamics", "InverseDynamics/Test_BulletInverseDynamics",
    "InverseDynamics/Test_BulletInverseDynamicsJacobian", "InverseDynamics/Test_BulletInverseForwardDynamics",
    "SharedMemory/Test_PhysicsClientServer",
}  # fmt: skip
_TARGETS = " ".join(sorted(name.rpartition("/")[2] for name in _PROGRAMS))
_RUN = " && ".join(f"official/test/{name}" for name in sorted(_PROGRAMS))
_LIMITS = CommandLimits(wall_s=7200, memory_mb=8192, disk_mb=8192, processes=4096, output_bytes=1024 * 1024)


@dataclass(frozen=True, slots=True)
class Official:
    prepare: tuple[str, ...]
    judge: str


COMMANDS = {
    "example": Official(("make -j2",), "make -j2 && build/test_c && build/test_cpp"),
    "redis": Official(("make -j2",), "make -j2 && make test"),
    "bullet3": Official(
        (f"cmake -S . -B official {_BULLET3}", f"make -C official -j2 {_TARGETS}"),
        f"make -C official -j2 {_TARGETS} && {_RUN}",
    ),
    "openssl": Official(("./Configure && make -j2",), "./Configure && make -j2 test"),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate by the official commands: exit status 0, user+system CPU seconds, wall seconds."""

    passed: bool
    cpu_s: float
    wall_s: float


def judge_by_official_commands(
    image: Image, backend: Backend, candidates: Sequence[tuple[Task, str]], folder: Path
) -> list[Judged]:
    """All in one session, one after another; between two the file is put back and built, which isn't counted: each
    finds a tree in which its own file alone is new. Raises SandboxError when the commands fail on the unmodified
    source, or the sandbox can't tell CPU time. `folder` gets what each command printed."""
    official = COMMANDS[image.recipe.name]
    found: list[Judged] = []
    with backend.session(image.key) as session:

        def run_command(line: str, name: str) -> Judged:
            done = session.run(Command(["/bin/sh", "-c", line], limits=_LIMITS))
            (folder / f"official-{name}.log").write_bytes(done.output)
            if done.cpu_s is None:
                raise SandboxError(f"{backend.name} can't tell CPU time here")
            return Judged(done.ok, done.cpu_s, done.wall_s)

        folder.mkdir(parents=True, exist_ok=True)
        for number, line in enumerate(official.prepare, start=1):
            if not run_command(line, f"prepare-{number}").passed:
                raise SandboxError(f"{line!r} failed on the unmodified source; {folder} has what it printed")
        for number, (task, code) in enumerate(candidates, start=1):
            source = read_unmodified_file(image, task.target.path)
            text = splice_function(source, task.target.span, code)
            session.write(task.target.path, text)
            found.append(run_command(official.judge, task.id))
            # A gold is the source itself: what was built from it is the unmodified tree, and up to date.
            if text != source and number < len(candidates):
                session.write(task.target.path, source)
                run_command(official.prepare[-1], f"again-{number}")
    return found
