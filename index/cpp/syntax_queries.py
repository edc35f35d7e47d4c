"""tree-sitter queries for the nodes that declare symbols, and for those that call functions."""

from __future__ import annotations

_HOLDERS = (
    "translation_unit",
    "declaration_list",
    "linkage_specification",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
    "ERROR",
)
"""The nodes whose declarations are at file or namespace level."""

# A call's arguments are captured on their own: a pattern of both takes quadratic time on `f()()()...`.
C_QUERY = """
(function_definition) @function
(struct_specifier name: (_) body: (_)) @type
(union_specifier name: (_) body: (_)) @type
(enum_specifier name: (_) body: (_)) @type
(type_definition) @typedef
(preproc_def) @macro
(preproc_function_def) @macro
(comment) @comment
(ERROR) @error
(enumerator) @enumerator
(field_declaration) @field
(call_expression) @call
(argument_list) @arguments
""" + "".join(f"({holder} (declaration) @declaration)\n" for holder in _HOLDERS)

# Patterns on an operator's own children would be shorter, but take quadratic time on `a < a < a < ...`.
CPP_QUERY = (
    C_QUERY
    + """
(class_specifier name: (_) body: (_)) @type
(namespace_definition body: (_)) @namespace
(template_declaration) @template
(alias_declaration) @typedef
(field_declaration_list (declaration) @declaration)
(template_declaration (declaration) @declaration)
(friend_declaration (declaration) @declaration)
(new_expression) @new
(declaration declarator: [
  (identifier)
  (array_declarator declarator: (identifier))
  (init_declarator value: [(argument_list) (initializer_list)])
]) @variable
(compound_literal_expression) @literal
(field_initializer) @initializer
(binary_expression) @operator
(assignment_expression operator: ["+=" "-=" "*=" "/=" "%=" "<<=" ">>=" "&=" "|=" "^="]) @operator
(subscript_expression) @operator
(unary_expression operator: ["-" "~"]) @operator
"""
)
