"""What a function takes, returns and reaches, from the compiler's own description of the unit (DWARF)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from executor.grading.differential import NotApplicableError
from index.values import Span
from lab.differential.noted_calls import PROBE_PREFIX, NotedFunction

# What is farther away than so many pointers isn't looked at.
MOST_POINTERS_AWAY = 6
_ENCODINGS = {2: "UNSIGNED", 4: "FLOAT", 5: "SIGNED", 6: "CHAR", 7: "UNSIGNED", 8: "UNSIGNED", 16: "UNSIGNED"}
_BOOLEAN = 2
# Encoding -> size -> letter, as NotedFunction.taken has it.
_PARAMETER_LETTERS = {
    "FLOAT": {4: "f", 8: "d"},
    "SIGNED": {1: "b", 2: "h", 4: "i", 8: "l"},
    "CHAR": {1: "b", 2: "h", 4: "i", 8: "l"},
    "UNSIGNED": {1: "B", 2: "H", 4: "I", 8: "L"},
}
# How much room the library has left for more elements; what they are doesn't depend on it.
_UNCOMPARED_FIELDS = ("_M_end_of_storage",)
_TEMPLATE = ("DW_TAG_template_type_param", "DW_TAG_template_value_param")
_SELF_RUN_SECTIONS = (".init", ".fini", ".preinit_array", ".ctors", ".dtors")
_CLASSES = ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type")
_TRANSPARENT_TAGS = (
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
)


@dataclass(frozen=True, slots=True)
class Field:
    """`bits` and `shift` of a bit field, from the byte `offset` on; 0 for others."""

    name: str
    offset: int
    type: int
    bits: int = 0
    shift: int = 0


@dataclass(frozen=True, slots=True)
class ShapeType:
    """`kind` as in runtime/graft.h. `target`: a number of a type, -1 for void. `count` of an array: -1 for unknown;
    1 for a truth value, and for a pointer that is never NULL (a reference, `this`)."""

    kind: str
    size: int = 0
    target: int = -1
    count: int = 0
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """The class of a method: its file (as the compiler names it) and the line of its name there. `is_static`: the
    method has no `this`."""

    file: str
    line: int
    is_static: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """`result` is None for a function that returns nothing. Types are numbers into `types`; `variables` are those of
    the unit that can be changed. `names` are the arguments', `this` included; "" for one without a name. `member` is
    None for a function of no class. `callees`: of the names that were asked for, those of functions."""

    types: tuple[ShapeType, ...]
    arguments: tuple[int, ...]
    result: int | None
    variables: tuple[tuple[str, int], ...]
    names: tuple[str, ...] = ()
    member: Member | None = None
    callees: tuple[NotedFunction, ...] = ()

    def is_reference(self, kind: int | None) -> bool:
        return kind is not None and self.types[kind].kind == "POINTER" and self.types[kind].count == 1


def read_shape(
    object_file: bytes, name: str, path: str = "", span: Span | None = None, probed_names: Sequence[str] = ()
) -> Shape:
    """Read from an object file. With a `span` of the file `path` the function is found by its place, as overloaded
    ones must be. `probed_names`: those that `declare_callee_probes` got. Raises NotApplicableError when the function
    isn't described there."""
    try:
        elf = ELFFile(io.BytesIO(object_file))
        units = list(elf.get_dwarf_info().iter_CUs()) if elf.has_dwarf_info() else []
        for unit in units:
            top = list(unit.get_top_DIE().iter_children())
            defined = [d for d in top if d.tag == "DW_TAG_subprogram" and "DW_AT_declaration" not in d.attributes]
            found = [
                d
                for d in defined
                if (_read_die_name_or_empty(d) == name if span is None else _is_declared_at(d, path, span))
            ]
            if any(
                child.tag in _TEMPLATE for die in found for child in _iterate_children_of_function_and_its_class(die)
            ):
                raise NotApplicableError("it is a template's")
            if found:
                return replace(
                    _ShapeReader().read_function_shape(found[0], top),
                    callees=_read_signatures_of_probed_functions(top, probed_names),
                )
    except (DWARFError, ELFError, KeyError, ValueError) as error:
        raise NotApplicableError(f"the compiler's description of it can't be read ({type(error).__name__})") from error
    raise NotApplicableError("the compiler doesn't describe it")


