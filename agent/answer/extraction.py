"""Find the function in what a model wrote: by its name, its brackets and a parser.

docs/decisions/answer-extraction.md has the rules and their reasons.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.answer.brackets import find_end_past_closing_bracket
from agent.answer.definitions import (
    LONGEST_FUNCTION_CHARS,
    DefinitionPlaces,
    TopLevelItem,
    collect_transitively_used_items,
    find_closed_and_unclosed_definitions,
    has_effects_but_no_functions,
    has_word,
    list_declared_functions,
    list_functions_constants_and_enums,
    parses_as_body,
)
from agent.answer.fences import Segment, drop_fence_lines, list_fenced_blocks
from agent.answer.header import (
    Header,
    find_repository_header_start,
    last_segment,
    make_name_and_paren_pattern,
    parse_signature_as_header,
    scope_prefix,
)
from agent.answer.ranking import FoundDefinition, choose_definition
from agent.answer.wrappings import split_thoughts_and_answer, unwrap_json_replacements_or_diff
from agent.values import Candidate
from index.source_text import encode_source
from index.values import Target

THOUGHTS_ALONE = "the answer holds thoughts alone"
# Characters that are searched: of a longer text the first half of them and the last.
_MOST_SEARCHED_CHARS = 2 * 1024 * 1024
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*\n?", re.MULTILINE)
_TEMPLATE = re.compile(r"template\s*<[^{};]*>\s*$")
_TEMPLATE_LINE = re.compile(r"\s*(template\s*<[^{};()]*>)\s*")
_QUALIFIER = re.compile(r"\b(\w+)\s*(?:::|;)")
_SEMICOLON_OR_COMMENT = re.compile(r"[ \t]*;?[ \t]*(?://[^\n]*|/\*[^\n]*?\*/)?[ \t]*(?=\r?\n|\Z)")


def extract_function(
    text: str, target: Target, *, existing: Collection[str] = (), helpers_beside: Sequence[TopLevelItem] = ()
) -> Candidate:
    """The function for `target` in a model's `text`, or the reason why there is none.

    A function whose header is the repository's comes out as it was written, byte for byte from its first line's
    indentation to the end of its last line; where all lines end in CRLF they end in LF. Lone surrogates are replaced,
    but for those that stand for a byte of the repository's. `existing` names what the repository has: a helper of such
    a name is a quotation and is left out. `helpers_beside` stand elsewhere in the answer. Of more than 2 Mi
    characters the first and the last 1 Mi are searched, so that no text takes longer than about a second.
    """
    text = strip_bom_crlf_and_surrogates(text)
    if not text.strip():
        return Candidate(None, "the answer is empty")
    if len(text) > _MOST_SEARCHED_CHARS:
        text = f"{text[: _MOST_SEARCHED_CHARS // 2]}\n{text[-_MOST_SEARCHED_CHARS // 2 :]}"
    _, text = split_thoughts_and_answer(text)
    if not text.strip():
        return Candidate(None, THOUGHTS_ALONE)
    header = parse_signature_as_header(target)
    blocks, everything = list_fenced_blocks(text), drop_fence_lines(text)
    fenced = [piece for block in blocks for piece in unwrap_json_replacements_or_diff(block)]
    whole = unwrap_json_replacements_or_diff(everything)
    chosen = choose_definition(fenced, target, header)
    begun = chosen.begun
    if chosen.best is None or not chosen.best.has_no_disqualifying_flaw or chosen.best.has_trivial_or_elided_body:
        beside = choose_definition((*fenced, *whole), target, header)
        chosen = beside if chosen.best is None or (beside.best and beside.best.has_no_disqualifying_flaw) else chosen
        begun = begun or beside.begun
    if chosen.best is None:
        # What looks like JSON or a difference may be a string in the function.
        chosen = choose_definition((*blocks, everything), target, header)
    if chosen.best is not None:
        return replace(_build_candidate(chosen.best, target, header, existing, helpers_beside), choice=chosen.note)
    if begun is not None and begun.segment.closed:
        # The fence is closed, so the model had finished: the compiler will report the misplaced bracket.
        candidate = _build_candidate(begun, target, header, existing, helpers_beside)
        return replace(candidate, how=f"{candidate.how}, its brackets don't match")
    for segment in fenced or whole:
        body = _read_bare_body_adding_braces(segment, target)
        if body is not None:
            above = header.text if header is not None else target.signature.strip()
            return Candidate(f"{above}\n{body}", how="body only, the repository's header")
    return _find_differently_cased_function(fenced, target, header) or Candidate(
        None, _explain_missing_definition(fenced, target, begun is not None)
    )


def strip_bom_crlf_and_surrogates(text: str) -> str:
    """The text without a BOM, with LF where all lines end in CRLF, and without lone surrogates, but for those that
    stand for a byte that wasn't UTF-8: a gold of a Latin-1 file has some."""
    text = re.sub("[\ud800-\udc7f\udd00-\udfff]", "?", text.removeprefix("\ufeff"))
    return text.replace("\r\n", "\n") if text.count("\r\n") == text.count("\n") else text


