"""The page as a file: the template filled in, and the packs of stories in it or beside it.

A pack holds a task's stories. It is JSON, compressed, in base64: the stories by "SIDE.SAMPLE", and the long texts in
them, each once (prompts of one arm are the same for each of its samples). In a story an empty <pre data-text="N">
stands for text N; the page's script sets it, as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from executor.threads import map_in_threads
from experiments.files import write_atomically
from experiments.page.chart_svg import TEMPLATES, draw_chart, format_estimate, load_template
from experiments.page.charts import measure_callee_recall
from experiments.page.contents import Contents, PageSample, gather_page_contents
from experiments.report.headline import describe_best_side_against_next
from experiments.report.metrics import format_percent, format_points_with_interval
from experiments.report.story.stored_sample import read_sample
from experiments.report.story.story_parts import tell_story
from experiments.run.sampling.attribution import (
    FAILURES,
    Cause,
    find_cause_of_outcome,
    name_callees_or_test_behind_cause,
)
from index.errors import ConfigError

# Packs of more than this stay out of the page, so that all of it is under 5 MB.
MOST_IN_PAGE = 3_500_000
# Reading thousands of small files is waiting for the disk, for the most part.
_READERS = 4
_ABOUT_CHARS = 100
_PACK = re.compile(r"\d{5}\.js")
# Of a log its last bytes: of a step that failed, and of one that didn't.
_FAILED_LOG, _PASSED_LOG = 16_384, 2_048
# Shorter texts stand in the story itself.
_LONG = 200
# What a reader of the page wants first.
_FIRST = ("The gap between gold and answer", "Build and tests", "True callees", "Functions")
KINDS: tuple[Cause, ...] = ("passed", *FAILURES)
"""What became of a sample; the style sheet has a colour for each, by its number."""


class WrittenPage(NamedTuple):
    """`beside`: the folder of the stories, None where they are in the page."""

    html: Path
    samples: int
    beside: Path | None


def write_page(runs_or_arms: Sequence[str], html: Path) -> WrittenPage:
    """Write the report of these runs (RUN or RUN:ARM, as for `graft compare`) to the file `html`. Stories that make it
    too large go to a folder beside it, FILE_files. Raises ConfigError as `gather_page_contents`, and for a folder."""
    if html.is_dir():
        raise ConfigError(f"--html {html}: a folder; name a file, as {html / 'report.html'}")
    contents = gather_page_contents(runs_or_arms)
    packs = _pack_stories_by_task(contents)
    beside = html.with_name(f"{html.stem}_files")
    # Of an earlier page; nothing else that lies there.
    for path in beside.iterdir() if beside.is_dir() else ():
        if _PACK.fullmatch(path.name):
            path.unlink()
    inside = sum(map(len, packs)) <= MOST_IN_PAGE
    if not inside:
        beside.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(packs):
            (beside / f"{number:05}.js").write_text(f'graftPack({number},"{text}")\n', encoding="ascii")
    page = render_page(contents, packs if inside else None, beside.name)
    write_atomically(html, page.encode("utf-8", "backslashreplace"))
    return WrittenPage(html, len(contents.samples), None if inside else beside)


def _pack_stories_by_task(contents: Contents) -> list[str]:
    by_task: dict[int, list[PageSample]] = defaultdict(list)
    for sample in contents.samples:
        by_task[sample.task].append(sample)

    names = contents.side_names
    return map_in_threads(
        lambda number: pack_task_stories(by_task[number], names), range(len(contents.tasks)), _READERS
    )


def render_page(contents: Contents, packs_inside: Sequence[str] | None, pack_folder: str) -> str:
    """The page. `packs_inside`: the stories that stand in it; None: they lie in the folder `pack_folder`."""
    style, script = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    names, places = contents.side_names, contents.ranked.places
    causes = [(name, _count_samples_by_cause_number(contents, number)) for number, name in enumerate(names)]
    return load_template("page.html.j2").render(
        contents=contents,
        policy=_make_content_security_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        data=_format_json_for_script_element(_make_script_data(contents, pack_folder if packs_inside is None else "")),
        packs=_format_json_for_script_element(packs_inside or []),
        lead=describe_best_side_against_next([place.standing for place in places]),
        causes=causes,
        seen={kind: number for number, kind in enumerate(KINDS) if any(found[number] for _, found in causes)},
        drawn=[(chart, draw_chart(chart, names)) for chart in contents.ranked.charts],
        several_trees=_has_difference_absent_from_names(
            names, [place.side.variant_names_or_original for place in places]
        ),
        several_models=_has_difference_absent_from_names(
            names, [place.side.model.rpartition("/")[2] for place in places]
        ),
        dollars=any(place.standing.cost for place in places),
        points=format_points_with_interval,
        percent=format_percent,
        words=format_estimate,
    )


def _has_difference_absent_from_names(names: Sequence[str], values: Sequence[str]) -> bool:
    """Whether sides differ in a value that their names don't tell."""
    return len(set(values)) > 1 and any(value not in name for name, value in zip(names, values, strict=True))


def _count_samples_by_cause_number(contents: Contents, side: int) -> dict[int, int]:
    """The number of a kind in KINDS -> how many samples of the side ended so."""
    tally = Counter(find_cause_of_outcome(sample.record) for sample in contents.samples if sample.side == side)
    return {number: tally[kind] for number, kind in enumerate(KINDS)}


def _make_script_data(contents: Contents, pack_folder_or_empty: str) -> Mapping[str, Any]:
    """What the page's script needs: rows of plain values. `pack_folder_or_empty`: the folder of the packs, or ""."""
    return {
        "beside": pack_folder_or_empty,
        "sides": contents.side_names,
        "kinds": KINDS,
        "tasks": [[t.id, t.name or t.id, t.repo, t.level, t.health, t.place] for t in contents.tasks],
        "samples": [
            [
                sample.task,
                sample.side,
                sample.record.sample,
                KINDS.index(find_cause_of_outcome(sample.record)),
                name_callees_or_test_behind_cause(sample.record)[:_ABOUT_CHARS],
                len(sample.record.rounds),
                sample.record.usage.prompt_tokens + sample.record.usage.completion_tokens,
                sample.record.usage.cost,
                round(sample.record.seconds, 1),
                None if (recall := measure_callee_recall(sample.record)) is None else round(100 * recall),
                round(100 * sample.record.edit_similarity),
            ]
            for sample in contents.samples
        ],
    }


def _format_json_for_script_element(value: object) -> Markup:
    """JSON that may stand in a script element: no `<` can end it."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _make_content_security_policy(style: str, script: str) -> str:
    """What a browser may load: the page's own style sheet and script, and the packs that this adds."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]} 'strict-dynamic'; base-uri 'none';"
        " form-action 'none'"
    )


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
