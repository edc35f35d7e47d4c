"""Flat rows as CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from experiments.export.columns import COLUMNS, Value, flat_rows
from experiments.files import write_atomically
from experiments.run.manifest import read_manifest
from experiments.run.records import finished_records
from index.errors import ConfigError

Format = Literal["csv", "jsonl", "parquet"]
Rows = Sequence[Mapping[str, Value]]


def export_runs(runs: Sequence[Path], kind: Format, out: Path) -> int:
    """Write the samples of these runs to the file `out`. Returns how many there are. Raises ConfigError for a folder
    without a run, and for a format whose library isn't installed."""
    rows = [row for run in runs for row in flat_rows(str(run), read_manifest(run), finished_records(run))]
    write_atomically(out, _WRITERS[kind](rows))
    return len(rows)


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(COLUMNS))
    writer.writeheader()
    # As JSON and most readers write them.
    writer.writerows({name: str(v).lower() if isinstance(v, bool) else v for name, v in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _jsonl(rows: Rows) -> bytes:
    return b"".join(json.dumps(row).encode("ascii") + b"\n" for row in rows)


def _parquet(rows: Rows) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ConfigError("--to parquet needs pyarrow: pip install 'graft[data]'") from None
    types: dict[type, Any] = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema(
        [pa.field(name, types[column.kind], metadata={"meaning": column.meaning}) for name, column in COLUMNS.items()]
    )
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema), sink)
    return bytes(sink.getvalue())


_WRITERS: Mapping[Format, Callable[[Rows], bytes]] = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
