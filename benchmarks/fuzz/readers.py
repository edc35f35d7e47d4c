"""Every reader of bytes that come from outside: who reads what, with samples to damage."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent.answer.extraction import extract_function
from agent.model.batch_wire import read_batch_answer
from agent.model.response_store import find_response, request_key, store_response_if_missing, sum_stored_usage
from agent.prompts import load_prompts
from agent.tools.name_table import NameTable
from agent.tools.protocols.text_calls import read_text_calls
from agent.tools.protocols.turn import make_assistant_message, read_turn
from agent.tools.scope import Scope
from agent.tools.toolbox import Toolbox
from agent.values import Message, ModelResponse, Trajectory
from benchmarks.fuzz import samples
from benchmarks.fuzz.written_samples import EXPECTED, NO_CONTEXT, REQUEST, make_response, write_samples
from executor.candidate.diagnostics import CandidatePlace, read_root_cause_diagnostics
from executor.confine.learn import read_learnt_policies
from executor.function.definition import split_definition
from executor.function.header_function import classify_function_by_compiled_copies
from executor.function.splice import splice_function
from executor.grading.exact_match import compare_text_tokens_and_edit_similarity
from executor.grading.flags import find_flags
from executor.grading.logs.parser import Parser
from executor.grading.logs.results import read_results_and_problem
from executor.grading.official import (
    OFFICIAL_RULES,
    is_officially_exact,
    parse_generation,
    why_official_code_differs,
    wrap_code_in_line_ends,
)
from executor.manifest.manifest import load_manifest
from executor.repository.baseline import read_baseline_filling_ignored_tests
from executor.repository.build.graph import read_graph_json, write_graph_json
from executor.repository.build.recorder import parse_make_rule_prerequisites, parse_records
from executor.repository.known_names import load_repository_names
from executor.repository.recipe import Recipe, load_recipe
from executor.sandbox.bwrap.session import read_bwrap_status
from executor.sandbox.store import Store
from executor.tasks.made_datasets import list_built_in_made_datasets
from executor.tasks.mera import read_mera
from executor.tasks.predictions import read_predictions
from executor.tasks.task_folders import list_problems_of_task_folders, read_task_folders
from executor.tasks.yabloco import read_yabloco
from executor.values import ExpectedTests
from experiments.consoles import escape_control_characters
from experiments.demo.scripted_rules import load_script
from experiments.indexing.index_place import find_index_place
from experiments.run.batch import read_batch_answers
from experiments.run.config import load_config
from experiments.run.manifest import MANIFEST, read_manifest
from experiments.run.records import Execution, SampleRecord, Story, decode_json_value, encode_json_value, read_journal
from experiments.run.reviews import REVIEWS, read_reviews_by_execution
from experiments.run.sampling.executions import grade_execution
from index.build import build_index
from index.repo_index import open_index
from index.store.manifest import MANIFEST as INDEX_MANIFEST
from index.symbols.source_parser import MAX_SECONDS
from index.values import Span, Target
from lab.doctor.reach import read_entered_tasks_by_suite_or_empty
from lab.forgeries.forgery_record import load_forge_record as load_forgeries
from lab.retrieval_eval.true_callees import load_yabloco_calls
from lab.wrong.body_file import read_body_entries

BOUND_S = 5.0
"""CPU seconds that a reader may take for an input of MOST_BYTES (256 KiB)."""
# Parsing a file and reading its tree have limits of their own, in both languages; a file past them is left out.
_BOUNDS = {"source file": BOUND_S + 4 * MAX_SECONDS}

Read = Callable[[bytes, Path], object]
_TARGET = Target("example", "src/a.c", Span(5, 12), "my_add", "int my_add(int a, const char *b)", "Adds.", "c")
_PLACE = CandidatePlace("/r", ".", "src/a.c", Span(3, 9), 7)
_TOOL_NAMES = ("search", "read_symbol", "definition", "submit")


@dataclass(frozen=True, slots=True)
class Reader:
    """`read` gets an input and a scratch folder. It may return what it likes, within `bound_s` CPU seconds."""

    name: str
    read: Read
    samples: tuple[bytes, ...]
    bound_s: float = BOUND_S


def list_readers(folders: Sequence[Path] = ()) -> list[Reader]:
    """All readers. `folders`: runs and caches whose files are samples too."""
    real = samples.find_real_samples(folders)
    whole = {name: (*own, *real.get(name, ())) for name, own in write_samples().items()}
    return [Reader(name, read, whole[name], _BOUNDS.get(name, BOUND_S)) for name, read in _READERS.items()]


def _make_file_reader(name: str, read: Callable[[Path], object]) -> Read:
    """A reader of the file `name` in a folder."""

    def read_through_file(data: bytes, folder: Path) -> object:
        path = folder / name
        path.write_bytes(data)
        return read(path)

    return read_through_file


def _make_record_reader(kind: type[object]) -> Read:
    """A reader of one JSON value of this kind."""
    return _make_file_reader("record.json", lambda path: decode_json_value(kind, path.read_bytes(), path))


def _read_answer(data: bytes, folder: Path) -> None:
    text = _decode_any_text(data)
    candidate = extract_function(text, _TARGET, existing=("helper",))
    code = candidate.code if candidate.code is not None else text
    find_flags(code)
    compare_text_tokens_and_edit_similarity(code, samples.SOURCE.decode())
    splice_function(samples.SOURCE, Span(5, 12), code)
    classify_function_by_compiled_copies(samples.SOURCE.decode(), Span(5, 12), code)
    escape_control_characters(text)


def _read_official_answer(data: bytes, folder: Path) -> None:
    text = _decode_any_text(data)
    for rules in OFFICIAL_RULES.values():
        code = parse_generation(text, rules)
        is_officially_exact(code, samples.SOURCE.decode(), rules)
        why_official_code_differs(text, None, rules)
        why_official_code_differs(text, code, rules)
        splice_function(samples.SOURCE, Span(5, 12), wrap_code_in_line_ends(code))


def _read_definition(data: bytes, folder: Path) -> None:
    text = _decode_any_text(data)
    split_definition(text)
    classify_function_by_compiled_copies(text, Span(1, max(1, text.count("\n"))))


def _read_calls(data: bytes, folder: Path) -> None:
    text = _decode_any_text(data)
    known = _TOOL_NAMES
    read_text_calls(text, known)
    turn = read_turn(make_response(text), known, 1)
    make_assistant_message(turn, make_response(text))


def _read_arguments(data: bytes, folder: Path) -> None:
    toolbox = _make_toolbox(folder)
    for spec in toolbox.specs:
        toolbox.answer_call(spec.name, _decode_any_text(data))
    toolbox.answer_call(_decode_any_text(data)[:200], "{}")


@lru_cache
def _make_toolbox(folder: Path) -> Toolbox:
    index = open_index(_build_whole_index(folder), _write_tree(folder))
    target = Target("example", "a.cpp", Span(5, 12), "my_add", "int my_add(int a, int b)", "", "cpp")
    return Toolbox(Scope(index.hide(target, "strict"), NameTable(index)), {})


def _read_provider_body(data: bytes, folder: Path) -> None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        response = read_batch_answer(REQUEST, value)
        _store_and_read_back(response, folder / "made.sqlite")


def _store_and_read_back(response: ModelResponse, path: Path) -> None:
    path.unlink(missing_ok=True)
    store_response_if_missing(path, REQUEST, response)
    found = find_response(path, REQUEST)
    if found is None or found.text != response.text:
        raise AssertionError("a stored response doesn't read back")
    trail = Trajectory(
        (Message("assistant", response.text, calls=response.calls),), (), extract_function(response.text, _TARGET)
    )
    story = Story(NO_CONTEXT, (), trail)
    if decode_json_value(Story, encode_json_value(story), path) != story:
        raise AssertionError("a story doesn't read back")


def _read_stored_row(data: bytes, folder: Path) -> None:
    path = folder / "row.sqlite"
    path.unlink(missing_ok=True)
    store_response_if_missing(path, REQUEST, make_response("x"))
    with closing(sqlite3.connect(path)) as connection, connection:
        value = _decode_any_text(data) if data[:1] != b"\0" else data
        row = value if isinstance(value, bytes) else value.encode("utf-8", "replace").decode()
        connection.execute("UPDATE responses SET response = ?", (row,))
    sum_stored_usage(path)
    find_response(path, REQUEST)
    request_key(REQUEST)


def _read_store_file(path: Path) -> None:
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    sum_stored_usage(path)
    find_response(path, REQUEST)


def _read_execution(path: Path) -> object:
    execution = decode_json_value(Execution, path.read_bytes(), path)
    return grade_execution(execution, EXPECTED)


def _read_suite_log(data: bytes, folder: Path) -> None:
    for parser in _list_parsers():
        read_results_and_problem(data, parser)


@lru_cache
def _load_example_recipe() -> Recipe:
    return load_recipe(samples.ROOT / "recipes" / "example" / "recipe.yaml")


@lru_cache
def _list_parsers() -> tuple[Parser, ...]:
    """The recipes' parsers. Those that `graft make` wrote are alike, and each takes time: the longest alone."""
    made = list_built_in_made_datasets()
    every: dict[bool, dict[str, Parser]] = {False: {}, True: {}}
    for path in sorted((samples.ROOT / "recipes").glob("*/recipe.yaml")):
        for parser in load_recipe(path).parsers.values():
            every[path.parent.name in made][parser.model_dump_json()] = parser
    return (*every[False].values(), max(every[True].items(), key=lambda item: len(item[0]))[1])


