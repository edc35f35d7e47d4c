"""Makes a variant: the map of its names, and its tree in the cache."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.variant.record import RECORD, digest_renaming_maps, variant_folder
from executor.manifest.variant.renamed_text import IDENTIFIER, SHAPED
from executor.manifest.variant.values import LearntNames, VariantRecord, VariantSpec
from executor.repository.build.command_line import detect_compiled_language
from executor.repository.build.graph import BuildGraph
from executor.repository.images import Image
from executor.repository.source import SourceTree
from executor.sandbox.contract import Backend
from executor.tasks.datasets import make_task_from_row
from executor.tasks.task_row import TaskRow
from index.cpp.tokens import find_comments_literals_and_words, remove_comments
from index.progress import SILENT, Progress
from index.values import SymbolKind
from lab.variants.external_names import ExternalNames, find_external_names
from lab.variants.fixed_names import (
    FROM_OUTSIDE,
    KEYWORDS,
    collect_words_of_other_files,
    find_fixed_names,
    find_names_scripts_write_and_seek,
    read_small_text_or_empty,
)
from lab.variants.identifier_inventory import LOCAL, Inventory, index_and_take_inventory
from lab.variants.linker_symbols import find_names_in_symbols_shared_with_others
from lab.variants.map_repair import FREE_KINDS, MapRepair, MapRules, repair_map_with_compiler
from lab.variants.movable_files import find_renamable_file_stems, list_all_file_stems, make_new_paths
from lab.variants.new_names import make_new_names

log = logging.getLogger(__name__)

# No macro shows a class whose name a test program reads from `typeid`.
_SCOPE = re.compile(r"[^\W\d]\w*(?=::)")
_NUMBERED = re.compile(r"[A-Za-z]{3,}[0-9]\w*")
_WRAPPED = re.compile(r"--?wrap(?:[=,]| -Wl,| -Xlinker )([A-Za-z_]\w*)")
_HERE_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1.*\n[\s\S]*?^[ \t]*\2$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class VariantInputs:
    """What a variant is made of and where: the original's source and warm image, its rows bound to the source."""

    spec: VariantSpec
    source: SourceTree
    image: Image
    backend: Backend
    rows: Sequence[TaskRow]
    cache: Path

    @property
    def folder(self) -> Path:
        return variant_folder(self.cache, self.source, self.spec)

    @property
    def record_path(self) -> Path:
        return self.folder / RECORD


def make_name_map(
    inputs: VariantInputs, gold_words: AbstractSet[str], learnt: LearntNames, progress: Progress = SILENT
) -> VariantRecord:
    """The map of a variant: a pure function of what it is made of and of what is `learnt` already. `gold_words` decide
    the strength alone. Raises SandboxError when the sandbox fails."""
    image, source, spec, recipe = inputs.image, inputs.source, inputs.spec, inputs.image.recipe
    started = time.monotonic()
    inventory = index_and_take_inventory(source.root, inputs.cache, recipe.variants.leave, spec.locals, progress)
    outside = find_external_names(image, inputs.backend, recipe.variants.leave, progress)
    log.info(
        f"{recipe.name}: {len(inventory.files)} files define {len(inventory.defined)} identifiers;"
        f" {len(outside.names)} names come from outside, {time.monotonic() - started:.0f} s"
    )
    leave, follow = recipe.variants.leave, recipe.variants.follow
    tests = [name for passing in image.expected.suites.values() for name in passing]
    known = _find_names_known_to_stay(inputs, inventory, outside, tests)
    written, sought = find_names_scripts_write_and_seek(source.root, inventory, outside, leave, follow)
    kept = find_fixed_names(source.root, inventory, outside, {**written, **sought, **known, **learnt.stay})
    taken = inventory.words | outside.names | KEYWORDS
    vocabulary = inventory.defined.keys() | inventory.fragments
    stems = find_renamable_file_stems(source.root, recipe) if spec.files else frozenset[str]()
    made = make_new_names(
        vocabulary | stems, taken | (list_all_file_stems(source.root) if spec.files else set()), spec
    )
    borrowed = {
        name
        for name, reason in kept.items()
        if reason == FROM_OUTSIDE
        and name not in learnt.stay
        and name not in outside.firm
        and inventory.defined.get(name, {""}) <= FREE_KINDS
    }
    kept = {name: reason for name, reason in kept.items() if name not in borrowed}
    names = {name: new for name, new in sorted(made.items()) if name in vocabulary and name not in kept}
    # Of a test that is told in prose, only the words that look like names.
    printed = {
        word for name in tests for word in IDENTIFIER.findall(name) if " " not in name or SHAPED.fullmatch(word)
    }
    # A suite's command may choose tests by the names that macros make texts of.
    asked = [text for suite in recipe.suites for text in (*suite.argv, *suite.env.values())]
    printed.update(IDENTIFIER.findall(" ".join(asked)))
    others = collect_words_of_other_files(source.root, inventory, leave, outside.read) | inventory.literals
    # A plain word that becomes a text is most often what an assertion says when it fails.
    by_others = {word for word in others if SHAPED.fullmatch(word) or _NUMBERED.fullmatch(word)} | printed
    # Not so the words that only `locals` takes for names: they may be given to macros alone.
    by_others |= {word for word in inventory.literals if inventory.defined.get(word) == frozenset({LOCAL})}
    rules = MapRules(frozenset(taken), frozenset(by_others), frozenset(written))
    settled = MapRepair(names, dict(kept), rules)
    repair_map_with_compiler(image, inputs.backend, inventory, outside, settled, borrowed - learnt.free, progress)
    names = {name: new for name, new in sorted(settled.names.items()) if name != new}
    for title in settled.open_:
        log.info(f"{recipe.name}: {title} expands otherwise under the new names")
    paths = make_new_paths(source.root, recipe, {stem: made[stem] for stem in stems})
    used = find_defined_names_golds_use(inventory, settled.kept, gold_words)
    return VariantRecord(
        repo=recipe.name,
        spec=spec,
        commit=source.commit,
        original=source.root.name,
        names=names,
        kept=dict(sorted(settled.kept.items())),
        paths=paths,
        digest=digest_renaming_maps(names, paths),
        used=len(used),
        used_renamed=len(used & names.keys()),
        learnt=tuple(sorted((settled.kept.keys() - kept.keys()) | (settled.kept.keys() & learnt.stay.keys()))),
        free=tuple(sorted(borrowed & names.keys())),
    )


