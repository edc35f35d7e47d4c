"""The names that a missing body needs: which they are, what speaks for each, and its chance.

In: the hidden repository, a target, the functions that a retriever proposes. Out: names with their chances, each with
its declaration. `retrieval.context` buys them.
"""
