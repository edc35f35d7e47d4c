"""Load a prompt set and render its messages. agent/prompts/README.md says what a set's folder holds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.answer.multi_function import block_label
from agent.prompts.sections import group_consecutive_snippets_into_sections
from agent.values import Candidate, Declaration, Message
from index.cpp.language import LANGUAGES
from index.errors import ConfigError
from index.function_texts import locate_functions
from index.plugins import find_plugin, list_plugins_rejecting_name_clashes
from index.source_text import split_lines_without_ends
from index.user_files import make_spelling_hint
from index.values import Diagnostic, Target
from retrieval.values import Context, Snippet

if TYPE_CHECKING:
    import jinja2

_AGENTIC = "agentic.j2"
_FILES = ("system.j2", _AGENTIC, "first.j2", "templates.json", "repair.j2")
_SEVERAL = "several"
_FIELD = re.compile(r"\{(language|signature|docstring|context)\}")
# Characters shown of a compiler's message or of a source line.
_LINE_CHARS = 400


@dataclass(frozen=True, slots=True)
class ToolIntroduction:
    """What the system message says about tools: how to call them (`form`, "" for the provider's own calls), how many
    turns there are, and whether drafts are compiled."""

    form: str
    steps: int
    compiles: bool


@dataclass(frozen=True, slots=True)
class PromptSet:
    """`files` are (name, text) pairs as read; `templates` are MERA's texts, empty in a set with a first.j2. `several`
    is the set for tasks of several functions, in the folder of that name within the set's; None where there is
    none."""

    name: str
    files: tuple[tuple[str, str], ...]
    templates: tuple[str, ...]
    environment: jinja2.Environment
    several: PromptSet | None = None

    def select_set_for_hole_count(self, target: Target) -> PromptSet:
        """The set that asks for this target. Raises ConfigError where it has several functions and there is none."""
        if len(target.holes) == 1:
            return self
        if self.several is None:
            raise ConfigError(
                f"prompts {self.name}: it asks for one function, and a task has {len(target.holes)}; use"
                f" prompts=graft, or a set with a folder {_SEVERAL} of such templates"
            )
        return self.several

    def render_opening(
        self,
        target: Target,
        context: Context,
        *,
        task_id: str,
        instruction: str | None = None,
        context_text: str | None = None,
        tools: ToolIntroduction | None = None,
    ) -> tuple[Message, ...]:
        """The messages that open a conversation; with `tools` the system message is agentic.j2.

        `instruction` is the row's own template and `context_text` its own context, verbatim; both matter to sets in
        MERA's form only. Raises ConfigError when a template uses a variable that doesn't exist.
        """
        as_mera = context_text if context_text is not None else format_mera_context(target, context.snippets)
        if self.templates:
            # By the task, so that every run asks alike.
            number = int(hashlib.sha256(task_id.encode()).hexdigest()[:8], 16) % len(self.templates)
            template = instruction if instruction is not None else self.templates[number]
            text = _fill_mera_template(template, target, as_mera).strip()
        else:
            text = self._render_file(
                "first.j2",
                target,
                snippets=context.snippets,
                groups=group_consecutive_snippets_into_sections(context.snippets),
                context=as_mera,
                fence=_choose_fence,
                tools=tools is not None,
            )
        return (*self._system_messages(target, tools), Message("user", text))

    def render_repair(
        self,
        target: Target,
        candidate: Candidate,
        diagnostics: Sequence[Diagnostic],
        declarations: Sequence[Declaration] = (),
        *,
        tools: bool = False,
    ) -> Message:
        """The message after a draft that doesn't compile, or after an answer without code. With `tools` it doesn't
        ask for code in a fence."""
        lines = split_lines_without_ends(candidate.code or "")
        text = self._render_file(
            "repair.j2",
            target,
            code=candidate.code,
            reason=candidate.reason,
            diagnostics=[_make_template_diagnostic(each, lines, target, candidate) for each in diagnostics],
            declarations=declarations,
            fence=_choose_fence,
            tools=tools,
        )
        return Message("user", text)

    def file_digests(self) -> tuple[tuple[str, str], ...]:
        """(file, SHA-256 of its text) for the run's manifest."""
        return tuple((name, hashlib.sha256(text.encode()).hexdigest()) for name, text in self.files)

    def _system_messages(self, target: Target, tools: ToolIntroduction | None) -> tuple[Message, ...]:
        if tools is not None:
            text = self._render_file(_AGENTIC, target, form=tools.form, steps=tools.steps, compiles=tools.compiles)
            return (Message("system", text),)
        if all(name != "system.j2" for name, _ in self.files):
            return ()
        return (Message("system", self._render_file("system.j2", target)),)

    def _render_file(self, file: str, target: Target, **variables: object) -> str:
        import jinja2

        if len(target.holes) > 1:
            variables["holes"] = [
                {"label": block_label(number, hole), **_make_function_variables(hole)}
                for number, hole in enumerate(target.holes, start=1)
            ]
        language = LANGUAGES[target.language].title
        try:
            template = self.environment.get_template(file)
            return template.render(
                repo=target.repo, language=language, **_make_function_variables(target), **variables
            ).strip()
        except jinja2.TemplateError as error:
            raise ConfigError(f"prompts {self.name}: {file}: {error}") from error


def _make_template_diagnostic(
    diagnostic: Diagnostic, lines: Sequence[str], target: Target, candidate: Candidate
) -> dict[str, object]:
    """A diagnostic as a template gets it: with the `source` line that it is about, and the `function` that it is in
    where there are several."""
    name, before = _find_function_and_lines_before(diagnostic, target, candidate)
    known = diagnostic.in_candidate and 1 <= diagnostic.line <= len(lines)
    source = lines[diagnostic.line - 1].strip()[:_LINE_CHARS] if known else ""
    shown = replace(diagnostic, message=diagnostic.message[:_LINE_CHARS], line=diagnostic.line - before)
    return {**asdict(shown), "source": source, "function": name}


def _find_function_and_lines_before(diagnostic: Diagnostic, target: Target, candidate: Candidate) -> tuple[str, int]:
    """The function that a message is in, and how many lines of the candidate stand before it."""
    holes = target.holes
    if len(holes) == 1 or not diagnostic.in_candidate:
        return "", 0
    found = zip(holes, locate_functions(candidate.code or "", len(holes)), strict=True)
    before = [
        (piece.before, hole.name) for hole, piece in found if piece is not None and piece.before < diagnostic.line
    ]
    at, name = max(before, default=(0, ""))
    return name, at


def _make_function_variables(hole: Target) -> dict[str, object]:
    return {
        "path": hole.path,
        "name": hole.name,
        "signature": hole.signature.strip(),
        "docstring": hole.docstring.strip(),
        "tag": hole.language,
    }


def load_prompts(name_or_folder: str) -> PromptSet:
    """A built-in set by name (`graft`, `mera`), a plug-in by name or import path, or a folder by its path.

    Raises ConfigError: an unknown name (with the nearest), a file missing, a template that doesn't parse.
    """
    folder = _find_prompt_folder(name_or_folder)
    prompts, several = _load_prompt_folder(name_or_folder, folder), folder / _SEVERAL
    if not several.is_dir():
        return prompts
    return replace(prompts, several=_load_prompt_folder(f"{name_or_folder}/{_SEVERAL}", several))


def _load_prompt_folder(name: str, folder: Path) -> PromptSet:
    files = tuple((name, _read_prompt_file(folder / name)) for name in _FILES if (folder / name).is_file())
    if all(file != _AGENTIC for file, _ in files):
        files = (*files, (_AGENTIC, _read_prompt_file(Path(__file__).parent / "graft" / _AGENTIC)))
    texts = dict(files)
    if "repair.j2" not in texts or ("first.j2" in texts) == ("templates.json" in texts):
        raise ConfigError(f"prompts: {folder} must hold repair.j2 and one of first.j2 and templates.json")
    environment = _make_jinja_environment_checking_templates(
        folder, {file: text for file, text in files if file.endswith(".j2")}
    )
    templates = _parse_mera_template_list(folder / "templates.json", texts.get("templates.json"))
    return PromptSet(name, files, templates, environment)


def _make_jinja_environment_checking_templates(folder: Path, templates: Mapping[str, str]) -> jinja2.Environment:
    """Raises ConfigError for a template that doesn't parse."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.DictLoader(templates),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    for file in templates:
        try:
            environment.get_template(file)
        except jinja2.TemplateSyntaxError as error:
            raise ConfigError(f"prompts: {folder / file}: line {error.lineno}: {error.message}") from error
    return environment


def format_mera_context(target: Target, snippets: Sequence[Snippet]) -> str:
    """Snippets in the form of MERA's `context` field. A callee's comment stands in its text, so the comment line
    is empty; a path that isn't known is left out."""
    parts = []
    for snippet in snippets:
        head = f"// File name: {target.repo}/{snippet.path}\n" if snippet.path else ""
        parts.append(f"{head}// Comment: \n{snippet.text}")
    return "\n\n".join(parts)


def _find_prompt_folder(name_or_folder: str) -> Path:
    built_in = Path(__file__).parent
    names = sorted(folder.name for folder in built_in.iterdir() if (folder / "repair.j2").is_file())
    if name_or_folder in names:
        return built_in / name_or_folder
    plugin = find_plugin("graft.prompts", name_or_folder, names)
    if plugin is not None:
        return plugin.load_existing_path()
    folder = Path(name_or_folder).expanduser()
    if folder.is_dir():
        return folder
    known = [*names, *list_plugins_rejecting_name_clashes("graft.prompts", names)]
    hint = make_spelling_hint(name_or_folder, known)
    raise ConfigError(f"prompts: no set or folder {name_or_folder!r}{hint} (known sets: {', '.join(known)})")


def _read_prompt_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"prompts: {path} can't be read: {error}") from error


def _parse_mera_template_list(path: Path, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"prompts: {path}: not JSON: {error}") from error
    if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        raise ConfigError(f"prompts: {path}: must be a list of texts")
    return tuple(value)


def _fill_mera_template(template: str, target: Target, context: str) -> str:
    """One pass, so that braces in code or in a docstring are never taken for fields."""
    values = {
        "language": LANGUAGES[target.language].title,
        "signature": target.signature,
        "docstring": target.docstring,
        "context": context,
    }
    return _FIELD.sub(lambda field: values[field[1]], template)


def _choose_fence(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    return "`" * (longest + 1)
