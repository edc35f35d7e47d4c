"""The tools as they are described to a model: few, in a sentence or two, the same text in every run."""

from __future__ import annotations

import json
from collections.abc import Iterable

from agent.values import ToolSpec

PAGE_SCHEMA = {"type": "integer", "description": "page of a long result, counted from 1"}
_PATH_SCHEMA = {"type": "string", "description": "the file, where several symbols have the name"}


def make_spec(name: str, description: str, needed: dict[str, object], optional: dict[str, object]) -> ToolSpec:
    schema = {"type": "object", "properties": {**needed, **optional}, "required": list(needed)}
    return ToolSpec(name, description, json.dumps(schema))


def text_schema(description: str) -> dict[str, object]:
    return {"type": "string", "description": description}


def make_lines_spec(name: str, description_start: str, path_description: str, usual: int) -> ToolSpec:
    """A tool that reads lines of the file `path_description`; `usual`: how many after the first where the last isn't
    given."""
    first = {"type": "integer", "description": "first line, default 1"}
    last = {"type": "integer", "description": f"last line, default {usual} after the first"}
    description = f"{description_start} A result that is cut names the next line."
    return make_spec(name, description, {"path": text_schema(path_description)}, {"first": first, "last": last})


def _make_symbol_tool_spec(name: str, description: str, name_description: str) -> ToolSpec:
    return make_spec(
        name, description, {"name": text_schema(name_description)}, {"path": _PATH_SCHEMA, "page": PAGE_SCHEMA}
    )


def search_tool_spec(ways: Iterable[str]) -> ToolSpec:
    """`ways` are the ways of searching that this run has: symbol, and words and meaning where there is a retriever."""
    return make_spec(
        "search",
        "Search by symbol (a name or a part of it, of any function, type, macro, field or variable), by words"
        " (functions whose name, comment or body has them), or by meaning (functions that do what you describe).",
        {"query": text_schema("a name, words, or a description")},
        {"by": {"type": "string", "enum": list(ways), "description": "default: symbol"}, "page": PAGE_SCHEMA},
    )


READ_SYMBOL = _make_symbol_tool_spec(
    "read_symbol",
    "The full text of a function, type, macro or variable, with its comment.",
    "its name, qualified or not",
)
READ_LINES = make_lines_spec("read_lines", "Lines of a file.", "relative to the repository's root", 99)
DEFINITION = _make_symbol_tool_spec(
    "definition",
    "The definition of a type, macro, constant, field or global variable. A typedef is followed to its struct; a"
    " class is shown without the bodies of its functions.",
    "its name, such as dict, struct dict, ns::Type, Type::field or MAX_LEN",
)
CALLERS = _make_symbol_tool_spec(
    "callers",
    "The functions that call a function, with up to three lines of calls each, and the places that name it without"
    " a call, such as tables of functions.",
    "the function; may be the one that you write",
)
CALLEES = _make_symbol_tool_spec(
    "callees",
    "What a function calls, with signatures. Ask for functions that do something similar to yours.",
    "the function",
)
FUNCTIONS_WITH_TYPE = make_spec(
    "functions_with_type",
    "The functions that take or return a type, with signatures.",
    {"type": text_schema("the name of the type, without pointers and qualifiers")},
    {
        "role": {"type": "string", "enum": ["takes", "returns", "both"], "description": "default: both"},
        "page": PAGE_SCHEMA,
    },
)
OUTLINE = make_spec(
    "outline",
    "The symbols of a file in order, with their lines, and what it includes.",
    {"path": text_schema("relative to the repository's root")},
    {"page": PAGE_SCHEMA},
)


def _make_draft_tool_spec(name: str, description: str, code: str) -> ToolSpec:
    return make_spec(name, description, {}, {"code": text_schema(code)})


CHECK = _make_draft_tool_spec(
    "check",
    "Compile a draft of the function in its file and get the compiler's messages. Nothing is run.",
    "the complete function",
)
_WHOLE = "the complete function: the signature as given, and the body"
SUBMIT = _make_draft_tool_spec("submit", "Hand in the function. This ends your work.", _WHOLE)
SUBMIT_CHECKED = _make_draft_tool_spec(
    "submit",
    "Hand in the function. This ends your work. Without code, the draft that `check` accepted last is handed in.",
    _WHOLE,
)
_EACH = (
    "one function or several, complete: the signature as given, and the body; before each a line `// function N: NAME`"
)
_CHECK_SEVERAL = _make_draft_tool_spec(
    "check",
    "Compile drafts of the functions in their files, together with what you gave before, and get the compiler's"
    " messages. Nothing is run.",
    _EACH,
)
_SUBMIT_SEVERAL = _make_draft_tool_spec(
    "submit",
    "Hand in functions, all at once or one by one: what you handed in before is kept, and replaced where you hand it"
    " in again. Your work ends when none is missing.",
    _EACH,
)


def draft_tool_specs(*, checked: bool, several: bool) -> tuple[ToolSpec, ...]:
    """The tools that take a draft. `checked`: there is a compiler; `several`: several functions are to be written."""
    if several:
        return (_CHECK_SEVERAL, _SUBMIT_SEVERAL) if checked else (_SUBMIT_SEVERAL,)
    return (CHECK, SUBMIT_CHECKED) if checked else (SUBMIT,)
