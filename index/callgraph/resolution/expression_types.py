"""The type of an expression, read token by token from left to right. This is no type checker."""

from __future__ import annotations

from collections.abc import Sequence

from index.callgraph.resolution.declared_types import CallerScope, Types
from index.callgraph.resolution.names import Row
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.tokens import find_closing_token_or_minus_one, tokenize_expression
from index.cpp.type_text import Type, split_at_outer_commas

_MOST_PREFIX_OPERATORS = 12
"""The most operators before a name."""


def infer_expression_type(types: Types, context: CallerScope, text: str) -> Type | None:
    """The type of an expression in a function, or None when it is unknown."""
    return _ExpressionReader(types, context, tokenize_expression(text)).read_sum_and_product_type()


class _ExpressionReader:
    """Reads one expression. A binary operator gives its left operand's type."""

    def __init__(self, types: Types, context: CallerScope, tokens: Sequence[str]) -> None:
        self._types = types
        self._context = context
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def read_sum_and_product_type(self) -> Type | None:
        kind = self._read_unary_expression()
        while self._at < len(self._tokens) and self._peek_token_or_empty() in ("+", "-", "*", "/"):
            self._at += 1
            other = self._read_unary_expression()
            if kind is None or kind.base in PRIMITIVE_TYPES or kind.base in ("btScalar", "b3Scalar"):
                kind = other
        return kind

    def _peek_token_or_empty(self) -> str:
        try:
            return self._tokens[self._at]
        except IndexError:
            return ""

    def _read_unary_expression(self) -> Type | None:
        self._depth += 1
        if self._depth > _MOST_PREFIX_OPERATORS:
            return None
        token = self._peek_token_or_empty()
        if token in ("*", "&", "-", "!", "~", "+"):
            self._at += 1
            kind = self._read_unary_expression()
            if kind is None:
                return None
            if token == "&":
                return kind._replace(pointers=kind.pointers + 1)
            if token == "*":
                if kind.pointers:
                    return kind._replace(pointers=kind.pointers - 1)
                return self._types.parse_type(kind.args[0]) if kind.args else kind
            return kind
        return self._read_postfix_operators(self._read_primary_expression())

    def _read_primary_expression(self) -> Type | None:
        token = self._peek_token_or_empty()
        if token == "(":
            return self._read_cast_or_parentheses()
        if token == "new":
            self._at += 1
            kind = self._types.parse_type(self._read_qualified_name()[0])
            return None if kind is None else kind._replace(pointers=kind.pointers + 1)
        if not token or not (token[0].isalpha() or token[0] == "_"):
            self._at += 1
            return _infer_number_or_string_type(token)
        if token in ("true", "false"):
            self._at += 1
            return Type("bool")
        spelt, args = self._read_qualified_name()
        name = spelt.rsplit("::", 1)[-1]
        if self._peek_token_or_empty() in ("(", "{"):
            self._skip_brackets()
            return self._infer_call_result(spelt, name, args)
        if "::" in spelt:
            owner = spelt.rsplit("::", 2)[-2]
            return self._types.find_field_type(owner, name)
        return self._types.find_variable_type(self._context, name)

    def _read_qualified_name(self) -> tuple[str, tuple[str, ...]]:
        parts = [self._peek_token_or_empty()]
        self._at += 1
        args: tuple[str, ...] = ()
        while True:
            token = self._peek_token_or_empty()
            if token == "::":
                self._at += 1
                parts.append(self._peek_token_or_empty())
                self._at += 1
            elif token == "<" and (end := self._find_template_arguments_end()) is not None:
                args = tuple(a.strip() for a in split_at_outer_commas(" ".join(self._tokens[self._at + 1 : end])))
                self._at = end + 1
            else:
                return "::".join(parts), args

    def _find_template_arguments_end(self) -> int | None:
        """The position of the angle that closes template arguments, when a call, a scope or a value follows it."""
        depth = 0
        for i in range(self._at, min(len(self._tokens), self._at + 40)):
            token = self._tokens[i]
            if token == "<":
                depth += 1
            elif token == ">":
                depth -= 1
                if depth == 0:
                    following = self._tokens[i + 1] if i + 1 < len(self._tokens) else ""
                    return i if following in ("(", "::", "{") else None
            elif token in ("&&", ";", "||", "(", "?"):
                return None
        return None

    def _infer_call_result(self, spelt: str, name: str, template_args: tuple[str, ...]) -> Type | None:
        types = self._types
        if template_args and name.endswith(
            ("cast", "cast_or_null", "cast_if_present", "getAs", "make_unique", "make_shared")
        ):
            kind = types.parse_type(template_args[0])
            return None if kind is None else kind._replace(pointers=max(kind.pointers, int("cast" in name)))
        if types.names[name].classes:
            return types.parse_type(spelt)
        owner = self._context.row.owner
        rows: Sequence[Row] = ()
        if "::" in spelt:
            rows = types.find_methods(spelt.rsplit("::", 2)[-2], name) or types.names[name].free
        else:
            rows = (types.find_methods(owner, name) if owner else ()) or types.names[name].free
        if not rows:
            return types.parse_type(template_args[0]) if template_args else None
        found = types.read_return_type(rows[0])
        if template_args and found is not None and not types.names[found.base].classes and not found.args:
            return types.parse_type(template_args[0])
        return found

    def _read_cast_or_parentheses(self) -> Type | None:
        start = self._at
        self._skip_brackets()
        inner = self._tokens[start + 1 : self._at - 1]
        following = self._peek_token_or_empty()
        spelt = " ".join(inner)
        if (
            following
            and (following[0].isalnum() or following[0] in '_("*&')
            and inner
            and _is_type_text(inner, self._types)
        ):
            self._read_unary_expression()
            return self._types.parse_type(spelt)
        return _ExpressionReader(self._types, self._context, inner).read_sum_and_product_type()

    def _skip_brackets(self) -> None:
        closing = find_closing_token_or_minus_one(self._tokens, self._at)
        self._at = closing + 1 if closing >= 0 else max(self._at, len(self._tokens))

    def _read_postfix_operators(self, kind: Type | None) -> Type | None:
        types = self._types
        while True:
            token = self._peek_token_or_empty()
            if token in (".", "->"):
                self._at += 1
                if self._peek_token_or_empty() == "template":
                    self._at += 1
                name, args = self._read_qualified_name() if self._peek_token_or_empty() else ("", ())
                if self._peek_token_or_empty() == "(":
                    self._skip_brackets()
                    if kind is not None:
                        result = types.method_result_type(kind, name)
                        if args and (result is None or not types.names[result.base].classes):
                            result = types.parse_type(args[0])
                        kind = result
                elif kind is not None:
                    kind = types.member_type(kind, name)
            elif token == "[":
                self._skip_brackets()
                kind = None if kind is None else types.element_type(kind)
            elif token == "(":
                self._skip_brackets()
                kind = None
            elif token in ("+", "-") and self._tokens[self._at + 1 : self._at + 2] == [token]:
                self._at += 2
            else:
                return kind


def _infer_number_or_string_type(token: str) -> Type | None:
    if token[:1].isdigit():
        real = "." in token or (token[-1] in "fF" and not token.startswith("0x"))
        return Type("double" if real else "int")
    return Type("char", (), 1, True) if token[:1] == '"' else None


def _is_type_text(tokens: Sequence[str], types: Types) -> bool:
    words = [t for t in tokens if t[0].isalpha() or t[0] == "_"]
    if not words or any(
        t not in ("*", "&", "::", "<", ">", ",") and not (t[0].isalpha() or t[0] == "_") for t in tokens
    ):
        return False
    last = words[-1]
    return (
        tokens[-1] in ("*", "&", ">")
        or bool(types.names[last].classes)
        or last in PRIMITIVE_TYPES
        or words[0] in ("const", "struct")
    )
