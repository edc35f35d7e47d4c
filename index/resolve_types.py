"""The declared type of an expression, where the text shows it: a parameter, a local variable, a field, a global, a
return type, a cast.

No type checker: the first place where a function's text has a name is its declaration, when it is the function's
own; what stands before it is the type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from index.resolve_names import Names, Row

_WORD = re.compile(r"\w+")
_DEPTH = 12


class Type(NamedTuple):
    """A type without its namespaces: `base` is its name's last component, `args` its template arguments as written,
    `pointers` the levels of pointer and array."""

    base: str
    args: tuple[str, ...] = ()
    pointers: int = 0
    const: bool = False


class Context:
    """Where an expression stands: a function's text and its class."""

    def __init__(self, row: Row, text: str) -> None:
        self.row = row
        self.text = text
        self.const = row.const
        self.variables: dict[str, Type | None] = {}
        self.receivers: dict[str, Type | None] = {}


_WORDS_BACKWARDS = re.compile(r"\w*[A-Za-z_](?:\s*::\s*\w*[A-Za-z_])*(?!\w)")
_NO_TYPE = frozenset(
    _WORD.findall(
        "return else new delete throw case goto typename do in sizeof operator using namespace template "
        "public private protected if while for switch and or not co_return co_yield co_await struct class "
        "enum union static extern inline constexpr virtual volatile mutable register unsigned signed "
        "explicit friend typedef define ifdef"
    )
)
PRIMITIVE = frozenset(
    _WORD.findall(
        "void bool char short int long float double unsigned signed size_t ssize_t int8_t int16_t int32_t "
        "int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t ptrdiff_t wchar_t char16_t "
        "char32_t"
    )
)
_QUALIFIERS = re.compile(
    r"\b(?:const|volatile|struct|class|enum|union|typename|static|inline|virtual|mutable|extern|"
    r"constexpr|register|explicit|friend|restrict|__restrict|unsigned|signed|final)\b"
)
_TOKEN = re.compile(r'->\*?|::|[A-Za-z_]\w*|\d[\w.]*|"(?:[^"\\]|\\.)*"?|\'(?:[^\'\\]|\\.)*\'?|<<=?|>>=?|[^\s]')
_MAP_LIKE = re.compile(r"[Mm]ap$|Map\w*$|_map$")
_BASES = re.compile(r"(?<!:):(?!:)\s*(.*)$", re.DOTALL)


def type_of_text(text: str) -> Type | None:
    """The type that a declaration's text spells, the name left out: `const std::vector<Foo *> &`."""
    const = "const" in text
    text = _QUALIFIERS.sub(" ", text).strip()
    pointers = text.count("*") if "<" not in text else 0
    if "<" in text:
        start = text.index("<")
        end = _closing_angle(text, start)
        if end is None:
            return None
        rest = text[end + 1 :]
        if "::" in rest:
            return None  # a type inside a template's instance
        args = tuple(a.strip() for a in split_arguments(text[start + 1 : end]))
        pointers = rest.count("*")
        text = text[:start]
    else:
        args = ()
    words = re.findall(r"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*", text)
    if not words:
        return None
    base = words[-1].rsplit("::", 1)[-1].strip()
    return Type(base, args, pointers, const)


def _closing_angle(text: str, start: int) -> int | None:
    depth = 0
    for i in range(start, len(text)):
        if text[i] == "<":
            depth += 1
        elif text[i] == ">" and text[i - 1] != "-":
            depth -= 1
            if depth == 0:
                return i
        elif text[i] in ";{}":
            return None
    return None


