"""graft variants: the same repositories under other names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import Mirror, Sandbox, Workers, make_options_command_decorator
from experiments.consoles import print_line
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import ConfigError

if TYPE_CHECKING:
    from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec

variants_app = typer.Typer(
    help="Make renamed repositories, which no model knows by heart.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@dataclass(frozen=True, kw_only=True)
class VariantChoice:
    style: Annotated[
        str,
        typer.Option(
            help="nonsense (made-up words), plausible (other English words), swapped (its own words, moved)."
        ),
    ] = "nonsense"
    # Read by us and not by Typer, so that a wrong seed is told as in `variant=`.
    seed: Annotated[str, typer.Option(help="The seed of the new names: a whole number.")] = "1"
    files: Annotated[bool, typer.Option("--files", help="Also rename files.")] = False
    with_locals: Annotated[bool, typer.Option("--locals", help="Also rename parameters and local variables.")] = False
    dataset: Annotated[
        str | None,
        typer.Option(help="The data set with the repository's tasks. Default: that of Graft's which has them."),
    ] = None
    mirror: Mirror = None

    def make_variant_spec(self) -> VariantSpec:
        """Raises ConfigError for a wrong style or seed."""
        from executor.manifest.variant.spec import make_variant_spec

        return make_variant_spec(self.style, self.seed, self.files, self.with_locals)


@dataclass(frozen=True, kw_only=True)
class MakeVariantOptions(VariantChoice):
    repos: Annotated[list[str], typer.Argument(metavar="REPO...", help="Names of recipes: redis, bullet3, ...")]
    golds: Annotated[str, typer.Option(help="How many tasks' golds and stubs to try: all, or a number.")] = "all"
    gold_runs: Annotated[int, typer.Option(min=1, help="How many times each gold must pass.")] = 3
    reruns: Annotated[
        int, typer.Option(min=0, help="How many tasks that the doctor examined on the original to examine again.")
    ] = 20
    workers: Workers = None
    fresh: Annotated[bool, typer.Option(help="Start again: new names and a new proof.")] = False
    sandbox: Sandbox = "auto"


@dataclass(frozen=True, kw_only=True)
class ShowVariantOptions(VariantChoice):
    repo: Annotated[str, typer.Argument(help="The recipe's name.")]
    names: Annotated[bool, typer.Option("--names", help="Print each name with its new name, one pair a line.")] = False


@variants_app.command("make")
@make_options_command_decorator(MakeVariantOptions)
def make_and_prove_variants(options: MakeVariantOptions) -> None:
    """Rename a repository's identifiers and prove the result.

    The renamed tree is built; a name that the build needs is kept. Then every suite must give the original's results,
    golds must pass and stubs must fail. The same command continues where it was stopped."""
    from lab.variants.commands import make_variants
    from lab.variants.proof.variant_proof import Demand

    variants = make_variants(
        options.repos,
        options.make_variant_spec(),
        Demand(_parse_golds_count_or_all(options.golds), options.gold_runs, options.reruns),
        cache_root(),
        ConsoleProgress(),
        dataset=options.dataset,
        sandbox=options.sandbox,
        mirror=options.mirror,
        workers=options.workers,
        fresh=options.fresh,
    )
    good = True
    for record in variants:
        _print_proof(record)
        good &= record.proof is not None and record.proof.has_tried_suites_without_problems
    raise typer.Exit(0 if good else 1)


@variants_app.command("show")
@make_options_command_decorator(ShowVariantOptions)
def show_variant(options: ShowVariantOptions) -> None:
    """Show a variant.

    Says which names it changes, which it keeps and why, and how it was proved."""
    from lab.variants.commands import summarize_renamed_kinds_and_kept_names

    record, kinds, stays = summarize_renamed_kinds_and_kept_names(
        options.repo, options.make_variant_spec(), options.dataset, options.mirror, cache_root()
    )
    if options.names:
        for name, new in (*record.names.items(), *record.paths.items()):
            print_line(f"{name} {new}")
        return
    counts = ", ".join(f"{count} as {kind}" for kind, count in kinds.most_common())
    print_line(f"{len(record.names)} identifiers are renamed ({counts}), {len(record.kept)} stay")
    if record.paths:
        print_line(f"{len(record.paths)} files are renamed")
    if record.renamed_share_of_gold_identifiers is not None:
        print_line(
            f"golds use {record.used} of the repository's identifiers, {record.used_renamed} of them renamed"
            f" ({100 * record.renamed_share_of_gold_identifiers:.1f} %)"
        )
    if stays:
        print_rows_as_wrapped_table(("stays in golds", "because"), list(stays.items()))
    _print_proof(record)
    if record.proof is not None:
        print_rows_as_wrapped_table(("stage", "s"), [(stage, f"{s:.1f}") for stage, s in record.proof.seconds.items()])


@variants_app.command("list")
def list_variants() -> None:
    """List the variants in the cache."""
    from lab.variants.commands import list_variants

    head = ("repository", "style", "seed", "renamed", "strength", "suites", "golds", "stubs", "reruns", "proved")
    if rows := [_make_variant_row(record) for record in list_variants(cache_root())]:
        print_rows_as_wrapped_table(head, rows)


def _make_variant_row(record: VariantRecord) -> tuple[str, ...]:
    spec, proof = record.spec, record.proof
    share = record.renamed_share_of_gold_identifiers
    strength = "-" if share is None else f"{100 * share:.1f} %"
    more = " files" * spec.files + " locals" * spec.locals
    counts = ("-",) * 4 if proof is None else _format_suite_gold_stub_rerun_counts(proof)
    date = proof.date if proof is not None and proof.has_tried_suites_without_problems else "no"
    return (record.repo, spec.style + more, str(spec.seed), str(len(record.names)), strength, *counts, date)


def _format_suite_gold_stub_rerun_counts(proof: Proof) -> tuple[str, str, str, str]:
    return (
        f"{proof.suites}/{proof.suites_tried}",
        f"{proof.golds}/{proof.golds_tried}",
        f"{proof.stubs}/{proof.stubs_tried}",
        f"{proof.reruns}/{proof.reruns_tried}",
    )


def _print_proof(record: VariantRecord) -> None:
    proof = record.proof
    what = f"{record.repo} {record.spec}"
    if proof is None:
        print_line(f"{what}: not proved yet")
        return
    suites, _, stubs, reruns = _format_suite_gold_stub_rerun_counts(proof)
    proved = "proved" if proof.has_tried_suites_without_problems else "NOT proved"
    print_line(
        f"{what}: {proved} in {proof.sandbox} on {proof.date}: {suites} suites"
        f" ({proof.tests} tests) as the original's, {proof.passed_golds_of_tried} golds pass {proof.gold_runs} times,"
        f" {stubs} stubs fail, {reruns} tasks of the doctor's agree, plus tests of {len(proof.plus_tasks)} of"
        f" {proof.plus_tried} tasks hold, built {proof.rounds} times"
    )
    if proof.golds_tried and not proof.stubs_tried:
        print_line(
            f"  no stub was tried: the doctor examined none of these tasks (graft doctor --repos {record.repo} does)"
        )
    for line in proof.problems:
        print_line(f"  {line}")


def _parse_golds_count_or_all(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit()):
        raise ConfigError(f"--golds {text!r} must be all, or a number")
    return int(text)
