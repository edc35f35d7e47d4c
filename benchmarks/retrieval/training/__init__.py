"""What the ranker's training set is made of and read by; the rule is docs/decisions/training-set.md.

Floors, each importing only those below it:

    making      one tree's files of the set, its copy under other names too
    reading     the set as arrays, for a trainer
    rows        functions of a tree, and their candidates with all signals, as Parquet
    renamed     a copy of a tree under other names
    sources     a package's upstream archive, and what its tree is like
    record      which trees were taken and passed over
    lot         which packages may be drawn, in which order, and who is taken
"""
