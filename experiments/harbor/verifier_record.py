"""What the verifier leaves beside `reward.json`, in `verdict.json` of the same folder: all that an imported job needs
to be a run like any other. It is written and read with `experiments.run.records.write_json` and `read_json`."""

from __future__ import annotations

from dataclasses import dataclass

from executor.values import Verdict
from experiments.run.sample_facts import AuditFacts

VERDICT_FILE = "verdict.json"


@dataclass(frozen=True, slots=True)
class VerifierRecord:
    """A judged answer to one task.

    dataset     and its version, the repository, its commit and the `variant` ("" for the original tree) name the task
    image       key of the warm image that judged
    code        the function as it was spliced into the tree; None where there was none to splice
    verdict     by the suites and their control runs alone, as a journal keeps it
    plus        as `SampleRecord.plus`
    flags       what else the agent changed in its tree: a line each
    test_s      wall seconds of check, build and tests
    build_cpu_s as `SampleRecord.build_cpu_s`
    """

    task_id: str
    repo: str
    dataset: str
    dataset_version: str
    commit: str
    variant: str
    image: str
    code: str | None
    verdict: Verdict
    plus: str = ""
    audit: AuditFacts = AuditFacts()  # noqa: RUF009 - frozen
    confinement: str = ""
    flags: tuple[str, ...] = ()
    test_s: float = 0.0
    build_cpu_s: float | None = None