def split_arguments(text: str) -> list[str]:
    """The parts of a list, at the commas outside its brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return parts


def type_before(text: str, end: int) -> str:
    """The text of the type that stands right before `end`, "" where none does: what is there is an expression."""
    i = end
    low = max(0, end - 300)
    const = ""
    while True:
        while i > low and text[i - 1] in " \t\r\n*&":
            i -= 1
        if i - 5 >= low and text[i - 5 : i] == "const" and not (i - 6 >= low and _word(text[i - 6])):
            const = "const "
            i -= 5
            continue
        break
    if i in (low, end):
        return ""
    marks = text[i:end]
    close = i
    if text[i - 1] == ">":
        depth = 0
        while i > low:
            i -= 1
            if text[i] == ">" and text[i - 1] != "-":
                depth += 1
            elif text[i] == "<":
                depth -= 1
                if depth == 0:
                    break
            elif text[i] in ";{}":
                return ""
        if depth:
            return ""
    match = _WORDS_BACKWARDS.match(text[max(low, i - 120) : i][::-1])
    word = match[0][::-1] if match is not None else ""
    if not word or (word in _NO_TYPE and word not in ("unsigned", "signed")):
        return ""
    start = i - len(word)
    before = text[max(low, start - 8) : start].rstrip()
    if before.endswith((".", "->", "=", "+", "-", "/", "%", "|", "^", "!", "?", "return", '"', "'")):
        return ""
    if before.endswith("const"):
        const = "const "
    return f"{const}{text[start:close]} {marks.replace('const', '')}"


def _word(c: str) -> bool:
    return c.isalnum() or c == "_"


class Types:
    """Types of names and expressions, from the tree's declarations."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.file = -1
        self.spelt = lru_cache(maxsize=None)(type_of_text)
        self.bases = lru_cache(maxsize=None)(self._bases)
        self.returns = lru_cache(maxsize=None)(self._returns)
        self.resolved = lru_cache(maxsize=None)(self._resolved)
        self.ancestors = lru_cache(maxsize=None)(self._ancestors)

    def enter(self, file: int) -> None:
        """Read what follows as it stands in a file: of several types of one name, those that it sees are meant."""
        self.file = file
        self.resolved.cache_clear()

    def _bases(self, name: str) -> tuple[str, ...]:
        """The classes that a class is declared to derive from."""
        found: list[str] = []
        for row in self.names.classes.get(name, ()):
            if row.signature.startswith(("typedef", "using", "enum")):
                continue
            match = _BASES.search(row.signature)
            for part in split_arguments(match[1]) if match else ():
                base = self.spelt(re.sub(r"\b(?:public|private|protected|virtual)\b", "", part).strip())
                if base is not None and base.base != name:
                    real = self.resolved(base)
                    found.append(real.base)
        return tuple(dict.fromkeys(found))

    def _ancestors(self, name: str) -> tuple[str, ...]:
        """A class and those above it, nearest first."""
        found = [name]
        for one in found:
            found += [b for b in self.bases(one) if b not in found]
            if len(found) > 60:
                break
        return tuple(found)

    def _resolved(self, kind: Type) -> Type:
        """A type with its aliases followed."""
        for _ in range(5):
            if kind.base in PRIMITIVE:
                return kind
            target = self._alias(kind.base)
            if target is None or target.base == kind.base:
                return kind
            kind = Type(
                target.base, target.args or kind.args, kind.pointers + target.pointers, kind.const or target.const
            )
        return kind

    def _alias(self, name: str) -> Type | None:
        rows = self.names.classes.get(name)
        if rows is None:
            macros = self.names.macros.get(name, ())
            for macro in macros:
                text = self.macro_text(macro)
                if text and text != name and (text in self.names.classes or text in self.names.macros):
                    return Type(text)
            return None
        if len(rows) > 1 and self.file >= 0:
            rows = [r for r in rows if self.names.sees(self.file, r.file)] or rows
        for row in rows:
            text = row.signature
            if text.startswith("using"):
                return self.spelt(text.partition("=")[2].strip(" ;"))
            if text.startswith("typedef") and "(" not in text:
                at = text.rfind(name)
                target = self.spelt(text[len("typedef") : at].strip()) if at > 0 else None
                if target is not None and target.base not in ("struct", "union", "enum", ""):
                    return target
            elif not text.startswith(("typedef", "enum")):
                return None  # a class of that name
        return None

    def macro_text(self, macro: Row) -> str:
        """What an object-like macro stands for; set by the resolver, which has the files."""
        return ""

    def _returns(self, row: Row) -> Type | None:
        """The return type of a function."""
        signature = row.signature
        at = signature.find(f"{row.name}(")
        if at < 0:
            at = signature.find(row.name)
        while at > 2 and signature[at - 2 : at] == "::":
            # `Type Class<T>::name(`: back over the scope.
            at -= 2
            if signature[at - 1] == ">":
                at = signature.rfind("<", 0, at)
            while at > 0 and _word(signature[at - 1]):
                at -= 1
        text = type_before(signature, at)
        if not text:
            return None
        if text.split()[0] == "auto":
            arrow = signature.rfind("->")
            return self.spelt(signature[arrow + 2 :]) if arrow > 0 else None
        return self.spelt(text)

    def field(self, owner: str, name: str) -> Type | None:
        """The type of a class's field, the bases' ones too."""
        for one in self.ancestors(owner):
            rows = self.names.fields.get((one, name))
            if rows:
                row = rows[0]
                if len(rows) > 1 and self.file >= 0:
                    row = next((r for r in rows if self.names.sees(self.file, r.file)), row)
                return self.declared(row.signature, name)
        return None

    def declared(self, signature: str, name: str) -> Type | None:
        """The type of the variable or field that a declaration declares."""
        at = _find_word(signature, name, 0)
        if at < 0:
            return None
        text = type_before(signature, at)
        if not text:
            # `int a, b;`
            head = re.match(r"\s*((?:[\w:]+\s+)*?[\w:]+(?:<[^;]*>)?)[\s*&]+\w+\s*(?:\[[^\]]*\]\s*)*,", signature)
            text = head[1] if head else ""
        kind = self.spelt(text) if text else None
        return None if kind is None else _with_arrays(kind, signature, at + len(name))

    def methods(self, owner: str, name: str) -> list[Row]:
        """The methods of that name that a class has: its own, or the nearest base's."""
        for one in self.ancestors(owner):
            found = self.names.methods.get((one, name))
            if found:
                return found
        return []

    def variable(self, context: Context, name: str) -> Type | None:
        """The type of a name in a function: its own variable or parameter, a field of its class, a global."""
        if name in context.variables:
            return context.variables[name]
        context.variables[name] = None  # against `auto x = x->next()`
        found = self._variable(context, name)
        context.variables[name] = found
        return found

    def _variable(self, context: Context, name: str) -> Type | None:
        row = context.row
        if name == "this":
            return Type(row.owner, (), 1, row.const) if row.owner else None
        local = self._local(context, name)
        if local is not None:
            return local
        if row.owner:
            for scope in reversed(row.scope.split("::")):
                kind = self.field(scope, name)
                if kind is not None:
                    return kind._replace(const=kind.const or (context.const and not kind.pointers))
        found = self.names.globals.get(name)
        if found:
            best = next((g for g in found if g.file == row.file), found[0])
            return self.declared(best.signature, name)
        return None

    def _local(self, context: Context, name: str) -> Type | None:
        text = context.text
        at = -1
        for _ in range(3):
            at = _find_word(text, name, at + 1)
            if at < 0:
                return None
            if text[at - 1] != "." and text[at - 2 : at] != "->":
                break
        else:
            return None
        spelt = type_before(text, at)
        if not spelt:
            spelt = _listed(text, at)
        if not spelt:
            return None
        kind = self.spelt(spelt)
        if kind is None:
            return None
        if kind.base == "auto":
            return self._auto(context, text, at + len(name), kind)
        if kind.args or kind.base in PRIMITIVE or kind.base in self.names.classes or kind.pointers or "::" in spelt:
            return _with_arrays(kind, text, at + len(name))
        if kind.base in self.names.macros or text[at - 1] in " &*\t\n":
            return _with_arrays(kind, text, at + len(name))
        return None

    def _auto(self, context: Context, text: str, end: int, kind: Type) -> Type | None:
        rest = text[end : end + 300].lstrip()
        if rest.startswith("="):
            return self.expression(context, _until(rest[1:], ";"))
        if rest.startswith(":"):
            over = self.expression(context, _until(rest[1:], ")"))
            return None if over is None else self.element(over)
        return None

    def element(self, kind: Type) -> Type | None:
        """What an index or an iteration gives."""
        kind = self.resolved(kind)
        if kind.pointers:
            return kind._replace(pointers=kind.pointers - 1)
        for row in self.methods(kind.base, "operator[]"):
            found = self.returns(row)
            if found is not None and (found.base in self.names.classes or found.base in PRIMITIVE):
                return found
            break
        if kind.args:
            return self.spelt(kind.args[1 if _MAP_LIKE.search(kind.base) and len(kind.args) > 1 else 0])
        return None

    def expression(self, context: Context, text: str) -> Type | None:
        """The type of an expression, None where it can't be told."""
        if text in context.receivers:
            return context.receivers[text]
        context.receivers[text] = None
        kind = (
            self.variable(context, text)
            if text.isidentifier()
            else _Expression(self, context, _TOKEN.findall(text)).whole()
        )
        if kind is not None:
            kind = self.resolved(kind)
        context.receivers[text] = kind
        return kind

    def member(self, kind: Type, name: str) -> Type | None:
        """The type of a field of a value of type `kind`, or of what it points to."""
        kind = self.resolved(kind)
        found = self.field(kind.base, name)
        if found is None and kind.args:
            inner = self.spelt(kind.args[0])
            found = self.field(self.resolved(inner).base, name) if inner is not None else None
        if found is not None and kind.const and not found.pointers:
            found = found._replace(const=True)
        return self.substituted(found, kind)

    def substituted(self, found: Type | None, kind: Type) -> Type | None:
        """A member's type, a template parameter replaced by the argument: only where there is one to choose."""
        if found is None or not kind.args or found.base in self.names.classes or found.base in PRIMITIVE:
            return found
        if found.args or len(found.base) > 12 or self._alias(found.base) is not None:
            return found
        inner = self.spelt(kind.args[0])
        return None if inner is None else inner._replace(pointers=inner.pointers + found.pointers)

    def method_result(self, kind: Type, name: str) -> Type | None:
        """What a method call on a value of type `kind` gives."""
        kind = self.resolved(kind)
        rows = self.methods(kind.base, name)
        if not rows and kind.args:
            inner = self.spelt(kind.args[0])
            if inner is not None:
                inner = self.resolved(inner)
                rows = self.methods(inner.base, name)
                if not rows and name in ("get", "front", "back", "top", "value", "at", "begin", "release", "lock"):
                    return inner
        return self.substituted(self.returns(rows[0]), kind) if rows else None


