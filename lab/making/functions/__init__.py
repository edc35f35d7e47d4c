"""Which functions become tasks. In: the index and the build. Out: candidates with comment, oracle and level, the best
spread first.

Floors, each importing only those below it: `choose_functions`; `call_agreement`, `function_groups`; `direct_calls`,
`doc_comments`.
"""
