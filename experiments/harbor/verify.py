"""Runs in the verifier's container: takes the answer that the agent left, and writes the reward.

The answer is judged by the way that `graft grade` takes, and nothing else that the agent did has a part in it. A
failure of Graft itself leaves no reward file and ends with status 3, so that Harbor calls the trial an error.
"""

from __future__ import annotations

import difflib
import json
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from executor.sandbox.contract import ROOT
from experiments.harbor.verifier_sandbox import HOME
from experiments.run.records import SampleRecord, encode_json_value
from index.cpp.body_offset import find_body_or_initializer_list_offset
from index.hiding.holes import PLACEHOLDER

if TYPE_CHECKING:
    from executor.values import Task

ANSWER = Path("/answer.c")
LOGS = Path("/logs/verifier")
CHANGED = Path("/logs/artifacts/changed-files.txt")
REWARD_FILE = "reward.json"
VERDICT_FILE = "verdict.json"
_WRITTEN = (REWARD_FILE, "reward.txt", VERDICT_FILE)
# What the agent changed beside its answer; its own container says so.
_MOST_NOTED = 200
_LONGEST = 8 * 1024 * 1024
_INFRA = 3
# Lines: of a longer change nobody asks how many places it touches.
_MOST_COMPARED = 3000


@dataclass(frozen=True, slots=True)
class VerifierRecord:
    """A judged answer, for `graft import harbor` to read back. `record` is the sample as the verifier's own run has
    it; `answer` the text that was judged, "" where the agent left none; `notes` and `changed_files` say what else it
    changed in its tree. `variant`: of the repository, as RunConfig.variant, "" for its own names; `map_digest`: of
    that variant's names, "" where it isn't known."""

    record: SampleRecord
    answer: str = ""
    notes: tuple[str, ...] = ()
    changed_files: tuple[str, ...] = ()
    variant: str = ""
    map_digest: str = ""


def main() -> int:
    """Judge the answer to the task that GRAFT_TASK names, of the variant GRAFT_VARIANT, "" for none. Returns the exit
    status: 0 with a reward, else 3."""
    _restrict_folders_and_remove_outputs()
    try:
        variant = os.environ["GRAFT_VARIANT"]
        task = _load_task(os.environ["GRAFT_TASK"], variant)
        text, notes = read_answer_or_empty_and_notes(task, HOME / "holes" / task.id, Path(ROOT), ANSWER)
        record = _judge_answer_text(task, variant, text)
        digest = _read_rename_map_digest_or_empty(task)
    except Exception as error:
        # Whatever failed, it wasn't the answer.
        _say(f"not judged: {type(error).__name__}: {error}")
        return _replace_outputs_and_choose_status(None)
    verdict = record.graft.verdict
    if verdict.outcome.value == "infra_error":
        _say(f"not judged: {verdict.reason}")
        return _replace_outputs_and_choose_status(None)
    _say(f"{verdict.outcome.value}: {verdict.reason or 'all tests passed'}")
    changed = tuple(line for line in _read_regular_file_or_empty(CHANGED).splitlines() if line)[:_MOST_NOTED]
    judged = VerifierRecord(record, text, notes, changed, variant, digest)
    rewards = json.dumps(make_rewards(record, len(notes) + len(changed)), indent=1)
    return _replace_outputs_and_choose_status(
        {REWARD_FILE: rewards.encode(), VERDICT_FILE: encode_json_value(judged, indent=1)}
    )


def _say(line: str) -> None:
    # What prints elsewhere needs a library that grading doesn't.
    sys.stdout.write(f"{line}\n")


def _restrict_folders_and_remove_outputs() -> None:
    """Harbor opens the folders above an artifact to everybody, even `/`; the judged code mustn't write there."""
    for name in ("/", "/graft", "/tests", "/logs"):
        Path(name).chmod(0o755)
    for folder in (*sorted(Path("/logs").iterdir()), HOME, Path("/tests")):
        folder.chmod(0o700)
    for name in _WRITTEN:
        (LOGS / name).unlink(missing_ok=True)


def _read_rename_map_digest_or_empty(task: Task) -> str:
    from experiments.run.manifest import read_manifest

    facts = read_manifest(HOME / "run").repos[task.target.repo].variant
    return "" if facts is None else facts.digest


def _load_task(name: str, variant: str) -> Task:
    from executor.cache import cache_root
    from experiments.run.config import RunConfig
    from experiments.run.workspace import read_tasks

    config = RunConfig(dataset=str(HOME / "tasks"), model="gold", tasks=(name,), variant=variant or None)
    (task,) = read_tasks(config, cache_root()).tasks
    return task


