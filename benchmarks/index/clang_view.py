"""What clang sees in a tree: the functions that its units define, and the calls that it resolves.

By PyPI's `libclang`, which the product never imports. A header's functions are read in the first unit that includes
it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, conf

from benchmarks.index.compiled_tree import ClangCall, ClangFunction, View


class _Ranges(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange)))


_FUNCTIONS = frozenset(
    kind.value
    for kind in (
        *(CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR),
        *(CursorKind.CONVERSION_FUNCTION, CursorKind.FUNCTION_TEMPLATE),
    )
)
_TEMPLATES = frozenset(
    kind.value
    for kind in (
        *(CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE),
        CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )
)
_CLASSES = frozenset(
    kind.value
    for kind in (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.FRIEND_DECL)
)
_SPACES = frozenset(kind.value for kind in (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL))
_HOLDERS = _CLASSES | _SPACES | _TEMPLATES
_CALL = CursorKind.CALL_EXPR.value
_FIRST_PREPROCESSING = 500
_OPTIONS = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
_MOST_ERRORS = 20


def view_units(root: Path, units: Sequence[tuple[str, Sequence[str]]]) -> View:
    """What clang sees in these units, (path, flags), of the tree `root`."""
    view = View()
    done: set[str] = set()
    conf.lib.clang_getSkippedRanges.restype = ctypes.POINTER(_Ranges)
    conf.lib.clang_getSkippedRanges.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    index = cindex.Index.create()
    for path, flags in units:
        try:
            unit = index.parse(str(root / path), args=list(flags), options=_OPTIONS)
        except cindex.TranslationUnitLoadError:
            view.failed[path] = "not parsed"
            continue
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        view.units += 1
        if errors:
            view.failed[path] = f"{len(errors)} errors: {errors[0].spelling} ({errors[0].location.file})"
        if len(errors) > _MOST_ERRORS or any(d.severity == cindex.Diagnostic.Fatal for d in errors):
            continue
        _UnitReader(root, unit, view, done).read()
        del unit
    return view


class _UnitReader:
    """Reads one unit into `view`. Files in `done` were read in an earlier unit."""

    def __init__(self, root: Path, unit: Any, view: View, done: set[str]) -> None:
        self._prefix = f"{root}/"
        self._unit, self._view, self._done = unit, view, done
        self._paths: dict[str, str | None] = {}
        self._seen: set[str] = set()

    def read(self) -> None:
        self._read_holder(self._unit.cursor, template=False)
        for path in self._seen:
            found = conf.lib.clang_getSkippedRanges(self._unit, self._unit.get_file(self._prefix + path))
            ranges = found.contents
            lines = [(r.start.line, r.end.line) for r in (ranges.ranges[i] for i in range(ranges.count))]
            self._view.skipped[path] = lines
        self._done |= self._seen

    def _locate(self, cursor: Any) -> str | None:
        """The tree's file that a cursor is in, None for another's or one that was read before."""
        file = cursor.location.file
        name = "" if file is None else file.name
        if name not in self._paths:
            path = str(Path(name).resolve()) if name else ""
            inside = path.startswith(self._prefix) and path[len(self._prefix) :] not in self._done
            self._paths[name] = path[len(self._prefix) :] if inside else None
        return self._paths[name]

    def _read_holder(self, holder: Any, *, template: bool) -> None:
        for child in holder.get_children():
            kind = child._kind_id
            if kind >= _FIRST_PREPROCESSING and kind < 600:
                continue
            if kind in _FUNCTIONS or kind in _HOLDERS or kind > 600:
                path = self._locate(child)
                if path is None:
                    continue
                self._seen.add(path)
                if kind in _FUNCTIONS:
                    self._read_function(child, path, template=template or kind in _TEMPLATES)
                elif kind in _HOLDERS:
                    self._read_holder(child, template=template or kind in _TEMPLATES)
            else:
                # A variable's initializer may hold a lambda or a class; they belong to no function.
                path = self._locate(child)
                if path is not None:
                    self._seen.add(path)

    def _read_function(self, cursor: Any, path: str, *, template: bool) -> None:
        if not cursor.is_definition():
            return
        extent = cursor.extent
        usr = f"{cursor.get_usr()}"
        name = cursor.spelling
        found = ClangFunction(path, extent.start.line, extent.end.line, name, usr, template)
        self._view.functions.setdefault((path, found.last, extent.end.column, name), found)
        self._read_calls(cursor, usr, path, template=template)

    def _read_calls(self, top: Any, caller: str, path: str, *, template: bool) -> None:
        pending = [top]
        while pending:
            for child in pending.pop().get_children():
                kind = child._kind_id
                if kind in _FUNCTIONS:
                    self._read_function(child, path, template=template)
                    continue
                if kind in _HOLDERS:
                    self._read_holder(child, template=template)
                    continue
                pending.append(child)
                if kind == _CALL:
                    self._read_call(child, caller)

    def _read_call(self, call: Any, caller: str) -> None:
        target = call.referenced
        if target is None or target._kind_id not in _FUNCTIONS:
            self._view.unresolved.add((caller, call.spelling or _read_first_name(call)))
            return
        pattern = conf.lib.clang_getSpecializedCursorTemplate(target)
        target = pattern or target
        is_virtual = target.is_virtual_method() and not _is_qualified(call)
        self._view.calls.add(
            ClangCall(caller, target.get_usr(), target.spelling, "virtual" if is_virtual else "direct")
        )


def _is_qualified(call: Any) -> bool:
    """Whether a call of a method names the class: `Base::f()`."""
    callee = next(call.get_children(), None)
    return callee is not None and any(c.kind.is_reference() for c in callee.get_children())


def _read_first_name(call: Any) -> str:
    """The name that an unresolved call is written with."""
    current = call
    for _ in range(8):
        current = next(current.get_children(), None)
        if current is None:
            return ""
        if current.spelling:
            return str(current.spelling)
    return ""
