"""Several functions in what a model wrote: one block each, with a line at its head that says which one it is.

A block without that line is searched by the functions' names. A helper is what `extract_function` puts above a
function, from whichever block: it stands once in a file, above the first function that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from agent.answer.definitions import (
    TopLevelItem,
    collect_transitively_used_items,
    has_word,
    list_functions_constants_and_enums,
)
from agent.answer.extraction import declare_functions_used_ahead, extract_function, strip_bom_crlf_and_surrogates
from agent.answer.fences import list_fenced_blocks
from agent.answer.header import last_segment
from agent.answer.wrappings import split_thoughts_and_answer
from agent.values import Candidate
from index.function_texts import join_present_functions_under_heads, split_functions
from index.source_text import decode_source, encode_source
from index.values import Language, Target

# Our own heads of a joined text count too: a draft may come back as it was stored.
_LABEL = re.compile(
    r"^[ \t]*(?://|/\*)[ \t]*(?P<own>graft: )?function (?P<number>\d{1,3})\b(?P<rest>[^\n]*)\n?", re.M | re.I
)
# In several files it would be defined several times.
_EXTERNAL = re.compile(r"(?!\[\[)(?!(?:\w+\s+)*(?:static|inline|constexpr|extern|template)\b)")
_FENCE = "`" * 12
# Of a hostile answer; each is looked for in each that is used.
_MOST_HELPERS = 1000


def block_label(number: int, hole: Target) -> str:
    """The line that a block begins with. Functions are counted from 1."""
    return f"// function {number}: {hole.name}"


def extract_functions(
    text: str, target: Target, *, existing: Collection[str] = (), earlier_code: str | None = None
) -> Candidate:
    """The functions for all holes of `target` in a model's `text`, as one joined text; of one that isn't there what
    `earlier_code`, an earlier candidate, has of it. `reason` names those that nothing was handed in for. See
    `extract_function`."""
    holes = target.holes
    if len(holes) == 1:
        return extract_function(text, target, existing=existing)
    labelled, unlabelled = _split_labelled_blocks(text, holes)
    # Labels may be mixed up; a name is sure.
    places = (unlabelled, text) if labelled else (text,)
    beside = _list_helpers_of_all_blocks(text, holes[0].language)
    found: dict[int, Candidate] = {}
    taken: dict[str, set[str]] = {}
    # In the order of the files: a helper goes with the first function that uses it, and stands above the others.
    for number, hole in sorted(enumerate(holes), key=lambda pair: (pair[1].path, pair[1].span.first)):
        own = taken.setdefault(hole.path, set())
        barred = {*existing, *own, *(last_segment(other.name) for other in holes if other is not hole)}
        blocks = labelled.get(number + 1, [])
        found[number] = _extract_function_by_label_first(blocks, places, hole, barred, beside)
        own |= {
            item.name
            for item in list_functions_constants_and_enums(found[number].code or "", hole.language)
            if item.name
        }
    earlier = split_functions(earlier_code, len(holes)) if earlier_code is not None else (None,) * len(holes)
    texts = [found[number].code if found[number].code is not None else earlier[number] for number in range(len(holes))]
    texts = _merge_helpers_with_earlier(texts, earlier, holes) if earlier_code is not None else texts
    if all(text is None for text in texts):
        return Candidate(None, found[0].reason)
    missing = list_missing_functions(join_present_functions_under_heads(texts), target)
    how = "; ".join(dict.fromkeys(found[number].how for number in range(len(holes)) if found[number].how))
    choice = "; ".join(f"{hole.name}: {found[n].choice}" for n, hole in enumerate(holes) if found[n].choice)
    reason = f"no definition of {', '.join(missing)}" if missing else ""
    return Candidate(join_present_functions_under_heads(texts), reason, how or "as handed in before", choice)


def list_missing_functions(code: str | None, target: Target) -> tuple[str, ...]:
    """The names of the holes that a candidate has no text for; none for a task of one function with a candidate."""
    holes = target.holes
    if code is None:
        return tuple(hole.name for hole in holes)
    return tuple(
        hole.name for hole, text in zip(holes, split_functions(code, len(holes)), strict=True) if text is None
    )


def _split_labelled_blocks(text: str, holes: Sequence[Target]) -> tuple[dict[int, list[str]], str]:
    """The pieces of the text under each function's label, in order; and the text without them."""
    labelled: dict[int, list[str]] = {}
    rest: list[str] = []
    fenced = list_fenced_blocks(text)
    for piece in [segment.text for segment in fenced] or [text]:
        labels = [label for label in _LABEL.finditer(piece) if _is_label_of_hole(label, holes)]
        ends = [*(label.start() for label in labels[1:]), len(piece)]
        for label, end in zip(labels, ends, strict=False):
            labelled.setdefault(int(label["number"]), []).append(piece[label.end() : end])
        left = piece[: labels[0].start()] if labels else piece
        if left.strip():
            rest.append(f"{_FENCE}\n{left}\n{_FENCE}\n" if fenced else left)
    return labelled, "\n".join(rest)


def _is_label_of_hole(label: re.Match[str], holes: Sequence[Target]) -> bool:
    """A comment in a body may begin like a label, which names a function, or says nothing more."""
    rest = label["rest"]
    is_alone = bool(label["own"]) or re.search(r"\w", rest) is None
    words = (re.escape(last_segment(hole.name)) for hole in holes)
    names = any(re.search(rf"(?<!\w){word}(?!\w)", rest) for word in words)
    return 1 <= int(label["number"]) <= len(holes) and (is_alone or names)


