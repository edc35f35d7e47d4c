"""Prevents: a variant that can't be built over one name that the build file holds; one whose tests are called
otherwise and count as others; and a build that is repeated for ever, or whose log is lost, when nothing is left to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from executor.manifest.variant.record import digest_maps
from executor.manifest.variant.renamed_tree import write_variant_tree
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.images import Image, build_image
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, checkout_source
from executor.sandbox.choose import open_backend
from index.errors import RecipeError
from lab.variants.proof.build_repair import Remake, build_variant

NAMES = {"add": "golp", "twice": "brin", "check": "vusk", "failed": "trud"}


def _original(recipe: Recipe, tmp_path: Path) -> tuple[Image, SourceTree]:
    source = checkout_source(recipe, None, tmp_path / "cache")
    return build_image(recipe, source, open_backend("process", tmp_path / "cache"), None, tmp_path / "cache"), source


def _remake(recipe: Recipe, source: SourceTree, cache: Path, names: Mapping[str, str], made: list[object]) -> Remake:
    def remake(keep: Mapping[str, str]) -> tuple[VariantRecord, SourceTree]:
        left = {name: new for name, new in names.items() if name not in keep}
        record = VariantRecord(
            "tiny", VariantSpec(), "", source.root.name, left, dict(keep), {}, digest_maps(left, {})
        )
        made.append(dict(keep))
        return record, write_variant_tree(recipe, source, record, cache)

    return remake


def test_a_name_of_the_build_file_and_a_name_that_is_printed_stay(tiny_recipe: Recipe, tmp_path: Path) -> None:
    tree, cache = tmp_path / "tree", tmp_path / "cache"
    makefile = (tree / "Makefile").read_text().replace("-Wall", "-Wall -DTWO=2 -DTHREE=3")
    (tree / "Makefile").write_text(makefile)
    (tree / "calc.c").write_text("int add(int a, int b)\n{\n    return a + b;\n}\nint twice(int a)\n{\n"
                                 "    return TWO * a;\n}\nint thrice(int a) { return THREE * a; }\n")  # fmt: skip
    test = (tree / "test.c").read_text().replace("int main(", "#define DO(call) check(#call, call())\n"
        "static int adds_well(void) { return add(1, 1) == 2; }\nint main(")  # fmt: skip
    (tree / "test.c").write_text(test.replace('    check("adds", ', '    DO(adds_well);\n    check("adds", '))
    image, source = _original(tiny_recipe, tmp_path)
    names = {**NAMES, "TWO": "MOX", "THREE": "ZUB", "adds_well": "zuks_nirl", "thrice": "wopp"}
    made: list[object] = []
    kept: list[Mapping[str, str]] = []
    built = build_variant(
        image,
        open_backend("process", cache),
        cache,
        _remake(tiny_recipe, source, cache, names, made),
        {},
        cache / "variant",
        lambda mended: kept.append(dict(mended)),
    )
    assert set(built.mended) == {"TWO", "THREE", "adds_well"}
    assert built.mended["TWO"].startswith("build: ")
    assert built.mended["adds_well"] == "suite unit printed: [ok]: zuks_nirl"
    assert (built.comparison.equal, dict(built.comparison.problems)) == (2, {})
    assert set(built.record.names) == {"add", "twice", "check", "failed", "thrice"}
    # Both names of the build file were found at once, and what was found is kept before it is used.
    assert [set(names) for names in kept] == [{"TWO", "THREE"}, {"TWO", "THREE", "adds_well"}]
    # Trees and images of the failed rounds are gone.
    trees = [path.name for path in (cache / "sources").iterdir() if path.is_dir()]
    assert sorted(trees) == sorted([source.root.name, built.image.source_root.name])
    assert len(open_backend("process", cache).images()) == 2
    # A later call takes up what is known, and builds nothing.
    again = build_variant(
        image, open_backend("process", cache), cache, _remake(tiny_recipe, source, cache, names, made), built.mended,
        cache / "variant",
    )  # fmt: skip
    assert (again.image.key, again.rounds) == (built.image.key, 1)


def test_a_build_that_shows_no_name_ends_with_its_log(tiny_recipe: Recipe, tmp_path: Path) -> None:
    tree, cache = tmp_path / "tree", tmp_path / "cache"
    (tree / "Makefile").write_text("all: grep\n\tcc -o build/test test.c calc.c\ngrep:\n\tmkdir -p build\n"
                                   "\t@grep -q 'twice(int' calc.c || exit 4\n")  # fmt: skip
    image, source = _original(tiny_recipe, tmp_path)
    with pytest.raises(RecipeError, match=r"no name of the map is in it, see \S+build-1.log") as caught:
        build_variant(
            image, open_backend("process", cache), cache, _remake(tiny_recipe, source, cache, NAMES, []), {},
            cache / "variant",
        )  # fmt: skip
    assert "make" in Path(str(caught.value).rpartition("see ")[2]).read_text()


def test_a_map_that_no_mending_changes_ends_it(tiny_recipe: Recipe, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    image, source = _original(tiny_recipe, tmp_path)
    remake = _remake(tiny_recipe, source, cache, {**NAMES, "main": "frob"}, [])
    with pytest.raises(RecipeError, match="tiny: keeping main changes nothing in the map"):
        build_variant(image, open_backend("process", cache), cache, lambda keep: remake({}), {}, cache / "variant")


def test_a_suite_that_fails_twice_ends_it(tiny_recipe: Recipe, tmp_path: Path) -> None:
    """A test that reads its own program's symbols: nothing that it prints tells which name it misses."""
    tree, cache = tmp_path / "tree", tmp_path / "cache"
    test = (tree / "test.c").read_text()
    (tree / "test.c").write_text(test.replace("int failed", "int failed, x").replace(
        'check("adds_zero", add(7, 0) == 7)', 'check("adds_zero", !system("nm build/test | grep -q twice"))'
    ).replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>"))  # fmt: skip
    image, source = _original(tiny_recipe, tmp_path)
    with pytest.raises(RecipeError, match="suite unit on the renamed tree: 'adds_zero' failed"):
        build_variant(
            image, open_backend("process", cache), cache, _remake(tiny_recipe, source, cache, NAMES, []), {},
            cache / "variant",
        )  # fmt: skip
