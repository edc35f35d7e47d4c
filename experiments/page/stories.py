"""Each sample's story as HTML, packed task by task.

A pack is JSON, compressed, in base64: the stories by "SIDE.SAMPLE", and the long texts in them, each once (prompts of
one arm are the same for each of its samples). In a story an empty <pre data-text="N"> stands for text N; the page's
script sets it, as text."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from markupsafe import Markup

from experiments.page.chart_svg import load_template
from experiments.page.contents import PageSample
from experiments.report.story.stored_sample import read_sample
from experiments.report.story.story_parts import tell_story
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause

# Of a log its last bytes: of a step that failed, and of one that didn't.
_FAILED_LOG, _PASSED_LOG = 16_384, 2_048
# Shorter texts stand in the story itself.
_LONG = 200
# What a reader of the page wants first.
_FIRST = ("The gap between gold and answer", "Build and tests", "True callees", "Functions")


def pack_task_stories(samples: Sequence[PageSample], side_names: Sequence[str]) -> str:
    """The stories of a task's samples. `side_names`: those of all sides."""
    numbers: dict[str, int] = {}

    def make_pre_element(text: str, kind: str = "") -> Markup:
        """The text in a <pre>, which the page's script fills where it is long."""
        if len(text) < _LONG:
            return Markup('<pre class="{}">{}</pre>').format(kind, text)
        number = numbers.setdefault(text, len(numbers))
        return Markup('<pre class="{}" data-text="{}"></pre>').format(kind, number)

    stories = {
        f"{sample.side}.{sample.record.sample}": _render_story(sample, side_names[sample.side], make_pre_element)
        for sample in samples
    }
    data = json.dumps({"stories": stories, "texts": list(numbers)}, separators=(",", ":"))
    return base64.b64encode(zlib.compress(data.encode("ascii"), 6)).decode("ascii")


def _render_story(sample: PageSample, side_name: str, make_pre_element: Callable[..., Markup]) -> str:
    parts = tell_story(read_sample(sample.run, sample.record), sample.text, _read_log_end_or_empty)
    return load_template("story.html.j2").render(
        task=sample.text,
        record=sample.record,
        run=sample.run,
        side=side_name,
        parts=sorted(parts, key=lambda part: _FIRST.index(part.title) if part.title in _FIRST else len(_FIRST)),
        cause=find_cause_of_outcome(sample.record),
        detail=name_callees_or_test_behind_cause(sample.record),
        pre=make_pre_element,
    )


def _read_log_end_or_empty(path: Path, failed: bool) -> str:
    """The last bytes of a log, whole lines where there are several."""
    most = _FAILED_LOG if failed else _PASSED_LOG
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - most, 0))
            data = file.read(most)
    except OSError:
        return ""
    if size > most and b"\n" in data:
        data = data.partition(b"\n")[2]
    return data.decode("utf-8", "replace")