def _list_helpers_of_all_blocks(text: str, language: Language) -> list[TopLevelItem]:
    """What a function may use that stands in another's block, or above the first label."""
    blocks = list_fenced_blocks(split_thoughts_and_answer(strip_bom_crlf_and_surrogates(text))[1])
    helpers = (
        replace(item, text=f"static {item.text}") if item.function and _EXTERNAL.match(item.text) else item
        for block in blocks
        for item in list_functions_constants_and_enums(block.text, language)
        if item.names and not item.in_class
    )
    return _keep_latest_helpers(islice(helpers, _MOST_HELPERS))


def _extract_function_by_label_first(
    blocks: Sequence[str],
    unlabelled_texts: Sequence[str],
    hole: Target,
    existing: Collection[str],
    beside: Sequence[TopLevelItem],
) -> Candidate:
    """The function in the last of its own blocks that holds it, else in the first of `unlabelled_texts` that does."""
    for block in reversed(blocks):
        fenced = f"{_FENCE}{hole.language}\n{block}\n{_FENCE}\n"
        candidate = extract_function(fenced, hole, existing=existing, helpers_beside=beside)
        if candidate.code is not None:
            return candidate
    for place in unlabelled_texts:
        candidate = extract_function(place, hole, existing=existing, helpers_beside=beside)
        # Of a bare body without a label nothing says whose it is.
        if candidate.code is not None and not candidate.how.startswith("body only"):
            return candidate
    return Candidate(None, f"the answer holds no definition of {last_segment(hole.name)}")


def _merge_helpers_with_earlier(
    texts: Sequence[str | None], earlier: Sequence[str | None], holes: Sequence[Target]
) -> list[str | None]:
    """The functions' texts, where some were handed in after the `earlier` ones. A helper that both hold is the later
    one; one whose function was handed in again without it stays where another function uses it."""
    shared = list(texts)
    for path in dict.fromkeys(hole.path for hole in holes):
        own = [n for n, hole in sorted(enumerate(holes), key=lambda pair: pair[1].span.first) if hole.path == path]
        new = [n for n in own if texts[n] != earlier[n]]
        pool = _keep_latest_helpers(
            helper
            for given, numbers in ((earlier, own), (texts, new))
            for n in numbers
            for helper in _split_helpers(given[n], holes[n])[0]
        )
        for n in own if pool else ():
            if texts[n] is not None:
                rest = _split_helpers(texts[n], holes[n])[1]
                used = collect_transitively_used_items(rest, pool)
                pool = [helper for helper in pool if helper not in used]
                declaration = _read_own_declaration(texts[n], holes[n]) or _read_own_declaration(earlier[n], holes[n])
                shared[n] = _put_helpers_above(used, rest, {holes[n].name: declaration} if declaration else {})
    return shared


def prepend_used_helpers(texts: Sequence[str | None], number: int, holes: Sequence[Target]) -> str:
    """One function's text, and above it the helpers that it uses and that stand with another function of its file."""
    text = texts[number] or ""
    known = {name for helper in _split_helpers(text, holes[number])[0] for name in helper.names}
    others = [n for n, hole in enumerate(holes) if n != number and hole.path == holes[number].path]
    pool = _keep_latest_helpers(helper for n in others for helper in _split_helpers(texts[n], holes[n])[0])
    used = collect_transitively_used_items(text, [helper for helper in pool if helper.names.isdisjoint(known)])
    return _put_helpers_above(used, text, {})


def _put_helpers_above(helpers: Sequence[TopLevelItem], function: str, own_head: Mapping[str, str]) -> str:
    """`own_head` as for `declare_functions_used_ahead`."""
    ahead = declare_functions_used_ahead(helpers, own_head)
    return "\n\n".join((*ahead, *(helper.text_in_namespaces for helper in helpers), function))


def _read_own_declaration(text: str | None, hole: Target) -> str:
    """The function's header as it is declared above its helpers, "" where it isn't."""
    helpers, _ = _split_helpers(text, hole)
    above = encode_source(text or "")[: helpers[0].start] if helpers else b""
    declared = (part for part in decode_source(above).split("\n\n") if has_word(part, last_segment(hole.name)))
    return next(declared, "").removesuffix(";")


def _split_helpers(text: str | None, hole: Target) -> tuple[list[TopLevelItem], str]:
    """The helpers above a function, and the function."""
    items = list_functions_constants_and_enums(text or "", hole.language)
    places = [item.start for item in items if item.function and last_segment(item.name) == last_segment(hole.name)]
    above = [item for item in items if places and item.end <= places[-1] and item.names and not item.in_class]
    if text is None or not above:
        return [], text or ""
    return above, decode_source(encode_source(text)[above[-1].end :]).lstrip("\n")


def _keep_latest_helpers(helpers: Iterable[TopLevelItem]) -> list[TopLevelItem]:
    """Each once: of two that define a name the later one."""
    kept: list[TopLevelItem] = []
    names: set[str] = set()
    for helper in reversed(list(helpers)):
        if names.isdisjoint(helper.names):
            kept.insert(0, helper)
            names |= helper.names
    return kept
