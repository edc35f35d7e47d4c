"""Search by words. In: an index and a query (a target's own words, a person's, a draft). Out: hits.

Floors: lexical, draft_lookup; bm25, nearness; term_counts; terms.
"""
