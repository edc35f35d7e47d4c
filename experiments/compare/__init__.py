"""Arms, models and runs against each other, task by task.

Imports run down this list of floors:

- `study`: a file that describes several runs, the runs, then both tables
- `comparison_document`: a comparison as a document, and in files
- `memory`: the memory index: a run on the original against runs under other names
- `pairs`: the samples of two sides become a difference with its interval and p, at equal cost too
- `leaderboard`: all sides in one table, the best first, at prices that a file may give
- `sides`: what is compared, read from run folders
"""
