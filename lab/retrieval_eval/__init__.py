"""How well retrievers find what a hidden body calls. In: a request (`graft index eval`). Out: an evaluation.

Floors, each importing only those below it:

    run                                    sources, indexes, targets -> an evaluation
    variant_comparison                     the same targets in a repository and in its variant, side by side
    report               written_drafts    one model as JSON and tables; what models wrote first, as rows
    evaluation                             every retriever on every target
    controls                               baselines that are no retrievers
    targets                                the benchmark's targets, or functions drawn by its rules
    true_callees         figures           the true callees; figures from ranks
"""
