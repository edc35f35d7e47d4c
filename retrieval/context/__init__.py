"""What a prompt shows. In: a retriever's hits, or the data set's own texts. Out: a `Context` within a token budget.

Floors: assembly; name_purchase, surroundings, declarations; declaration_lines; token_budget, snippets.
"""
