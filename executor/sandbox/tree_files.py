"""Reads and writes files of a sandbox's tree from the host, without trusting what lies there.

A candidate may have planted symbolic links, FIFOs or devices. Paths are walked one component at a time on directory
descriptors with O_NOFOLLOW, so a link can lead inside the tree and nowhere else.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from index.errors import SandboxError

_DIR = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MAX_LINKS = 40

UserAndGroup = tuple[int, int]


def read_file_beneath(root: Path, path: str, most_bytes: int, inner_root: str) -> bytes:
    """The regular file at `path`, at most `most_bytes`. Links are followed as long as they stay in the tree;
    `inner_root` is the tree's absolute path as the sandbox sees it. Raises FileNotFoundError for anything else."""
    try:
        with _open_parent_resolving_links_within_tree(root, path, inner_root) as (folder, name):
            # Opening a FIFO would wait for a writer without O_NONBLOCK.
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
            try:
                if not stat.S_ISREG(os.fstat(fd).st_mode):
                    raise FileNotFoundError(f"{path}: not a regular file")
                with os.fdopen(os.dup(fd), "rb") as file:
                    return file.read(most_bytes)
            finally:
                os.close(fd)
    except OSError as error:
        raise FileNotFoundError(f"{path}: no such file in the sandbox's tree ({error})") from error


def write_file_beneath(
    root: Path, path: str, data: bytes, owner: UserAndGroup | None, *, keep_time: bool = False
) -> None:
    """Write a file at `path` by a rename. It keeps the mode of the file that it replaces, and its time where that is
    asked for. A link at `path` is replaced, never written through. Raises SandboxError where a parent folder leads out
    of the tree."""
    try:
        with _open_parent_resolving_links_within_tree(root, path, "", writing=True, owner=owner) as (folder, name):
            mode, times = 0o644, None
            with contextlib.suppress(OSError):
                old = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISREG(old.st_mode):
                    mode = stat.S_IMODE(old.st_mode)
                    times = (old.st_atime_ns, old.st_mtime_ns) if keep_time else None
            aside = f".graft-{os.urandom(6).hex()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(aside, flags, 0o600, dir_fd=folder)
            try:
                with os.fdopen(fd, "wb") as file:
                    file.write(data)
                    if owner is not None:
                        os.fchown(fd, *owner)
                    os.fchmod(fd, mode & 0o777)
                if times is not None:
                    os.utime(aside, ns=times, dir_fd=folder, follow_symlinks=False)
                os.rename(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(aside, dir_fd=folder)
                raise
    except OSError as error:
        raise SandboxError(f"can't write {path} into the sandbox's tree: {error.strerror or error}") from error


@contextlib.contextmanager
def _open_parent_resolving_links_within_tree(
    root: Path, path: str, inner_root: str, *, writing: bool = False, owner: UserAndGroup | None = None
) -> Iterator[tuple[int, str]]:
    """Gives (descriptor of the last folder, last name). For `writing` folders are made, as of the `owner`, and a link
    at the last name isn't followed. Holds the stack of open folders, so `..` is a pop."""
    stack = [os.open(root, _DIR)]
    try:
        todo = _split_path_keeping_dotdots(path, inner_root)
        links = 0
        while True:
            if not todo:
                raise FileNotFoundError(f"{path}: not a file")
            name = todo.pop(0)
            if name == "..":
                if len(stack) == 1:
                    raise FileNotFoundError(f"{path}: leads out of the sandbox's tree")
                os.close(stack.pop())
                continue
            target = _read_link(name, stack[-1]) if todo or not writing else None
            if target is not None:
                links += 1
                if links > _MAX_LINKS:
                    raise FileNotFoundError(f"{path}: too many symbolic links")
                if target.startswith("/"):
                    while len(stack) > 1:
                        os.close(stack.pop())
                todo = _split_path_keeping_dotdots(target, inner_root) + todo
                continue
            if not todo:
                break
            if writing:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=stack[-1])
                    if owner is not None:
                        os.chown(name, *owner, dir_fd=stack[-1], follow_symlinks=False)
            try:
                stack.append(os.open(name, _DIR, dir_fd=stack[-1]))
            except NotADirectoryError as error:
                raise FileNotFoundError(f"{path}: {name} is not a folder") from error
        yield stack[-1], name
    finally:
        while stack:
            os.close(stack.pop())


