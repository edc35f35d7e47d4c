"""Function definitions in a piece of text: where each begins and ends, and whether the parser takes it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agent.answer.brackets import find_end_past_closing_bracket, remove_all_white_space
from agent.answer.header import (
    Parameter,
    find_scope_start,
    make_name_and_paren_pattern,
    make_overload_key,
    read_old_style_parameter_names,
    read_parameters,
)
from index.cpp.declarators import read_declared_name_or_empty, read_declared_names, read_node_text
from index.cpp.language import load_tree_sitter_grammar
from index.cpp.tokens import tokenize_code_among_prose
from index.cpp.type_text import is_in_comment
from index.source_text import decode_source, encode_source
from index.values import Language, Span, Target

if TYPE_CHECKING:
    import tree_sitter

# No function of the benchmark comes near; a hostile answer must not cost more than its share.
LONGEST_FUNCTION_CHARS = 128 * 1024
_LONGEST_PARSED_CHARS = 64 * 1024
_DEEPEST_PARSED_NESTING = 200
_MOST_PLACES = 16
# Each of these was lexed to the end.
_MOST_UNCLOSED = 4
_LONGEST_HEADER_TAIL = 4000
_MOST_LINES_ABOVE = 12
_HEADER_LINE = re.compile(r"[\w\s:<>,*&\"()\[\]=~.]+")
_EFFECTIVE_NODES = frozenset(("return_statement", "call_expression", "assignment_expression", "update_expression"))
_NEVER_IN_HEADER_TAIL = frozenset("=)}.?+-/|!%")
_KEPT_VARIABLE = re.compile(rb"(?:inline\s+)?(?:static|const|constexpr|thread_local|_Thread_local|__thread)\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_STATEMENT = re.compile(r"(?:return|else|case|goto|if|while|for|switch|do|throw|new|delete)\b")
_CATCH = re.compile(r"(?:\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/)*+catch\s*(?=\()")


@dataclass(frozen=True, slots=True)
class DefinitionPlaces:
    """Places in the text: the header starts at `start`, the qualified name at `scope`, its last segment at `name`;
    the header proper ends at `head` (where a `try` or a constructor's initialisers begin, else at the brace), the body
    is text[brace:end], with the catch clauses of a function whose body is a `try`. `shape` is as in `read_shape`; None
    where the whole header is the repository's, and its parameters weren't read."""

    start: int
    scope: int
    name: int
    parameters: tuple[Parameter, ...]
    head: int
    brace: int
    end: int
    shape: tuple[str, ...] | None


def find_closed_and_unclosed_definitions(
    text: str, name: str
) -> tuple[list[DefinitionPlaces], DefinitionPlaces | None]:
    """The definitions of `name` (its last segment counts) in order, and the last that was begun and whose brackets
    never close: it reaches to the text's end."""
    found: list[DefinitionPlaces] = []
    begun: DefinitionPlaces | None = None
    unclosed = 0
    # Of very many places the first and the last.
    places = make_name_and_paren_pattern(name).finditer(text)
    for place in [*islice(places, _MOST_PLACES), *deque(places, maxlen=_MOST_PLACES)]:
        if (
            is_in_comment(text, place.start())
            or _is_in_macro_definition(text, place.start())
            or unclosed >= _MOST_UNCLOSED
        ):
            continue
        limit = min(len(text), place.start() + LONGEST_FUNCTION_CHARS)
        opening = place.end() - 1
        after = find_end_past_closing_bracket(text, opening, limit)
        ends = _find_header_end_and_brace(text, place.start(), after, limit) if after is not None else None
        if after is None or ends is None:
            unclosed += after is None
            continue
        if _has_literal_argument(text, opening, after):
            continue
        head, brace = ends
        end = find_end_past_closing_bracket(text, brace, limit)
        if end is not None and text.startswith("try", head):
            end = _find_end_past_catch_clauses(text, end, limit)
        scope = find_scope_start(text, place.start())
        declared = text[after:brace].rstrip().endswith(";")
        names = (read_old_style_parameter_names if declared else read_parameters)(text, opening, after)
        last, shape = end or len(text.rstrip()), make_overload_key(names, text[after:brace])
        start = _find_header_start(text, scope)
        definition = DefinitionPlaces(start, scope, place.start(), names, head, brace, last, shape)
        if end is None:
            begun = definition
            unclosed += 1
            continue
        found.append(definition)
    return found, begun


def find_definitions_with_target_header(
    text: str, text_without_digraphs: str, target: Target
) -> Iterator[DefinitionPlaces]:
    """The definitions below the repository's own header, white space apart, whatever macros make its name and its
    parameters (`void F77(f)(int *n)`, `int f P_((int n))`). `text_without_digraphs` is the text without digraphs."""
    signs = remove_all_white_space(target.signature.strip().rstrip("{; \t\r\n"))
    if not signs or len(signs) > _LONGEST_HEADER_TAIL:
        return
    for header in islice(re.finditer(r"\s*".join(map(re.escape, signs)), text), _MOST_PLACES):
        opening = re.compile(r"[\s;]*(?=\{)").match(text_without_digraphs, header.end())
        if opening is None or is_in_comment(text, header.start()):
            continue
        start, brace = header.start(), opening.end()
        end = find_end_past_closing_bracket(
            text_without_digraphs, brace, min(len(text_without_digraphs), start + LONGEST_FUNCTION_CHARS)
        )
        if end is not None:
            yield DefinitionPlaces(start, start, start, (), brace, brace, end, None)


def _is_in_macro_definition(text: str, at: int) -> bool:
    """Whether a place stands in a macro's definition: what follows that isn't the body of a function named there."""
    line = text.rfind("\n", 0, at) + 1
    while text.endswith("\\", 0, max(0, line - 1)):
        line = text.rfind("\n", 0, line - 1) + 1
    return re.compile(r"\s*#[ \t]*define\b").match(text, line, at) is not None


def _has_literal_argument(text: str, opening: int, after: int) -> bool:
    """Arguments instead of parameters: a literal that isn't a default or an array's size."""
    previous, depth = ",", 0
    for kind, token, _ in tokenize_code_among_prose(text, opening + 1, after - 1):
        if kind == "literal" and depth == 0 and previous == ",":
            return True
        depth += (token in ("(", "[", "{", "<")) - (token in (")", "]", "}", ">"))
        previous = token
    return False


def _find_header_end_and_brace(text: str, name_start: int, after: int, limit: int) -> tuple[int, int] | None:
    """From behind the parameters to (end of the header, opening brace), or None: a call, a prototype."""
    position = after
    if re.match(r"\s*\)", text[after : after + 40]) and re.search(
        r"\(\s*[*&]+\s*[\w:]*$", text[max(0, name_start - 80) : name_start]
    ):
        # `void *(*f(int a)) (char *) {`, `int (&f(int a))[3] {`
        outer = re.compile(r"\s*\)\s*[(\[]").match(text, after)
        rest = find_end_past_closing_bracket(text, outer.end() - 1, limit) if outer is not None else None
        if rest is None:
            return None
        position = rest
    head: int | None = None
    colon: int | None = None
    previous, depth, semicolons = ")", 0, 0
    for kind, token, at in tokenize_code_among_prose(text, position, min(limit, position + _LONGEST_HEADER_TAIL)):
        if depth == 0:
            if token == "." and colon is not None and "..." in text[at - 2 : at + 3]:
                continue  # `: B(b)... {` of a pack
            # In `: a(1), b{2} {` only the brace after a finished initialiser opens the body.
            if token == "{" and (colon is None or previous in (")", "}")):
                return (at if head is None else head), at
            # A semicolon right behind is a prototype or a call; later ones end K&R's parameter declarations.
            semicolons += token == ";"
            if semicolons > 20 or (token in (";", ",") and previous == ")" and colon is None):
                return None
            if token in _NEVER_IN_HEADER_TAIL or (kind == "word" and _STATEMENT.match(token)):
                return None
            colon = at if token == ":" and colon is None else colon
            head = at if token in (":", "try") and head is None else head
        depth += (token in ("(", "{", "[")) - (token in (")", "}", "]"))
        previous = token
    return None


def _find_end_past_catch_clauses(text: str, end: int, limit: int) -> int | None:
    """Behind the last clause of the `try` whose block ends at `end`; None where one never closes."""
    found: int | None = end
    while found is not None and (clause := _CATCH.match(text, found, limit)) is not None:
        declared = find_end_past_closing_bracket(text, clause.end(), limit)
        opening = re.compile(r"\s*(?=\{)").match(text, declared) if declared is not None else None
        found = find_end_past_closing_bracket(text, opening.end(), limit) if opening is not None else None
    return found


def _find_header_start(text: str, scope_start: int) -> int:
    """Where the header begins: return type and specifiers before the name, and lines above that continue it."""
    line = text.rfind("\n", 0, scope_start) + 1
    same = text[line:scope_start]
    cut = max(same.rfind(sign) for sign in ";{}")
    if cut >= 0:
        return line + cut + 1 + _indentation_width(same[cut + 1 :])
    label = re.match(r"\s*(?:public|private|protected)\s*:(?!:)", same)
    if label is not None:
        return line + label.end() + _indentation_width(same[label.end() :])
    start = line
    for _ in range(_MOST_LINES_ABOVE):
        if start == 0:
            break
        above = text.rfind("\n", 0, start - 1) + 1
        words = text[above:start].strip()
        if not _is_attribute_line(words) and (
            not words
            or words[-1] in ";{}:.,\\)"
            or not _HEADER_LINE.fullmatch(words)
            or re.match(r"(?:public|private|protected|namespace)\b", words)
        ):
            break
        start = above
    return start


def _is_attribute_line(line: str) -> bool:
    """`REDIS_NO_SANITIZE("bounds")`, `__attribute__((noinline))`, `[[nodiscard]]` on a line of their own."""
    return bool(re.fullmatch(r"(?:[A-Z_][A-Z0-9_]{2,}|__attribute__|__declspec)\s*\(.*\)|\[\[.*\]\]", line))


def _indentation_width(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def parses_as_body(body: str, language: Language) -> bool:
    """True when `{...}` is free of syntax errors."""
    root = _parse_body_unless_too_large(body, language)
    return root is not None and not root.has_error


def _parse_body_unless_too_large(body: str, language: Language) -> tree_sitter.Node | None:
    """The tree of a function with this body, or None for what is too large."""
    from tree_sitter import Parser

    code = f"void f() {body}"
    return (
        Parser(load_tree_sitter_grammar(language)).parse(encode_source(code)).root_node
        if _has_parsable_length_and_nesting(code)
        else None
    )


def _has_parsable_length_and_nesting(code: str) -> bool:
    if len(code) > _LONGEST_PARSED_CHARS:
        return False
    depth = 0
    for sign in re.findall(r"[(\[{<)\]}>]", code):
        depth = depth + 1 if sign in "([{<" else max(0, depth - 1)
        if depth > _DEEPEST_PARSED_NESTING:
            return False
    return True


def list_names_defined_outside_spans(data: bytes, spans: Collection[Span], language: Language) -> frozenset[str]:
    """What a file of the repository defines at file level outside of the lines of `spans`."""
    lines = data.split(b"\n")
    for span in spans:
        lines[span.first - 1 : span.last] = [b""] * (span.last - span.first + 1)
    return frozenset().union(
        *(item.names for item in _parse_functions_constants_and_enums(b"\n".join(lines), language))
    )


@dataclass(frozen=True, slots=True)
class TopLevelItem:
    """A definition at file level as the parser sees it: a function, a static or constant variable, an enumeration.
    `start` and `end` are bytes, with the namespaces that hold nothing else; `names` are all that it defines, `name`
    among them, which is "" where it has none. `namespaces` stand around it, the outermost first, "" without a name."""

    name: str
    names: frozenset[str]
    start: int
    end: int
    text: str
    function: bool = False
    in_class: bool = False
    namespaces: tuple[str, ...] = ()

    @property
    def text_in_namespaces(self) -> str:
        """The definition as it stands at file level."""
        return self.put_in_namespaces(self.text)

    def put_in_namespaces(self, text: str) -> str:
        """A text in a block of each of the item's namespaces."""
        for name in reversed(self.namespaces):
            text = f"namespace {name} {{\n{text}\n}}" if name else f"namespace {{\n{text}\n}}"
        return text


def list_functions_constants_and_enums(code: str, language: Language) -> list[TopLevelItem]:
    """Functions (those in classes too), static and constant variables, and enumerations, in order; none from inside a
    function's body, and none of a code that is too large."""
    return (
        _parse_functions_constants_and_enums(encode_source(code), language)
        if _has_parsable_length_and_nesting(code)
        else []
    )


def list_declared_functions(code: str, language: Language) -> frozenset[str]:
    """The names of the functions that a code declares at file level; none of a code that is too large."""
    from tree_sitter import Parser

    if not _has_parsable_length_and_nesting(code):
        return frozenset()
    data = encode_source(code)
    nodes = _walk_outside_functions_noting_classes(Parser(load_tree_sitter_grammar(language)).parse(data).root_node)
    declarations = [node for node, in_class in nodes if node.type == "declaration" and not in_class]
    return frozenset(each.name for node in declarations for each in read_declared_names(node, data) if each.function)


def _parse_functions_constants_and_enums(data: bytes, language: Language) -> list[TopLevelItem]:
    from tree_sitter import Parser

    found = []
    for node, in_class in _walk_outside_functions_noting_classes(
        Parser(load_tree_sitter_grammar(language)).parse(data).root_node
    ):
        whole = node
        if node.type == "function_definition":
            names = [read_declared_name_or_empty(node, data)]
            if node.parent is not None and node.parent.type == "template_declaration":
                whole = node.parent
        elif node.type == "declaration" and not in_class and _KEPT_VARIABLE.match(data, node.start_byte):
            names = [declared.name for declared in read_declared_names(node, data) if not declared.function]
        elif node.type == "enum_specifier" and not in_class and (body := node.child_by_field_name("body")) is not None:
            named = [node, *body.named_children]
            if node.parent is not None and node.parent.type == "type_definition":
                whole = node.parent
                named.append(whole)
            names = [read_declared_name_or_empty(each, data) for each in named]
        else:
            continue
        end = whole.end_byte
        if whole.type == "enum_specifier" and whole.next_sibling is not None and whole.next_sibling.type == ";":
            end = whole.next_sibling.end_byte
        text, is_function = decode_source(data[whole.start_byte : end]), node.type == "function_definition"
        if is_function or any(names):
            kept = frozenset(names) - {""}
            namespaces, block = _read_namespaces_around(whole, data)
            start, end = (whole.start_byte, end) if block is None else (block.start_byte, block.end_byte)
            found.append(TopLevelItem(names[0], kept, start, end, text, is_function, in_class, namespaces))
    return found


def _read_namespaces_around(node: tree_sitter.Node, data: bytes) -> tuple[tuple[str, ...], tree_sitter.Node | None]:
    """The namespaces around a node, and the outermost of those that hold nothing else."""
    names: list[str] = []
    block: tree_sitter.Node | None = None
    is_alone = True
    while (around := node.parent) is not None:
        if around.type == "namespace_definition":
            names = [*read_node_text(around.child_by_field_name("name"), data).split("::"), *names]
            is_alone = is_alone and node.named_child_count == 1
            block = around if is_alone else block
        node = around
    return tuple(name.strip() for name in names), block


def _walk_outside_functions_noting_classes(root: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, bool]]:
    pending = [(root, False)]
    while pending:
        node, in_class = pending.pop()
        yield node, in_class
        if node.type not in ("function_definition", "declaration", "compound_statement"):
            inside = in_class or node.type == "field_declaration_list"
            pending.extend((child, inside) for child in reversed(node.named_children))


def has_word(text: str, word: str) -> bool:
    return word in _WORD.findall(text)


def collect_transitively_used_items(text: str, pool: Collection[TopLevelItem]) -> list[TopLevelItem]:
    """The items that a text uses, each below those that it uses itself."""

    def list_uses(text: str) -> Iterator[TopLevelItem]:
        words = set(_WORD.findall(text))
        return (item for item in pool if not item.names.isdisjoint(words))

    used: list[TopLevelItem] = []
    begun: set[frozenset[str]] = set()
    # No recursion: a hostile answer chains thousands.
    open_items: list[tuple[TopLevelItem | None, Iterator[TopLevelItem]]] = [(None, list_uses(text))]
    while open_items:
        item, uses = open_items[-1]
        following = next((each for each in uses if each.names not in begun), None)
        if following is not None:
            begun.add(following.names)
            open_items.append((following, list_uses(following.text)))
        else:
            open_items.pop()
            used += [item] if item is not None else []
    return used


def has_effects_but_no_functions(body: str, language: Language) -> bool:
    """True for `{...}` with a return, a call or an assignment in it, and no function or prototype: prose that
    happens to parse, an example of declarations and a list of prototypes all fail here."""
    root = _parse_body_unless_too_large(body, language)
    if root is None or [node.type for node in root.named_children] != ["function_definition"]:
        return False
    kinds: set[str] = set()
    pending = [node for node in root.named_children[0].named_children if node.type == "compound_statement"]
    while pending:
        node = pending.pop()
        kinds.add(node.type)
        pending.extend(node.named_children)
    return bool(kinds & _EFFECTIVE_NODES) and "function_definition" not in kinds and "function_declarator" not in kinds