def _build_candidate(
    found: FoundDefinition,
    target: Target,
    header: Header | None,
    existing: Collection[str],
    helpers_beside: Sequence[TopLevelItem],
) -> Candidate:
    text, definition = found.segment.text, found.definition
    end = _move_end_past_semicolon_or_comment(text, definition.end)
    exact = find_repository_header_start(text, definition.brace, definition.head, target)
    if exact is not None:
        start = _move_start_to_template_line(text, exact, target, header)
        code, how = text[_move_start_before_indentation(text, start) : end], "whole function"
    elif header is not None and len(header.parameters) == len(definition.parameters):
        code, how = (
            _put_repository_header_above_body(text, definition, end, target, header),
            "whole function, the repository's header",
        )
    else:
        code, how = (
            text[_move_start_before_indentation(text, definition.start) : end],
            "whole function, its own header",
        )
    helpers = _collect_helpers(found, target, header, code, existing, helpers_beside)
    if helpers:
        is_declared = target.name in list_declared_functions(found.segment.text, target.language)
        own = {target.name: header.text} if header is not None and is_declared else {}
        ahead = declare_functions_used_ahead(helpers, own)
        texts = (*ahead, *(helper.text_in_namespaces for helper in helpers), code)
        return Candidate("\n\n".join(texts), how=f"{how}, with {len(helpers)} helper(s)")
    return Candidate(code, how=how)


def _put_repository_header_above_body(
    text: str, definition: DefinitionPlaces, end: int, target: Target, header: Header
) -> str:
    """The repository's header over the answer's body: `static`, `inline`, `virtual`, macros, scope and default
    arguments are as they must be; the parameters keep the names that the body uses."""
    own = header.rename_parameters(tuple(parameter.name for parameter in definition.parameters))
    # A constructor's initialisers are the answer's, unless the repository's signature holds them.
    head_end = len(text[: definition.brace if header.initialised else definition.head].rstrip())
    line = _move_start_before_indentation(text, definition.start)
    indent = text[line : definition.start]
    template = _TEMPLATE_LINE.match(text, definition.start, definition.scope)
    if template is not None and _is_functions_own_template(template[1], target, header):
        own = f"{template[1]}\n{indent}{own}"
    return f"{indent}{own}{text[head_end:end]}"


def _move_start_to_template_line(text: str, start: int, target: Target, header: Header | None) -> int:
    near = max(0, start - 400)
    template = _TEMPLATE.search(text[near:start])
    if template is None or header is None or not _is_functions_own_template(template[0], target, header):
        return start
    return near + template.start()


def _is_functions_own_template(template: str, target: Target, header: Header) -> bool:
    """Whether a template line that the repository's signature lacks is part of the function nevertheless: not when
    the hole is inside a class, whose template it then is, and only when the signature uses its parameters."""
    if "template" in header.text.split("(")[0]:
        return False
    if scope_prefix(target.name) and not header.scope:
        return False
    names = re.findall(r"(?:class|typename|\w+)\s+(\w+)\s*(?=[,>=])", template)
    return any(re.search(rf"\b{name}\b", header.text) for name in names)


def _move_start_before_indentation(text: str, start: int) -> int:
    """The beginning of the line when only indentation stands before `start`."""
    line = text.rfind("\n", 0, start) + 1
    return line if not text[line:start].strip() else start


def _move_end_past_semicolon_or_comment(text: str, end: int) -> int:
    """Behind a semicolon or a comment that ends the function's last line: the hole is made of whole lines."""
    tail = _SEMICOLON_OR_COMMENT.match(text, end)
    return end + len(text[end : tail.end()].rstrip()) if tail is not None else end


def _collect_helpers(
    found: FoundDefinition,
    target: Target,
    header: Header | None,
    code: str,
    existing: Collection[str],
    helpers_beside: Sequence[TopLevelItem],
) -> list[TopLevelItem]:
    """Functions, static and constant variables and enumerations that the function uses, of the same fence or
    `helpers_beside`, without those that the repository has already, members of a class and `main`. Their namespaces
    are those that the hole doesn't stand in."""
    text, place = found.segment.text, found.definition
    start, end = len(encode_source(text[: place.start])), len(encode_source(text[: place.end]))
    barred = {last_segment(target.name), "main", *existing}
    items = list_functions_constants_and_enums(text, target.language) if found.segment.fenced else []
    # Its own name may be read wrongly behind a macro.
    others = [item for item in items if item.end <= start or item.start >= end]
    names = {name for item in others for name in item.names}
    available = [
        item
        for item in (*others, *(item for item in helpers_beside if names.isdisjoint(item.names)))
        if item.names and not item.in_class and "::" not in item.name and item.names.isdisjoint(barred)
    ]
    own = next((item.namespaces for item in items if item.start < end and start < item.end), ())
    used = collect_transitively_used_items(code, available)
    # One that nothing names is reached by a directive that doesn't come along.
    named = {word for each in (code, *(item.text for item in used)) for word in _QUALIFIER.findall(each)}
    if not _may_be_in_class(own, target, header):
        named.add("")
    around = own or _list_scopes_around_hole(target, header)
    return [
        replace(item, namespaces=tuple(name for name in _drop_common_start(item.namespaces, around) if name in named))
        for item in used
    ]


