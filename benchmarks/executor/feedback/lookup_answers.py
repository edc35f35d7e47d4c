"""Does a compiler's message, with what the index adds to it, name the symbol that was meant?

    .venv/bin/python -m benchmarks.executor.feedback.lookup_answers redis openssl
    # functions drawn by chance, too
    .venv/bin/python -m benchmarks.executor.feedback.lookup_answers bullet3 --others 40
    .venv/bin/python -m benchmarks.executor.feedback.lookup_answers redis --way invented  # names that a model makes up
    .venv/bin/python -m benchmarks.executor.feedback.lookup_answers redis --variant renamed  # in a renamed tree

The repository's own functions (the tasks' golds) are broken in eight typical ways (broken_drafts.py),
at most once in each, by seed, and compiled in their place with their unit's exact flags; `--others` adds functions of
8 to 60 lines that the build compiles, drawn by the same seed. Printed: how many breaks the loop would send back (an
error, or a warning that is worth a round), and in how many of these the message names what was meant, by the
compiler's own words and with the declarations. Rules:

- named: the word that was replaced (callee, member, type, macro) stands in a compiler message or in a declaration;
  the lines that are quoted from the draft don't count.
- missing argument: a declaration holds the callee's name with its parameters behind it.
- missing cast: the cast's type stands in a message or declaration; wrong type: the type that was replaced does.
- missing brace: the message says that a bracket is missing, at the very line of the one that lost its partner (or,
  where nothing but the bracket stood in that line, at the line before).
- missing return: the message says that the end of the function is reached, and the function's type is shown.
- invented: a name that the function uses is replaced, wherever it stands, by a general word that is unlike it
  (invented_names.py). A declaration must declare the true symbol: a parameter of its name doesn't count.
- sent back: C may compile a break without a warning that is worth a round (a cast that changes nothing). Then there is
  no message that could name anything.

CPU-s are those of a look-up in this process. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from agent.explain.declarations import DeclarationLookup
from agent.explain.feedback import has_compiled_cleanly_or_twice, select_first_errors_and_bug_warnings
from agent.values import Candidate, Declaration, ModelResponse, Round
from benchmarks.executor.feedback.broken_drafts import WAYS, Break, Known, make_breaks
from benchmarks.executor.feedback.invented_names import INVENTED, make_inventions
from benchmarks.tables import render_cells
from executor.cache import cache_root
from executor.candidate.compiler import SessionCompiler
from executor.repository.images import Image, build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.sandbox.choose import choose_backend
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.values import Task
from experiments.consoles import print_line, set_up_stderr_logging
from experiments.run.variant_source import open_original_or_proved_variant
from index.build import build_index
from index.cpp.declarators import unqualified_name
from index.errors import RecipeError
from index.repo_index import RepoIndex, open_index
from index.values import Diagnostic, SymbolKind
from retrieval.ranker.training_groups import make_target

log = logging.getLogger(__name__)

HEAD = (
    *("repository", "names", "drafts", "breaks", "sent back"),
    *("compiler alone", "with the look-up", "CPU-s, 95 %"),
)
SEED = 5
NO_RESPONSE = ModelResponse("", "", "", 0, 0, None, "", 0.0)


@dataclass(frozen=True, slots=True)
class Case:
    repo: str
    broken: Break
    sent: bool
    by_compiler: bool
    by_lookup: bool
    lookup_s: float


def main() -> int:
    options = parse_options()
    cases = [case for repo in options.repo for case in examine_repository(repo, options)]
    groups = (("broken in eight ways", WAYS), ("a name made up", INVENTED))
    rows = [
        [repo, options.variant or "its own", drafts, *describe_cases(mine)]
        for repo in options.repo
        for drafts, ways in groups
        if (mine := [case for case in cases if case.repo == repo and case.broken.way in ways])
    ]
    print_line(render_cells(HEAD, rows, left=3))
    return 0


def describe_cases(cases: Sequence[Case]) -> list[object]:
    sent = [case for case in cases if case.sent]
    found = (sum(case.by_compiler for case in sent), sum(case.by_lookup for case in sent))
    shares = [count / max(1, len(sent)) for count in found]
    seconds = sorted(case.lookup_s for case in sent)[len(sent) * 95 // 100] if sent else 0.0
    return [len(cases), len(sent), *(f"{share:.1%}" for share in shares), f"{seconds:.2f}"]


def examine_repository(repo: str, options: argparse.Namespace) -> list[Case]:
    cache = cache_root()
    recipe = find_recipe(repo)
    backend = choose_backend(options.sandbox, cache).backend
    opened = open_original_or_proved_variant(
        recipe, checkout_source(recipe, choose_mirror_folder(None), cache), options.variant, cache
    )
    source = opened.tree
    image = build_image(recipe, source, backend, None, cache)
    folder = cache / "indexes" / source.root.name
    build_index(source.root, folder)
    index = open_index(folder, source.root)
    rows = select_rows(load_rows(options.data), repos=[repo], limit=options.limit)
    rows = list(opened.rename_rows_for_tree(rows))
    tasks = [make_task_from_row(row, source.root) for row in rows]
    tasks += draw_other_functions(index, image, tasks, options.others)
    ids = {row.id for row in rows}
    cases: list[Case] = []
    for task in tasks:
        view = index.hide(task.target, "strict")
        lookup = DeclarationLookup(view, task.target)
        known = find_known_names(index, task)
        try:
            checking = SessionCompiler(image, backend, task.target.path, task.target.span)
        except RecipeError as error:
            if task.id in ids:
                log.info(f"{task.id} left out: {error}")
            continue
        with checking as compiler:
            cpp = task.target.language == "cpp"
            name = unqualified_name(task.target.name)
            made = chain(
                make_breaks(task.gold, name, known, SEED, cpp=cpp),
                make_inventions(task.gold, name, known, lambda n: bool(index.entries_named(n)), SEED, cpp=cpp),
            )
            for broken in made:
                if options.way is None or broken.way in INVENTED:
                    cases.append(examine_break(task, broken, compiler, lookup))
    return cases


def draw_other_functions(index: RepoIndex, image: Image, own: Sequence[Task], count: int) -> list[Task]:
    """Functions of units that the build compiles, as tasks: one a file, none of a task's own file."""
    units = {path for step in image.graph.steps if step.kind == "compile" for path in step.sources}
    paths = sorted(path for path in units if not path.startswith("/") and "test" not in path.lower())
    random.Random(SEED).shuffle(paths)
    like = own[0]
    taken = {task.target.path for task in own}
    found: list[Task] = []
    for path in paths:
        functions = [
            entry
            for entry in index.entries_in_file(path)
            if entry.symbol.kind is SymbolKind.FUNCTION and 7 <= entry.symbol.span.last - entry.symbol.span.first < 60
        ]
        if len(found) == count or path in taken or not functions:
            continue
        symbol = random.Random(f"{SEED} {path}").choice(functions).symbol
        lines = index.read_file(path).decode("utf-8", "surrogateescape").splitlines(keepends=True)
        gold = "".join(lines[symbol.span.first - 1 : symbol.span.last])
        target = make_target(symbol, like.target.repo)
        found.append(replace(like, id=f"{path}:{symbol.span.first}", target=target, gold=gold))
    return found


