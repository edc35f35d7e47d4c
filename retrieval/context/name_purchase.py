"""Names with their chances -> the texts that show most of what the body needs within a token budget.

A prompt serves when it shows every name that the body needs. So a name is worth -log(1 - chance): the sum over all
names is what the chance that none is missing grows by. A text has a price in tokens and shows all names in it: a
line shows a macro, a function's head or a field in the skeleton of its struct; a body shows what its function names.
What is worth most for its price is bought first, until the budget is spent.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from index.hiding.hidden_view import HiddenView
from index.values import Symbol
from retrieval.context.declaration_lines import MORE, DeclarationReader, NameDeclaration, Skeleton
from retrieval.context.token_budget import estimate_tokens
from retrieval.text.terms import split_words
from retrieval.values import NameChance, Snippet, SnippetGroup

GREATEST_CHANCE = 0.98
"""A name that is nearly sure is worth no more: it would be bought anyway."""
LEAST_CHANCE = 0.0003
"""A name of less is never bought for itself: what is left of the budget shows bodies and comments."""
LEFT_AFTER_MENTION = 0.2
"""The share of a name's worth that its declaration keeps once another text uses the name."""
COMMENT_WORTH = 0.03
"""What the first sentence of a comment adds, times the chance of what it explains."""
_FEWEST_TOKENS = 3
"""Of a declaration, until it is read and its tokens are counted."""

Place = tuple[str, int, str]
"""Path, first byte and name: a struct and the variable of its type begin together."""


def make_symbol_place_key(symbol: Symbol) -> Place:
    """What tells a symbol from all others."""
    return symbol.path, symbol.start_byte, symbol.name


class BodyOffer(NamedTuple):
    """A function with its whole text, and what that is worth beside the names in it."""

    symbol: Symbol
    snippet: Snippet
    worth: float


@dataclass(slots=True)
class _Offer:
    what: Literal["declaration", "comment", "body"]
    symbol: Symbol
    chance: float = 0.0
    words: tuple[str, ...] = ()
    """Sorted, so that sums are the same in every process."""
    tokens: int = 0
    worth: float = 0.0
    declaration: NameDeclaration | None = None
    snippet: Snippet | None = None


@dataclass(slots=True)
class Purchase:
    """What was bought, in the order of purchase: declarations by place, those with a comment, functions whole."""

    spent: int = 0
    declared: dict[Place, NameDeclaration] = field(default_factory=dict)
    prices: dict[Place, int] = field(default_factory=dict)
    commented: set[Place] = field(default_factory=set)
    whole: dict[Place, Snippet] = field(default_factory=dict)
    opened: dict[Skeleton, None] = field(default_factory=dict)
    """Skeletons whose frame is paid."""


def buy_names_and_bodies(
    view: HiddenView, names: Sequence[NameChance], bodies: Sequence[BodyOffer], budget: int
) -> Purchase:
    """Buy for at most `budget` tokens. `names` come likeliest first, each name once."""
    left = {
        name.symbol.name: -math.log1p(-min(name.chance, GREATEST_CHANCE))
        for name in names
        if name.chance >= LEAST_CHANCE
    }
    offers = [_Offer("declaration", name.symbol, name.chance) for name in names if name.symbol.name in left]
    # The text of a function that a macro makes is the macro's use, and may lack the name.
    for body in (body for body in bodies if body.symbol.name in body.snippet.text):
        words = tuple(sorted(left.keys() & set(split_words(body.snippet.text))))
        tokens = estimate_tokens(body.snippet.text)
        offers.append(_Offer("body", body.symbol, 0.0, words, tokens, body.worth, snippet=body.snippet))
    bought, reader = Purchase(), DeclarationReader(view)
    # Worth falls and prices hardly do: what is popped is weighed again, and waits where another is better by now.
    heap = [(-_compute_worth_per_token(offer, left, bought), number) for number, offer in enumerate(offers)]
    heapq.heapify(heap)
    while heap:
        _, number = heapq.heappop(heap)
        offer = offers[number]
        if offer.what == "declaration" and offer.declaration is None:
            _add_declaration_to_offer(reader, offer, left)
        density = _compute_worth_per_token(offer, left, bought)
        if density <= 0:
            continue
        if heap and density < -heap[0][0]:
            heapq.heappush(heap, (-density, number))
            continue
        price = _compute_remaining_price(offer, bought)
        if bought.spent + price > budget:
            continue
        _record_purchase_and_lower_worth(offer, price, left, bought)
        comment = "" if offer.declaration is None else offer.declaration.comment
        if comment:
            worth = COMMENT_WORTH * offer.chance
            offers.append(_Offer("comment", offer.symbol, tokens=estimate_tokens(comment) + 1, worth=worth))
            heapq.heappush(heap, (-_compute_worth_per_token(offers[-1], left, bought), len(offers) - 1))
    return bought


