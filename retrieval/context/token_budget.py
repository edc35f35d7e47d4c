"""Snippets -> a context that fits a token budget, which groups share by rule; and the list of what didn't fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from index.cpp.body_offset import extract_signature
from retrieval.test_code import is_test_code
from retrieval.values import Bodies, Context, DroppedSnippet, Snippet, SnippetGroup, TokenCounter

GROUP_SHARES: Mapping[SnippetGroup, float] = {
    # The lines around the hole; an arm that shows them shows nothing else.
    SnippetGroup.FILE: 0.30,
    # What the body calls is what retrieval is about; the rest only helps to call it correctly.
    SnippetGroup.FUNCTIONS: 0.50,
    # A wrong field or type doesn't compile. Four structs of thirty fields are some 1,000 tokens.
    SnippetGroup.TYPES: 0.20,
    # Error codes, limits, assertions: a line each. Which of them can't be told as surely as a type.
    SnippetGroup.MACROS: 0.10,
    # A declaration each, and few bodies touch more than one or two.
    SnippetGroup.GLOBALS: 0.05,
    # They say which names of the standard library are declared; a file has 10 to 30 lines of 5 tokens.
    SnippetGroup.INCLUDES: 0.05,
    # A body shows the file's style (errors, memory, layout); more would crowd out what is named.
    SnippetGroup.EXAMPLES: 0.10,
}
"""Each group's share of the budget, in proportion among the groups that a context has. What a group doesn't use goes
to those that lack room, in `SPARE_ORDER`."""

GROUPS_IN_ONE_ROOM = (SnippetGroup.TYPES, SnippetGroup.MACROS, SnippetGroup.GLOBALS)
"""Groups that share one room, filled in the order in which their snippets come: what is named most likely for its
size comes first, whatever its kind."""

SPARE_ORDER = (
    SnippetGroup.FUNCTIONS,
    SnippetGroup.TYPES,
    SnippetGroup.MACROS,
    SnippetGroup.GLOBALS,
    SnippetGroup.FILE,
    SnippetGroup.EXAMPLES,
    SnippetGroup.INCLUDES,
)
"""Who gets spare room first: what the body names before what only shows style."""

BRIEF_SHARE_OF_ROOM = 0.5
"""`auto` spends at most this part of the functions' room on signatures before the best get their bodies: a body
shows how a function is meant to be called, and fifty signatures leave a small budget no room for any body."""

LISTED_SHARE_OF_ROOM = 0.75
"""Types, macros and variables spend this part of their room on as many as it holds, long ones in brief, before the
likeliest of the long ones are shown whole."""
SHORT_SHARE_OF_ROOM = 1 / 64
"""What takes at most this part of that room counts as short."""

MODEST_BODY_SHARE_OF_ROOM = 1 / 8
"""`auto` first shows functions of at most this part of the room whole, then longer ones: a body of a thousand tokens
tells a caller hardly more than one of a hundred, and takes the place of ten."""

_PIECES = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_|\n")
_LETTERS_PER_TOKEN = 5
_DIGITS_PER_TOKEN = 3


def estimate_tokens(text: str) -> int:
    """A count of tokens that needs no model and no download, so that a budget means the same in every run.

    A word (letters between digits, underscores and signs) is one token for each five letters begun, a number one for
    each three digits; every other sign and every line end is one; spaces are free. On YABLoCo's 218 functions this is
    1.28 times the count of cl100k_base, 0.97 to 1.8 times on each: what fits here fits there.
    """
    total = 0
    for piece in _PIECES.findall(text):
        if len(piece) == 1:
            total += 1
        else:
            per_token = _DIGITS_PER_TOKEN if piece[0].isdigit() else _LETTERS_PER_TOKEN
            total += -(-len(piece) // per_token)
    return total


def pack_snippets(
    snippets: Iterable[Snippet], budget: int, count: TokenCounter = estimate_tokens, *, bodies: Bodies = "all"
) -> Context:
    """The snippets that fit into `budget` tokens.

    `snippets` come most useful first, and keep that order within each group, whose room `GROUP_SHARES` gives
    (the groups in `GROUPS_IN_ONE_ROOM` have one room together). A snippet that repeats an earlier text, or whose
    lines lie within an earlier snippet's, is dropped. One that doesn't fit is replaced by its brief form (a
    function's signature where it has none) if that fits, else dropped; smaller ones after it may still fit.

    Functions with `bodies` "all" are shown whole as far as they fit; with "none" in brief; with "auto" in brief as far
    as half the room goes, then the best whole while there is room, long ones last, then more in brief. Brief ones
    stand after the whole ones, file by file. Only texts are counted: titles and fences belong to the prompt.
    """
    dropped: list[DroppedSnippet] = []
    waiting = _collect_offers(snippets, count, dropped, bodies)
    kept: dict[SnippetGroup, list[Snippet]] = {}
    used = 0
    rooms = _share_out_budget(waiting, budget, bodies)
    spare = 0
    for group in SPARE_ORDER:
        offers = waiting.get(group, ())
        room = _Room(rooms.get(group, 0) + spare)
        _fill_room(room, group, offers, bodies)
        spare = room.size - room.used
        used += room.used
        for snippet in room.list_shown_snippets():
            kept.setdefault(snippet.group, []).append(snippet)
        dropped += room.list_dropped_snippets(offers)
    shown = tuple(snippet for group in SnippetGroup for snippet in kept.get(group, ()))
    return Context(shown, used, budget, tuple(dropped), sum(is_test_code(s.path) for s in shown))


@dataclass(frozen=True, slots=True)
class _Offer:
    """A snippet and its sizes in tokens. Without a shorter form both sizes are the same."""

    snippet: Snippet
    whole: int
    brief: int
    has_brief: bool


@dataclass(slots=True)
class _Room:
    """A room of `size` tokens as it fills. `shown`: an offer's number -> the offer, and whether it is shown whole."""

    size: int
    used: int = 0
    shown: dict[int, tuple[_Offer, bool]] = field(default_factory=dict)

    def add_offer(self, number: int, offer: _Offer, *, whole: bool) -> bool:
        """Show the offer, or make it whole where it is shown in brief. False, with nothing done, when it doesn't
        fit."""
        added = offer.whole if whole else offer.brief
        if number in self.shown:
            added -= offer.brief
        if self.used + added > self.size:
            return False
        self.used += added
        self.shown[number] = (offer, whole)
        return True

    def list_shown_snippets(self) -> list[Snippet]:
        """What is shown: whole snippets first, then brief ones file by file."""
        whole = [o.snippet for _, (o, full) in sorted(self.shown.items()) if full or not o.has_brief]
        brief = [o.snippet for _, (o, full) in sorted(self.shown.items()) if not full and o.has_brief]
        files = {path: place for place, path in enumerate(dict.fromkeys(s.path for s in brief))}
        brief.sort(key=lambda s: files[s.path])
        return [
            *(replace(s, brief="") for s in whole),
            *(replace(s, text=s.brief, brief="", is_brief=True) for s in brief),
        ]

    def list_dropped_snippets(self, offers: Sequence[_Offer]) -> list[DroppedSnippet]:
        """What isn't shown, or only in brief."""
        out = []
        for number, offer in enumerate(offers):
            title, group = offer.snippet.title, offer.snippet.group
            if number not in self.shown:
                reason = f"{offer.whole} tokens, {max(0, self.size - self.used)} left for {group.value}"
                out.append(DroppedSnippet(title, offer.whole, reason, group))
            elif not self.shown[number][1] and offer.has_brief:
                saved = max(0, offer.whole - offer.brief)
                out.append(DroppedSnippet(title, saved, "shown in brief", group))
        return out


def _collect_offers(
    snippets: Iterable[Snippet], count: TokenCounter, dropped: list[DroppedSnippet], bodies: Bodies
) -> dict[SnippetGroup, list[_Offer]]:
    texts: set[str] = set()
    places: dict[str, list[Snippet]] = {}
    offers: dict[SnippetGroup, list[_Offer]] = {}
    for snippet in snippets:
        size = count(snippet.text)
        key = " ".join(snippet.text.split())
        if not key:
            dropped.append(DroppedSnippet(snippet.title, size, "empty", snippet.group))
        elif key in texts or any(_repeats_text_of(other, snippet) for other in places.get(snippet.path, ())):
            dropped.append(DroppedSnippet(snippet.title, size, "duplicate", snippet.group))
        else:
            texts.add(key)
            places.setdefault(snippet.path, []).append(snippet)
            offers.setdefault(_find_room_of_group(snippet.group), []).append(_make_offer(snippet, size, count, bodies))
    return offers


def _repeats_text_of(outer: Snippet, inner: Snippet) -> bool:
    """Whether `inner` repeats what `outer` shows. Lines alone don't decide: a macro on the line of a struct isn't in
    it, and a typedef around a struct is the same text twice."""
    a, b = outer.span, inner.span
    if not outer.path or a is None or b is None or not (a.first <= b.first and b.last <= a.last):
        return False
    return inner.text in outer.text or (a == b and outer.title == inner.title)


def _make_offer(snippet: Snippet, size: int, count: TokenCounter, bodies: Bodies) -> _Offer:
    brief = snippet.brief
    if not brief and snippet.group is SnippetGroup.FUNCTIONS:
        signature = extract_signature(snippet.text)
        brief = f"{signature};" if signature else ""
    brief_size = count(brief) if brief else size
    # A getter may be shorter than its signature with a comment, but here no body may be shown.
    never_whole = bodies == "none" and bool(brief) and snippet.group is SnippetGroup.FUNCTIONS
    if brief_size >= size and not never_whole:
        return _Offer(snippet, size, size, False)
    return _Offer(replace(snippet, brief=brief), size, brief_size, True)


def _share_out_budget(
    waiting: Mapping[SnippetGroup, Sequence[_Offer]], budget: int, bodies: Bodies
) -> dict[SnippetGroup, int]:
    """Tokens for each group: its share, but no more than it can use; the rest goes to the others, in `SPARE_ORDER`."""
    wants = {group: _sum_wanted_tokens(group, offers, bodies) for group, offers in waiting.items() if offers}
    shares = {}
    for room in wants:
        groups = {offer.snippet.group for offer in waiting[room]}
        shares[room] = sum(share for group, share in GROUP_SHARES.items() if group in groups)
    whole = sum(shares.values())
    rooms = {room: min(want, int(budget * shares[room] / whole)) for room, want in wants.items()}
    spare = budget - sum(rooms.values())
    for group in SPARE_ORDER:
        if group in rooms:
            more = min(spare, wants[group] - rooms[group])
            rooms[group] += more
            spare -= more
    return rooms


def _find_room_of_group(group: SnippetGroup) -> SnippetGroup:
    """The group under whose name a group's snippets wait for room."""
    return GROUPS_IN_ONE_ROOM[0] if group in GROUPS_IN_ONE_ROOM else group


def _sum_wanted_tokens(group: SnippetGroup, offers: Sequence[_Offer], bodies: Bodies) -> int:
    in_brief = group is SnippetGroup.FUNCTIONS and bodies == "none"
    return sum(offer.brief if in_brief else offer.whole for offer in offers)


def _fill_room(room: _Room, group: SnippetGroup, offers: Sequence[_Offer], bodies: Bodies) -> None:
    if group is SnippetGroup.FUNCTIONS and bodies == "none":
        _add_briefs(room, offers)
        return
    if group is SnippetGroup.FUNCTIONS and bodies == "auto":
        size = room.size
        room.size = int(size * BRIEF_SHARE_OF_ROOM)
        _add_briefs(room, offers)
        room.size = size
        _make_briefs_whole(room, int(size * MODEST_BODY_SHARE_OF_ROOM))
        _make_briefs_whole(room, size)
    elif group is GROUPS_IN_ONE_ROOM[0]:
        size = room.size
        room.size = int(size * LISTED_SHARE_OF_ROOM)
        _add_briefs(room, offers, size * SHORT_SHARE_OF_ROOM)
        room.size = size
        _make_briefs_whole(room, size)
    for number, offer in enumerate(offers):
        if number not in room.shown and not room.add_offer(number, offer, whole=True):
            room.add_offer(number, offer, whole=False)


def _add_briefs(room: _Room, offers: Sequence[_Offer], short: float = 0) -> None:
    """Show in brief what fits; whole what has no brief form or is `short`."""
    for number, offer in enumerate(offers):
        room.add_offer(number, offer, whole=not offer.has_brief or offer.whole <= short)


def _make_briefs_whole(room: _Room, longest: int) -> None:
    """Show whole, while there is room, what is shown in brief and has at most `longest` tokens."""
    for number, (offer, whole) in sorted(room.shown.items()):
        if not whole and offer.whole <= longest:
            room.add_offer(number, offer, whole=True)
