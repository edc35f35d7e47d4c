"""graft retrieval-eval: where retrievers put the callees of bodies that are hidden from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from experiments.consoles import say, stderr, stdout
from experiments.progress import ConsoleProgress
from index.errors import ConfigError
from index.values import Masking


def retrieval_eval(
    repos: Annotated[str, typer.Option(help="repositories of the data set, comma-separated; empty: all")] = "",
    tasks: Annotated[
        str, typer.Option(help="data set: yabloco, example, or a path (docs/reference/tasks.md)")
    ] = "yabloco",
    retrievers: Annotated[
        str, typer.Option(help="comma-separated; with the controls random, popularity, body, lookup")
    ] = "bm25,lexical",
    masking: Annotated[str, typer.Option(help="strict hides clones of the target, realistic keeps them")] = "strict",
    split: Annotated[
        str, typer.Option(help="benchmark: the data set's targets; dev: others, drawn by the same rules")
    ] = "benchmark",
    truth: Annotated[
        str, typer.Option(help="true callees by the data set's lists (benchmark) or our call graph (graph)")
    ] = "benchmark",
    tree: Annotated[
        list[Path] | None,
        typer.Option(help="a plain source tree; its targets are drawn as in split dev; repeatable"),
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="NAME=DIR", help="where a repository of the data set lies")
    ] = None,
    mirror: Annotated[
        Path | None, typer.Option(help="folder with the repositories' sources; else GRAFT_MIRROR")
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="sentence-transformers model of `dense`, name or path")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="at most this many targets per repository")] = None,
    contexts: Annotated[bool, typer.Option(help="pack and score contexts too")] = True,
    ranks: Annotated[Path | None, typer.Option(help="write every callee's ranks there, as JSON lines")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON value on stdout")] = False,
) -> None:
    """Recall of the true callees per retriever, the targets hidden; the gold is used to score alone."""
    from experiments.retrieval_eval.callees import Definition
    from experiments.retrieval_eval.evaluate import known_names
    from experiments.retrieval_eval.ranks import CUT, by_distance, ranked, write_ranks
    from experiments.retrieval_eval.report import print_evaluation, to_json
    from experiments.retrieval_eval.run import Request, Split, run_evaluation

    request = Request(
        dataset=tasks,
        repos=_words(repos),
        trees=tuple(tree or ()),
        sources=tuple(_source(one) for one in source or ()),
        names=known_names(_words(retrievers)),
        masking=_one_of("--masking", masking, get_args(Masking)),
        split="dev" if tree else _one_of("--split", split, get_args(Split)),
        definition=_one_of("--truth", truth, get_args(Definition)),
        mirror=mirror,
        encoder=encoder,
        limit=limit,
        contexts=contexts,
    )
    evaluation = run_evaluation(request, ConsoleProgress(stderr()))
    rows = list(ranked(evaluation.repos, evaluation.scored, request.masking))
    if ranks is not None:
        write_ranks(ranks, rows)
    if as_json:
        say(json.dumps(to_json(evaluation), indent=1))
    else:
        print_evaluation(stdout(), evaluation)
        for distance, callees, shares in by_distance(rows):
            told = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
            say(f"recall@{CUT} of the {callees} callees in {distance}: {told}")


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _one_of(option: str, value: str, known: tuple[str, ...]) -> Any:
    if value not in known:
        from index.strict import did_you_mean

        raise ConfigError(f"{option}: unknown {value!r}{did_you_mean(value, known)} (known: {', '.join(known)})")
    return value


def _source(text: str) -> tuple[str, Path]:
    name, sign, folder = text.partition("=")
    if not sign or not name or not Path(folder).is_dir():
        raise ConfigError(f"--source {text!r}: say NAME=DIR, with a folder that exists")
    return name, Path(folder)
