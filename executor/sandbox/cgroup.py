"""A cgroup for each command, where Graft may make cgroups: limits of memory and processes that hold for all processes
of a candidate together, and their CPU time.

Both versions are supported: CI machines still have version 1."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.store import has_named_process_ended, name_this_process

ROOT = Path("/sys/fs/cgroup")
_V1 = ("memory", "pids", "cpuacct")
_PREFIX = "graft."


@dataclass(frozen=True, slots=True)
class Cgroup:
    """A cgroup, or the place for new ones: its folder (v2), or one for each controller (v1) in the order of `_V1`."""

    version: int
    folders: tuple[Path, ...]

    def list_cgroup_procs_files(self) -> list[str]:
        """The files into which a process writes 0 to enter the cgroup."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def forbid_forks(self) -> None:
        """Forbid the group's processes to start others, so that a fork bomb can be killed one by one."""
        with contextlib.suppress(OSError):
            (self.folders[1 if self.version == 1 else 0] / "pids.max").write_text("0")

    def try_to_set_limits(self, memory_mb: int, processes: int) -> bool:
        """Set both limits. False where the kernel refuses them or more memory is in use already."""
        try:
            if self.version == 2 and int((self.folders[0] / "memory.current").read_text()) > memory_mb * 1024 * 1024:
                # The kernel would kill its processes.
                return False
            self.write_limits(memory_mb, processes)
        except (OSError, ValueError):
            return False
        return True

    def write_limits(self, memory_mb: int, processes: int) -> None:
        """Raises OSError where the kernel refuses."""
        memory = str(memory_mb * 1024 * 1024)
        if self.version == 2:
            (self.folders[0] / "pids.max").write_text(str(processes))
            (self.folders[0] / "memory.max").write_text(memory)
            return
        (self.folders[1] / "pids.max").write_text(str(processes))
        limits = [self.folders[0] / f"memory.{name}limit_in_bytes" for name in ("", "memsw.")]
        # A kernel may keep no account of swap.
        limits = [path for path in limits if path.exists()]
        # The limit with swap may never be the lower one, so the order depends on the direction.
        if int(limits[0].read_text()) < int(memory):
            limits.reverse()
        for path in limits:
            path.write_text(memory)

    def cpu_s(self) -> float | None:
        """CPU seconds of all processes so far; None where they can't be read."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            if self.version == 1:
                return int((self.folders[2] / "cpuacct.usage").read_text()) / 1e9
            return int((self.folders[0] / "cpu.stat").read_text().split()[1]) / 1e6
        return None

    def count_memory_kills(self) -> int:
        """How many processes of the group the kernel killed for the group's memory limit."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        with contextlib.suppress(OSError):
            for line in (self.folders[0] / name).read_text().splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
        return 0

    def remove(self) -> None:
        """Remove the cgroup. Retries, because a dead process leaves it a moment after its end is seen."""
        for folder in self.folders:
            for _ in range(200):
                with contextlib.suppress(OSError):
                    folder.rmdir()
                if not folder.exists():
                    break
                time.sleep(0.005)


def find_cgroup_home() -> Cgroup | None:
    """The nearest place where this process may make cgroups with limits of memory and processes; None without one."""
    own = read_cgroup_paths()
    if "memory" in own:
        found = [_find_writable_cgroup_folder(ROOT / name, own.get(name, "/")) for name in _V1]
        folders = tuple(folder for folder in found if folder is not None)
        home = Cgroup(1, folders)
        return home if len(folders) == len(_V1) and _can_make_and_enter_cgroup(home) else None
    # In v2 a folder that holds processes can't also hold limited children, so look upwards as well.
    path = Path(own.get("", "/").lstrip("/"))
    homes = (Cgroup(2, (ROOT / folder,)) for folder in (path, *path.parents))
    return next((home for home in homes if _can_make_and_enter_cgroup(home)), None)


def make_cgroup(home: Cgroup, memory_mb: int, processes: int) -> Cgroup:
    """Make a cgroup with these limits. Raises OSError where the kernel refuses."""
    name = f"{_PREFIX}{name_this_process()}.{os.urandom(5).hex()}"
    group = Cgroup(home.version, tuple(folder / name for folder in home.folders))
    try:
        for folder in group.folders:
            folder.mkdir()
        group.write_limits(memory_mb, processes)
        if home.version == 2:
            with contextlib.suppress(OSError):  # a kernel without an account of swap
                (group.folders[0] / "memory.swap.max").write_text("0")
    except OSError:
        group.remove()
        raise
    return group


def find_cgroup_of_process(pid: int, required_path_part: str) -> Cgroup | None:
    """The existing cgroup of a process. None when its path lacks `required_path_part`: the pid then belongs to another
    machine."""
    own = read_cgroup_paths(pid)
    version, names = (1, _V1) if "memory" in own else (2, ("",))
    folders = tuple(ROOT / name / own.get(name, "").lstrip("/") for name in names)
    known = all(required_path_part in own.get(name, "") for name in names) and all(
        folder.is_dir() for folder in folders
    )
    return Cgroup(version, folders) if known else None


def remove_cgroups_of_ended_processes(home: Cgroup) -> None:
    """Remove the empty cgroups of a Graft that was killed."""
    for folder in home.folders:
        for child in list(folder.glob(f"{_PREFIX}*")):
            if has_named_process_ended(child.name.removeprefix(_PREFIX).partition(".")[0]):
                with contextlib.suppress(OSError):
                    child.rmdir()


def _can_make_and_enter_cgroup(home: Cgroup) -> bool:
    """Whether a cgroup can be made there and entered: these are two permissions."""
    try:
        group = make_cgroup(home, 64, 16)
    except OSError:
        return False
    try:
        enter = 'for file; do echo 0 > "$file" || exit 1; done'
        tried = subprocess.run(
            ["/bin/sh", "-c", enter, "sh", *group.list_cgroup_procs_files()], capture_output=True, check=False
        )
        return tried.returncode == 0
    finally:
        group.remove()


def _find_writable_cgroup_folder(mount: Path, cgroup_path: str) -> Path | None:
    """A container sees its own cgroup at the mount's root while /proc names the host's path."""
    folders = (mount / cgroup_path.lstrip("/"), mount)
    return next((folder for folder in folders if folder.is_dir() and os.access(folder, os.W_OK)), None)


def read_cgroup_paths(pid: int | None = None) -> dict[str, str]:
    """Controller -> the cgroup of `pid`, else of this process; the v2 hierarchy has the name ""."""
    paths: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid or 'self'}/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(","):
                paths[controller] = path
    return paths