def _add_declaration_to_offer(reader: DeclarationReader, offer: _Offer, worth_left: Mapping[str, float]) -> None:
    offer.declaration = reader.read_cheapest_declaration(offer.symbol)
    text = offer.declaration.text
    if offer.declaration.skeleton is not None:
        text += f" {offer.declaration.skeleton.head}"
    offer.words = tuple(sorted(worth_left.keys() & {*split_words(text), offer.symbol.name}))
    offer.tokens = estimate_tokens(offer.declaration.text) + 1


def _compute_worth_per_token(offer: _Offer, worth_left: Mapping[str, float], bought: Purchase) -> float:
    """Worth for each token; 0 for what was bought in another form."""
    place = make_symbol_place_key(offer.symbol)
    if place in bought.whole:
        return 0.0
    if offer.what == "declaration" and offer.declaration is None:
        return worth_left[offer.symbol.name] / _FEWEST_TOKENS
    worth = offer.worth + sum(worth_left[word] for word in offer.words)
    return worth / max(1, _compute_remaining_price(offer, bought))


def _compute_remaining_price(offer: _Offer, bought: Purchase) -> int:
    place = make_symbol_place_key(offer.symbol)
    if offer.what == "body":
        return offer.tokens - bought.prices.get(place, 0)
    skeleton = offer.declaration.skeleton if offer.declaration is not None else None
    if skeleton is None or skeleton in bought.opened:
        return offer.tokens
    return offer.tokens + estimate_tokens(f"{skeleton.head}\n{MORE}\n{skeleton.foot}")


def _record_purchase_and_lower_worth(
    offer: _Offer, price: int, worth_left: dict[str, float], bought: Purchase
) -> None:
    place = make_symbol_place_key(offer.symbol)
    bought.spent += price
    # Without the frame of a skeleton, which stays where the function's line goes.
    bought.prices[place] = bought.prices.get(place, 0) + offer.tokens
    for word in offer.words:
        worth_left[word] *= LEFT_AFTER_MENTION
    if offer.what == "comment":
        bought.commented.add(place)
        return
    worth_left[offer.symbol.name] = 0.0
    if offer.snippet is not None:
        bought.whole[place] = offer.snippet
        bought.declared.pop(place, None)
    elif offer.declaration is not None:
        bought.declared[place] = offer.declaration
        if offer.declaration.skeleton is not None:
            bought.opened[offer.declaration.skeleton] = None


def make_bought_snippets(bought: Purchase, source: str) -> list[Snippet]:
    """The snippets, in no order of groups: functions whole in the order of purchase; the rest by file and place."""
    out = list(bought.whole.values())
    framed: dict[Skeleton, list[str]] = {skeleton: [] for skeleton in bought.opened}
    declared = sorted(bought.declared.values(), key=lambda d: (d.symbol.path, d.symbol.start_byte))
    for declaration in declared:
        symbol = declaration.symbol
        comment = declaration.comment if make_symbol_place_key(symbol) in bought.commented else ""
        if declaration.skeleton is not None:
            if declaration.text:
                framed[declaration.skeleton].append(f"{declaration.text}  {comment}" if comment else declaration.text)
            continue
        text = f"{comment}\n{declaration.text}" if comment else declaration.text
        is_brief = declaration.group is SnippetGroup.FUNCTIONS
        out.append(
            Snippet(
                symbol.qualified_name, symbol.path, symbol.span, text, source, declaration.group, is_brief=is_brief
            )
        )
    for skeleton in sorted(framed, key=lambda s: (s.path, 0 if s.span is None else s.span.first, s.title)):
        text = "\n".join([skeleton.head, *framed[skeleton], MORE, skeleton.foot])
        out.append(Snippet(skeleton.title, skeleton.path, skeleton.span, text, source, skeleton.group, is_brief=True))
    return out
