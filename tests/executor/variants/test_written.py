"""Prevents: a name that a script writes into a header and that is renamed all the same, because a list of symbols,
which is renamed along, has it too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from executor.variants.inventory import take_inventory
from executor.variants.kept import written_names
from executor.variants.outside import Outside
from index.build import build_index
from index.repo_index import open_index

NOTHING = Outside(frozenset(), frozenset(), frozenset(), {})


def test_a_script_s_name_stays_though_followed_data_has_it(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "stack.c").write_text("int lib_stack_num(void) { return 1; }\nint lib_free(void) { return 2; }\n")
    (root / "lib.num").write_text("lib_stack_num 1\nlib_free 2\n")
    (root / "stackhash.pl").write_text('print "#define sk_CAT_num() lib_stack_num()\\n";\n')
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    inventory = take_inventory(root, index, (), False)
    index.close()
    made = replace(NOTHING, made={"cat.h": frozenset({"lib_stack_num", "lib_free", "sk_CAT_num"})})
    found = written_names(root, inventory, made, (), ("*.num",))
    assert set(found) == {"lib_stack_num", "sk_CAT_num"}
    assert found["lib_stack_num"] == "the build writes it into cat.h"
