"""Where a tree's index lies, what is prepared beside it, and what it holds.

In: a source tree, or the folder of an index. Out: a `Place`, an open index, figures of it.

No module imports another, but `index_builds` the `Place` of `index_place`:

- `index_builds`: what most readers need first, made with the index; builds on a cluster's nodes
- `index_place`: an index's folder and its tree
- `stats`: an index in figures
"""
