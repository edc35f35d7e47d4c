"""Each sample's story as HTML, packed task by task.

A pack is JSON, compressed, in base64: the stories by "SIDE.SAMPLE", and the long texts in them, each once (prompts of
one arm are the same for each of its samples). In a story an empty <pre data-text="N"> stands for text N; the page's
script sets it, as text."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import jinja2
from markupsafe import Markup

from experiments.page.contents import PageSample, PageTask
from experiments.report.story import (
    callee_fates,
    declaration_line,
    hole_lines,
    message_line,
    step_end,
    tool_line,
    turns_of,
)
from experiments.run.records import Execution, Scored, Story, loads, story_path
from experiments.run.sampling.attribution import cause_of, detail_of
from experiments.run.sampling.executions import RECORD, steps_of
from index.errors import InfraError

T = TypeVar("T")
TEMPLATES = Path(__file__).with_name("templates")
# Of a log its last bytes: of a step that failed, and of one that didn't.
_FAILED_LOG, _PASSED_LOG = 16_384, 2_048
# Shorter texts stand in the story itself.
_LONG = 200


class Log(NamedTuple):
    """A step and the end of its log. `name` is the log's path in the run's folder; `cut`: it has more."""

    step: str
    end: str
    failed: bool
    seconds: float
    name: str
    text: str
    cut: bool


class AnswerReading(NamedTuple):
    """What the rules called `name` say of an answer, and the steps on which that rests."""

    name: str
    scored: Scored
    logs: tuple[Log, ...]


@dataclass(slots=True)
class Texts:
    """The long texts of a pack, each once."""

    numbers: dict[str, int] = field(default_factory=dict)

    def pre(self, text: str, kind: str = "") -> Markup:
        """The text in a <pre>, which the page's script fills where it is long."""
        if len(text) < _LONG:
            return Markup('<pre class="{}">{}</pre>').format(kind, text)
        number = self.numbers.setdefault(text, len(self.numbers))
        return Markup('<pre class="{}" data-text="{}"></pre>').format(kind, number)


def pack(task: PageTask, samples: Sequence[PageSample], names: Sequence[str]) -> str:
    """The stories of a task's samples. `names`: those of all sides."""
    texts = Texts()
    stories = {
        f"{sample.side}.{sample.record.sample}": _story(task, sample, names[sample.side], texts) for sample in samples
    }
    data = json.dumps({"stories": stories, "texts": list(texts.numbers)}, separators=(",", ":"))
    return base64.b64encode(zlib.compress(data.encode("ascii"), 6)).decode("ascii")


def _story(task: PageTask, sample: PageSample, side: str, texts: Texts) -> str:
    record, run = sample.record, sample.run
    story = _stored(Story, story_path(run, *record.key))
    readings = [_reading(run, "graft", record.graft)]
    if record.official.execution != record.graft.execution and not record.holes:
        readings.append(_reading(run, "official", record.official))
    code = story.trajectory.candidate.code if story is not None else None
    return template("story.html.j2").render(
        task=task,
        record=record,
        run=run,
        side=side,
        story=story,
        turns=turns_of(story.trajectory) if story is not None else [],
        readings=readings,
        cause=cause_of(record),
        detail=detail_of(record),
        callees=callee_fates(record.callees),
        functions=hole_lines(record),
        code=code,
        diff=list(difference(task.gold, code)) if task.gold is not None and code is not None else None,
        text=texts.pre,
        tool_line=tool_line,
        message_line=message_line,
        declaration_line=declaration_line,
    )


@lru_cache
def template(name: str) -> jinja2.Template:
    """A template of this package. All that is put into it is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def difference(gold: str, code: str) -> Iterator[tuple[str, str]]:
    """Every line of both texts, marked "-" for the gold's alone, "+" for the answer's alone, " " for both."""
    one, two = gold.splitlines(), code.splitlines()
    for kind, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((" ", line) for line in one[a:b])
        else:
            yield from (("-", line) for line in one[a:b])
            yield from (("+", line) for line in two[c:d])


def _reading(run: Path, name: str, scored: Scored) -> AnswerReading:
    folder = run / scored.execution
    execution = _stored(Execution, folder / RECORD) if scored.execution else None
    steps = steps_of(execution.run) if execution is not None else ()
    return AnswerReading(name, scored, tuple(_log(folder, scored.execution, step) for step in steps))


def _log(folder: Path, name: str, step: Any) -> Log:
    failed = step.exit_code != 0
    text, cut = _tail(folder / step.log, _FAILED_LOG if failed else _PASSED_LOG)
    return Log(step.name, step_end(step), failed, step.wall_s, f"{name}/{step.log}", text, cut)


def _tail(path: Path, most: int) -> tuple[str, bool]:
    """The last `most` bytes of a log, whole lines where there are several; "" where it is gone."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - most, 0))
            data = file.read(most)
    except OSError:
        return "", False
    if size > most and b"\n" in data:
        data = data.partition(b"\n")[2]
    return data.decode("utf-8", "replace"), size > most


def _stored(kind: type[T], path: Path) -> T | None:
    """The stored value; None where the file is gone or damaged, as in a run that somebody slimmed."""
    try:
        return loads(kind, path.read_bytes(), path)
    except (InfraError, OSError):
        return None
