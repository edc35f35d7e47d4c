"""The Docker engine: a client, and its failures as SandboxError."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from index.errors import SandboxError

if TYPE_CHECKING:
    from docker import DockerClient

_API_TIMEOUT_S = 60


def connect_engine(timeout: int = _API_TIMEOUT_S) -> DockerClient:
    """A new client, for one thread at a time. Raises what `translate_engine_errors` turns into SandboxError."""
    import docker

    # The SDK leaves its socket open when no engine answers, so probe it first.
    host = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
    if host.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(host.removeprefix("unix://"))
    return docker.from_env(timeout=timeout)


@contextmanager
def open_client(timeout: int = _API_TIMEOUT_S) -> Iterator[DockerClient]:
    """A client that is closed in the end. Raises as `connect_engine`."""
    with contextlib.closing(connect_engine(timeout)) as client:
        yield client


def find_image_id(name: str) -> str | None:
    """None when the engine has no such image. Raises SandboxError."""
    import docker.errors

    with translate_engine_errors(f"looking for image {name}"), open_client() as client:
        try:
            return str(client.images.get(name).id)
        except docker.errors.ImageNotFound:
            return None


@contextmanager
def translate_engine_errors(what: str) -> Iterator[None]:
    """Turn a failure of the engine, the SDK or the connection into a SandboxError of one line."""
    import docker.errors
    import requests

    try:
        yield
    except docker.errors.APIError as error:
        reason = error.explanation or str(error)
        raise SandboxError(f"docker: {what}: {' '.join(str(reason).split())}") from error
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        reason = " ".join(str(error).split())[:300]
        raise SandboxError(f"docker: {what}: is the engine running? ({reason})") from error
