"""What is known of a repository, told in its variant's names: the rows of a data set, the doctor's manifest and plus
tests."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from executor.candidate.control_runs import language_of_path
from executor.function.call_limited_text import read_call_limit
from executor.function.mutants import make_mutants
from executor.function.sabotage import RETURNS, digest_definition, read_definition_at
from executor.manifest.health import HealthManifest, TaskHealth, judge_task_by_suites_alone
from executor.manifest.variant.renamed_files import rename_files_in_code, rename_files_in_prose
from executor.manifest.variant.renamed_text import rename_code, rename_comment
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import Recipe
from executor.tasks.oracle_items import read_text_on_same_lines
from executor.tasks.task_row import TaskRow, strip_repository_prefix
from executor.values import OracleItem, Sabotage
from index.cpp.language import is_source
from index.values import Language, Span, Target, join_targets

SHOWN_NAME = "repository"
"""What prompts call a variant's repository: its own name would tell which it is."""

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
# The first line of each callee in MERA's joined context.
_FILE_HEAD = re.compile(r"^// File name: (.*)$", re.MULTILINE)
# A template's fields: their names belong to Graft, not to the repository.
_TEMPLATE_FIELD = re.compile(r"(\{\w+\})")


def rename_row_keeping_id_and_span(row: TaskRow, record: VariantRecord, original_root: Path, root: Path) -> TaskRow:
    """The row as if it had been written for the variant's tree `root`. Lines keep their numbers, so the span stays; so
    do the id and the repository, which are keys. The row must be bound to the original tree already (see rebind).
    An oracle item whose file is known has the tree's own text: names that are only local there are renamed too."""
    names = record.names
    oracle = []
    for item in row.oracle:
        path = record.new_path_of(item.path)
        text = read_text_on_same_lines(item, path, original_root, root) if path else None
        text = rename_code_and_files(item.text, record) if text is None else text
        oracle.append(OracleItem(text, path, rename_qualified_name(item.name, names)))
    return replace(
        row,
        target=join_targets([rename_target(hole, record) for hole in row.target.holes]),
        oracle=tuple(oracle),
        oracle_text=None
        if row.oracle_text is None
        else _rename_joined_oracle_text(row.oracle_text, row.repository, record),
        dataset_gold=None if row.dataset_gold is None else rename_code_and_files(row.dataset_gold, record),
        official_gold=None if row.official_gold is None else rename_code_and_files(row.official_gold, record),
        instruction=None if row.instruction is None else _rename_instruction_outside_fields(row.instruction, record),
    )


def rename_target(target: Target, record: VariantRecord) -> Target:
    """The target as the variant's tree has it."""
    return replace(
        target,
        path=record.new_path_of(target.path),
        name=rename_qualified_name(target.name, record.names),
        signature=rename_code_and_files(target.signature, record),
        docstring=_rename_prose(target.docstring, record),
    )


def rename_qualified_name(name: str, names: Mapping[str, str]) -> str:
    """A qualified name, each of its parts renamed: `ns::Class::~Class`, `operator Type`."""
    return _IDENTIFIER.sub(lambda part: names.get(part[0], part[0]), name)


def rename_code_and_files(text: str, record: VariantRecord) -> str:
    """The code in the variant's names, those of its files among them."""
    return rename_files_in_code(rename_code(text, record.names), record.paths)


def _rename_prose(text: str, record: VariantRecord) -> str:
    return rename_files_in_prose(rename_comment(text, record.names), record.paths)


def _rename_joined_oracle_text(text: str, repository: str, record: VariantRecord) -> str:
    """The oracle as one text, whose head lines name the repository and files."""
    first, *rest = _FILE_HEAD.split(text)
    done = [rename_code_and_files(first, record)]
    for path, segment in zip(rest[::2], rest[1::2], strict=True):
        shown = record.new_path_of(strip_repository_prefix(path.strip(), repository))
        done += [f"// File name: {SHOWN_NAME}/{shown}", rename_code_and_files(segment, record)]
    return "".join(done)


def _rename_instruction_outside_fields(text: str, record: VariantRecord) -> str:
    parts = _TEMPLATE_FIELD.split(text)
    return "".join(part if _TEMPLATE_FIELD.fullmatch(part) else _rename_prose(part, record) for part in parts)


