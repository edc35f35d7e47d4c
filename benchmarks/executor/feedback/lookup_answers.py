"""Does a compiler's message, with what the index adds to it, name the symbol that was meant?

    python -m benchmarks.executor.feedback.lookup_answers redis openssl
    python -m benchmarks.executor.feedback.lookup_answers bullet3 --others 40        # functions drawn by chance, too
    python -m benchmarks.executor.feedback.lookup_answers redis --variant renamed    # in a renamed tree

In the repository's own functions (the tasks' golds) a name is replaced, wherever it stands, by a general word that is
unlike it (invented_names.py), once in each of six ways by seed. The draft is compiled in its place with its unit's
exact flags; `--others` adds functions of 8 to 60 lines that the build compiles, drawn by the same seed. Printed: how
many breaks the loop would send back (an error, or a warning that is worth a round), and in how many of these the
look-up shows a declaration of the true symbol; a parameter of its name doesn't count. CPU-s are those of a look-up in
this process. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from agent.explain.declarations import DeclarationLookup
from agent.explain.feedback import is_last_draft_good_enough
from agent.values import Candidate, ModelResponse, Round
from benchmarks.executor.feedback.invented_names import Break, Known, make_inventions
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
from experiments.run.variant_source import open_original_or_variant
from index.build import build_index
from index.cpp.declarators import unqualified_name
from index.errors import RecipeError
from index.repo_index import RepoIndex, open_index
from index.values import SymbolKind

log = logging.getLogger(__name__)

HEAD = ("repository", "names", "breaks", "sent back", "with the look-up", "CPU-s, 95 %")
NO_RESPONSE = ModelResponse("", "", "", 0, 0, None, "", 0.0)
SEED = 5


class Case(NamedTuple):
    """Whether the loop would send a break back, whether the look-up then shows the true symbol, and its CPU-s."""

    sent: bool
    named: bool
    lookup_s: float


def main() -> None:
    options = parse_options()
    rows = [
        [repo, options.variant or "its own", *describe_cases(examine_repository(repo, options))]
        for repo in options.repo
    ]
    print_line(render_cells(HEAD, rows, left=2))


def describe_cases(cases: Sequence[Case]) -> list[str]:
    sent = [case for case in cases if case.sent]
    share = sum(case.named for case in sent) / max(1, len(sent))
    seconds = sorted(case.lookup_s for case in sent)[len(sent) * 95 // 100] if sent else 0.0
    return [str(len(cases)), str(len(sent)), f"{share:.1%}", f"{seconds:.2f}"]


def examine_repository(repo: str, options: argparse.Namespace) -> list[Case]:
    cache = cache_root()
    recipe = find_recipe(repo)
    backend = choose_backend(options.sandbox, cache).backend
    opened = open_original_or_variant(
        recipe, checkout_source(recipe, choose_mirror_folder(None), cache), options.variant, cache
    )
    source = opened.tree
    image = build_image(recipe, source, backend, None, cache)
    folder = cache / "indexes" / source.root.name
    build_index(source.root, folder)
    index = open_index(folder, source.root)
    rows = select_rows(load_rows(options.data), repos=[repo], limit=options.limit)
    rows = list(opened.rename_rows(rows))
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
            made = make_inventions(task.gold, name, known, lambda n: bool(index.entries_named(n)), SEED, cpp=cpp)
            cases += [examine_break(broken, compiler, lookup) for broken in made]
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
        entry = random.Random(f"{SEED} {path}").choice(functions)
        symbol = entry.symbol
        lines = index.read_file(path).decode("utf-8", "surrogateescape").splitlines(keepends=True)
        gold = "".join(lines[symbol.span.first - 1 : symbol.span.last])
        target = replace(
            like.target,
            path=path,
            span=symbol.span,
            name=symbol.qualified_name,
            signature=symbol.signature,
            docstring=symbol.docstring,
            language=symbol.language,
        )
        found.append(replace(like, id=f"{path}:{symbol.span.first}", target=target, gold=gold))
    return found


def find_known_names(index: RepoIndex, task: Task) -> Known:
    names = set(re.findall(r"[A-Za-z_]\w*", task.gold))
    kinds = {name: {entry.symbol.kind for entry in index.entries_named(name)} for name in names}

    def select_names(*wanted: SymbolKind) -> set[str]:
        return {name for name, found in kinds.items() if found & {*wanted}}

    return Known(
        functions=select_names(SymbolKind.FUNCTION, SymbolKind.PROTOTYPE),
        macros=select_names(SymbolKind.MACRO, SymbolKind.ENUMERATOR),
        variables=select_names(SymbolKind.GLOBAL),
        fields=select_names(SymbolKind.FIELD),
    )


def examine_break(broken: Break, compiler: SessionCompiler, lookup: DeclarationLookup) -> Case:
    diagnostics = tuple(compiler.check(broken.code))
    if is_last_draft_good_enough([Round(NO_RESPONSE, Candidate(broken.code), diagnostics)]):
        return Case(False, False, 0.0)
    start = time.process_time()
    declared = lookup.explain(broken.code, diagnostics)
    lookup_s = time.process_time() - start
    return Case(True, any(has_declaration(item.text, broken.symbol) for item in declared), lookup_s)


def has_declaration(text: str, symbol: str) -> bool:
    """Whether a line declares the symbol: a word among its parameters doesn't count."""
    name = re.escape(symbol)
    own = re.compile(rf"(?<!\w){name}\s*(?:[(;,=\[:]|$)|\(\s*\*?\s*{name}\s*\)\s*\(|#\s*define\s+{name}\b")
    for line in text.splitlines():
        line = re.sub(r"\s*/\* .*?:\d+ \*/$", "", line)
        if own.search(line) and own.search(re.sub(r"(?<=[\w)])\s*\((?!\s*\*)[^()]*[\s*&,][^()*]*\)", "(", line)):
            return True
    return False


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", nargs="+", help="redis, openssl")
    parser.add_argument("--data", default="yabloco", help="the data set of the tasks, as `data` of a run")
    parser.add_argument("--variant", help="the repositories under other names: renamed:style=nonsense,seed=1")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--others", type=int, default=0, help="further functions, drawn by chance")
    return parser.parse_args()


if __name__ == "__main__":
    set_up_stderr_logging()
    main()
