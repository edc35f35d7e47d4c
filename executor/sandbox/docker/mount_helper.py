"""Mounts inside a container, made from outside: a script that needs only the standard library,
`python -I -S mount_helper.py PID ROOT`.

It enters the container's mount namespace and follows orders on standard input. "fresh MB" makes a fresh state: an
overlay on ROOT whose writes go to a tmpfs of that size, and a new tmpfs on /tmp and /dev/shm. "size MB" changes the
size of the first, "scratch MB" empties the other two. Each answer is one line, "ok" or what failed. The script ends
with its standard input. Nothing of the container is executed, and the container needs no rights.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

_NEWNS = 0x00020000
_NOSUID_NODEV = 2 | 4
_NOEXEC = 8
_REMOUNT = 32
# Only root sees what lies here.
_ASIDE = "/mnt"
_SCRATCH = (("/tmp", 0), ("/dev/shm", _NOEXEC))


def serve_mount_orders(pid: str, root: str) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    mounted = False

    def raise_if_call_failed(done: int, what: str) -> None:
        if done:
            raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")

    def mount(kind: str, at: str, options: str, flags: int = 0) -> None:
        source, data = (text.encode() for text in ("graft", options))
        raise_if_call_failed(libc.mount(source, at.encode(), kind.encode(), flags, data), f"mounting {at}")

    def unmount(at: str) -> None:
        raise_if_call_failed(libc.umount2(at.encode(), 0), f"unmounting {at}")

    def mount_fresh_overlay(megabytes: str) -> None:
        nonlocal mounted
        # The kernel refuses to unmount while a process still uses the tree.
        if mounted:
            unmount(root)
            unmount(_ASIDE)
        remount_scratch_folders(megabytes)
        owner = Path(root).stat()
        mount("tmpfs", _ASIDE, f"mode=0700,size={megabytes}m", _NOSUID_NODEV)
        for name in ("upper", "work"):
            Path(_ASIDE, name).mkdir(mode=0o755)
        os.chown(f"{_ASIDE}/upper", owner.st_uid, owner.st_gid)
        try:
            options = f"lowerdir={root},upperdir={_ASIDE}/upper,workdir={_ASIDE}/work"
            mount("overlay", root, options, _NOSUID_NODEV)
        except OSError:
            unmount(_ASIDE)
            raise
        mounted = True

    def remount_scratch_folders(megabytes: str) -> None:
        for at, flags in _SCRATCH:
            unmount(at)
            mount("tmpfs", at, f"mode=1777,size={megabytes}m", _NOSUID_NODEV | flags)

    def resize_overlay_tmpfs(megabytes: str) -> None:
        mount("tmpfs", _ASIDE, f"size={megabytes}m", _NOSUID_NODEV | _REMOUNT)

    orders = {"fresh": mount_fresh_overlay, "scratch": remount_scratch_folders, "size": resize_overlay_tmpfs}
    os.umask(0)
    space = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
    raise_if_call_failed(libc.setns(space, _NEWNS), "entering the container")
    for line in sys.stdin:
        name, value = line.split()
        try:
            orders[name](value)
            answer = "ok"
        except OSError as error:
            answer = str(error.strerror or error)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(serve_mount_orders(*sys.argv[1:]))