def _read_graph(data: bytes, folder: Path) -> None:
    graph = read_graph_json(data.decode("utf-8", "surrogateescape"))
    write_graph_json(graph)


def _read_image_record(data: bytes, folder: Path) -> None:
    store = Store(folder / "store", "bwrap")
    place = store.image_root / "example-1"
    place.mkdir(parents=True, exist_ok=True)
    (place / "image.json").write_bytes(data)
    store.images()


def _read_names(data: bytes, folder: Path) -> None:
    tree = _write_tree(folder)
    for kept in folder.glob("tree.names-*.json"):
        kept.unlink()
    load_repository_names.cache_clear()
    load_repository_names(tree)
    (kept,) = folder.glob("tree.names-*.json")
    kept.write_bytes(data)
    load_repository_names.cache_clear()
    load_repository_names(tree)


def _read_task_folder(data: bytes, folder: Path) -> None:
    place = folder / "tasks" / samples.TASK
    (place / "oracle").mkdir(parents=True, exist_ok=True)
    (place / "task.yaml").write_bytes(data)
    (place / "oracle" / "001_a.c").write_bytes(data[:2000])
    list_problems_of_task_folders(place.parent)
    read_task_folders(place.parent)


def _read_yabloco_table(data: bytes, folder: Path) -> None:
    path = folder / "bench.csv"
    path.write_bytes(data)
    read_yabloco(path, samples.YABLOCO / "yabloco_oracle_v1.json")