def _list_scopes_around_hole(target: Target, header: Header | None) -> list[str]:
    return scope_prefix(target.name).removesuffix(header.scope if header is not None else "").split("::")[:-1]


def _may_be_in_class(own: Sequence[str], target: Target, header: Header | None) -> bool:
    """Whether the hole may be in a class, in which no namespace can stand. `own` are the namespaces that the function
    stands in in the answer."""
    qualified = header is not None and bool(header.scope)
    return not qualified and bool(_drop_common_start(_list_scopes_around_hole(target, header), own))


def _drop_common_start(names: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(names, others, strict=False)))
    return names[common:]


def declare_functions_used_ahead(helpers: Sequence[TopLevelItem], own: Mapping[str, str]) -> list[str]:
    """Declarations of what a helper above uses: helpers that call each other, and the function itself, whose name and
    header are `own` where the answer declares it."""
    heads = {helper.name: helper.text.partition("{")[0].rstrip() for helper in helpers}
    heads.update(own)
    names = list(heads)
    put = {helper.name: helper.put_in_namespaces for helper in helpers}
    return [
        put[name](f"{head};") if name in put else f"{head};"
        for name, head in heads.items()
        if any(has_word(helper.text, name) for helper in helpers[: names.index(name)])
        # A default argument stands in one declaration alone.
        if head.endswith(")") and "=" not in head and not head.startswith("template")
    ]


def _read_bare_body_adding_braces(segment: Segment, target: Target) -> str | None:
    """A segment that holds only the function's body, as `{...}`. Bare statements get braces."""
    if len(segment.text) > LONGEST_FUNCTION_CHARS:
        return None
    text = _INCLUDE.sub("", segment.text).strip("\r\n").rstrip()
    stripped = text.strip()
    if stripped.startswith("{"):
        end = find_end_past_closing_bracket(stripped, 0, len(stripped))
        whole = end is not None and not stripped[end:].strip(" \t\r\n;")
        return stripped[:end] if whole and parses_as_body(stripped[:end], target.language) else None
    if not stripped or make_name_and_paren_pattern(target.name).search(text):
        return None  # nothing, an example that calls the function, or a prototype of it
    body = f"{{\n{text}\n}}"
    return (
        body if parses_as_body(body, target.language) and has_effects_but_no_functions(body, target.language) else None
    )


def _find_differently_cased_function(
    fenced: Iterable[Segment], target: Target, header: Header | None
) -> Candidate | None:
    """A single function whose name differs from the target's only by case and underscores."""
    if header is None:
        return None
    wanted = _drop_scope_case_and_underscores(target.name)
    for segment in fenced:
        names = {
            item.name
            for item in _list_functions(segment, target)
            if _drop_scope_case_and_underscores(item.name) == wanted
        }
        if len(names) != 1:
            continue
        name = names.pop()
        candidates, _ = find_closed_and_unclosed_definitions(segment.text, name)
        fitting = [definition for definition in candidates if len(definition.parameters) == len(header.parameters)]
        if fitting:
            code = _put_repository_header_above_body(segment.text, fitting[-1], fitting[-1].end, target, header)
            return Candidate(code, how=f"whole function, called {name}, the repository's header")
    return None


def _drop_scope_case_and_underscores(name: str) -> str:
    return last_segment(name).replace("_", "").lower()


def _list_functions(segment: Segment, target: Target) -> list[TopLevelItem]:
    return [
        item
        for item in list_functions_constants_and_enums(segment.text, target.language)
        if item.function and item.name
    ]


def _explain_missing_definition(fenced: Sequence[Segment], target: Target, begun: bool) -> str:
    name = last_segment(target.name)
    if begun:
        return f"the body of {name} is never closed"
    others = sorted({item.name for segment in fenced for item in _list_functions(segment, target)})
    if others:
        return f"the answer defines {', '.join(others[:5])}, but not {name}"
    if not fenced:
        return f"the answer holds no code block and no definition of {name}"
    return f"no code block holds a definition of {name}"
