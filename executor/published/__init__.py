"""Warm images in a store that machines share: a folder or any URL that fsspec can write.

Takes in an image on one machine and hands out the same image on another, checked file by file; removes fetched images
that nobody uses when the disk's share is full.

Floors, each importing only those below it: `images` (publish, fetch, verify), `image_budget` (how much of a disk
fetched images may take) and `store_place` (the store itself), `archive` (a tree as one file), `machine` (what tells
machines apart).
"""
