"""Any file of a tree as it stands, build scripts too, beside the tools that know its symbols."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from agent.tools.arguments import Arguments, read_arguments
from agent.tools.read_tools import select_and_number_lines
from agent.tools.result_text import cut_line, render_line_page
from agent.tools.specs import PAGE_SCHEMA, READ_LINES, make_lines_spec, make_spec, text_schema
from agent.tools.tool_answer import Mistake, ToolAnswer
from agent.tools.toolbox import Toolbox, find_spec
from agent.values import ToolSpec
from lab.making.detect_build import list_files_except_version_control

_MOST_FILES = 100_000
_USUAL_LINES = 150
# A larger file is no build script, and no text that a person wrote.
_MOST_BYTES = 2_000_000
_MOST_FOUND = 200
_MOST_SEARCHED_BYTES = 200_000_000
_PATTERN = text_schema(
    "of the whole path, where * stands for any text, as *CMakeLists.txt or tests/*; default: all files"
)
_LIST_FILES = make_spec(
    "list_files", "The paths of the tree's files, build scripts too.", {}, {"pattern": _PATTERN, "page": PAGE_SCHEMA}
)
_READ_FILE = make_lines_spec(
    "read_file", "Numbered lines of any file.", "relative to the root, as list_files shows it", _USUAL_LINES - 1
)
_FIND_TEXT = make_spec(
    "find_text",
    "The lines of files that hold a text, as it is.",
    {"text": text_schema("the text, no pattern")},
    {"pattern": _PATTERN, "page": PAGE_SCHEMA},
)


@dataclass(frozen=True, slots=True)
class FileTools:
    """The tools of `toolbox`, but that lines are read of any file. A model's text never reaches the file system: it is
    looked up in `paths`, which has no link."""

    root: Path
    paths: tuple[str, ...]
    toolbox: Toolbox

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        others = (spec for spec in self.toolbox.specs if spec.name != READ_LINES.name)
        return (_LIST_FILES, _READ_FILE, _FIND_TEXT, *others)

    def answer_call(self, name: str, written: str) -> ToolAnswer:
        """The answer to a call. Raises Mistake for a wrong one, with a hint."""
        spec = find_spec(self.specs, name)
        own = {"list_files": self._list_files, "read_file": self._read_file, "find_text": self._find_text}
        return own[name](read_arguments(spec, written)) if name in own else self.toolbox.answer_call(name, written)

    def _list_files(self, arguments: Arguments) -> ToolAnswer:
        pattern = arguments.text("pattern", "*")
        found = [path for path in self.paths if fnmatch.fnmatchcase(path, pattern)]
        if not found:
            raise Mistake(f"no file's path fits {pattern!r}; the pattern is of the whole path, as */CMakeLists.txt")
        return render_line_page(found, arguments.number("page"))

    def _read_file(self, arguments: Arguments) -> ToolAnswer:
        path = arguments.text("path").removeprefix("./")
        if path not in self.paths:
            raise Mistake(f"no file {path!r}; list_files shows the paths")
        return ToolAnswer(select_and_number_lines(path, self._read_text(path), arguments, _USUAL_LINES)[0])

    def _find_text(self, arguments: Arguments) -> ToolAnswer:
        text, pattern = arguments.text("text"), arguments.text("pattern", "*")
        found: list[str] = []
        read = 0
        for path in (path for path in self.paths if fnmatch.fnmatchcase(path, pattern)):
            lines = self._read_text(path).split("\n")
            read += sum(map(len, lines))
            found += (f"{path}:{row}: {cut_line(line.strip())}" for row, line in enumerate(lines, 1) if text in line)
            if len(found) > _MOST_FOUND or read > _MOST_SEARCHED_BYTES:
                found = [*found[:_MOST_FOUND], "[not all files were searched: narrow the pattern]"]
                break
        if not found:
            raise Mistake(f"no line of files {pattern!r} holds {text!r}")
        return render_line_page(found, arguments.number("page"))

    def _read_text(self, path: str) -> str:
        try:
            with (self.root / path).open("rb") as file:
                return file.read(_MOST_BYTES).decode("utf-8", "replace")
        except OSError as error:
            raise Mistake(f"{path} can't be read: {error.strerror}") from error


def list_tree_files(root: Path) -> tuple[str, ...]:
    """The paths of the tree's files, without links and version control; of a vast tree the first."""
    files = (path for path in list_files_except_version_control(root) if path.is_file() and not path.is_symlink())
    return tuple(path.relative_to(root).as_posix() for path in islice(files, _MOST_FILES))
