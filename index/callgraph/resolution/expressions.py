"""The type of an expression, read token by token from left to right. This is no type checker."""

from __future__ import annotations

from collections.abc import Sequence

from index.callgraph.resolution.names import Row
from index.callgraph.resolution.types import CallerScope, Types
from index.cpp.keywords import PRIMITIVE_TYPES
from index.cpp.tokens import expression_tokens
from index.cpp.types import Type, split_arguments

_DEPTH = 12
"""The most operators before a name."""


def type_of_expression(types: Types, context: CallerScope, text: str) -> Type | None:
    """The type of an expression in a function, or None when it is unknown."""
    return _Expression(types, context, expression_tokens(text)).whole()


class _Expression:
    """Reads one expression. A binary operator gives its left operand's type."""

    def __init__(self, types: Types, context: CallerScope, tokens: Sequence[str]) -> None:
        self._types = types
        self._context = context
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> Type | None:
        kind = self._unary()
        while self._at < len(self._tokens) and self._peek() in ("+", "-", "*", "/"):
            self._at += 1
            other = self._unary()
            if kind is None or kind.base in PRIMITIVE_TYPES or kind.base in ("btScalar", "b3Scalar"):
                kind = other
        return kind

    def _peek(self) -> str:
        try:
            return self._tokens[self._at]
        except IndexError:
            return ""

    def _unary(self) -> Type | None:
        self._depth += 1
        if self._depth > _DEPTH:
            return None
        token = self._peek()
        if token in ("*", "&", "-", "!", "~", "+"):
            self._at += 1
            kind = self._unary()
            if kind is None:
                return None
            if token == "&":
                return kind._replace(pointers=kind.pointers + 1)
            if token == "*":
                if kind.pointers:
                    return kind._replace(pointers=kind.pointers - 1)
                return self._types.spelt(kind.args[0]) if kind.args else kind
            return kind
        return self._postfix(self._primary())

    def _primary(self) -> Type | None:
        token = self._peek()
        if token == "(":
            return self._parenthesised()
        if token == "new":
            self._at += 1
            kind = self._types.spelt(self._qualified()[0])
            return None if kind is None else kind._replace(pointers=kind.pointers + 1)
        if not token or not (token[0].isalpha() or token[0] == "_"):
            self._at += 1
            return _literal(token)
        if token in ("true", "false"):
            self._at += 1
            return Type("bool")
        spelt, args = self._qualified()
        name = spelt.rsplit("::", 1)[-1]
        if self._peek() in ("(", "{"):
            self._skip()
            return self._called(spelt, name, args)
        if "::" in spelt:
            owner = spelt.rsplit("::", 2)[-2]
            return self._types.field(owner, name)
        return self._types.variable(self._context, name)

    def _qualified(self) -> tuple[str, tuple[str, ...]]:
        parts = [self._peek()]
        self._at += 1
        args: tuple[str, ...] = ()
        while True:
            token = self._peek()
            if token == "::":
                self._at += 1
                parts.append(self._peek())
                self._at += 1
            elif token == "<" and (end := self._angle()) is not None:
                args = tuple(a.strip() for a in split_arguments(" ".join(self._tokens[self._at + 1 : end])))
                self._at = end + 1
            else:
                return "::".join(parts), args

    def _angle(self) -> int | None:
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

    def _called(self, spelt: str, name: str, args: tuple[str, ...]) -> Type | None:
        types = self._types
        if args and name.endswith(("cast", "cast_or_null", "cast_if_present", "getAs", "make_unique", "make_shared")):
            kind = types.spelt(args[0])
            return None if kind is None else kind._replace(pointers=max(kind.pointers, int("cast" in name)))
        if types.names[name].classes:
            return types.spelt(spelt)
        owner = self._context.row.owner
        rows: Sequence[Row] = ()
        if "::" in spelt:
            rows = types.methods(spelt.rsplit("::", 2)[-2], name) or types.names[name].free
        else:
            rows = (types.methods(owner, name) if owner else ()) or types.names[name].free
        if not rows:
            return types.spelt(args[0]) if args else None
        found = types.returns(rows[0])
        if args and found is not None and not types.names[found.base].classes and not found.args:
            return types.spelt(args[0])
        return found

    def _parenthesised(self) -> Type | None:
        start = self._at
        self._skip()
        inner = self._tokens[start + 1 : self._at - 1]
        following = self._peek()
        spelt = " ".join(inner)
        if (
            following
            and (following[0].isalnum() or following[0] in '_("*&')
            and inner
            and _is_type(inner, self._types)
        ):
            self._unary()
            return self._types.spelt(spelt)
        return _Expression(self._types, self._context, inner).whole()

    def _skip(self) -> None:
        """Move behind the bracket that opens here."""
        depth = 0
        tokens = self._tokens
        for at in range(self._at, len(tokens)):
            token = tokens[at]
            if token in "([{":
                depth += 1
            elif token in ")]}":
                depth -= 1
                if depth == 0:
                    self._at = at + 1
                    return
        self._at = max(self._at, len(tokens))

    def _postfix(self, kind: Type | None) -> Type | None:
        types = self._types
        while True:
            token = self._peek()
            if token in (".", "->"):
                self._at += 1
                if self._peek() == "template":
                    self._at += 1
                name, args = self._qualified() if self._peek() else ("", ())
                if self._peek() == "(":
                    self._skip()
                    if kind is not None:
                        result = types.method_result(kind, name)
                        if args and (result is None or not types.names[result.base].classes):
                            result = types.spelt(args[0])
                        kind = result
                elif kind is not None:
                    kind = types.member(kind, name)
            elif token == "[":
                self._skip()
                kind = None if kind is None else types.element(kind)
            elif token == "(":
                self._skip()
                kind = None
            elif token in ("+", "-") and self._tokens[self._at + 1 : self._at + 2] == [token]:
                self._at += 2
            else:
                return kind


def _literal(token: str) -> Type | None:
    if token[:1].isdigit():
        real = "." in token or (token[-1] in "fF" and not token.startswith("0x"))
        return Type("double" if real else "int")
    return Type("char", (), 1, True) if token[:1] == '"' else None


def _is_type(tokens: Sequence[str], types: Types) -> bool:
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
