"""Where a tree's index lies, what is prepared beside it, and what it holds.

In: a source tree, or the folder of an index. Out: a `Place`, an open index, figures of it.

No module imports another, but `cluster_builds` the `Place` of `index_place`:

- `cluster_builds`: indexes that a cluster's nodes build
- `index_place`: an index's folder and its tree
- `derived_parts`: what most readers need first, made with the index
- `stats`: an index in figures
"""
