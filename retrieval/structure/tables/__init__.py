"""A repository as arrays. In: an index. Out: `RankTables`, made once per index and mapped from disk.

Floors: table_building; rank_tables; vocabulary; compressed_lists.
"""
