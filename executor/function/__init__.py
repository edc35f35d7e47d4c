"""The text of one function.

Takes in a definition and its place in a file; hands out its parts, the file with another text in its place, stubs,
mutants, and texts that stop working after a number of calls.

Floors, each importing only those below it: `sabotage`; `mutants`, `call_limited_text`; `stub`, `header_function`,
`brackets`; `definition`, `odd_spelling`; and by themselves `leading_includes`, `splice`.
"""
