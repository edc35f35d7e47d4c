"""A submission failed on an example that a property test had drawn by chance, in a part that it hadn't touched."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples each time in CI; on a person's machine chance goes on looking.
settings.register_profile("ci", derandomize=True)
if os.environ.get("GRAFT_CI") == "1":
    settings.load_profile("ci")