def _split_path_keeping_dotdots(path: str, inner_root: str) -> list[str]:
    pure = PurePosixPath(path)
    if pure.is_absolute():
        if not inner_root or not pure.is_relative_to(inner_root):
            raise FileNotFoundError(f"{path}: leads out of the sandbox's tree")
        pure = pure.relative_to(inner_root)
    return [part for part in pure.parts if part != "."]


def _read_link(name: str, folder: int) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return None


def copy_tree_into(source: Path, target: Path, owner: UserAndGroup | None = None) -> None:
    """Copy the content of `source` into the existing folder `target` with modes, mtimes to the nanosecond and
    symbolic links, without any .git. With `owner` (needs root) all of it belongs to that user and group.
    Raises SandboxError with tar's last line."""
    pack = make_pack_command(source, owner)
    unpack = ["tar", "-C", str(target), "-x", "-p", "--same-owner" if owner else "--no-same-owner", "-f", "-"]
    with subprocess.Popen(pack, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as sender:
        got = subprocess.run(unpack, stdin=sender.stdout, stderr=subprocess.PIPE, check=False)
        assert sender.stderr is not None
        errors = sender.stderr.read() + got.stderr
    if got.returncode or sender.returncode:
        line = errors.decode(errors="replace").strip().splitlines() or ["tar failed"]
        raise SandboxError(f"copying {source} into the sandbox: {line[-1]}")


def make_pack_command(source: Path, owner: UserAndGroup | None) -> list[str]:
    """The tar command that writes the content of `source` to standard output, as of this user and group. Its PAX
    format keeps fractions of seconds in mtimes. Without them make can't see which of two files written in the same
    second is newer. Raises SandboxError when there is no such folder."""
    if not source.is_dir():
        raise SandboxError(f"{source}: no such folder to copy into the sandbox")
    whose = ["--numeric-owner", f"--owner=graft:{owner[0]}", f"--group=graft:{owner[1]}"] if owner else []
    return ["tar", *whose, "--format=posix", "--exclude=.git", "-C", str(source), "-c", "-f", "-", "."]


def remove_tree(path: Path) -> None:
    """Remove a folder, whatever modes a candidate gave its files. Never follows a link out of it."""
    if path.is_symlink() or not path.exists():
        path.unlink(missing_ok=True)
        return
    done = subprocess.run(["rm", "-rf", "--", str(path)], stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        subprocess.run(["chmod", "-R", "u+rwX", "--", str(path)], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["rm", "-rf", "--", str(path)], stderr=subprocess.DEVNULL, check=False)


def restore_folder(wanted: Path, folder: Path, changed_since_ns: int) -> None:
    """Make `folder` equal to `wanted`, where only what was changed at `changed_since_ns` or later is looked at
    closely."""
    there = {entry.name: entry for entry in os.scandir(folder)}
    for entry in os.scandir(wanted):
        found = there.pop(entry.name, None)
        place, right = folder / entry.name, entry.stat(follow_symlinks=False)
        now = None if found is None else found.stat(follow_symlinks=False)
        if entry.is_dir(follow_symlinks=False):
            if now is None or not stat.S_ISDIR(now.st_mode):
                remove_tree(place)
                place.mkdir()
                now = None
            if now is None or now.st_ctime_ns >= changed_since_ns:
                os.chown(place, right.st_uid, right.st_gid)
                place.chmod(stat.S_IMODE(right.st_mode))
            restore_folder(Path(entry.path), place, changed_since_ns)
        elif (
            now is None
            or now.st_ctime_ns >= changed_since_ns
            or stat.S_IFMT(now.st_mode) != stat.S_IFMT(right.st_mode)
        ):
            remove_tree(place)
            shutil.copy2(entry.path, place, follow_symlinks=False)
            os.chown(place, right.st_uid, right.st_gid, follow_symlinks=False)
    for name in there:
        remove_tree(folder / name)