def _find_word(text: str, word: str, start: int) -> int:
    size = len(word)
    while True:
        at = text.find(word, start)
        if at < 0:
            return -1
        end = at + size
        if (at == 0 or not _word(text[at - 1])) and (end >= len(text) or not _word(text[end])):
            return at
        start = end


def _with_arrays(kind: Type, text: str, end: int) -> Type:
    rest = text[end : end + 60].lstrip()
    return kind._replace(pointers=kind.pointers + 1) if rest.startswith("[") else kind


_LIST = re.compile(
    r"\s*(?:const\s+|static\s+)*([A-Za-z_][\w:]*(?:<[^;{}()]*>)?)[\s*&]+[A-Za-z_]\w*[^;{}]*,[\s*&]*$"
)


def _listed(text: str, at: int) -> str:
    """The type of a later name of a declaration, `T a, *b;`, or ""."""
    start = max(text.rfind(c, max(0, at - 200), at) for c in ";{}") + 1
    if start == 0 or "," not in text[start:at]:
        return ""
    match = _LIST.match(text[start:at])
    if match is None or match[1] in _NO_TYPE:
        return ""
    stars = text[text.rfind(",", start, at) + 1 : at]
    return f"{match[1]} {stars}" if not stars.strip(" *&\t\r\n") else ""


