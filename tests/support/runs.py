"""Folders of runs with made samples, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.values import Usage
from executor.manifest.variant.record import digest_renaming_maps, record_path_in_run, write_variant_record
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.values import Outcome, Tier, Verdict
from experiments.documents import format_markdown
from experiments.report.report_document import make_report_document
from experiments.report.run_report import Report, make_report
from experiments.run.config import RunConfig
from experiments.run.manifest import MANIFEST, RepoFacts, RunManifest, read_manifest
from experiments.run.pass_rule import WITH_PLUS
from experiments.run.records import JOURNAL, SampleRecord, Scored, encode_json_value, read_finished_records
from experiments.run.validity import RepoHealth

Graft = Callable[..., tuple[int, str, str]]
"""The words of a command -> exit code, stdout, stderr."""


def succeed(graft: Graft, *words: object, **options: Any) -> str:
    """What a command prints that ends well."""
    code, out, err = graft(*words, **options)
    assert code == 0, err
    return out


def refuse(graft: Graft, *words: object, code: int = 2, **options: Any) -> str:
    """What a command that ends with this code says on stderr; its last line is the reason."""
    found, _, err = graft(*words, **options)
    assert found == code, err
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1].startswith("graft: "), err
    return err.strip()


def example_config(**keys: Any) -> RunConfig:
    """A run of the example's golds, which trusted code may judge in the process sandbox; without control runs."""
    usual = {"dataset": "example", "sandbox": "process", "model": "gold", "arms": ("none",), "audit": "none"}
    return RunConfig.model_validate({**usual, **keys})


def record(
    task: str, outcome: Outcome = Outcome.PASSED, arm: str = "none", sample: int = 0, execution: str = "", **more: Any
) -> SampleRecord:
    """`more`: other fields of the sample, or of its verdict by both readings."""
    parts = {field: more.pop(field) for field in ("built", "reason", "passed", "failed") if field in more}
    verdict = replace(Verdict(outcome, Tier.TESTS, True, ""), **parts)
    scored = Scored(verdict, outcome is Outcome.PASSED, execution)
    made = SampleRecord(arm, task, sample, "tiny", "file", scored, scored, 1.0, Usage(), 0.0, None, 0, 0, 0, 0)
    return replace(made, **more)


def make_run(
    folder: Path,
    records: Sequence[SampleRecord],
    renamed: VariantSpec | None = None,
    planned: int | None = None,
    **keys: Any,
) -> Path:
    """A run's folder with these samples. `renamed`: how the tree was renamed; `planned`: how many samples each arm was
    to have of each task."""
    config = RunConfig(**{"model": "openai/some", "dataset": "tiny", "arms": ("none",), **keys})
    identity = {
        **config.select_keys_fixed_on_resume(),
        "variant": None if renamed is None else f"renamed:seed={renamed.seed}",
    }
    tasks = sorted({r.task_id for r in records})
    manifest = RunManifest(
        created="2026-11-22",
        identity=identity,
        config=config.model_dump(mode="json"),
        dataset=config.dataset,
        dataset_version="v1",
        tasks=tuple(tasks),
        repos={
            "tiny": RepoFacts("c0ffee", "", (), "image", (), 1, RepoHealth("", "", {"a": "valid", "b": "weak"}, {}))
        },
        left_out=(),
        sandbox="process",
        sandbox_reason="",
        prompts=(("repair.j2", "1"),),
        versions={},
        graft_commit="",
        machine="",
        task_notes={},
        pass_rule=WITH_PLUS,
        planned={} if planned is None else {arm: dict.fromkeys(tasks, planned) for arm in {r.arm for r in records}},
    )
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(encode_json_value(manifest))
    (folder / JOURNAL).write_bytes(b"".join(encode_json_value(r) + b"\n" for r in records))
    if renamed is not None:
        names = {"dictFind": f"{renamed.style}{renamed.seed}"}
        digest = digest_renaming_maps(names, {})
        variant = VariantRecord("tiny", renamed, "c0ffee", "tiny", names, {}, {}, digest)
        write_variant_record(record_path_in_run(folder, "tiny"), variant)
    return folder


def report_of(run: Path, records: Sequence[SampleRecord] | None = None, manifest: RunManifest | None = None) -> Report:
    """The report on a run's folder, or on these records and this manifest in the place of its own."""
    found = read_finished_records(run) if records is None else records
    return make_report(run, manifest or read_manifest(run), found)


def format_report(report: Report) -> str:
    return format_markdown(make_report_document(report))
