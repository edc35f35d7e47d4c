"""What in an answer came from memory: runs of the gold's tokens, and names that a renamed tree no longer has."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from agent.answer.fences import list_fenced_blocks
from agent.values import Draft, Message, Round, Trajectory
from executor.grading.code_words import read_code_words
from executor.grading.recitation import longest_recited_run, tokenize_body_or_whole_text
from executor.manifest.variant.renamed_text import restore_original_names
from executor.values import Task
from experiments.run.sample_facts import Recitation
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import split_identifier, tokenize
from index.function_texts import split_functions

_WORD = re.compile(r"[A-Za-z_]\w*")
_LEAST_WORDS = 2


def measure_recitation(task: Task, trajectory: Trajectory, names: Mapping[str, str] | None) -> Recitation:
    """What one sample recited. `names`: the variant's map, None on the original tree."""
    code = _find_candidate_or_last_code(trajectory)
    asked = restore_original_names(unqualified_name(task.target.name), names or {})
    found, new_names = _find_remembered_and_count_new_names(trajectory, names or {}, asked)
    golds = task.golds
    texts = None if code is None else split_functions(code, len(golds))
    originals = None if names is None else [restore_original_names(gold, names) for gold in golds]
    return Recitation(
        gold=sum(len(tokenize_body_or_whole_text(gold)) for gold in golds),
        run=None if texts is None else _measure_longest_run_with_own_gold(texts, golds),
        original_run=None
        if texts is None or originals is None
        else _measure_longest_run_with_own_gold(texts, originals),
        names=found,
        new_names=new_names,
    )


def _measure_longest_run_with_own_gold(texts: Sequence[str | None], golds: Sequence[str]) -> int:
    """The longest run of any function; its own gold alone counts."""
    return max(longest_recited_run(text or "", gold) for text, gold in zip(texts, golds, strict=True))


def find_remembered_names(
    code: str, shown_words: Collection[str], rename_map: Mapping[str, str], asked_name: str = ""
) -> list[str]:
    """The names in a piece of code that prove memory: each is a name of the original that was renamed away, has two
    words at least, isn't among the words shown to the model, and isn't declared in the code itself, unless it is the
    original's name of the function that was `asked_name` for. A name of two words that were both shown is left out:
    they may have been put together. `rename_map`: the original's name -> the renamed tree's."""
    candidates = [name for name in dict.fromkeys(tokenize(code)) if name in rename_map and name not in shown_words]
    if not candidates:
        return []
    declared = read_code_words(code)
    own = (declared.variables | declared.defined) - {asked_name}
    parts = {part for word in shown_words for part in split_identifier(word)}
    return [name for name in candidates if name not in own and _can_name_prove_memory(name, parts)]


def _can_name_prove_memory(name: str, shown_parts: Collection[str]) -> bool:
    found = [word for word in split_identifier(name) if len(word) > 1 and word.isalpha()]
    if len(found) < _LEAST_WORDS:
        return False
    return len(found) > _LEAST_WORDS or not all(word in shown_parts for word in found)


def _find_candidate_or_last_code(trajectory: Trajectory) -> str | None:
    """The candidate. Where the answer holds no function of the task's name (the original's has another), its code."""
    if trajectory.candidate.code is not None or not trajectory.rounds:
        return trajectory.candidate.code
    return _read_code_or_whole_answer(trajectory.rounds[-1]) or None


def _find_remembered_and_count_new_names(
    trajectory: Trajectory, names: Mapping[str, str], asked_name: str
) -> tuple[tuple[str, ...], int]:
    """The names that prove memory in all that the model wrote, in the order in which it wrote them; and how many
    names of the renamed tree it wrote. What it wrote itself and got back (by a compiler's message) is counted once,
    where it wrote it."""
    if not names:
        return (), 0
    new = set(names.values())
    found: dict[str, None] = {}
    used: set[str] = set()
    shown: set[str] = set()
    talks: list[Draft | Trajectory] = [*trajectory.drafts, trajectory]
    for talk in talks:
        for messages, entry in zip_longest(group_messages_before_each_answer(talk.messages), talk.rounds):
            for message in messages or ():
                shown.update(_WORD.findall(message.content))
            for piece in () if entry is None else _list_written_code_and_arguments(entry):
                found.update(dict.fromkeys(find_remembered_names(piece, shown, names, asked_name)))
                # A signature is the prompt's.
                used.update(new.intersection(tokenize_body_or_whole_text(piece)))
    return tuple(found), len(used)


def group_messages_before_each_answer(messages: Sequence[Message]) -> list[list[Message]]:
    """What was put to the model before each of its answers, and after the last."""
    asked: list[list[Message]] = [[]]
    for message in messages:
        if message.role == "assistant":
            asked.append([])
        else:
            asked[-1].append(message)
    return asked


def _list_written_code_and_arguments(entry: Round) -> Sequence[str]:
    """The code of an answer, and what it asked tools for."""
    return [
        _read_code_or_whole_answer(entry),
        *(text for use in entry.uses for text in _list_strings_in_valid_json_arguments(use.arguments)),
    ]


def _read_code_or_whole_answer(entry: Round) -> str:
    if entry.candidate.code is not None:
        return entry.candidate.code
    return "\n".join(segment.text for segment in list_fenced_blocks(entry.answer)) or entry.answer


def _list_strings_in_valid_json_arguments(arguments: str) -> Sequence[str]:
    """The texts among a tool call's arguments; none where they were cut or never were JSON."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return ()
    return [value for value in given.values() if isinstance(value, str)] if isinstance(given, dict) else ()
