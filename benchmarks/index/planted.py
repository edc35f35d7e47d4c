"""Whether a copy of a gold can be read anywhere while its task is asked: golds are planted into places of many kinds.

    python -m benchmarks.record benchmarks/records/planted.json -- python -m benchmarks.index.planted

It prints JSON: for each repository and each kind of place how many golds were planted there, and in how many of them
something that a model can get (a file, a symbol, a tool's answer, a prompt; see `shown_texts`) showed a run of the
gold. All golds of a repository are planted into one copy of its tree, each into a file of its own for each kind. A
run is `RUN` tokens that stand nowhere else in the tree; golds that are shorter are left out.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.index.shown_texts import Reading, list_shown_texts
from executor.function.definition import split_definition
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Task
from experiments.consoles import print_line, set_up_stderr_logging
from index.build import build_index
from index.cpp.tokens import remove_comments
from index.repo_index import open_index
from lab.retrieval_eval.run import check_out_repository

RUN = 16
FOLDER = "planted"
# Whether what has to be trained is read too, the arm learned among it: of large trees that takes long.
REPOSITORIES = {"example": True, "redis": True, "bullet3": False, "openssl": False}
TASKS = 40
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")
_NO_TOKENS = re.compile(r"^[ ]*\d+ |\bputs\(\"|\\n\"\);$|\\+[a-z]?|[\"'*/#]|^[-+]", re.MULTILINE)

Place = Callable[[str], str]


def list_places() -> dict[str, tuple[str, Place]]:
    """Each kind of place: its file's suffix, and the text of a file with a body there."""
    return {
        "function": (".cpp", lambda body: f"int planted_copy(int a)\n{body}\n"),
        "behind an attribute macro": (
            ".c",
            lambda body: (
                f"static PLANTED_FMT(1, 2) void say(const char *t, ...);\nstatic COLD(3) int old(int a)\n{body}\n"
            ),
        ),
        "K&R function": (".c", lambda body: f"static char *\nold_copy(a, b)\n    char *a;\n    int b;\n{body}\n"),
        "lambda": (".cpp", lambda body: f"static const auto old_copy = [](int a) -> int {body};\nint after;\n"),
        "macro": (".h", lambda body: f"#define OLD_COPY(a) {_continue_lines(remove_comments(body))}\nint after;\n"),
        "block comment": (
            ".c",
            lambda body: f"int before;\n/* Once:\n{_prefix_lines(remove_comments(body), ' * ')}\n */\n",
        ),
        "line comments": (".cpp", lambda body: f"int before;\n{_prefix_lines(body, '// ')}\nint after;\n"),
        "docstring": (
            ".h",
            lambda body: f"/**\n{_prefix_lines(remove_comments(body), ' * ')}\n */\nint with_text(int a);\n",
        ),
        "strings": (".c", lambda body: f"const char *lesson =\n{_quote_lines(body, '    {}')};\n"),
        "printed lines": (".c", lambda body: f"void teach(void)\n{{\n{_quote_lines(body, '    puts({});')}}}\n"),
        "raw string": (".cpp", lambda body: f'const char *lesson = R"planted({body})planted";\n'),
        "#if 0": (
            ".c",
            lambda body: f"#if 0\nint stale(int a)\n{body.rstrip().removesuffix('}')}\n#endif\nint after;\n",
        ),
        "patch": (
            ".inc",
            lambda body: f"--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,9 @@\n int f(int a)\n{_prefix_lines(body, '+')}\n",
        ),
        "notes": (
            ".inc",
            lambda body: f"How it doesn't work:\n\n{body.strip().removeprefix('{').removesuffix('}')}\n\nAsk us.\n",
        ),
    }


def _prefix_lines(text: str, prefix: str) -> str:
    return "\n".join(prefix + line for line in text.splitlines())


def _continue_lines(text: str) -> str:
    return " \\\n".join(line for line in text.splitlines() if line.strip())


def _quote_lines(text: str, form: str) -> str:
    return "".join(form.format(json.dumps(line + "\n", ensure_ascii=False)) + "\n" for line in text.splitlines())