def _iterate_children_of_function_and_its_class(die: DIE) -> Iterator[DIE]:
    """What belongs to the function and to its class."""
    yield from die.iter_children()
    if "DW_AT_specification" in die.attributes:
        holder = die.get_DIE_from_attribute("DW_AT_specification").get_parent()
        yield from holder.iter_children()


def count_self_run_functions(object_file: bytes) -> int:
    """How many functions of the object file run without a call: constructors, destructors, and those that choose what
    a name stands for."""
    try:
        elf = ELFFile(io.BytesIO(object_file))
        sections = [section for section in elf.iter_sections() if section.name.startswith(_SELF_RUN_SECTIONS)]
        symbols = elf.get_section_by_name(".symtab")
        chosen = sum(symbol["st_info"]["type"] == "STT_LOOS" for symbol in symbols.iter_symbols()) if symbols else 0
    except (ELFError, KeyError, ValueError) as error:
        raise NotApplicableError(f"its object file can't be read ({type(error).__name__})") from error
    listed: int = sum(section["sh_size"] // 8 for section in sections if section["sh_type"] != "SHT_RELA")
    return chosen + listed


class _ShapeReader:
    """Gives each type a number as it is met."""

    def __init__(self) -> None:
        self._types: list[ShapeType] = []
        self._known: dict[int, int] = {}
        self._near: dict[int, int] = {}

    def read_function_shape(self, function: DIE, top: list[DIE]) -> Shape:
        arguments = [die for die in function.iter_children() if die.tag == "DW_TAG_formal_parameter"]
        if any(die.tag == "DW_TAG_unspecified_parameters" for die in function.iter_children()):
            raise NotApplicableError("it takes any number of arguments")
        taken = tuple(self._assign_referred_type_number_or_minus_one(die, 0) for die in arguments)
        result = (
            self._assign_referred_type_number_or_minus_one(function, 0)
            if _find_attribute(function, "DW_AT_type")
            else None
        )
        variables = {
            name: self._assign_referred_type_number_or_minus_one(die, MOST_POINTERS_AWAY - 1)
            for name, die in _list_changeable_variables(top)
        }
        names = tuple(_read_die_name_or_empty(die) for die in arguments)
        is_method = "DW_AT_object_pointer" in function.attributes
        if is_method:
            # The object is there, whatever its pointer says.
            self._types.append(replace(self._types[taken[0]], count=1))
            taken = (len(self._types) - 1, *taken[1:])
        declared = _read_declaring_class_of_method(function, is_static=not is_method)
        return Shape(tuple(self._types), taken, result, tuple(variables.items()), names, declared)

    def _assign_referred_type_number_or_minus_one(self, die: DIE, depth: int) -> int:
        """The number of the type that `die` refers to; -1 for none."""
        if "DW_AT_type" not in die.attributes and "DW_AT_specification" in die.attributes:
            die = die.get_DIE_from_attribute("DW_AT_specification")
        target = _resolve_referred_type(die)
        return -1 if target is None else self._assign_type_number(target, depth)

    def _assign_type_number(self, die: DIE, depth: int) -> int:
        known = self._known.get(die.offset)
        if known is not None and self._near[die.offset] <= depth:
            return known
        if known is None:
            known = self._known[die.offset] = len(self._types)
            self._types.append(ShapeType("OPAQUE"))
        self._near[die.offset] = depth
        self._types[known] = self._read_type(die, depth)
        return known

    def _read_type(self, die: DIE, depth: int) -> ShapeType:
        size = _read_number_attribute(die, "DW_AT_byte_size", 0)
        if "DW_AT_declaration" in die.attributes or depth > MOST_POINTERS_AWAY:
            return ShapeType("OPAQUE")
        match die.tag:
            case "DW_TAG_base_type":
                encoding = _read_number_attribute(die, "DW_AT_encoding", 0)
                return ShapeType(_ENCODINGS.get(encoding, "OPAQUE"), size, count=int(encoding == _BOOLEAN))
            case "DW_TAG_enumeration_type":
                return ShapeType("UNSIGNED", size)
            case "DW_TAG_pointer_type":
                return ShapeType("POINTER", size, self._assign_referred_type_number_or_minus_one(die, depth + 1))
            case "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type":
                return ShapeType("POINTER", 8, self._assign_referred_type_number_or_minus_one(die, depth + 1), count=1)
            case "DW_TAG_subroutine_type":
                return ShapeType("FUNCTION")
            case "DW_TAG_union_type":
                return ShapeType("UNION", size)
            case "DW_TAG_array_type":
                return self._read_array_type(die, depth)
            case "DW_TAG_structure_type" | "DW_TAG_class_type":
                return ShapeType("STRUCT", size, fields=tuple(self._read_fields_including_bit_fields(die, depth)))
        return ShapeType("OPAQUE")

    def _read_array_type(self, die: DIE, depth: int) -> ShapeType:
        element = self._assign_referred_type_number_or_minus_one(die, depth)
        counts = [
            _read_number_attribute(child, "DW_AT_count", _read_number_attribute(child, "DW_AT_upper_bound", -2) + 1)
            for child in die.iter_children()
            if child.tag == "DW_TAG_subrange_type"
        ] or [-1]
        for count in reversed(counts[1:]):
            inner = self._types[element]
            self._types.append(ShapeType("ARRAY", max(inner.size * count, 0), element, count))
            element = len(self._types) - 1
        inner = self._types[element] if element >= 0 else ShapeType("OPAQUE")
        return ShapeType("ARRAY", max(inner.size * counts[0], 0), element, counts[0])

    def _read_fields_including_bit_fields(self, die: DIE, depth: int) -> Iterator[Field]:
        for member in die.iter_children():
            if member.tag not in ("DW_TAG_member", "DW_TAG_inheritance") or not _has_fixed_place(member):
                continue
            if _read_die_name_or_empty(member) in _UNCOMPARED_FIELDS or (
                _read_die_name_or_empty(die).startswith("basic_string<") and not _read_die_name_or_empty(member)
            ):
                continue
            offset = _read_number_attribute(member, "DW_AT_data_member_location", 0)
            kind = self._assign_referred_type_number_or_minus_one(member, depth)
            bits = _read_number_attribute(member, "DW_AT_bit_size", 0)
            shift = 0
            if bits:
                at = _read_number_attribute(member, "DW_AT_data_bit_offset", -1)
                if at < 0:
                    # DWARF 3 counts from the other end of the storage.
                    storage = _read_number_attribute(member, "DW_AT_byte_size", self._types[kind].size) * 8
                    at = offset * 8 + storage - _read_number_attribute(member, "DW_AT_bit_offset", 0) - bits
                offset, shift = at // 8, at % 8
            yield Field(_read_die_name_or_empty(member), offset, kind, bits, shift)


def _list_changeable_variables(top: list[DIE]) -> Iterator[tuple[str, DIE]]:
    for die in top:
        name = _read_die_name_or_empty(die)
        is_ours = name.startswith(("__", PROBE_PREFIX))
        if die.tag != "DW_TAG_variable" or not name or is_ours or "DW_AT_type" not in die.attributes:
            continue
        target = die.get_DIE_from_attribute("DW_AT_type")
        while target.tag == "DW_TAG_array_type" and "DW_AT_type" in target.attributes:
            target = target.get_DIE_from_attribute("DW_AT_type")
        if target.tag != "DW_TAG_const_type" and name not in ("stdin", "stdout", "stderr", "environ"):
            yield name, die


def _read_signatures_of_probed_functions(top: list[DIE], probed_names: Sequence[str]) -> tuple[NotedFunction, ...]:
    found = {_read_die_name_or_empty(die): die for die in top if die.tag == "DW_TAG_variable"}
    callees: list[NotedFunction] = []
    for number, name in enumerate(probed_names):
        pointer = _resolve_referred_type(found.get(f"{PROBE_PREFIX}{number}"))
        function = _resolve_referred_type(pointer)
        if pointer is None or function is None or function.tag != "DW_TAG_subroutine_type":
            continue
        letters = ""
        for taken in function.iter_children():
            letter = _choose_parameter_letter_or_empty(taken)
            if not letter:
                break
            letters += letter
        callees.append(NotedFunction(name, letters, "DW_AT_type" not in function.attributes))
    return tuple(callees)


def _resolve_referred_type(die: DIE | None, *, keep: Sequence[str] = ()) -> DIE | None:
    """What the DIE refers to, without names and qualifiers other than `keep`; None for nothing."""
    while die is not None:
        die = die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None
        if die is None or die.tag not in _TRANSPARENT_TAGS or die.tag in keep:
            return die
    return None


def _choose_parameter_letter_or_empty(parameter: DIE) -> str:
    """How NotedFunction.taken says what the parameter is; "" for what it doesn't say."""
    kind = _resolve_referred_type(parameter)
    if parameter.tag != "DW_TAG_formal_parameter" or kind is None:
        return ""
    if kind.tag == "DW_TAG_pointer_type":
        return _choose_pointer_letter(kind)
    is_enumeration = kind.tag == "DW_TAG_enumeration_type"
    # Of other than base types the encoding is unknown.
    encoding = "UNSIGNED" if is_enumeration else _ENCODINGS.get(_read_number_attribute(kind, "DW_AT_encoding", 0), "")
    return _PARAMETER_LETTERS.get(encoding, {}).get(_read_number_attribute(kind, "DW_AT_byte_size", 0), "")


def _choose_pointer_letter(pointer: DIE) -> str:
    target = _resolve_referred_type(pointer)
    if target is not None and target.tag == "DW_TAG_subroutine_type":
        return "x"
    is_char = target is not None and target.tag == "DW_TAG_base_type"
    if not is_char or _ENCODINGS.get(_read_number_attribute(target, "DW_AT_encoding", 0)) != "CHAR":
        return "p"
    die = _resolve_referred_type(pointer, keep=("DW_TAG_const_type",))
    return "t" if die is not None and die.tag == "DW_TAG_const_type" else "s"


def _has_fixed_place(member: DIE) -> bool:
    """Whether it lies at a fixed place: a static member lies elsewhere, a virtual base where the object says."""
    location = member.attributes.get("DW_AT_data_member_location")
    if location is not None:
        return isinstance(location.value, int)
    return not {"DW_AT_external", "DW_AT_declaration"} & member.attributes.keys()


def _is_declared_at(die: DIE, path: str, span: Span) -> bool:
    line = _read_number_attribute(die, "DW_AT_decl_line", 0)
    return span.first <= line <= span.last and _find_declaration_file_or_empty(die).endswith(path)


def _read_declaring_class_of_method(function: DIE, *, is_static: bool) -> Member | None:
    if "DW_AT_specification" not in function.attributes:
        return None
    holder = function.get_DIE_from_attribute("DW_AT_specification").get_parent()
    if holder.tag not in _CLASSES:
        return None
    if _read_die_name_or_empty(function).lstrip("~") == _read_die_name_or_empty(holder).partition("<")[0]:
        raise NotApplicableError("it is a constructor or a destructor")
    return Member(
        _find_declaration_file_or_empty(holder), _read_number_attribute(holder, "DW_AT_decl_line", 0), is_static
    )


def _find_declaration_file_or_empty(die: DIE) -> str:
    """The file of the declaration, as the compiler was given it; "" where it isn't told."""
    number = _read_number_attribute(die, "DW_AT_decl_file", 0)
    unit: CompileUnit = die.cu
    header = unit.dwarfinfo.line_program_for_CU(unit).header
    # DWARF 5 counts from 0.
    first = 0 if header.version >= 5 else 1
    if not first <= number < len(header.file_entry) + first:
        return ""
    entry = header.file_entry[number - first]
    folder = entry.dir_index - first
    name: str = entry.name.decode("utf-8", "replace")
    if folder < 0 or name.startswith("/"):
        return name
    return f"{header.include_directory[folder].decode('utf-8', 'replace')}/{name}"


def _read_die_name_or_empty(die: DIE) -> str:
    found = _find_attribute(die, "DW_AT_name")
    return found.value.decode("utf-8", "replace") if found else ""


def _find_attribute(die: DIE, name: str) -> Any:
    """Of the DIE, or of the declaration that it completes."""
    if name not in die.attributes and "DW_AT_specification" in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_specification")
    return die.attributes.get(name)


def _read_number_attribute(die: DIE, attribute: str, default: int) -> int:
    found = _find_attribute(die, attribute)
    return found.value if found and isinstance(found.value, int) else default
