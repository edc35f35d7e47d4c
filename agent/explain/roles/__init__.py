"""What a missing name is used for in a draft, and which symbols in sight could stand there.

Floors: `fitting` (the symbols, best first); `siblings` (what other code writes at the same place); `places` (a name's
roles in a draft); `expressions` (types in a draft); `resolving` (typedefs, members); `kinds` (types out of text).
"""
