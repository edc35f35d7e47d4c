"""Rows as a Parquet file, in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from index.errors import ConfigError, describe_install

Kind = type | Mapping[str, type]
"""What a column holds: str, int, float or bool; a mapping stands for a list of such rows."""


def make_parquet(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, tuple[Kind, str]]) -> bytes:
    """The rows with these columns, each with its kind and its meaning. Raises ConfigError where pyarrow is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ConfigError(f"Parquet needs pyarrow: {describe_install('data')}") from None
    types: dict[type, Any] = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}

    def to_arrow(kind: Kind) -> Any:
        if isinstance(kind, Mapping):
            return pa.list_(pa.struct([(name, types[inner]) for name, inner in kind.items()]))
        return types[kind]

    fields = [pa.field(name, to_arrow(kind), metadata={"meaning": why}) for name, (kind, why) in columns.items()]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], pa.schema(fields)), sink)
    return bytes(sink.getvalue())