def _read_yabloco_oracle(data: bytes, folder: Path) -> None:
    table, oracle = folder / "few.csv", folder / "oracle.json"
    table.write_bytes(samples.read_yabloco_rows())
    oracle.write_bytes(data)
    read_yabloco(table, oracle)


def _read_prompts(data: bytes, folder: Path) -> None:
    place = folder / "prompts"
    place.mkdir(exist_ok=True)
    (place / "repair.j2").write_text("x")
    (place / "templates.json").write_bytes(data)
    load_prompts(str(place)).render_opening(_TARGET, NO_CONTEXT, task_id="x")


def _make_index_reader(name: str) -> Read:
    """The reader of one file of an index; the other files are whole."""

    def read_index_folder(data: bytes, folder: Path) -> None:
        whole, place = _build_whole_index(folder), folder / "index"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(whole, place)
        (database,) = place.glob("index-*.sqlite")
        path = database if name == "database" else place / name
        if name == "database":
            # Damage of a part of the real file; the sample's own bytes say where.
            held = bytearray(database.read_bytes())
            at = int.from_bytes(data[:4].ljust(4, b"\0"), "big") % len(held)
            held[at : at + len(data)] = data
            data = bytes(held[: len(held) - (at if data[:1] < b"\x20" else 0)])
        path.write_bytes(data.replace(b"index-0a.sqlite", database.name.encode()))
        if name == "tree.json":
            find_index_place(None, place)
            return
        with closing(open_index(place, _write_tree(folder))) as index:
            index.entries_named("my_add")

    return read_index_folder


