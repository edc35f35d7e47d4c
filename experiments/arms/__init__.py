"""An arm's name says which context a sample gets, and which retriever finds it.

In: a name of the configuration, then a task, its repository's index and retrievers. Out: an `Arm`, then a `Context`
for the prompt, with the target's twins that were hidden.

Imports run down this list of floors:

- `context`, `budget`: the context of a task in an arm; what a task of several functions may spend
- `arm`: the arms by their names
- `retrievers`: the one list of retrievers
"""