def read_answer_or_empty_and_notes(
    task: Task, shown_folder: Path, tree: Path, answer_file: Path
) -> tuple[str, tuple[str, ...]]:
    """The answer's text, "" for none, and what is to be noted: the answer file where there is one, else what stands in
    the place of the functions in the `tree`. `shown_folder` holds the files as the agent found them."""
    given = _read_regular_file_or_empty(answer_file)
    if given.strip():
        return given, ()
    pieces: list[str] = []
    notes: list[str] = []
    for number, (hole, gold) in enumerate(zip(task.target.holes, task.golds, strict=True), start=1):
        before = _read_regular_file_or_empty(shown_folder / hole.path)
        after = _read_regular_file_or_empty(tree / hole.path)
        if before == after or not after:
            continue
        header = gold[: find_body_or_initializer_list_offset(gold) or 0]
        places = sum(other.path == hole.path for other in task.target.holes)
        piece, is_elsewhere = extract_change_and_detect_strays(before, after, header.count("\n"), places)
        if is_elsewhere:
            notes.append(f"{hole.path} was changed elsewhere too")
        label = f"// function {number}: {hole.name}\n" if len(task.target.holes) > 1 else ""
        # The official reading knows three backticks alone.
        fence = "`" * (12 if "```" in piece else 3)
        pieces.append(f"{fence}{hole.language}\n{label}{piece}\n{fence}")
    return "\n".join(pieces), tuple(dict.fromkeys(notes))


class HoleChange(NamedTuple):
    """`text`: what stands in a hole's place; `is_elsewhere`: another place was changed as well."""

    text: str
    is_elsewhere: bool


def extract_change_and_detect_strays(before: str, after: str, header_lines: int, hole_count: int = 1) -> HoleChange:
    """What stands in `after` in the place of the hidden body in `before`, with the `header_lines` lines of its header
    and what was added beside it. Of a file with several such `hole_count` all that lies between them too. Whether
    another place was changed as well."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = next((n for n, line in enumerate(old) if PLACEHOLDER.decode() in line), 0)
    head = tail = 0
    while head < min(first, len(new)) and old[head] == new[head]:
        head += 1
    while tail < min(len(old) - first - 1, len(new) - head) and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    is_elsewhere = max(map(len, middle)) > _MOST_COMPARED
    if not is_elsewhere:
        blocks = difflib.SequenceMatcher(None, *middle, autojunk=False).get_opcodes()
        is_elsewhere = sum(block[0] != "equal" for block in blocks) > hole_count
    return HoleChange("".join(new[max(0, min(head, first - header_lines)) : len(new) - tail]), is_elsewhere)


def _read_regular_file_or_empty(path: Path) -> str:
    """The text of a regular file, "" for anything else; bytes that aren't UTF-8 stay what they are."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_size > _LONGEST:
        os.close(fd)
        return ""
    with os.fdopen(fd, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def _judge_answer_text(task: Task, variant: str, text: str) -> SampleRecord:
    from experiments.report.predictions import judge_given_answers

    answers = HOME / "answers.jsonl"
    answers.write_text(json.dumps({"task_id": task.id, "completion": text}) + "\n")
    end = judge_given_answers(
        answers,
        [
            f"dataset={HOME / 'tasks'}",
            "sandbox=experiments.harbor.verifier_sandbox:open_verifier_sandbox",
            "concurrency=1",
            "workers=1",
            f"out={HOME / 'run'}",
            *([f"variant={variant}"] if variant else []),
        ],
    )
    (record,) = end.records
    return record


def make_rewards(record: SampleRecord, note_count: int) -> dict[str, float]:
    """`reward` is 1 for an answer that passes and 0 for any other; the others say what each part of the judgement
    found. A part that wasn't reached is 0."""
    verdict = record.graft.verdict
    passed = verdict.outcome.value == "passed"
    suites = passed or bool(record.plus) or verdict.outcome.value == "to_review"
    return {
        "reward": float(passed),
        "built": float(verdict.built),
        "suites": float(suites),
        "control": float(suites and record.audit.state != "forged"),
        "plus": float(suites and record.plus in ("", "passed")),
        "exact": float(record.graft.exact_match),
        "flags": float(len(verdict.flags)),
        "noted": float(note_count),
    }


def _replace_outputs_and_choose_status(files: Mapping[str, bytes] | None) -> int:
    """Write the files, and nothing beside them. What judged code could have left there goes."""
    for name in _WRITTEN:
        (LOGS / name).unlink(missing_ok=True)
    for name, content in (files or {}).items():
        (LOGS / name).write_bytes(content)
        (LOGS / name).chmod(0o644)
    LOGS.chmod(0o755)
    return 0 if files is not None else _INFRA


if __name__ == "__main__":
    sys.exit(main())
