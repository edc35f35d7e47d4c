"""Evidence about calls. In: a repository's tables and a target's query. Out: for each function what speaks for a call.

Floors, each importing only those below it:

    target_evidence    neighbour_votes    all evidence of one target; votes passed on to neighbours
    word_meanings                         what words mean to each other, learnt from other trees
    renamed_callees    callee_votes       siblings' callees renamed; functions that vote for their callees
    similarity                            how similar each function is to the target
"""
