"""The red team: a library of bodies that want to pass without doing the work, played the way a candidate goes.

Files, each importing only those after it: play -> compose -> library; record stands for itself.
"""
