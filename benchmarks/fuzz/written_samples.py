"""Samples that Graft itself writes, for each reader in readers.py: records, manifests, graphs, stores."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.model.response_store import find_response, store_response_if_missing
from agent.values import Candidate, Message, ModelRequest, ModelResponse, Trajectory, Usage
from benchmarks.fuzz import samples
from executor.repository.build.graph import BuildGraph, BuildStep, write_graph_json
from executor.values import ExpectedTests, Step, SuiteRun, TestResult, TestRun, TestStatus, Tier
from experiments.run.manifest import RunManifest
from experiments.run.records import Execution, SampleRecord, Scored, Story, encode_json_value
from experiments.run.reviews import Review
from experiments.run.sample_facts import Input
from experiments.run.sampling.executions import grade_execution
from index.store.manifest import FORMAT as INDEX_FORMAT
from lab.forgeries.forgery_record import FORMAT as FORGE_FORMAT
from lab.forgeries.forgery_record import ForgeRecord
from retrieval.values import Context

REQUEST = ModelRequest("openai/m", (Message("user", "x"),), None, None, None, 0)
NO_CONTEXT = Context((), 0, 0, ())
EXPECTED = ExpectedTests({"c": {"a_b": 1}}, frozenset({"c_d"}))


def make_response(text: str) -> ModelResponse:
    return ModelResponse(text, "", "stop", 1, 1, 0.0, "{}", 0.1)


def write_samples() -> dict[str, tuple[bytes, ...]]:
    step = BuildStep("compile", ("gcc", "-c", "a.c"), ".", ("a.o",), ("a.c",), (), ("a.c", "a.h"), frozenset({"f"}))
    graph = write_graph_json(BuildGraph((step,), frozenset({"x.o"}))).encode()
    run = TestRun(
        (_make_step("check"),),
        (_make_step("compile"),),
        (SuiteRun("c", _make_step("suite-c"), (TestResult("a", TestStatus.PASSED),)),),
    )
    execution = Execution("t", "example", "image", "int f;", ("c",), run, 0)
    verdict = grade_execution(execution, EXPECTED)
    scored = Scored(verdict, False, "executions/t/0")
    record = SampleRecord("none", "t", 0, "example", "file", scored, scored, 0.5, Usage(), 1.0, None, 0, 0, 0, 0)
    trail = Trajectory((Message("user", "x"),), (), Candidate("int f;"))
    manifest = RunManifest(
        "2026", {"model": "m"}, {"model": "m", "arms": ["none"]}, "example", "1", ("t",), {}, (), "bwrap", "", (), {},
        "", "", {}, {"task t": Input("d", "0")}, {"none": {"t": 1}}, {"t": ("example", "file")}, True,
    )  # fmt: skip
    expected = encode_json_value(EXPECTED)
    source = samples.SOURCE
    return {
        "answer": (samples.ANSWER, source),
        "official answer": (samples.ANSWER, source),
        "definition": (source, samples.ANSWER),
        "calls in text": (samples.CALLS,),
        "arguments of a call": (samples.ARGUMENTS,),
        "provider's body": (samples.BODY,),
        "stored response": (samples.STORED,),
        "response store file": (_make_store_file(),),
        "predictions": (samples.PREDICTIONS,),
        "batch answers": (samples.BATCH,),
        "mera rows": (samples.MERA,),
        "yabloco table": (samples.read_yabloco_rows(),),
        "yabloco oracle": (samples.make_yabloco_oracle(),),
        "task folder": tuple(samples.read_task_files()),
        "recipe": tuple(samples.read_recipe_files("recipe.yaml")),
        "health manifest": tuple(samples.read_recipe_files("manifest.json")),
        "wrong bodies": (
            b"\n\n".join((samples.ROOT / "recipes" / "example" / "wrong.yaml").read_bytes().split(b"\n\n")[:2]),
        ),
        "run configuration": (samples.CONFIG,),
        "configuration word": (b"tasks=a,b", b"model_args={a: 1}", b"limit=3"),
        "script": (samples.SCRIPT,),
        "prompt templates": (samples.TEMPLATES,),
        "run manifest": (encode_json_value(manifest),),
        "journal": (encode_json_value(record) + b"\n" + encode_json_value(record) + b"\n",),
        "reviews": (encode_json_value(Review("executions/a/0", "a", True, "ada", "fine", "2026-01-01")) + b"\n",),
        "sample record": (encode_json_value(record),),
        "execution": (encode_json_value(execution),),
        "story": (encode_json_value(Story(NO_CONTEXT, ("a",), trail)),),
        "expected tests": (expected,),
        "baseline": (b'{"expected": ' + expected + b', "suite_seconds": {"c": 0.5}, "notes": ["x"]}',),
        "forgeries' record": (encode_json_value(ForgeRecord(FORGE_FORMAT, "2026", "bwrap", 1, 1, 1, 1, 7, ())),),
        "confinement's record": (samples.LEARNT,),
        "reach's record": (b'{"": ["a"], "c-12": ["a", "b"]}',),
        "names' record": (b'{"names": ["f", "g"], "leads": {"f": "g"}}',),
        "yabloco calls": (samples.CALL_LISTS,),
        "build graph": (graph,),
        "image record": (b'{"labels": {"a": "b"}, "size_bytes": 3, "created": "2026-01-01T00:00:00+00:00"}',),
        "build record": (samples.RECORD,),
        "make rule": (samples.MAKE_RULE,),
        "suite log": (samples.LINES, samples.GTEST, samples.TAP),
        "tap log": (samples.TAP,),
        "diagnostics": (samples.COMPILER,),
        "bwrap status": (samples.STATUS,),
        "index manifest": (
            f'{{"format": {INDEX_FORMAT}, "build": "x", "database": "index-0a.sqlite", "stamp": "1.2"}}'.encode(),
        ),
        "index database": (b"\x00\x00\x10\x00 damage", b"\x7f\x01\x00\x00" + bytes(64)),
        "index tree": (samples.TREE,),
        "source file": (source, samples.ANSWER),
    }


def _make_step(name: str) -> Step:
    return Step(name, Tier.TESTS, ("x",), ".", 0, False, False, False, 0.1, None, f"{name}.log")


def _make_store_file() -> bytes:
    """A response store with one answer."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "responses.sqlite"
        find_response(path, REQUEST)
        store_response_if_missing(path, REQUEST, make_response("x"))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path.read_bytes()
