"""The public names of `graft` as a type checker sees them in a wheel, where it shows this file as graft/__init__.pyi.

In a wheel the packages behind the door lie in graft/internal, which no type checker follows. The names, signatures and
fields are those of graft/__init__.py: tests/door/test_stub.py compares the two.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol

from pandas import DataFrame

__version__: str

Language = Literal["c", "cpp"]
Masking = Literal["strict", "realistic"]

class GraftError(Exception):
    exit_code: int

class UserError(GraftError): ...

class SymbolKind(StrEnum):
    FUNCTION = "function"
    PROTOTYPE = "prototype"
    TYPE = "type"
    MACRO = "macro"
    GLOBAL = "global"
    ENUMERATOR = "enumerator"
    FIELD = "field"

@dataclass(frozen=True, slots=True, order=True)
class Span:
    first: int
    last: int

@dataclass(frozen=True, slots=True)
class Target:
    repo: str
    path: str
    span: Span
    name: str
    signature: str
    docstring: str
    language: Language

@dataclass(frozen=True, slots=True)
class Symbol:
    kind: SymbolKind
    name: str
    qualified_name: str
    path: str
    span: Span
    start_byte: int
    end_byte: int
    signature: str
    docstring: str
    language: Language

@dataclass(frozen=True, slots=True)
class Hit:
    symbol: Symbol
    score: float
    reason: str

class HiddenView:
    target: Target
    masking: Masking
    clones: tuple[Symbol, ...]
    def text(self, symbol: Symbol) -> str: ...
    def file_text(self, path: str) -> str: ...
    def lines(self, path: str, span: Span) -> str: ...
    def files(self) -> Sequence[str]: ...
    def symbols_named(self, name: str) -> list[Symbol]: ...
    def symbols(self, kind: SymbolKind) -> Sequence[Symbol]: ...
    def symbols_in_file(self, path: str, kind: SymbolKind | None = None) -> Sequence[Symbol]: ...
    def callees(self, symbol: Symbol) -> tuple[Symbol, ...]: ...
    def callers(self, symbol: Symbol) -> tuple[Symbol, ...]: ...
    def includes(self, path: str) -> tuple[str, ...]: ...

class Retriever(Protocol):
    @property
    def name(self) -> str: ...
    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]: ...

@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    held_out: tuple[Target, ...] = ()
    encoder: str | None = None
    progress: Any = None

MakeRetriever = Callable[[Any, RetrieverSettings], Retriever]

@dataclass(frozen=True, slots=True)
class IndexReport:
    files: int
    functions: int
    symbols: int
    skipped: tuple[tuple[str, str], ...]
    parse_error_share: float
    seconds: float
    reparsed: int

class Index:
    tree: Path
    folder: Path
    def symbols(self, name: str, kind: SymbolKind | None = None) -> tuple[Symbol, ...]: ...
    def functions(self) -> tuple[Symbol, ...]: ...
    def text(self, symbol: Symbol) -> str: ...
    def callers(self, symbol: Symbol) -> tuple[Symbol, ...]: ...
    def callees(self, symbol: Symbol) -> tuple[Symbol, ...]: ...
    def target(self, symbol: Symbol) -> Target: ...
    def close(self) -> None: ...
    def __enter__(self) -> Index: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

@dataclass(frozen=True, slots=True)
class Sample:
    task: str
    arm: str
    number: int
    outcome: str
    reason: str
    exact_match: bool
    tokens: int
    seconds: float

@dataclass(frozen=True, slots=True)
class ArmScore:
    arm: str
    tasks: int
    pass_at_1: float
    low: float
    high: float
    built: float
    exact_match: float

@dataclass(frozen=True, slots=True)
class RunReport:
    folder: Path
    model: str
    dataset: str
    arms: tuple[ArmScore, ...]
    samples: tuple[Sample, ...]
    stopped: str = ""

    def to_pandas(self) -> DataFrame: ...

def index(tree: str | Path, folder: str | Path | None = None, *, workers: int = 2) -> IndexReport: ...
def open(  # noqa: A001
    tree: str | Path | None = None, folder: str | Path | None = None
) -> Index: ...
def search(
    index: Index, query: str, *, by: Literal["words", "meaning"] = "words", limit: int = 10
) -> tuple[Hit, ...]: ...
def hide(index: Index, target: Target, masking: Masking = "strict") -> HiddenView: ...
def retrieve(
    index: Index,
    target: Target,
    by: str | MakeRetriever = "hybrid",
    *,
    limit: int = 10,
    masking: Masking = "strict",
    held_out: Sequence[Target] = (),
    encoder: str | None = None,
) -> tuple[Hit, ...]: ...
def run(
    config: str | Path,
    *,
    mirror: str | Path | None = None,
    retry_errors: bool = False,
    **keys: str | int | float | bool | Path | Iterable[str] | Mapping[str, object] | None,
) -> RunReport: ...
def grade(folder: str | Path) -> RunReport: ...
def load_run(folder: str | Path) -> RunReport: ...
