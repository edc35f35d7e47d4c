"""Builds a suite's programs with both bodies in the unit and the runtime linked in."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from executor.candidate.execute import read_unmodified_file
from executor.candidate.runner import BUILD_LIMITS, Runner
from executor.function.definition import read_tokens_without_literals_and_directives
from executor.grading.differential import NotApplicableError
from executor.repository.build.command_line import (
    SOURCE_SUFFIXES,
    detect_compiled_language,
    parse_compiler,
    strip_call_to_front_end,
)
from executor.repository.build.graph import GRAFT_FOLDER, ROOT, BuildStep
from executor.repository.images import Image
from executor.values import Task, Tier
from lab.differential.c_unit import (
    FunctionPlace,
    find_constants_and_compared_names,
    insert_bodies_behind_dispatcher,
    list_words_after_static_keywords,
)
from lab.differential.cpp_unit import (
    declare_bodies_in_class,
    insert_cpp_bodies_behind_dispatcher,
    is_defined_outside_class,
)
from lab.differential.dwarf_shapes import Shape, count_self_run_functions, read_shape
from lab.differential.noted_calls import declare_callee_probes, find_called_names

RUNTIME = Path(__file__).parent / "runtime"
DIFFERENTIAL_FOLDER = f"{GRAFT_FOLDER}/differential"
RESULTS = f"{DIFFERENTIAL_FOLDER}/results"
_OBJECT = f"{DIFFERENTIAL_FOLDER}/runtime.o"
_TYPES = f"{DIFFERENTIAL_FOLDER}/types.o"
# Calls of these functions are led through the runtime.
_WRAPPED = (
    *("malloc", "calloc", "realloc", "free", "je_malloc", "je_calloc", "je_realloc", "je_free"),
    *("posix_memalign", "aligned_alloc", "strdup", "strndup"),
    *("longjmp", "siglongjmp", "_longjmp", "__longjmp_chk"),
)


# So many units are asked for what they tell of a header's function.
_MOST_UNITS_ASKED = 4


@dataclass(frozen=True, slots=True)
class TypesUnit:
    """What tells of the function's types: a unit that holds it, what it takes and reaches."""

    task: Task
    step: BuildStep
    shape: Shape
    is_cpp: bool

    @property
    def is_header(self) -> bool:
        return is_header(self.task.target.path)

    @property
    def unqualified_function_name(self) -> str:
        """The function's, without qualifiers in C++."""
        return self.task.target.name.rpartition("::")[2] if self.is_cpp else self.task.target.name


def compile_unit_for_type_shapes(
    runner: Runner,
    steps: Sequence[BuildStep],
    task: Task,
    unmodified_source: bytes,
    candidates: Sequence[str],
    repository_names: Collection[str],
) -> TypesUnit:
    """Compile a unit of the file `unmodified_source` for what the compiler tells of its types, and of those of the
    `repository_names` that the gold and the `candidates` call. Raises NotApplicableError."""
    path = task.target.path
    compiled = [step for step in steps if step.kind == "compile" and path in (*step.sources, *step.depends)]
    units = [step for step in compiled if path in step.sources] or compiled
    if not units:
        raise NotApplicableError("its file is compiled as a part of others")
    languages = {detect_compiled_language(step.argv) for step in compiled}
    if languages not in ({"c"}, {"c++"}):
        raise NotApplicableError("it isn't compiled as C or as C++ alone")
    units.sort(key=lambda step: len(step.depends))
    is_cpp = languages == {"c++"}
    if not is_cpp:
        every = find_called_names((task.gold, *candidates), repository_names, task.target.name)
        # A name that only a candidate calls may not be declared there.
        for names in dict.fromkeys((every, find_called_names((task.gold,), repository_names, task.target.name))):
            if names:
                runner.session.write(path, declare_callee_probes(unmodified_source, task.target.span, names))
                with suppress(NotApplicableError):
                    return _compile_units_until_shape(runner, units, task, names, is_cpp=is_cpp)
        runner.session.write(path, unmodified_source)
    return _compile_units_until_shape(runner, units, task, (), is_cpp=is_cpp)


def _compile_units_until_shape(
    runner: Runner, units: Sequence[BuildStep], task: Task, names: Sequence[str], *, is_cpp: bool
) -> TypesUnit:
    asked = units[:_MOST_UNITS_ASKED]
    for step in asked:
        try:
            shape = _compile_unit_and_read_shape(runner, step, task, names)
            break
        except NotApplicableError:
            # Not each unit holds a header's function.
            if step is asked[-1]:
                raise
    if "" in shape.names:
        raise NotApplicableError("a parameter has no name")
    return TypesUnit(task, step, shape, is_cpp)


def is_header(path: str) -> bool:
    """Whether more than one unit may read the file, so that its end isn't the unit's."""
    return posixpath.splitext(path)[1] not in SOURCE_SUFFIXES


