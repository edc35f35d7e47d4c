"""Warm images in a store that machines share: a folder or any URL that fsspec can write.

Floors, each importing only those below it: `images` (publish, fetch, verify), `image_budget` (how much of a disk
fetched images may take) and `store_place` (the store itself), `archive` (a tree as one file), `machine` (what tells
machines apart)."""
