"""The `bwrap` sandbox: bubblewrap over a base root file system, without a daemon.

A session has a *holder*: a process that owns a private mount namespace with the base at /mnt/base and the tree at
/mnt/tree, and waits for the end of its standard input. Each command enters that namespace, becomes an unprivileged
user and starts bwrap. When Graft dies, the holder's input ends, and the kernel drops the mounts with the namespace,
so that nothing has to be unmounted later.

A builder's tree is a folder on the cache's disk. A session's tree is an overlay: the image's folder below, a tmpfs of
a limited size above. So a fresh state costs milliseconds, and the kernel bounds the disk use.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from executor.sandbox.base import DEFAULT_SUITE, base_rootfs_path
from executor.sandbox.bounded_process import kill_helper_process
from executor.sandbox.bwrap.session import BASE_LABEL, HOST_ENV, OUTER_ID, BwrapSession
from executor.sandbox.cgroup import Cgroup, find_cgroup_home, remove_cgroups_of_ended_processes
from executor.sandbox.contract import ROOT, CommandLimits
from executor.sandbox.store import FolderBackend
from executor.sandbox.tree_files import UserAndGroup
from index.errors import ConfigError, SandboxError

_TOOLS = {"bwrap": "bubblewrap", "unshare": "util-linux", "nsenter": "util-linux", "setpriv": "util-linux"}
_NAMESPACES = (
    "are namespaces allowed? sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
    "kernel.apparmor_restrict_unprivileged_userns; a container needs CAP_SYS_ADMIN"
)

# $1 base, $2 tree or image, $3 size in MiB, $4 owner "uid:gid" or "", $5 overlay options, "builder" for no overlay.
# All is below a private /mnt, so that the unprivileged user can reach it wherever the cache lies. A program less
# saves over a millisecond: one tmpfs for all, the shell's own `read`, a lower folder that needs no mount.
_HOLD = """
set -e
mount -t tmpfs -o "mode=0755,size=$3m" graft /mnt
mkdir /mnt/base /mnt/tree /mnt/upper /mnt/work
mount --bind "$1" /mnt/base
cd -- "$2"
if [ "$5" = builder ]; then
  mount --bind . /mnt/tree
else
  [ -z "$4" ] || chown "$4" /mnt/upper
  mount -t overlay -o "lowerdir=.,upperdir=/mnt/upper,workdir=/mnt/work$5" graft /mnt/tree
