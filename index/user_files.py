"""Files that people write: every key is known or it's an error that names the nearest right one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from index.errors import UserError


class StrictModel(BaseModel):
    """Base of what is read from a person's file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# The longest that Graft ships has half as many.
MOST_YAML = 200_000


def read_yaml(path: Path, error: type[UserError]) -> dict[str, Any]:
    """The keys and values at the top of a YAML file. Raises `error`: one line with the file and the reason."""
    try:
        data = parse_yaml_up_to_size_limit(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise error(f"{path}: can't be read: {cause.strerror}") from cause
    except (yaml.YAMLError, UnicodeDecodeError) as cause:
        raise error(f"{path}: not YAML: {' '.join(str(cause).split())}") from cause
    if not isinstance(data, dict):
        raise error(f"{path}: expected keys and values at the top")
    return {str(key): value for key, value in data.items()}


def parse_yaml_up_to_size_limit(text: str | bytes) -> Any:
    """The YAML value. Raises yaml.YAMLError, whatever PyYAML's constructors raise on a date or a number that is
    none, and for a text that is longer than `MOST_YAML`: PyYAML takes some 20 microseconds for each character of a
    dense text. (libyaml is faster. It crashes on deep nesting, and takes tabs and other texts that PyYAML refuses.)"""
    if len(text) > MOST_YAML:
        raise yaml.YAMLError(f"longer than {MOST_YAML:,} characters")
    try:
        return yaml.safe_load(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise yaml.YAMLError(f"{type(error).__name__}: {error}") from error


def make_spelling_hint(word: str, known: Iterable[str]) -> str:
    """A tail for a message: `; did you mean 'x'?`, or "" when nothing is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def explain_first_validation_problem(
    error: ValidationError, model: type[BaseModel], hidden: Iterable[str] = ()
) -> str:
    """The first problem in one line, `key.inner: what is wrong`; `hidden` are fields that are no keys."""
    # A misspelt key is missing under its right name too; the misspelling is what helps.
    first = min(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        keys = [key for key in _find_known_keys(model, first["loc"][:-1]) if key not in set(hidden)]
        return f"{where}: unknown key{make_spelling_hint(str(first['loc'][-1]), keys)}"
    places = {item["loc"] for item in error.errors()}
    # A list whose only word is wrong is too short besides.
    more = len([at for at in places if not any(at == other[: len(at)] for other in places - {at})]) - 1
    message = str(first["msg"]).removeprefix("Value error, ").replace("a valid tuple", "a list")
    return f"{where}: {message}".removeprefix(": ") + (f" (and {more} more)" if more else "")


def _find_known_keys(annotation: Any, loc: tuple[str | int, ...]) -> list[str]:
    """The keys that a model at `loc` knows, found by walking the annotations."""
    model = _find_model_in_annotation(annotation)
    if model is None:
        return []
    if not loc:
        return list(model.model_fields)
    known = model.model_fields.get(str(loc[0]))
    if known is None:
        return []
    # A list's index or a mapping's key stands between a field and the model inside it.
    is_container = not (isinstance(known.annotation, type) and issubclass(known.annotation, BaseModel))
    return _find_known_keys(known.annotation, loc[2:] if is_container else loc[1:])


def _find_model_in_annotation(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        found = _find_model_in_annotation(inner)
        if found is not None:
            return found
    return None
