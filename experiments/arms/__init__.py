"""Arms: which context a sample gets, and which retriever finds it."""