def _compile_unit_and_read_shape(runner: Runner, step: BuildStep, task: Task, names: Sequence[str]) -> Shape:
    call = parse_compiler(step.argv)
    path = task.target.path
    source = call.sources[step.sources.index(path)] if path in step.sources else call.sources[0]
    argv = (*strip_call_to_front_end(call, (source,), "-c", "-g", "-o", f"{ROOT}/{_TYPES}"), "-O0", "-w")
    is_c = detect_compiled_language(step.argv) == "c"
    if not is_c:
        argv += ("-fstandalone-debug",) if "clang" in call.tool else ("-femit-class-debug-always",)
    _run_required_step(runner, "types", replace(step, argv=argv, outputs=(_TYPES,)), "its file isn't compiled with -g")
    data = runner.session.read(_TYPES)
    if is_c:
        return read_shape(data, task.target.name, probed_names=names)
    return read_shape(data, task.target.name, path, task.target.span)


def build_programs_with_compilable_bodies(
    runner: Runner,
    image: Image,
    steps: Sequence[BuildStep],
    unit: TypesUnit,
    candidates: Sequence[str],
    source: bytes,
    tag: str,
    budget_s: float,
) -> list[int]:
    """Build what `steps` make, with all bodies; their forks may take `budget_s` of CPU time. Returns the numbers of
    the candidates that compile beside the gold. Raises NotApplicableError where none does."""
    task = unit.task
    by_itself = count_self_run_functions(runner.session.read(_TYPES))
    if unit.is_cpp:
        source = _declare_bodies_in_class_and_return_task_source(runner, image, unit, len(candidates), source, tag)

    def can_compile_adding_no_self_run_functions(shape: Shape, constants: Sequence[str], kept: Sequence[int]) -> bool:
        texts = [candidates[number] for number in kept]
        place = FunctionPlace(source, task.target.span, unit.unqualified_function_name, unit.is_header)
        insert = insert_cpp_bodies_behind_dispatcher if unit.is_cpp else insert_bodies_behind_dispatcher
        runner.session.write(task.target.path, insert(place, texts, tag, shape, constants))
        step = runner.run_build_step(
            "differential-unit", Tier.BUILD, _disable_warnings_and_lto(unit.step), BUILD_LIMITS
        )
        if step.exit_code != 0:
            return False
        # What runs before or after main is in no fork, and could write a record of its own.
        return count_self_run_functions(runner.session.read(unit.step.outputs[0])) <= by_itself

    # A variable's name may be a macro's as well, and a word in capitals no number.
    shape, fewer = unit.shape, replace(unit.shape, variables=())
    plain = replace(fewer, callees=())
    found = find_constants_and_compared_names(task.gold, shape.names)
    ways: tuple[tuple[Shape, tuple[str, ...]], ...] = ((fewer, ()), (plain, ()))
    if not unit.is_header:
        ways = ((shape, found), (shape, ()), *ways)
    kept = list(range(len(candidates)))
    way = next((way for way in ways if can_compile_adding_no_self_run_functions(*way, kept)), None)
    if way is None:
        kept = [
            number
            for number in kept
            if len(candidates) > 1 and can_compile_adding_no_self_run_functions(plain, (), [number])
        ]
        way = next((way for way in ways if kept and can_compile_adding_no_self_run_functions(*way, kept)), None)
        if way is None:
            raise NotApplicableError("the bodies don't compile in one unit")
    shape, numbers = way
    bodies = (task.gold, *(candidates[number] for number in kept))
    text = write_runtime_tables(shape, bodies, budget_s, len(numbers))
    _compile_runtime(runner, parse_compiler(unit.step.argv).tool, text, tag)
    for number, step in enumerate(steps, start=1):
        if step is not unit.step:
            _run_required_step(
                runner,
                f"differential-{step.kind}-{number}",
                _route_step_through_runtime(step),
                "its programs can't be linked",
            )
    return kept


def _declare_bodies_in_class_and_return_task_source(
    runner: Runner, image: Image, unit: TypesUnit, candidate_count: int, source: bytes, tag: str
) -> bytes:
    """The task's file. The class of a method that is defined outside it declares the bodies from now on, in whichever
    file it stands."""
    task, member, name = unit.task, unit.shape.member, unit.unqualified_function_name
    if member is None or not is_defined_outside_class(task.gold, name):
        return source
    root = runner.session.root
    path = posixpath.normpath(posixpath.join(root, unit.step.cwd, member.file))
    if not path.startswith(f"{root}/"):
        raise NotApplicableError("its class stands outside the repository")
    path = path.removeprefix(f"{root}/")
    text = source if path == task.target.path else read_unmodified_file(image, path)
    text = declare_bodies_in_class(
        text, member.line, task.gold, name, candidate_count, tag, is_static=member.is_static
    )
    if path == task.target.path:
        return text
    runner.session.write(path, text)
    return source


