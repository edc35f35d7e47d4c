"""A copy of a tree under other names, for an index alone: nothing is built, so nothing has to compile.

The parts are those of `lab/variants`: the identifiers that the tree's own files define, new ones for them word
part by word part, and the replacement token by token, in comments where a word reads as a name. What a variant asks of
a build is left out: which names come from outside, and what a preprocessor makes of them. So a name that the tree
defines and the system has too is renamed everywhere. The map is injective and line for line: the copy's functions and
calls are the tree's.
"""

from __future__ import annotations

from pathlib import Path

from executor.manifest.variant.renamed_text import rename_source
from executor.manifest.variant.spec import make_variant_spec
from index.repo_index import RepoIndex
from index.source_text import decode_source
from lab.variants.external_names import ExternalNames
from lab.variants.fixed_names import KEYWORDS, find_fixed_names
from lab.variants.identifier_inventory import take_inventory
from lab.variants.new_names import make_new_names

SEED = "1"


def write_renamed(root: Path, index: RepoIndex, style: str, copy: Path) -> int:
    """Write the tree's sources to `copy` under names of this style; how many names are new. Raises ConfigError for an
    unknown style."""
    spec = make_variant_spec(style, SEED)
    inventory = take_inventory(root, index, (), spec.locals)
    nothing = ExternalNames(frozenset(), frozenset(), frozenset(), {})
    kept = find_fixed_names(root, inventory, nothing, {})
    made = make_new_names(inventory.defined.keys() | inventory.fragments, inventory.words | KEYWORDS, spec)
    names = {name: new for name, new in made.items() if name not in kept and name != new}
    for path in inventory.files:
        place = copy / path
        place.parent.mkdir(parents=True, exist_ok=True)
        text = rename_source(path, decode_source((root / path).read_bytes()), names)
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
    return len(names)
