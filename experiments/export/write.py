"""Samples as flat rows (CSV, JSON lines, Parquet), as logs of lm-eval and inspect_ai, and for MERA."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from experiments.export.answers import AnsweredRun, read_answers
from experiments.export.columns import COLUMNS, Value, make_flat_rows
from experiments.export.harness import make_lm_eval_files, make_mera_submission, name_model_folder
from experiments.export.inspect_logs import make_inspect_files
from experiments.files import write_atomically
from experiments.report.stored_run import require_arm
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord, read_finished_records
from index.errors import ConfigError, describe_install_commands

Flat = Literal["csv", "jsonl", "parquet"]
Format = Literal[Flat, "lm-eval", "inspect", "mera"]
Rows = Sequence[Mapping[str, Value]]
Meaning = str
Kind = type | Mapping[str, type]
"""What a column of a Parquet file holds; a mapping stands for a list of such rows."""

DEFAULT_OUT: Mapping[Format, str] = {
    "csv": "samples.csv",
    "jsonl": "samples.jsonl",
    "parquet": "samples.parquet",
    "lm-eval": "lm-eval",
    "inspect": "inspect",
    "mera": "mera.zip",
}
"""A file, or the folder of `lm-eval` and `inspect`."""


def export_runs_and_count_samples(runs: Sequence[Path], kind: Format, out: Path, arm: str | None = None) -> int:
    """Write the samples of these runs, or of one arm of them, to `out`. Returns how many there are. Raises ConfigError
    for a folder without a run or without the arm, for a format whose library isn't installed, and for a run that can't
    have that format."""
    read = [(run, read_manifest(run), _read_records_of_arm_or_all(run, arm)) for run in runs]
    if kind in ("csv", "jsonl", "parquet"):
        rows = [row for run, manifest, records in read for row in make_flat_rows(str(run), manifest, records)]
        write_atomically(out, _encode_rows(rows, kind))
        return len(rows)
    if kind == "mera" and len(read) != 1:
        raise ConfigError(f"--to mera: a submission holds one run, not {len(read)}")
    written: set[Path] = set()
    for run, manifest, records in read:
        if kind in ("mera", "lm-eval") and any(record.holes for record in records):
            raise ConfigError(
                f"{run}: --to {kind}: its form has one function a task, and tasks of this run have several; export to"
                " csv, jsonl, parquet or inspect"
            )
        for name, data in _make_files_with_single_named_empty(read_answers(run, manifest, records), kind).items():
            path = out / name
            if path in written:
                raise ConfigError(f"{run}: {path} was just written from another run; export it to a folder of its own")
            written.add(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
    return sum(len(records) for _, _, records in read)


def _read_records_of_arm_or_all(run: Path, arm: str | None) -> Sequence[SampleRecord]:
    records = read_finished_records(run)
    known = list(dict.fromkeys(record.arm for record in records))
    if arm is not None:
        require_arm(run, arm, known)
    return [record for record in records if arm in (None, record.arm)]


def _make_files_with_single_named_empty(run: AnsweredRun, kind: Format) -> Mapping[str, bytes]:
    """Name -> content; "" is the name of what is one file."""
    if kind == "mera":
        return {"": make_mera_submission(run)}
    if kind == "inspect":
        return make_inspect_files(run)
    return {f"{name_model_folder(run.manifest.model)}/{name}": data for name, data in make_lm_eval_files(run).items()}


def _encode_rows(rows: Rows, kind: Flat) -> bytes:
    if kind == "parquet":
        return make_parquet(rows, {name: (column.kind, column.meaning) for name, column in COLUMNS.items()})
    if kind == "jsonl":
        return b"".join(json.dumps(row).encode("ascii") + b"\n" for row in rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(COLUMNS))
    writer.writeheader()
    # As JSON and most readers write them.
    writer.writerows({name: str(v).lower() if isinstance(v, bool) else v for name, v in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def make_parquet(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, tuple[Kind, Meaning]]) -> bytes:
    """The rows as a Parquet file with these columns, each with its kind and its meaning. Raises ConfigError where
    pyarrow is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ConfigError(f"Parquet needs pyarrow: {describe_install_commands('data')}") from None
    types: dict[type, Any] = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}

    def make_arrow_type(kind: Kind) -> Any:
        if isinstance(kind, type):
            return types[kind]
        return pa.list_(pa.struct([(name, types[inner]) for name, inner in kind.items()]))

    schema = pa.schema(
        [pa.field(name, make_arrow_type(kind), metadata={"meaning": why}) for name, (kind, why) in columns.items()]
    )
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema), sink)
    return bytes(sink.getvalue())
