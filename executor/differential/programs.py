"""Builds a suite's programs with both bodies in the unit and the runtime linked in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.build.command_line import compiled_language, front_end, parse_compiler
from executor.build.graph import GRAFT_FOLDER, ROOT, BuildStep
from executor.candidate.execute import BUILD_LIMITS, Runner
from executor.differential.shapes import Shape, read_shape
from executor.differential.tables import tables
from executor.differential.unit import all_bodies, parameter_names
from executor.differential.values import NotApplicableError
from executor.values import Step, Task, Tier

RUNTIME = Path(__file__).parent / "runtime"
HOME = f"{GRAFT_FOLDER}/differential"
RESULTS = f"{HOME}/results"
_OBJECT = f"{HOME}/runtime.o"
_TYPES = f"{HOME}/types.o"
# Calls of these functions are led through the runtime.
_WRAPPED = (
    *("malloc", "calloc", "realloc", "free", "je_malloc", "je_calloc", "je_realloc", "je_free"),
    *("posix_memalign", "aligned_alloc", "strdup", "strndup"),
    *("longjmp", "siglongjmp", "_longjmp", "__longjmp_chk"),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit as it is compiled, what the function in it takes and reaches, and its parameters' names."""

    step: BuildStep
    shape: Shape
    arguments: tuple[str, ...]


def unit_of(steps: Sequence[BuildStep], task: Task) -> BuildStep:
    """The compilation of the task's file. Raises NotApplicableError."""
    path = task.target.path
    units = [step for step in steps if step.kind == "compile" and path in step.sources]
    if not units:
        raise NotApplicableError("its file is compiled as a part of others")
    if any(compiled_language(step.argv) != "c" for step in units):
        raise NotApplicableError("it isn't compiled as C")
    return units[0]


def describe(runner: Runner, step: BuildStep, task: Task) -> Unit:
    """Compile the unmodified unit for what the compiler tells of its types. Raises NotApplicableError."""
    call = parse_compiler(step.argv)
    source = call.sources[step.sources.index(task.target.path)]
    argv = (*front_end(call, (source,), "-c", "-g", "-o", f"{ROOT}/{_TYPES}"), "-O0", "-w")
    _must(runner, "types", replace(step, argv=argv, outputs=(_TYPES,)), "its file isn't compiled with -g")
    shape = read_shape(runner.session.read(_TYPES), task.target.name)
    arguments = parameter_names(task.gold, task.target.name)
    if len(arguments) != len(shape.arguments):
        raise NotApplicableError("its parameters can't be told from its text")
    return Unit(step, shape, arguments)


def build(
    runner: Runner,
    steps: Sequence[BuildStep],
    unit: Unit,
    task: Task,
    candidates: Sequence[str],
    source: bytes,
    tag: str,
) -> None:
    """Build what `steps` make, with all bodies. Raises NotApplicableError where that fails."""
    session = runner.session
    shape = unit.shape
    for with_variables in (True, False):
        # A variable's name may be a macro's as well.
        shape = unit.shape if with_variables else replace(unit.shape, variables=())
        names = [name for name, _ in shape.variables]
        text = all_bodies(
            source, task.target.span, task.target.name, candidates, tag, names, is_void=shape.result is None
        )
        session.write(task.target.path, text)
        done = runner.build_step("differential-unit", Tier.BUILD, _quiet(unit.step), BUILD_LIMITS)
        if done.exit_code == 0:
            break
    else:
        raise NotApplicableError("the bodies don't compile in one unit")
    _runtime(runner, parse_compiler(unit.step.argv).tool, tables(shape, unit.arguments, len(candidates)), tag)
    for number, step in enumerate(steps, start=1):
        if step is not unit.step:
            _must(runner, f"differential-{step.kind}-{number}", _changed(step), "its programs can't be linked")


def _runtime(runner: Runner, tool: str, text: str, tag: str) -> None:
    session = runner.session
    session.write(f"{HOME}/tables.c", text.encode())
    files = sorted(path for path in RUNTIME.iterdir() if path.suffix in (".c", ".h"))
    for path in files:
        session.write(f"{HOME}/{path.name}", path.read_bytes())
    sources = [f"{ROOT}/{HOME}/{path.name}" for path in files if path.suffix == ".c"]
    defined = (f"-DGRAFT_TAG={tag}", f'-DGRAFT_RESULTS="{ROOT}/{RESULTS}"')
    flags = ("-O1", "-fPIC", "-w", "-D_GNU_SOURCE", "-fno-stack-protector", "-U_FORTIFY_SOURCE", *defined)
    argv = (tool, *flags, "-nostdlib", "-r", "-o", f"{ROOT}/{_OBJECT}", *sources, f"{ROOT}/{HOME}/tables.c")
    step = BuildStep("link", argv, ROOT, (_OBJECT,))
    _must(runner, "differential-runtime", step, "the runtime can't be compiled there")


def _quiet(step: BuildStep) -> BuildStep:
    return replace(step, argv=(*step.argv, "-w", "-fno-lto"))


def _changed(step: BuildStep) -> BuildStep:
    if step.kind == "compile":
        return _quiet(step)
    if step.kind != "link" or "-r" in step.argv:
        return step
    return replace(step, argv=(step.argv[0], *linking(), f"{ROOT}/{_OBJECT}", *step.argv[1:]))


def linking() -> tuple[str, ...]:
    """The linker's flags that lead a program's calls through the runtime."""
    return tuple(f"-Wl,--wrap={name}" for name in _WRAPPED)


def _must(runner: Runner, name: str, step: BuildStep, why: str) -> Step:
    done = runner.build_step(name, Tier.BUILD, step, BUILD_LIMITS)
    if done.exit_code != 0:
        raise NotApplicableError(why)
    return done
