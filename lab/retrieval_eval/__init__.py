"""How well retrievers find what a hidden body calls.

Floors, each importing only those below it:

    run                      sources, indexes, targets -> an evaluation
    compare                  two evaluations side by side: a repository and its variant
    report       ranks       one model as JSON and tables; every callee's ranks and distance
    drafts       renamed     what models wrote first, as rows; the same targets and callees in a variant
    evaluate                 every retriever on every target
    controls     uses        baselines that are no retrievers; what else a body uses
    targets                  the benchmark's targets, or functions drawn by its rules
    callees      score       the true callees; figures from ranks
"""
