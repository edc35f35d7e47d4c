"""The messages that ask a model to repair make.yaml; their texts are in the folder `templates`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.values import Message

_FOLDER = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class RecipeChange:
    """An earlier attempt: what had failed, and what was changed then, as a diff."""

    problem: str
    change: str


@dataclass(frozen=True, slots=True)
class RecipeQuestion:
    """What failed (`problem`, and the end of the `output`) by the text `recipe` of make.yaml, whose `keys` are
    explained; `earlier` are the attempts before."""

    problem: str
    output: str
    recipe: str
    keys: str
    earlier: Sequence[RecipeChange] = ()


def make_recipe_messages(question: RecipeQuestion, form: str, steps: int) -> tuple[Message, ...]:
    """The messages that open the conversation. `form` says how tools are called, "" for the provider's own calls."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    system = environment.get_template("system.j2").render(form=form, steps=steps, keys=question.keys.strip())
    first = environment.get_template("first.j2").render(
        problem=question.problem.strip(),
        output=question.output.strip(),
        recipe=question.recipe.strip(),
        earlier=question.earlier,
    )
    return Message("system", system.strip()), Message("user", first.strip())
