"""Drops the debug information of a fresh image's objects and archives.

Each candidate's program is linked anew, and a linker reads all of what it links: of redis' links three quarters of the
time went into what nobody looks at. The image is smaller by it too. Programs and shared libraries stay as built."""

from __future__ import annotations

from executor.repository.build.graph import BuildGraph
from executor.sandbox.contract import Builder, Command, CommandLimits

_KINDS = (".o", ".a", ".obj", ".lib")
_LIMITS = CommandLimits(wall_s=1800.0, memory_mb=4096, output_bytes=1024 * 1024)
# A thin archive holds paths, which `strip` would replace by members. Times and owners stay: `make` compares them. What
# `strip` refuses it leaves as it was.
_STRIP = r"""
for path; do
  case $path in *.a | *.lib) read -r first <"$path" && [ "$first" != '!<thin>' ] || continue ;; esac
  printf '%s\0' "$path"
done | xargs -0 -r strip --strip-debug --preserve-dates --disable-deterministic-archives 2>/dev/null
true
"""


def drop_debug_information_of_objects(builder: Builder, graph: BuildGraph) -> None:
    """Remove it from all objects and archives that the recorded build made and left. Symbols stay. Nothing is done
    where a step asks for optimization at link time, since such objects aren't code yet, or where `strip` isn't
    installed."""
    if any(word.startswith("-flto") for step in graph.steps for word in step.argv):
        return
    paths = sorted({path for step in graph.steps for path in step.outputs if path.endswith(_KINDS)})
    listed = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    builder.run(Command(("xargs", "-0", "-r", "sh", "-c", _STRIP, "sh"), stdin=listed, limits=_LIMITS))
