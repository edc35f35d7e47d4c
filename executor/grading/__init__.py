"""Test output becomes a verdict, and verdicts become scores.

Takes in what was observed of a candidate and what passes on the unmodified source; hands out the `Verdict` with its
flags, and over many verdicts pass rates with their intervals and paired tests. Runs nothing and reads no sandbox.

Floors, each importing only those below it: `grade`, `paired_tests`; `flags` (what a person should look at), `metrics`;
`code_words` (what a text calls and defines); `library_functions`, `token_patterns`; and by themselves
`differential`, `exact_match`, `official`, `recitation`, `logs`.
"""