def _find_names_known_to_stay(
    inputs: VariantInputs, inventory: Inventory, outside: ExternalNames, test_names: Collection[str]
) -> dict[str, str]:
    """Name -> why it stays: what the recipe, assembler, other objects and the `test_names` hold."""
    recipe = inputs.image.recipe
    known = dict.fromkeys(recipe.variants.keep, "the recipe names it in variants.keep")
    # What a command writes into its own input is another program's text.
    commands = _HERE_DOCUMENT.sub("", "\n".join((*recipe.build.commands, *recipe.build.env)))
    known |= dict.fromkeys(IDENTIFIER.findall(commands), "a command of the recipe names it")
    # Symbols are the linker's matter.
    macros = {name for name, kinds in inventory.defined.items() if SymbolKind.MACRO.value in kinds}
    for path in _list_assembler_files(inputs.image.graph, inventory):
        words = IDENTIFIER.findall(remove_comments(read_small_text_or_empty(inputs.source.root / path)))
        known |= dict.fromkeys(macros.intersection(words), f"{path}, in assembler, names it")
    # Without a word the linker wraps nothing, where the name is gone.
    for step in inputs.image.graph.steps:
        for name in _WRAPPED.findall(" ".join(step.argv)) if step.kind == "link" else ():
            known |= dict.fromkeys((name, f"__wrap_{name}", f"__real_{name}"), "the linker wraps it (--wrap)")
    linked = find_names_in_symbols_shared_with_others(
        inputs.image, inputs.backend, outside.names | KEYWORDS, recipe.variants.leave
    )
    known |= dict.fromkeys(linked, "other objects or libraries have it, by the linker's symbols")
    scopes = {scope for name in test_names for scope in _SCOPE.findall(name)}
    return known | dict.fromkeys(scopes, "a suite prints it as the scope of a test")


def _list_assembler_files(graph: BuildGraph, inventory: Inventory) -> list[str]:
    """The files of the tree that the build's assembler reads, without those that are renamed."""
    steps = [s for s in graph.steps if s.kind == "compile" and detect_compiled_language(s.argv) == "other"]
    read = {path for step in steps for path in (*step.sources, *step.depends) if not path.startswith("/")}
    return sorted(read - {*inventory.files})


# A repository that declares one of these under an outside name declares what comes from outside.
_REDECLARED_KINDS = frozenset(
    kind.value for kind in (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO, SymbolKind.TYPE)
)


def collect_gold_words(rows: Sequence[TaskRow], root: Path) -> set[str]:
    """The words of the code of the rows' golds in the original's tree `root`."""
    golds = [make_task_from_row(row, root).gold for row in rows]
    return {piece.text for gold in golds for piece in find_comments_literals_and_words(gold) if piece.kind == "word"}


def find_defined_names_golds_use(
    inventory: Inventory, kept: Mapping[str, str], gold_words: AbstractSet[str]
) -> set[str]:
    """The identifiers that the repository defines and that the golds use; `kept` is what stays. `snprintf` isn't one
    in a repository that has a replacement of it; a field that is called as something outside is one."""
    return {
        word
        for word in gold_words - KEYWORDS
        if word in inventory.defined
        and not (kept.get(word) == FROM_OUTSIDE and inventory.defined[word] <= _REDECLARED_KINDS)
    }
