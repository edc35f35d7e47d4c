"""The reference tables of docs/, made from the program itself: keys, columns, commands, tools, retrievers."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.tables import render_cells


def build_keys_table() -> str:
    from experiments.run.config import describe_config_keys

    rows = [(f"`{name}`", default, meaning) for name, default, meaning in describe_config_keys()]
    return render_cells(["key", "default", "meaning"], rows, left=3)


def build_columns_table() -> str:
    """What stands in an exported row."""
    from experiments.export.columns import COLUMNS

    return render_cells(["column", "meaning"], ([f"`{name}`", c.meaning] for name, c in COLUMNS.items()), left=2)


def build_retrievers_table() -> str:
    """The retrievers that are arms of a run."""
    from experiments.arms.retrievers import RETRIEVERS

    rows = [
        [
            f"`{name}`",
            listed.meaning + ("; `encoder=NAME` takes a model (extra `embed`)" if listed.takes_encoder else ""),
        ]
        for name, listed in RETRIEVERS.items()
        if listed.is_arm
    ]
    return render_cells(["arm", "how functions are found"], rows, left=2)


def build_tools_table() -> str:
    """The agent's tools as they are described to a model."""
    from agent.tools.specs import draft_tool_specs
    from agent.tools.toolbox import MEANING, WORDS, list_lookup_tools

    rows = []
    for spec in (*list_lookup_tools((WORDS, MEANING)), *draft_tool_specs(checked=True, several=False)):
        schema = json.loads(spec.parameters)
        arguments = [
            f"`{name}`" + ("" if name in schema["required"] else " (optional)") for name in schema["properties"]
        ]
        rows.append([f"`{spec.name}`", spec.description, ", ".join(arguments)])
    return render_cells(["tool", "what a model is told of it", "arguments"], rows, left=3)


_MANY_COMMANDS = 3
"""An option that so many commands have, with the same text, is described once."""


def build_command_reference() -> str:
    """Every command with its options, as `--help` gives them. What many commands have is described once."""
    import typer.main

    from lab.cli.app import app

    described = [
        (words, command, [(f"`{write_parameter(item)}`", item.help) for item in list_parameters(command) if item.help])
        for words, command in walk_commands(typer.main.get_command(app), ())
    ]
    uses = Counter(row for _, _, rows in described for row in rows)
    # Of two texts for one option the one with more uses is the shared one.
    shared_rows = [row for row, count in uses.most_common() if count >= _MANY_COMMANDS and row[0].startswith("`--")]
    texts = dict(reversed(shared_rows))
    parts = ["### Options of many commands", list_meanings(sorted(texts.items()))]
    for words, command, rows in described:
        arguments = [write_argument(item) for item in command.params if item.param_type_name == "argument"]
        usage = " ".join(["graft", *words, *arguments])
        parts.append(f"### `{usage}`\n\n{fill_paragraphs(command.help or '')}")
        if own := [row for row in rows if texts.get(row[0]) != row[1]]:
            parts.append(list_meanings(own))
        if shared := [option for option, text in rows if texts.get(option) == text]:
            parts.append(fill_paragraphs(f"{'Also' if own else 'It takes'} {', '.join(shared)}."))
    return "\n\n".join(parts)


def list_parameters(command: Any) -> list[Any]:
    """The arguments, then the options."""
    return sorted(command.params, key=lambda item: item.param_type_name != "argument")


def write_parameter(parameter: Any) -> str:
    return write_argument(parameter) if parameter.param_type_name == "argument" else " ".join(parameter.opts)


def write_argument(argument: Any) -> str:
    """A command's argument as its usage line shows it."""
    name = (argument.metavar or argument.name).upper().removesuffix("...")
    name = name[1:-1] if name.startswith(("[", "{")) else name
    name = f"{name}..." if argument.nargs == -1 else name
    return name if argument.required else f"[{name}]"


def list_meanings(rows: Iterable[tuple[str, str]]) -> str:
    """A list of what arguments and options mean."""
    lines = [f"- {name}: {' '.join(text.split())}" for name, text in rows]
    return "\n".join(
        textwrap.fill(line, 118, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
        for line in lines
    )


def fill_paragraphs(text: str) -> str:
    """Each paragraph on lines of at most 118 characters."""
    return "\n\n".join(
        textwrap.fill(" ".join(part.split()), 118, break_on_hyphens=False, break_long_words=False)
        for part in re.split(r"\n\s*\n", text.strip())
    )


def walk_commands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(words of the command line, command) of every command that does something."""
    children = getattr(command, "commands", None)
    if not children:
        yield words, command
        return
    for name, child in children.items():
        if not child.hidden:
            yield from walk_commands(child, (*words, name))
