"""What a prompt shows. In: a retriever's hits, or the data set's own texts. Out: a `Context` within a token budget.

Floors: assembly; related_symbols, surroundings, declarations; related_candidates; needed_symbols, token_budget,
snippets, name_votes.
"""
