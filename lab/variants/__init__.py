"""The same repository under other names. In: a recipe, its warm image, a style and a seed. Out: a map of names, the
renamed tree, and a proof that it builds and that its tests do what the original's did.

Floors, each importing only those below it: `commands`; `proof`; `name_map`; `map_repair`, `movable_files`;
`macro_expansion`; `fixed_names`, `linker_symbols`; `external_names`, `identifier_inventory`; `new_names`.
"""
