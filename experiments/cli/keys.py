"""graft keys: what a run configuration may say."""

from __future__ import annotations

from rich.table import Table

from experiments.consoles import stdout


def keys() -> None:
    """List the keys of a run configuration."""
    from experiments.run.config import RunConfig

    table = Table(box=None, pad_edge=False)
    for column in ("key", "default", "meaning"):
        table.add_column(column, overflow="fold")
    for name, field in RunConfig.model_fields.items():
        default = "(needed)" if field.is_required() else _shown(field.get_default(call_default_factory=True))
        table.add_row(name, default, field.description or "")
    stdout().print(table)


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)
