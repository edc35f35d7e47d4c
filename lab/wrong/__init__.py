"""Wrong bodies: plausible, compiling and wrong by the function's own contract. How many of them pass a task's tests is
what a pass is worth.

Floors, each importing only those above it in this list: figures, library; rules, compiling, trials; judge, plus;
choose.
"""
