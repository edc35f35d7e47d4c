"""What the ranker's training set is made of and read by; the rule is docs/decisions/training-set.md.

Floors, each importing only those below it:

    tree_files        one tree's files of the set, its copy under other names too
    set_arrays        the set as arrays, for a trainer
    candidate_rows    functions of a tree, and their candidates with all signals, as Parquet
    renamed_trees     a copy of a tree under other names
    package_archives  a package's upstream archive, and what its tree is like
    set_record        which trees were taken and passed over
    package_lot       which packages may be drawn, in which order, and who is taken
"""
