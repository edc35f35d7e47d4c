"""The tools that only a model which repairs make.yaml has, as they are described to it."""

from __future__ import annotations

from agent.tools.specs import PAGE_SCHEMA, make_lines_spec, make_spec, text_schema

_FILES = text_schema(
    "of the whole path, where * stands for any text, as *CMakeLists.txt or tests/*; default: all files"
)
LIST_FILES = make_spec(
    "list_files", "The paths of the tree's files, build scripts too.", {}, {"pattern": _FILES, "page": PAGE_SCHEMA}
)
READ_FILE = make_lines_spec(
    "read_file", "Numbered lines of any file.", "relative to the root, as list_files shows it", 149
)
FIND_TEXT = make_spec(
    "find_text",
    "The lines of files that hold a text, as it is.",
    {"text": text_schema("the text, no pattern")},
    {"pattern": _FILES, "page": PAGE_SCHEMA},
)
PROPOSE = make_spec(
    "propose",
    "Hand in a changed make.yaml, the whole file. It is checked; then the tree is built and its tests are run by it.",
    {},
    {"code": text_schema("the whole of make.yaml")},
)
GIVE_UP = make_spec(
    "give_up",
    "Say that no change of make.yaml can help. This ends your work.",
    {"reason": text_schema("one sentence")},
    {},
)
