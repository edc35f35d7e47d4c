"""The composition root: experiments are run, reported and offered on the command line.

Imports run down this list of floors:

- `cli`: the commands; each reads its options and calls one function
- `demo`: a run on the example project, answered by a scripted model
- `mcp`: a tree's index, or one task, for any client of the Model Context Protocol
- `page`: runs in a browser; plots and tables for print
- `compare`: arms, models and runs against each other, task by task
- `export`: a run's samples as flat rows
- `harbor`: tasks for other people's agents, and the way back
- `report`: a run's records become tables and stories
- `run`: the matrix of arm, task and sample, its journal, and everything that makes it resumable
- `arms`: which context a sample gets, and which retriever finds it
- `indexing`: where a tree's index lies, and what is prepared beside it
- `documents`, `tables`: what a command prints: sentences first, then tables that fit the terminal
- `progress`: counted work on stderr
- `consoles`, `files`: stdout, stderr and the log; files that survive a kill

The YAML files in this folder are the built-in configurations: `graft run oracle` takes oracle.yaml.
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
