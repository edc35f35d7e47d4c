"""prices.yaml: what tokens of a model cost, where litellm doesn't know it.

openai/our-model: {input: 0.50, output: 1.50}       # USD for a million tokens
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from agent.values import Usage
from index.errors import ConfigError
from index.user_files import StrictModel, explain_validation_error, read_yaml


class Price(StrictModel):
    """USD for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


def read_prices(path: Path) -> dict[str, Price]:
    """Model -> price. Raises ConfigError that names the file, the model and the key."""
    prices: dict[str, Price] = {}
    for model, value in read_yaml(path, ConfigError).items():
        try:
            prices[model] = Price.model_validate(value)
        except ValidationError as error:
            raise ConfigError(f"{path}: {model}: {explain_validation_error(error, Price)}") from error
    return prices


def calculate_cost(usage: Usage, model: str, prices: Mapping[str, Price]) -> float | None:
    """USD: by the model's price where one is given, else as the run recorded it, None where nobody knows."""
    price = prices.get(model)
    if price is None:
        return usage.cost
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1e6
