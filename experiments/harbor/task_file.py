"""A task's `task.toml`, as Harbor's task format 1.4 has it: the keys that Graft writes, and no others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HarborPackage(_Section):
    """`name` is ORGANISATION/NAME."""

    name: str
    version: str
    description: str
    keywords: tuple[str, ...]


class HarborEnvironment(_Section):
    """The image of a container and what it gets. `allowed_hosts` go with the network mode `allowlist`."""

    docker_image: str
    network_mode: str
    allowed_hosts: tuple[str, ...] | None = None
    workdir: str
    cpus: int
    memory_mb: int


class HarborAgent(_Section):
    timeout_sec: float


class HarborCollect(_Section):
    """A command that runs in the agent's container once the agent is done."""

    command: str
    timeout_sec: float


class HarborVerifier(_Section):
    environment_mode: str
    timeout_sec: float
    env: Mapping[str, str]
    environment: HarborEnvironment
    collect: tuple[HarborCollect, ...]


class HarborTask(_Section):
    """The whole file. `artifacts`: the only files of the agent's container that the verifier gets."""

    schema_version: str
    artifacts: tuple[str, ...]
    task: HarborPackage
    metadata: Mapping[str, str | float | tuple[str, ...]]
    agent: HarborAgent
    environment: HarborEnvironment
    verifier: HarborVerifier

    def to_toml(self) -> str:
        """The text of `task.toml`."""
        return _format_toml_table("", self.model_dump(mode="json", exclude_none=True)).lstrip("\n")


def _format_toml_table(name: str, table: Mapping[str, Any]) -> str:
    """A table: its plain values first, then the tables in it."""
    plain = {key: value for key, value in table.items() if not _is_table(value)}
    text = f"\n[{name}]\n" if name else ""
    # JSON's strings, numbers and lists of them are TOML's too.
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    for key, value in table.items():
        inner = f"{name}.{key}" if name else key
        if isinstance(value, dict):
            text += _format_toml_table(inner, value)
        elif _is_table(value):
            text += "".join(_format_toml_table(inner, item).replace(f"[{inner}]", f"[[{inner}]]", 1) for item in value)
    return text


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))
