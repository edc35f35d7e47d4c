"""The same repository under other names: a renaming of a whole source tree, made from it by a seed and proved by its
own build and tests.

Floors, each importing only those above it in this list: values; spec; record; naming, rewrite; inventory, outside;
kept, linked; borrowed, expansion, files; follow; make; proof.
"""
