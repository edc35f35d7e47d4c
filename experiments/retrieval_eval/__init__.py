"""How well retrievers find what a hidden body calls.

Floors, each importing only those below it:

    run                      sources, indexes, targets -> an evaluation
    report       ranks       one model as JSON and tables; every callee's ranks and distance
    evaluate                 every retriever on every target
    controls     uses        baselines that are no retrievers; what else a body uses
    targets                  the benchmark's targets, or functions drawn by its rules
    callees      score       the true callees; figures from ranks
"""
