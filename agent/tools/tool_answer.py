"""What a tool gives back: a bounded text, or a hint instead of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """`shown` are the symbols in `text`, `bodies` the functions of which it shows the body or a part of it; both as
    `qualified name (path)`. `mistake`: the text is a hint instead of a result."""

    text: str
    shown: tuple[str, ...] = ()
    mistake: bool = False
    bodies: tuple[str, ...] = ()


class Mistake(Exception):  # noqa: N818 - it is the model's, and an answer to it
    """The call can't be answered; the message is a hint that the model gets instead of a result."""

    @property
    def answer(self) -> ToolAnswer:
        return ToolAnswer(f"error: {self}", mistake=True)