def find_known_names(index: RepoIndex, task: Task) -> Known:
    names = set(re.findall(r"[A-Za-z_]\w*", task.gold))
    kinds = {name: {entry.symbol.kind for entry in index.entries_named(name)} for name in names}
    functions = {SymbolKind.FUNCTION, SymbolKind.PROTOTYPE}
    symbols = [entry.symbol for entry in index.entries_in_file(task.target.path)]
    near = {symbol.name for symbol in symbols if symbol.kind is SymbolKind.TYPE}
    return Known(
        functions={name for name, found in kinds.items() if found & functions},
        macros={name for name, found in kinds.items() if found & {SymbolKind.MACRO, SymbolKind.ENUMERATOR}},
        types=tuple(sorted({name for name, found in kinds.items() if SymbolKind.TYPE in found} | near)),
        variables={name for name, found in kinds.items() if SymbolKind.GLOBAL in found},
        fields={name for name, found in kinds.items() if SymbolKind.FIELD in found},
    )


def examine_break(task: Task, broken: Break, compiler: SessionCompiler, lookup: DeclarationLookup) -> Case:
    diagnostics = tuple(compiler.check(broken.code))
    entry = Round(NO_RESPONSE, Candidate(broken.code), diagnostics)
    sent = not has_compiled_cleanly_or_twice([entry])
    relevant = select_first_errors_and_bug_warnings(diagnostics) if sent else ()
    start = time.process_time()
    declared = lookup.explain(broken.code, diagnostics) if sent else ()
    lookup_s = time.process_time() - start
    by_compiler, by_lookup = (is_symbol_named(broken, relevant, shown) for shown in ((), declared))
    return Case(task.target.repo, broken, sent, by_compiler, by_lookup, lookup_s)


def is_symbol_named(broken: Break, relevant: Sequence[Diagnostic], declared: Sequence[Declaration]) -> bool:
    # An operator's name ends in a sign, and no word boundary follows.
    word = re.compile(rf"(?<!\w){re.escape(broken.symbol)}(?!\w)")
    texts = [*(message.message for message in relevant), *(f"{item.reason}: {item.text}" for item in declared)]
    if broken.way == "missing brace":
        places = {broken.line, find_line_before(broken)}
        return any("is missing" in found.message and found.in_candidate and found.line in places for found in relevant)
    if broken.way == "missing return":
        ends = any("reaches end" in found.message or found.option == "-Wreturn-type" for found in relevant)
        return ends and any(word.search(item.text) for item in declared)
    if broken.way in INVENTED:
        return any(has_declaration(item.text, broken.symbol) for item in declared)
    if broken.way == "missing argument":
        return any(re.search(rf"\b{re.escape(broken.symbol)}\s*\(\s*\w", item.text) for item in declared)
    return any(word.search(text) for text in texts)


def has_declaration(text: str, symbol: str) -> bool:
    """Whether a line declares the symbol: a word among its parameters doesn't count."""
    name = re.escape(symbol)
    own = re.compile(rf"(?<!\w){name}\s*(?:[(;,=\[:]|$)|\(\s*\*?\s*{name}\s*\)\s*\(|#\s*define\s+{name}\b")
    for line in text.splitlines():
        line = re.sub(r"\s*/\* .*?:\d+ \*/$", "", line)
        if own.search(line) and own.search(re.sub(r"(?<=[\w)])\s*\((?!\s*\*)[^()]*[\s*&,][^()*]*\)", "(", line)):
            return True
    return False


def find_line_before(broken: Break) -> int:
    """The last line with text before the one that the bracket stood in alone: there it is missing, too."""
    lines = broken.code.splitlines()
    at = broken.line - 1
    while at > 0 and not lines[at].strip():
        at -= 1
    return at + 1


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", nargs="+", help="redis, openssl")
    parser.add_argument("--data", default="yabloco", help="the data set of the tasks, as `data` of a run")
    parser.add_argument("--variant", help="the repositories under other names: renamed:style=nonsense,seed=1")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--way", choices=("invented",))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--others", type=int, default=0, help="further functions, drawn by chance")
    return parser.parse_args()


if __name__ == "__main__":
    set_up_stderr_logging()
    sys.exit(main())
