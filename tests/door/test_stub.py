"""Prevents: a wheel whose type checker sees other names, parameters or fields than `import graft` has."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import graft

STUB = Path(graft.__file__).parent / "stubs" / "__init__.pyi"
STATEMENTS = ast.parse(STUB.read_text(encoding="utf-8")).body
FUNCTIONS = {node.name: node for node in STATEMENTS if isinstance(node, ast.FunctionDef)}
EMPTY = inspect.Parameter.empty
CLASSES = {node.name: node for node in STATEMENTS if isinstance(node, ast.ClassDef)}


def declared(function: ast.FunctionDef) -> dict[str, tuple[str, str]]:
    """Each parameter of a function in the stub with its annotation and default, and what it returns."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(named) - len(arguments.defaults)) + arguments.defaults
    pairs = [*zip(named, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg is not None:
        pairs.append((arguments.kwarg, None))
    found = {arg.arg: (text_of(arg.annotation), text_of(default)) for arg, default in pairs}
    return {**found, "return": (text_of(function.returns), "")}


def text_of(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def actual(function: object) -> dict[str, tuple[str, str]]:
    """The same of the function itself."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    found = {
        name: (normal(parameter.annotation), "" if parameter.default is EMPTY else repr(parameter.default))
        for name, parameter in signature.parameters.items()
    }
    return {**found, "return": (normal(signature.return_annotation), "")}


def normal(annotation: object) -> str:
    """An annotation as ast writes it; the modules postpone theirs, so that they are texts."""
    return "" if annotation is EMPTY else ast.unparse(ast.parse(str(annotation), mode="eval"))


def test_the_stub_has_exactly_the_public_names() -> None:
    assert FUNCTIONS.keys() | CLASSES.keys() == set(graft.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_same_parameters(name: str) -> None:
    assert declared(FUNCTIONS[name]) == actual(getattr(graft, name))


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_same_fields_and_methods(name: str) -> None:
    public = getattr(graft, name)
    for member in CLASSES[name].body:
        if isinstance(member, ast.FunctionDef) and not member.decorator_list:
            assert declared(member) == actual(getattr(public, member.name))
        elif isinstance(member, ast.AnnAssign) and text_of(member.annotation) == "Any":
            continue  # a value of the internals that is only passed on
        elif isinstance(member, ast.AnnAssign) and dataclasses.is_dataclass(public):
            assert normal(public.__annotations__[text_of(member.target)]) == text_of(member.annotation)
        elif isinstance(member, ast.Assign):
            assert getattr(public, text_of(member.targets[0])) == ast.literal_eval(member.value)


@pytest.mark.parametrize("name", [name for name in CLASSES if dataclasses.is_dataclass(getattr(graft, name))])
def test_values_have_no_field_more(name: str) -> None:
    fields = [text_of(member.target) for member in CLASSES[name].body if isinstance(member, ast.AnnAssign)]
    assert fields == [field.name for field in dataclasses.fields(getattr(graft, name)) if field.name[0] != "_"]


def test_a_view_has_in_the_stub_what_docs_python_promises() -> None:
    page = (Path(graft.__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
    (sentence,) = re.findall(r"A `HiddenView` promises (.*?)\.\n", page, re.DOTALL)
    promised = re.findall(r"`(\w+)(?:\([\w, ]*\))?`", sentence)
    members = CLASSES["HiddenView"].body
    assert set(promised) == {m.name if isinstance(m, ast.FunctionDef) else text_of(m.target) for m in members}