def _until(text: str, end: str) -> str:
    depth = 0
    for i, c in enumerate(text):
        if c == end and depth == 0:
            return text[:i].strip()
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return text[:i].strip()
    return text.strip()


class _Expression:
    """One expression, read from left to right; binary operators give their left operand's type."""

    def __init__(self, types: Types, context: Context, tokens: Sequence[str]) -> None:
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
            if kind is None or kind.base in PRIMITIVE or kind.base in ("btScalar", "b3Scalar"):
                kind = other
        return kind

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

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
        """The closing angle of template arguments, when a call, a scope or a value follows them."""
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
        if args and name.endswith(
            ("cast", "cast_or_null", "cast_if_present", "getAs", "make_unique", "make_shared")
        ):
            kind = types.spelt(args[0])
            return None if kind is None else kind._replace(pointers=max(kind.pointers, int("cast" in name)))
        if name in types.names.classes:
            return types.spelt(spelt)
        owner = self._context.row.owner
        rows: Sequence[Row] = ()
        if "::" in spelt:
            rows = types.methods(spelt.rsplit("::", 2)[-2], name) or types.names.free.get(name, ())
        else:
            rows = (types.methods(owner, name) if owner else ()) or types.names.free.get(name, ())
        if not rows:
            return types.spelt(args[0]) if args else None
        found = types.returns(rows[0])
        if args and found is not None and found.base not in types.names.classes and not found.args:
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
        """Past the bracket that opens here."""
        depth = 0
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token in "([{":
                depth += 1
            elif token in ")]}":
                depth -= 1
                if depth == 0:
                    return

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
                        if args and (result is None or result.base not in types.names.classes):
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
        or last in types.names.classes
        or last in PRIMITIVE
        or words[0] in ("const", "struct")
    )
