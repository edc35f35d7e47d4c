"""How well retrievers find what a hidden body calls. In: a request (`graft index eval`). Out: an evaluation.

Floors, each importing only those below it:

    run                                    sources, indexes, targets -> an evaluation
    variant_comparison                     two evaluations side by side: a repository and its variant
    report               callee_ranks      one model as JSON and tables; every callee's ranks and distance
    written_drafts       variant_targets   what models wrote first, as rows; the same targets in a variant
    evaluation                             every retriever on every target
    controls             things_used       baselines that are no retrievers; what else a body uses
    targets                                the benchmark's targets, or functions drawn by its rules
    true_callees         figures           the true callees; figures from ranks
"""
