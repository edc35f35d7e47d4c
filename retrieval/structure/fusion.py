"""The weights of the fixed fusions, each with its reason.

They were fitted once (a softmax over each function's candidates, on functions of twelve repositories that no
benchmark asks about), thinned out to those that count, and moved weight by weight in steps of 0.1 while that helped
on the development split of redis and bullet3 (docs/decisions/retrieval.md). Signals lie in 0..1 but for `called`, a
logarithm: see `signals`.
"""

from __future__ import annotations

from typing import NamedTuple


class Weight(NamedTuple):
    """`says` is what a hit's reason tells when this signal says most for it; the comment beside it says why the
    weight is what it is."""

    signal: str
    value: float
    says: str


TEXT = "text_part"
"""The signal that text search gives: see `structural.with_text`."""

STRUCTURAL = (
    # The sum by which candidates were chosen holds a little of everything, place and includes too.
    Weight("pool_part", 1.2, "many signs speak for it, none loudly"),
    # A static function that nothing visible calls is called by something hidden: rare, and nearly sure.
    Weight("orphan", 1.3, "static in this file, and nothing else that is visible calls it"),
    # `dictAdd` calls `dictAddRaw`: the plainest tie that two functions have.
    Weight("name_cosine", 1.1, "its name has the target's words"),
    # What a caller of the target calls besides is the same job's next step; its callees are the job's tools.
    Weight("cousins", 1.5, "what the target's callers call besides calls it"),
    # The nearest caller in the file counts, not how many there are: files are long, jobs are short.
    Weight("near_best", 1.4, "a function right beside the target calls it"),
    Weight("scope_share", 1.0, "methods of the same class call it"),
    # Votes of like functions, once by all of a hundred, once by the best: each corrects the other.
    Weight("more_alike_part", 0.9, "functions like the target call it"),
    Weight("alike_best", 0.5, "the function most like the target calls it"),
    Weight("alike_part", 0.3, "functions like the target call it"),
    # A first or last word in common within the file: `clusterLoad`, `clusterSave`.
    Weight("file_words", 1.3, "functions of this file with the same first or last word call it"),
    Weight("first_word_votes", 0.3, "functions whose name begins alike call it"),
    # Each word of the name has its own callees: `free` in `clientFree`, `client` in it too.
    Weight("by_name_words_part", 0.8, "functions with a word of the target's name call it"),
    # What the whole folder calls is called by this function too, but then the votes above have counted it already.
    Weight("folder_share", -0.8, ""),
    # A comment that names a function mostly does so because the body calls it, or is like it.
    Weight("mentioned", 1.0, "the docstring names it"),
    # Methods of what is at hand: parameters and results, the own class, its bases, their fields.
    Weight("of_types", 1.2, "a method of a type in the signature"),
    Weight("own", 1.1, "of the same class or namespace"),
    Weight("of_fields", 0.2, "a method of a field's type"),
    Weight("inherited", 0.8, "of a base class"),
    # What it wants must be at hand, and a wrapper returns what it got.
    Weight("kinds_covered", 0.5, "it takes what the target has"),
    Weight("same_result", 0.5, "it returns what the target returns"),
    Weight("types_part", 0.3, "functions with the target's types call it"),
    # Everybody's tools; a logarithm, so that the allocator doesn't beat all.
    Weight("called", 0.1, "it is called often"),
    # Who calls the target is hardly called by it.
    Weight("calls_target", -0.7, ""),
    # A definition is more surely the repository's own than a mere declaration, and the near part of a tree nearer.
    Weight("defined", 0.2, "it is defined here"),
    Weight("in_area", 0.2, "it stands in the same part of the tree"),
)

HYBRID = (
    *STRUCTURAL,
    # Functions with a like comment do a like thing, whatever they are called.
    Weight("docs", 2.1, "functions with a like docstring call it"),
    # The comment says in words what the callee says in its name.
    Weight("in_doc_covered", 0.6, "the docstring holds its name's words"),
    Weight("in_all_covered", 0.2, "docstring and parameters hold its name's words"),
    # What the callee's own signature and comment say in the target's words; rare words count for more, which the
    # shares above don't ask for. Of 0.3 to 3 the best on 1,200 functions of redis, bullet3 and openssl.
    Weight(TEXT, 2.0, "its name, signature or docstring has the target's words"),
)