@lru_cache
def _build_whole_index(folder: Path) -> Path:
    place = folder / "whole"
    build_index(_write_tree(folder), place, workers=1)
    return place


@lru_cache
def _write_tree(folder: Path) -> Path:
    tree = folder / "tree"
    tree.mkdir(exist_ok=True)
    (tree / "a.cpp").write_bytes(samples.SOURCE)
    return tree


def _read_source_file(data: bytes, folder: Path) -> None:
    tree, place = folder / "sources", folder / "of-sources"
    tree.mkdir(exist_ok=True)
    (tree / "a.cpp").write_bytes(data)
    build_index(tree, place, workers=1)


def _decode_any_text(data: bytes) -> str:
    """Any text that JSON can hold: lone surrogates too."""
    return data.decode("utf-8", "surrogatepass") if b"\xed" in data and _is_utf8(data) else data.decode("latin-1")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


_READERS: Mapping[str, Read] = {
    "answer": _read_answer,
    "official answer": _read_official_answer,
    "definition": _read_definition,
    "calls in text": _read_calls,
    "arguments of a call": _read_arguments,
    "provider's body": _read_provider_body,
    "stored response": _read_stored_row,
    "response store file": _make_file_reader("responses.sqlite", _read_store_file),
    "predictions": _make_file_reader("answers.jsonl", read_predictions),
    "batch answers": _make_file_reader("batch.jsonl", read_batch_answers),
    "mera rows": _make_file_reader("rows.jsonl", read_mera),
    "yabloco table": _read_yabloco_table,
    "yabloco oracle": _read_yabloco_oracle,
    "task folder": _read_task_folder,
    "recipe": _make_file_reader("recipe.yaml", load_recipe),
    "health manifest": _make_file_reader("example.json", load_manifest),
    "wrong bodies": _make_file_reader("example.yaml", read_body_entries),
    "run configuration": _make_file_reader("run.yaml", load_config),
    "configuration word": lambda data, folder: load_config(Path("oracle"), ["model=gold", _decode_any_text(data)]),
    "script": _make_file_reader("script.yaml", load_script),
    "prompt templates": _read_prompts,
    "run manifest": _make_file_reader(MANIFEST, lambda path: read_manifest(path.parent)),
    "journal": _make_file_reader("journal.jsonl", read_journal),
    "reviews": _make_file_reader(REVIEWS, lambda path: read_reviews_by_execution(path.parent)),
    "sample record": _make_record_reader(SampleRecord),
    "execution": _make_file_reader("execution.json", _read_execution),
    "story": _make_record_reader(Story),
    "expected tests": _make_record_reader(ExpectedTests),
    "baseline": _make_file_reader(
        "expected-1.json", lambda path: read_baseline_filling_ignored_tests(path, _load_example_recipe())
    ),
    "forgeries' record": _make_file_reader("forged.json", load_forgeries),
    "confinement's record": _make_file_reader("learnt.json", read_learnt_policies),
    "reach's record": _make_file_reader("reach.json", read_entered_tasks_by_suite_or_empty),
    "names' record": _read_names,
    "yabloco calls": _make_file_reader("calls.json", load_yabloco_calls),
    "build graph": _read_graph,
    "image record": _read_image_record,
    "build record": lambda data, folder: parse_records(data),
    "make rule": lambda data, folder: parse_make_rule_prerequisites(data.decode("utf-8", "surrogateescape")),
    "suite log": _read_suite_log,
    "tap log": lambda data, folder: read_results_and_problem(data, Parser(tap=True)),
    "diagnostics": lambda data, folder: read_root_cause_diagnostics(data, _PLACE, samples.SOURCE.decode()),
    "bwrap status": lambda data, folder: read_bwrap_status(data),
    "index manifest": _make_index_reader(INDEX_MANIFEST),
    "index database": _make_index_reader("database"),
    "index tree": _make_index_reader("tree.json"),
    "source file": _read_source_file,
}