def plant_golds(root: Path, tasks: Sequence[Task]) -> dict[str, dict[str, str]]:
    """Write a file for each task and kind of place below `root`. Returns the paths by task's id and kind."""
    planted: dict[str, dict[str, str]] = {}
    for task in tasks:
        for number, (kind, (suffix, place)) in enumerate(list_places().items()):
            path = f"{FOLDER}/{task.id}/place_{number}{suffix}"
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(place(cut_body(task)), encoding="utf-8", errors="surrogateescape")
            planted.setdefault(task.id, {})[kind] = path
    return planted


def cut_body(task: Task) -> str:
    """The body of a gold, braces included."""
    definition = split_definition(task.gold)
    return task.gold[task.gold.index("{") :] if definition is None else task.gold[len(definition.header) :]


def list_runs(text: str) -> Iterator[tuple[str, ...]]:
    """The runs of a text's tokens, without what comments, strings, patches and line numbers put between them."""
    found = _TOKEN.findall(_NO_TOKENS.sub(" ", text))
    return (tuple(found[at : at + RUN]) for at in range(len(found) - RUN + 1))


def find_secrets(root: Path, paths: Iterable[str], tasks: Sequence[Task]) -> dict[str, set[tuple[str, ...]]]:
    """For each task's id the runs of its body that stand nowhere else in the files `paths`."""
    own = {task.id: Counter(list_runs(remove_comments(cut_body(task)))) for task in tasks}
    asked = {run for runs in own.values() for run in runs}
    there: Counter[tuple[str, ...]] = Counter()
    for path in paths:
        text = remove_comments((root / path).read_text(encoding="utf-8", errors="replace"))
        there.update(run for run in list_runs(text) if run in asked)
    return {number: {run for run in runs if there[run] <= runs[run]} for number, runs in own.items()}


def find_shown_places(
    reading: Reading, task: Task, planted: Mapping[str, str], secret: set[tuple[str, ...]]
) -> list[tuple[str, str]]:
    """(kind of place, what showed it) of all that shows a run of a task's gold. A prompt or an answer that isn't about
    one planted file has the kind ""."""
    kinds = {path: kind for kind, path in planted.items()}
    words = sorted({word for run in secret for word in run if len(word) > 5})[:5]
    shown = list_shown_texts(reading, task.target, list(kinds), words)
    return [
        (next((kind for path, kind in kinds.items() if path in where), ""), where)
        for where, text in shown
        if not secret.isdisjoint(list_runs(text))
    ]


def try_repository(repo: str, most: int = TASKS, *, trained: bool = True) -> dict[str, Any]:
    """What of the first `most` golds of a repository could be read; see `Reading` for `trained`."""
    source = check_out_repository(repo, None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        shutil.copytree(source, root, symlinks=True)
        rows = load_rows("example" if repo == "example" else "yabloco")
        bound = [make_task_from_row(row, root) for row in rows if row.repository == repo]
        tasks = [task for task in bound if any(list_runs(remove_comments(cut_body(task))))][:most]
        planted = plant_golds(root, tasks)
        build_index(root, Path(folder, "index"))
        index = open_index(Path(folder, "index"), root)
        own = [file.path for file in index.source_files if not file.path.startswith(FOLDER)]
        secrets = find_secrets(root, own, tasks)
        reading = Reading(index, tuple(task.target for task in tasks), trained)
        found = {task.id: find_shown_places(reading, task, planted[task.id], secrets[task.id]) for task in tasks}
        index.close()
    kinds: dict[str, int] = dict.fromkeys((*list_places(), ""), 0)
    for shown in found.values():
        for kind in {kind for kind, _ in shown}:
            kinds[kind] += 1
    return {
        "repo": repo,
        "arms": reading.arms,
        "tasks": len(tasks),
        "with_secret": sum(map(bool, secrets.values())),
        "shown": kinds,
        "where": {number: shown[:5] for number, shown in found.items() if shown},
    }


def main() -> int:
    set_up_stderr_logging()
    found = [try_repository(repo, trained=trained) for repo, trained in REPOSITORIES.items()]
    print_line(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
