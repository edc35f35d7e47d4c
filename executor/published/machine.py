"""What tells machines apart for which an image is good: one that was built on another type may not run here."""

from __future__ import annotations

import platform
import re
from pathlib import Path

# The levels of the x86-64 psABI by a flag that only they and higher ones have.
_LEVELS = (("v4", "avx512vl"), ("v3", "avx2"), ("v2", "sse4_2"))


def detect_cpu_and_kernel_type() -> str:
    """CPU type and kernel, as in `x86_64-v3-linux6.1`: the name under which a store keeps this machine's images."""
    kernel = re.match(r"\d+\.\d+", platform.release())
    system = f"{platform.system().lower()}{kernel[0] if kernel else ''}"
    return "-".join(filter(None, (platform.machine(), _detect_x86_64_level_or_empty(), system)))


def _detect_x86_64_level_or_empty() -> str:
    if platform.machine() != "x86_64":
        return ""
    found = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(errors="replace"), re.MULTILINE)
    flags = set(found[1].split()) if found else set()
    return next((level for level, flag in _LEVELS if flag in flags), "v1")
