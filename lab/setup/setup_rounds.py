"""The rounds of a repair, each in a folder of its own, so that a killed command goes on.

setup/1/make.yaml          the recipe that failed
setup/1/problem.txt        what was found, and below it the end of the output
setup/1/proposed.yaml      what the model made of it; missing while it is still asked
setup/1/conversation.json  what the model was told, and what it answered
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path

from agent.values import Trajectory
from experiments.files import write_atomically
from lab.making.settings import MAKE_FILE, PROPOSED_FILE

_PROBLEM, _TALK = "problem.txt", "conversation.json"


@dataclass(frozen=True, slots=True)
class SetupRound:
    """What failed by which recipe, and what the model proposed; `proposed` is None while it is still asked."""

    folder: Path
    number: int
    recipe: str
    problem: str
    output: str
    proposed: str | None = None

    @property
    def proposed_diff(self) -> str:
        return "\n".join(diff_lines(self.recipe, self.proposed or self.recipe))


def read_rounds(folder: Path) -> list[SetupRound]:
    found: list[SetupRound] = []
    while (place := folder / str(len(found) + 1)).joinpath(_PROBLEM).is_file():
        problem, _, output = (place / _PROBLEM).read_text(encoding="utf-8").partition("\n\n")
        recipe = (place / MAKE_FILE).read_text(encoding="utf-8")
        proposed = (place / PROPOSED_FILE).read_text(encoding="utf-8") if (place / PROPOSED_FILE).is_file() else None
        found.append(SetupRound(place, len(found) + 1, recipe, problem, output, proposed))
    return found


def save_new_round(folder: Path, number: int, recipe: str, problem: str, output: str) -> SetupRound:
    place = folder / str(number)
    write_atomically(place / MAKE_FILE, recipe.encode())
    write_atomically(place / _PROBLEM, f"{problem}\n\n{output}".encode("utf-8", "replace"))
    return SetupRound(place, number, recipe, problem, output)


def save_round_proposal(entry: SetupRound, proposed: str) -> None:
    write_atomically(entry.folder / PROPOSED_FILE, proposed.encode("utf-8", "replace"))


def save_round_conversation(entry: SetupRound, trail: Trajectory) -> None:
    kept = [
        {"role": message.role, "content": message.content, "calls": [(c.name, c.arguments) for c in message.calls]}
        for message in trail.messages
    ]
    text = json.dumps({"ended": trail.ended, "error": trail.error, "messages": kept}, indent=1)
    write_atomically(entry.folder / _TALK, f"{text}\n".encode())


def diff_lines(before: str, after: str) -> list[str]:
    """The lines that were taken out and put in, with - and + before them."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]