def rename_manifest_keeping_ids_and_digests(
    manifest: HealthManifest, record: VariantRecord, original_root: Path, variant_root: Path
) -> HealthManifest:
    """The manifest of the original tree as it holds for the variant: what was measured stays, names and paths are the
    variant's, and `image` is the proved one. Plus tests count for the tasks for which the proof saw them hold. A
    sabotage is left out when its text isn't the examined one, or when the variant's text has no such change. Digests
    of golds, of plus tests and names of findings stay those of the texts that were examined."""
    sabotages = {
        suite: tuple(s for known in found if (s := _rename_sabotage(known, record, original_root, variant_root)))
        for suite, found in manifest.sabotages.items()
    }
    proved = frozenset(record.proof.plus_tasks if record.proof else ())
    return replace(
        manifest,
        commit=record.commit,
        image="" if record.proof is None else record.proof.image,
        tasks={
            key: _rename_function_path_and_findings(
                task if key in proved else judge_task_by_suites_alone(task), record
            )
            for key, task in manifest.tasks.items()
        },
        plus={key: found for key, found in manifest.plus.items() if key in proved},
        sabotages={suite: found for suite, found in sabotages.items() if found},
    )


def _rename_function_path_and_findings(task: TaskHealth, record: VariantRecord) -> TaskHealth:
    findings = (replace(found, detail=rename_code(found.detail, record.names)) for found in task.findings)
    return replace(
        task,
        name=rename_qualified_name(task.name, record.names),
        path=record.new_path_of(task.path),
        findings=tuple(findings),
    )


def _rename_sabotage(
    sabotage: Sabotage, record: VariantRecord, original_root: Path, variant_root: Path
) -> Sabotage | None:
    path, span = record.new_path_of(sabotage.path), Span(sabotage.first, sabotage.last)
    try:
        before = read_definition_at((original_root / sabotage.path).read_bytes(), span)
        now = read_definition_at((variant_root / path).read_bytes(), span)
    except OSError:
        return None
    change = _find_name_of_same_change(sabotage.change, before, now, language_of_path(sabotage.path))
    if digest_definition(before) != sabotage.digest or change is None:
        return None
    function = rename_qualified_name(sabotage.function, record.names)
    return replace(sabotage, path=path, function=function, digest=digest_definition(now), change=change)


def _find_name_of_same_change(name: str, before: str, now: str, language: Language) -> str | None:
    """The name of the change `name` of the text `before` in the text `now`: a mutant's name holds a digest of its
    text. None where it has none. The two texts differ by names alone, so their mutants come in the same order."""
    if name in RETURNS or read_call_limit(name) is not None:
        return name
    old, new = (make_mutants(text, language, sys.maxsize) for text in (before, now))
    if [(mutant.operator, mutant.line) for mutant in old] != [(mutant.operator, mutant.line) for mutant in new]:
        return None
    return next((after.name for mutant, after in zip(old, new, strict=True) if mutant.name == name), None)


def rename_plus_tests(recipe: Recipe, record: VariantRecord) -> Recipe:
    """The recipe with all plus tests in the variant's names. Names of tests stay, as literals do; so does what is
    written in another language than C and C++."""
    suites = []
    for suite in recipe.plus_suites:
        files = {
            path: rename_code_and_files(text, record) if is_source(path) else text
            for path, text in suite.files.items()
        }
        build = tuple(rename_files_in_prose(line, record.paths) for line in suite.build)
        suites.append(suite.model_copy(update={"files": files, "build": build}))
    return recipe.model_copy(update={"plus_suites": tuple(suites)})


def rename_proved_plus_tests(recipe: Recipe, record: VariantRecord) -> Recipe:
    """The recipe with the renamed plus tests of the tasks for which the variant's proof saw them hold; without others,
    which grade nothing there."""
    proved = set(record.proof.plus_tasks if record.proof else ())
    kept = [
        suite.model_copy(update={"tasks": tasks})
        for suite in rename_plus_tests(recipe, record).plus_suites
        if (tasks := tuple(task for task in suite.tasks if task in proved))
    ]
    return recipe.model_copy(update={"plus_suites": tuple(kept)})
