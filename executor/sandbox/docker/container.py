"""One running container of an image: its first process, its limits, and its reset to the image's state.

Where Graft is root on the engine's own machine, a helper mounts an overlay over the tree from outside, so that a
used container can be reset in milliseconds. Elsewhere a container serves one session.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from executor.sandbox.bounded_process import kill_helper_process
from executor.sandbox.cgroup import Cgroup, find_cgroup_of_process
from executor.sandbox.contract import ENV, ROOT, Command, CommandLimits, ExecResult
from executor.sandbox.docker import mount_helper
from executor.sandbox.docker.channel import Line
from executor.sandbox.docker.engine import connect_engine, translate_engine_errors
from executor.sandbox.store import name_this_process
from index.errors import SandboxError

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

USER = 1000
OWNER_LABEL = "graft.owner"
# To become the candidate's user with an empty bounding set, and to kill that user's processes. The candidate has
# none of these.
_CAPABILITIES = ["SETUID", "SETGID", "SETPCAP", "KILL"]
# Taken from this machine for the engine's: the setting can't be made in a kernel without IPv6.
_IPV6 = Path("/proc/sys/net/ipv6")
_EMPTY = "find /tmp /dev/shm -mindepth 1 -delete"


class WarmContainer:
    """A container that was created and started. Used by one thread at a time."""

    def __init__(self, client: DockerClient, container: Container, line: Line, *, with_mount_helper: bool) -> None:
        """Without `with_mount_helper` what is written stays in the container itself."""
        self.client, self.container, self.line = client, container, line
        self.limits = CommandLimits()
        pid = int(client.api.inspect_container(self.id)["State"]["Pid"] or 0)
        self.group: Cgroup | None = find_cgroup_of_process(pid, self.id) if pid else None
        self._mounts = _start_mount_helper(pid) if self.group is not None and with_mount_helper else None
        self.bounded = self._mounts is not None and self._ask_mount_helper_or_empty("fresh") == "ok"

    @property
    def id(self) -> str:
        return str(self.container.id)

    def apply_limits(self, limits: CommandLimits) -> None:
        """Limits belong to the container, so they change only when a command asks for others."""
        now = self.limits
        if self.bounded and limits.disk_mb != now.disk_mb:
            # Refused below what is in use: the tree is then full, which is what was asked.
            self._ask_mount_helper_or_empty("size", limits.disk_mb)
        if (limits.memory_mb, limits.processes) != (
            now.memory_mb,
            now.processes,
        ) and not self._try_to_set_limits_by_cgroup_or_engine(limits):
            # Files in /tmp count as memory, and the contract lets them go between commands.
            if not self.bounded or self._ask_mount_helper_or_empty("scratch") != "ok":
                self.run_script_as_sandbox_user(_EMPTY)
            self._try_to_set_limits_by_cgroup_or_engine(limits)
        self.limits = limits

    def run_script_as_sandbox_user(self, script: str, *args: str, output_bytes: int = 4096) -> ExecResult:
        limits = CommandLimits(wall_s=120, output_bytes=output_bytes)
        return self.line.run_command(Command(["/bin/sh", "-c", script, "sh", *args], cwd="/", limits=limits))

    def reset_to_image(self) -> bool:
        """Return to the image's state. False when that can't be verified: then `remove_container` the container."""
        try:
            if not self.bounded or self.line.kill_processes_and_describe_rest():
                return False
            self.limits = CommandLimits()
            return (
                self._try_to_set_limits_by_cgroup_or_engine(self.limits)
                and self._ask_mount_helper_or_empty("fresh") == "ok"
            )
        except SandboxError:
            return False

    def remove_container(self) -> None:
        if self._mounts is not None:
            kill_helper_process(self._mounts)
        self.line.close()
        _try_to_remove_container(self.container)
        self.client.close()

    def measure_written_mb(self) -> float:
        """MiB that this container has written. On most disks its overlay has no quota."""
        api: Any = self.client.api
        answer = api._get(api._url("/containers/{0}/json", self.id), params={"size": 1})
        return float(api._result(answer, True).get("SizeRw") or 0) / (1024 * 1024)

    def _try_to_set_limits_by_cgroup_or_engine(self, limits: CommandLimits) -> bool:
        bounds = translate_limits_for_docker(limits)
        if self.group is not None and self.group.try_to_set_limits(limits.memory_mb, bounds["PidsLimit"]):
            return True
        # The SDK's update_container doesn't know PidsLimit.
        api: Any = self.client.api
        try:
            with translate_engine_errors("setting limits"):
                url = api._url("/containers/{0}/update", self.id)
                api._raise_for_status(api._post_json(url, data=bounds))
        except SandboxError:
            return False
        return True

    def _ask_mount_helper_or_empty(self, order: str, size_mb: int = CommandLimits().disk_mb) -> str:
        """The helper's answer, "" when it is gone."""
        helper = self._mounts
        assert helper is not None and helper.stdin is not None and helper.stdout is not None
        try:
            helper.stdin.write(f"{order} {size_mb}\n".encode())
            helper.stdin.flush()
            return helper.stdout.readline().decode(errors="replace").strip()
        except OSError:
            return ""