fi
echo ready
read -r end || :
"""


@dataclass(frozen=True, slots=True)
class BwrapBackend(FolderBackend):
    """Satisfies `Backend`. `groups` is None where Graft may not make cgroups: memory is then bounded per process, and
    the number of processes per user (docs/explanation/threat-model.md)."""

    name: str = "bwrap"
    isolated: bool = True
    groups: Cgroup | None = None

    @property
    def owner(self) -> UserAndGroup | None:
        return (OUTER_ID, OUTER_ID) if os.getuid() == 0 else None

    def find_rootfs_under_image(self, labels: Mapping[str, str]) -> Path:
        name = labels.get(BASE_LABEL)
        return Path(name) if name and "/" in name else base_rootfs_path(self.cache, name or DEFAULT_SUITE)

    def problem(self) -> str | None:
        for tool, package in _TOOLS.items():
            if shutil.which(tool, path=HOST_ENV["PATH"]) is None:
                return f"{tool} isn't installed: `apt-get install {package}`"
        as_root = os.getuid() == 0
        user = ["setpriv", f"--reuid={OUTER_ID}", f"--regid={OUTER_ID}", "--clear-groups"] if as_root else []
        trial = ["bwrap", "--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/"]
        trial += ["--proc", "/proc", "--dev", "/dev", "--size", "4096", "--tmpfs", "/tmp", "true"]
        for argv in ([*_make_mount_namespace_prefix(as_root), "true"], [*user, *trial]):
            tried = subprocess.run(argv, capture_output=True, env=HOST_ENV, check=False, cwd="/")
            if tried.returncode:
                line = (tried.stderr.decode(errors="replace").strip().splitlines() or [f"{argv[0]} failed"])[-1]
                if "nknown option" in line:
                    return f"{line}: bubblewrap 0.8 or newer is needed"
                return f"{line} ({_NAMESPACES})"
        return None

    def has_base(self) -> bool:
        return self.find_rootfs_under_image({}).is_dir()

    def base_name(self, name: str) -> str | None:
        return name

    @contextmanager
    def builder(self, base: str | None) -> Iterator[BwrapSession]:
        root = self.find_rootfs_under_image({BASE_LABEL: base or ""})
        if base and not root.is_dir():
            raise ConfigError(f"base: no root file system at {root}; name another, or leave it out for Graft's own")
        self._require_usable_base(root)
        with self.open_scratch_folder() as home:
            tree = home / "src"
            tree.mkdir()
            if os.getuid() == 0:
                os.chown(tree, OUTER_ID, OUTER_ID)
            with self._open_mount_holder(root, tree, None) as holder:
                yield BwrapSession(self, self.groups, holder, tree, base or DEFAULT_SUITE)

    @contextmanager
    def session(self, key: str) -> Iterator[BwrapSession]:
        tree = self.find_image_tree(key)
        base = self._require_usable_base(self.find_rootfs_under_image(self.read_image_info(key).labels))
        inode = tree.stat().st_ino
        with self._open_mount_holder(base, tree, CommandLimits().disk_mb) as holder:
            yield BwrapSession(self, self.groups, holder, None, "")
        # Below an overlay that lost its lower layer every command fails like a bad candidate's.
        if self.find_image_tree(key).stat().st_ino != inode:
            raise SandboxError(f"bwrap image {key!r} was replaced while a session used it")

    @contextmanager
    def _open_mount_holder(self, base: Path, tree: Path, overlay_mb: int | None) -> Iterator[subprocess.Popen[bytes]]:
        as_root = os.getuid() == 0
        owner = f"{OUTER_ID}:{OUTER_ID}" if as_root else ""
        overlay = "builder" if overlay_mb is None else "" if as_root else ",userxattr"
        args = [str(base), str(tree), str(overlay_mb or 1), owner, overlay]
        holder = subprocess.Popen(
            [*_make_mount_namespace_prefix(as_root), "/bin/sh", "-c", _HOLD, "sh", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=HOST_ENV,
            start_new_session=True,
        )
        try:
            assert holder.stdout is not None and holder.stderr is not None
            if holder.stdout.readline() != b"ready\n":
                line = holder.stderr.read().decode(errors="replace").strip().splitlines() or ["no reason given"]
                raise SandboxError(f"can't mount a session: {line[-1]}")
            yield holder
        finally:
            kill_helper_process(holder)

    def _require_usable_base(self, root: Path) -> Path:
        """The folder of a base: one that `make_base` made, or any root file system given by its path."""
        if not root.is_dir():
            raise SandboxError(f"no base root file system at {root}: run `graft images base`")
        if not (root / ROOT.lstrip("/")).is_dir():
            raise SandboxError(f"the base {root} lacks the folder {ROOT}: `mkdir -p {root}{ROOT}`")
        return root


def open_bwrap_and_remove_leftovers(cache: Path) -> BwrapBackend:
    """Opens the backend and sweeps what a killed Graft left in `cache` and among the cgroups."""
    backend = BwrapBackend(cache, groups=find_cgroup_home())
    backend.remove_leftovers()
    if backend.groups is not None:
        remove_cgroups_of_ended_processes(backend.groups)
    return backend


def _make_mount_namespace_prefix(as_root: bool) -> list[str]:
    space = ["unshare", "--mount", "--propagation", "private"]
    return space if as_root else [*space, "--map-root-user"]
