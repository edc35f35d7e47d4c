"""What speaks for a function of being called by the target, over all functions of the repository.

Floors, each importing only those below it:

    gathered    spread     all evidence of one target; votes passed on to neighbours
    meanings               what words of docstrings say of callees, learnt from other trees
                spelling   what two names share letter by letter
    analogy     votes      siblings' callees renamed; functions that vote for their callees
    similarity             how similar each function is to the target
"""