def _compile_runtime(runner: Runner, tool: str, tables_text: str, tag: str) -> None:
    session = runner.session
    session.write(f"{DIFFERENTIAL_FOLDER}/tables.c", tables_text.encode())
    files = sorted(path for path in RUNTIME.iterdir() if path.suffix in (".c", ".h"))
    for path in files:
        session.write(f"{DIFFERENTIAL_FOLDER}/{path.name}", path.read_bytes())
    names = [*(path.name for path in files if path.suffix == ".c"), "tables.c"]
    sources = [f"{ROOT}/{DIFFERENTIAL_FOLDER}/{name}" for name in names]
    defined = (f"-DGRAFT_TAG={tag}", f'-DGRAFT_RESULTS="{ROOT}/{RESULTS}"')
    flags = ("-O1", "-fPIC", "-w", "-D_GNU_SOURCE", "-fno-stack-protector", "-U_FORTIFY_SOURCE", *defined)
    # The C compiler that comes with a C++ compiler.
    folder, slash, name = tool.rpartition("/")
    compiler = folder + slash + name.replace("clang++", "clang").replace("g++", "gcc").replace("c++", "cc")
    argv = (compiler, *flags, "-nostdlib", "-r", "-o", f"{ROOT}/{_OBJECT}", *sources)
    step = BuildStep("link", argv, ROOT, (_OBJECT,))
    _run_required_step(runner, "differential-runtime", step, "the runtime can't be compiled there")


def _disable_warnings_and_lto(step: BuildStep) -> BuildStep:
    return replace(step, argv=(*step.argv, "-w", "-fno-lto"))


def _route_step_through_runtime(step: BuildStep) -> BuildStep:
    if step.kind == "compile":
        return _disable_warnings_and_lto(step)
    if step.kind != "link" or "-r" in step.argv:
        return step
    return replace(step, argv=(step.argv[0], *make_wrap_flags(), f"{ROOT}/{_OBJECT}", *step.argv[1:]))


def make_wrap_flags() -> tuple[str, ...]:
    """The linker's flags that lead a program's calls through the runtime."""
    return tuple(f"-Wl,--wrap={name}" for name in _WRAPPED)


def _run_required_step(runner: Runner, name: str, step: BuildStep, why: str) -> None:
    if runner.run_build_step(name, Tier.BUILD, step, BUILD_LIMITS).exit_code != 0:
        raise NotApplicableError(why)


def write_runtime_tables(shape: Shape, bodies: Sequence[str], budget_s: float, constant_count: int = 0) -> str:
    """The runtime's file tables.c; `bodies` are the gold and the candidates. `budget_s`: CPU seconds for the forks of
    all processes; half as many more go to changed states. `constant_count`: how many the unit gives."""
    words = {piece.text for body in bodies for piece in read_tokens_without_literals_and_directives(body)}
    own_constants = any(map(list_words_after_static_keywords, bodies))
    fields: list[str] = []
    types: list[str] = []
    for found in shape.types:
        count = len(found.fields) if found.kind == "STRUCT" else found.count
        types.append(f"{{{found.kind}, {found.size}, {found.target}, {count}, {len(fields)}}},")
        fields += [
            f"{{{json.dumps(f.name)}, {f.offset}, {f.type}, {f.bits}, {f.shift}, {int(f.name in words)}}},"
            for f in found.fields
        ]
    taken = [f"{{{json.dumps(name)}, {kind}, 1}}," for name, kind in zip(shape.names, shape.arguments, strict=True)]
    variables = [f"{{{json.dumps(name)}, {kind}, {int(name in words)}}}," for name, kind in shape.variables]
    callees = [f"{{{json.dumps(c.name)}, {json.dumps(c.taken)}, {int(c.is_void)}}}," for c in shape.callees]
    result = -1 if shape.result is None else shape.result
    return "\n".join(
        [
            '#include "graft.h"',
            *_write_array("struct type", "types", types, "{OPAQUE, 0, -1, 0, 0}"),
            *_write_array("struct field", "fields", fields, '{"", 0, 0, 0, 0, 0}'),
            *_write_array("struct named", "arguments", taken, '{"", 0, 0}'),
            *_write_array("struct named", "globals", variables, '{"", 0, 0}'),
            *_write_array("struct callee", "callees", callees, '{"", "", 0}'),
            f"const int NAMED(argument_count) = {len(taken)}, NAMED(global_count) = {len(variables)};",
            f"const int NAMED(result_type) = {result}, NAMED(candidate_count) = {len(bodies) - 1};",
            f"const long NAMED(most_microseconds) = {int(budget_s * 1e6)};",
            f"const int NAMED(own_constants) = {int(own_constants)}, NAMED(constant_count) = {constant_count};",
            "",
        ]
    )


def _write_array(kind: str, name: str, rows: Sequence[str], last: str) -> list[str]:
    return [f"const {kind} NAMED({name})[] = {{", *rows, last, "};"]
