"""Native calls or plain text: what a configuration may say."""

from __future__ import annotations

from typing import Literal

ToolProtocol = Literal["auto", "native", "text"]
