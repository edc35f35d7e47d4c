"""graft index eval: how well retrievers find the callees of hidden bodies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from experiments.cli.options import (
    Dataset,
    Json,
    Mirror,
    Ray,
    Repos,
    make_options_command_decorator,
    split_comma_list_without_repeats,
)
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from index.errors import ConfigError
from index.values import Masking


@dataclass(frozen=True, kw_only=True)
class EvalOptions:
    repos: Repos = ""
    dataset: Dataset = "yabloco"
    retrievers: Annotated[
        str,
        typer.Option(
            help="Retrievers to compare, separated by commas. Controls: random, popularity, body, lookup, oracle."
        ),
    ] = "bm25,lexical"
    masking: Annotated[
        Masking, typer.Option(help="strict hides the target's twins in the tree, realistic keeps them.")
    ] = "strict"
    split: Annotated[
        Literal["benchmark", "dev"],
        typer.Option(help="benchmark: the data set's targets. dev: other functions, drawn by the same rules."),
    ] = "benchmark"
    truth: Annotated[
        Literal["benchmark", "graph"],
        typer.Option(help="Take the true callees from the data set (benchmark) or from Graft's call graph (graph)."),
    ] = "benchmark"
    tree: Annotated[
        list[Path] | None,
        typer.Option(help="A source tree of your own, with targets drawn as for --split dev. May be repeated."),
    ] = None
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="The folder of a data set's repository. May be repeated."),
    ] = None
    mirror: Mirror = None
    encoder: Annotated[
        str | None, typer.Option(help="A sentence-transformers model for the retriever dense: a name or a path.")
    ] = None
    limit: Annotated[int | None, typer.Option(min=1, help="Use at most this many targets per repository.")] = None
    contexts: Annotated[bool, typer.Option(help="Also pack contexts and score them.")] = True
    drafts: Annotated[
        Path | None,
        typer.Option(
            help="Score too what iterative finds after these drafts (JSON lines: task_id, draft), or what the samples"
            " of a run's folder drafted and looked up."
        ),
    ] = None
    draft_base: Annotated[str, typer.Option(help="The retriever beside a draft, as in a run's configuration.")] = (
        "hybrid"
    )
    variant: Annotated[
        str | None,
        typer.Option(
            help="Compare with a proved variant of each repository: renamed, renamed:seed=2,style=plausible."
        ),
    ] = None
    ray: Ray = None
    as_json: Json = False


@make_options_command_decorator(EvalOptions)
def evaluate_retrievers(options: EvalOptions) -> None:
    """Measure how well retrievers find what a hidden body calls.

    The body is hidden from the retrievers; only the scores are computed from it.
    """
    from executor.workers.ray_workers import open_ray_workers
    from experiments.arms.retrievers import find_retriever
    from lab.retrieval_eval.evaluation import validate_retriever_names
    from lab.retrieval_eval.report import convert_evaluation_to_json, print_evaluation
    from lab.retrieval_eval.run import EvaluationRequest, run_comparison, run_evaluation
    from lab.retrieval_eval.variant_comparison import convert_comparison_to_json, print_comparison

    find_retriever(options.draft_base)
    request = EvaluationRequest(
        dataset=options.dataset,
        repos=split_comma_list_without_repeats(options.repos),
        trees=tuple(options.tree or ()),
        sources=tuple(_parse_named_source(text) for text in options.source or ()),
        names=validate_retriever_names(split_comma_list_without_repeats(options.retrievers)),
        masking=options.masking,
        split="dev" if options.tree else options.split,
        definition=options.truth,
        mirror=options.mirror,
        encoder=options.encoder,
        limit=options.limit,
        contexts=options.contexts,
        drafts=options.drafts,
        draft_base=options.draft_base,
    )
    if options.variant is not None:
        if options.drafts is not None:
            raise ConfigError("--drafts name what the original tree has; leave out --variant")
        if options.ray is not None:
            raise ConfigError("--ray asks no variant; leave out --variant")
        comparison = run_comparison(request, options.variant, ConsoleProgress())
        if options.as_json:
            print_line(json.dumps(convert_comparison_to_json(comparison), indent=1))
        else:
            print_comparison(comparison)
        return
    if options.drafts is not None and options.ray is not None:
        raise ConfigError("--drafts are read and scored on this machine; leave out --ray")
    with open_ray_workers(options.ray) as workers:
        evaluation = run_evaluation(request, ConsoleProgress(), workers)
    if options.as_json:
        print_line(json.dumps(convert_evaluation_to_json(evaluation), indent=1))
    else:
        print_evaluation(evaluation)


def _parse_named_source(text: str) -> tuple[str, Path]:
    name, sign, folder = text.partition("=")
    if not sign or not name or not Path(folder).is_dir():
        raise ConfigError(f"--source {text!r}: give NAME=DIR, with a folder that exists")
    return name, Path(folder)