def start_container(image: str, *, with_mount_helper: bool, root_tar: bytes | None = None) -> WarmContainer:
    """A container of `image`, running; with `with_mount_helper` it can be reset, where Graft may mount there.
    `root_tar` is laid over it first. Raises SandboxError."""
    with translate_engine_errors("opening a session"):
        client = connect_engine()
    with contextlib.ExitStack() as undo, translate_engine_errors(f"starting a container of {image}"):
        undo.callback(client.close)
        container = _create_container(client, image)
        undo.callback(_try_to_remove_container, container)
        if root_tar is not None:
            client.api.put_archive(str(container.id), "/", root_tar)
        line = Line(client, str(container.id))
        undo.callback(line.close)
        container.start()
        warm = WarmContainer(client, container, line, with_mount_helper=with_mount_helper)
        undo.pop_all()
    return warm


def _try_to_remove_container(container: Container) -> None:
    """One that can't be removed now is removed at the next start of Graft."""
    with contextlib.suppress(SandboxError), translate_engine_errors("removing a container"):
        container.remove(force=True, v=True)


def _create_container(client: DockerClient, image: str) -> Container:
    from docker.types import LogConfig

    limits = CommandLimits()
    size = f"size={limits.disk_mb}m"
    return client.containers.create(
        image,
        ["/usr/bin/perl", "-e", Path(__file__).with_name("first.pl").read_text()],
        user="0:0",
        stdin_open=True,
        network_mode="none",
        # As under bwrap: some tests are skipped without ::1, and a task's expectations name them.
        sysctls={"net.ipv6.conf.all.disable_ipv6": "0"} if _IPV6.is_dir() else {},
        hostname="graft",
        cap_drop=["ALL"],
        cap_add=_CAPABILITIES,
        security_opt=["no-new-privileges"],
        mem_limit=f"{limits.memory_mb}m",
        memswap_limit=f"{limits.memory_mb}m",
        pids_limit=translate_limits_for_docker(limits)["PidsLimit"],
        shm_size=f"{limits.memory_mb}m",
        tmpfs={"/tmp": f"{size},mode=1777,exec", "/var/tmp": "ro,size=4k", "/run/lock": "ro,size=4k"},
        environment=ENV,
        labels={OWNER_LABEL: name_this_process()},
        log_config=LogConfig(type="none"),
        entrypoint="",
        working_dir="/",
    )


def translate_limits_for_docker(limits: CommandLimits) -> dict[str, int]:
    """The limits by the engine's names."""
    memory = limits.memory_mb * 1024 * 1024
    # The first process and the one that feeds a command's standard input count as well.
    return {"Memory": memory, "MemorySwap": memory, "PidsLimit": limits.processes + 2}


def _start_mount_helper(pid: int) -> subprocess.Popen[bytes] | None:
    if os.geteuid() != 0:
        return None
    argv = [sys.executable, "-I", "-S", mount_helper.__file__, str(pid), ROOT]
    return subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
