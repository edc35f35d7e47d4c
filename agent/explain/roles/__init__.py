"""In: a draft and a name in it that nothing declares. Out: the visible symbols that could stand there, best first.

Floors: `symbol_ranking`; `sibling_usage` (what other code writes at the same place); `name_roles` (what the draft uses
a name for); `expression_types` (types in the draft); `type_resolver` (typedefs, members); `value_types` (types out of
text).
"""
