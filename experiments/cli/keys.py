"""graft run --keys: what a run configuration may say."""

from __future__ import annotations

from experiments.tables import print_rows


def print_keys() -> None:
    """Print the keys of a run configuration, each with its default and its meaning."""
    from experiments.run.config import RunConfig

    rows: list[tuple[str, str, str]] = []
    for name, field in RunConfig.model_fields.items():
        default = "(needed)" if field.is_required() else _format_default(field.get_default(call_default_factory=True))
        rows.append((name, default, field.description or ""))
    print_rows(("key", "default", "meaning"), rows)


def _format_default(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)
