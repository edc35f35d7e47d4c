"""What the verifier leaves beside `reward.json`, in `verdict.json` of the same folder, for `graft import harbor` to
read back. It is written and read with `experiments.run.records.encode_json_value` and `decode_json_value`."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.run.records import SampleRecord

VERDICT_FILE = "verdict.json"


@dataclass(frozen=True, slots=True)
class VerifierRecord:
    """A judged answer. `record` is the sample as the verifier's own run has it; `answer` the text that was judged, ""
    where the agent left none; `notes` and `changed_files` say what else it changed in its tree. `variant`: of the
    repository, as RunConfig.variant, "" for its own names; `map_digest`: of that variant's names, "" where it isn't
    known."""

    record: SampleRecord
    answer: str = ""
    notes: tuple[str, ...] = ()
    changed_files: tuple[str, ...] = ()
    variant: str = ""
    map_digest: str = ""
