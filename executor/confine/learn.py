"""Learns what a suite's unmodified programs need: they are watched once, and then have to pass behind the launcher."""

from __future__ import annotations

import logging
import posixpath
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from executor.cache import hold_file_lock, replace_file, short_digest
from executor.confine.install import (
    OBSERVED,
    POLICY,
    compile_launcher_once,
    digest_launcher_source,
    install_launcher,
    select_executable_goals,
)
from executor.confine.policy import FREE, NO_LAUNCHER, LearntPolicy, Policy, make_port_ranges
from executor.grading.grade import describe_surplus_results_or_empty, shorten_name_list, why_suite_failed
from executor.grading.logs.results import make_suite_run_from_output
from executor.repository.baseline import (
    SUITE_LIMITS,
    baseline_key,
    find_baseline_covering_suites,
    make_step_record,
    make_suite_command_reserving_cores,
    rounds_path,
)
from executor.repository.baseline_measurement import BASELINE_SUITE_S
from executor.repository.images import Image
from executor.repository.suites import Suite
from executor.repository.tamper import list_tree_state
from executor.sandbox.contract import Backend, Session
from executor.sandbox.scheduled import lend_machine
from executor.values import ExpectedTests, SuiteRun, Tier
from index.errors import SandboxError

log = logging.getLogger(__name__)

# What the launcher notes of fork and exec. They are no way to the driver, so a record doesn't name them.
_STARTING = ("fork", "exec")
# Raised when the rules below change what is learnt.
_RULES = 5
# A driver gives its servers the next free port, and a slow machine makes it skip some.
_SPARE_PORTS = 8
# A suite that takes longer isn't tried with each right in turn, but with so many more at once.
_LONG_S = 30.0
_AT_ONCE = 4
# So often a suite has to fail before a right is given up for it: any suite fails by chance now and then.
_TRIES = 2
_NEXT_SECOND_S = 1.1
Relaxation = Callable[[Policy], Policy]


@dataclass(frozen=True, slots=True)
class Observed:
    """What the unmodified programs of a suite did. In the tree: `folders` and `files` that they wrote, `near` the
    folders that hold these files, `old` those of the files that are the repository's. `to_proc`: they wrote there.
    `drawn`: another run bound other ports."""

    bind: frozenset[int] = frozenset()
    connect: frozenset[int] = frozenset()
    listening: frozenset[int] = frozenset()
    calls: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    symlinks: bool = False
    to_proc: bool = False
    drawn: bool = False


def read_or_learn_policies(
    image: Image, backend: Backend, suites: Sequence[str], wait_until_measured: Callable[[str], Image] | None = None
) -> dict[str, LearntPolicy]:
    """What is known of these suites, from the file beside the baseline; what isn't is learnt first, which takes a few
    runs of the suite. `wait_until_measured` gives the image once its baseline has the suite, which may still be
    measured; None: the image has all of them. Empty where there is no launcher. Raises SandboxError, and what
    `wait_until_measured` raises."""
    folder, launcher = image.folder, compile_launcher_once(image, backend)
    if launcher is None or folder is None:
        return {}
    official = [suite.model_dump(mode="json") for suite in image.recipe.official]
    rules = short_digest({"launcher": digest_launcher_source(), "rules": _RULES, "official": official})
    path = folder / f"confinement-{baseline_key(image.recipe)}-{rules}.json"
    known = read_learnt_policies(path)
    missing = [name for name in suites if name not in known]
    for number, name in enumerate(missing, start=1):
        # Another process or thread may have learnt it in the meantime. Each suite has a lock of its own: several are
        # learnt at once. Who learns it now needs the machine, which this thread may have for itself.
        with lend_machine(backend), hold_file_lock(folder / f"confinement-{name}.lock", ""):
            known = read_learnt_policies(path)
            if name in known:
                continue
            started = time.monotonic()
            wait = partial(wait_until_measured, name) if wait_until_measured is not None else lambda: image
            learnt = _learn_policy_preferring_no_surplus_output(
                _Bench(image, backend, launcher, image.recipe.find_suite(name), wait)
            )
            with hold_file_lock(folder / "confinement.lock", ""):
                known = {**read_learnt_policies(path), name: learnt}
                replace_file(path, _make_policies_adapter().dump_json(known, indent=1))
        taken = time.monotonic() - started
        given = "; ".join(known[name].given) or "all that it doesn't need is refused"
        log.info(f"{image.recipe.name}: confining {name} ({number}/{len(missing)}, {taken:.0f} s): {given}")
    return {name: known[name] for name in suites}


def read_learnt_policies(path: Path) -> dict[str, LearntPolicy]:
    """What is known of each suite; nothing where there is no file. Raises SandboxError when it is damaged."""
    try:
        return _make_policies_adapter().validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise SandboxError(f"{path}: damaged; delete it, and it is measured again") from error


@cache
def _make_policies_adapter() -> TypeAdapter[dict[str, LearntPolicy]]:
    """Made once: each session reads the policies, and making this takes longer than reading them."""
    return TypeAdapter(dict[str, LearntPolicy])


@dataclass(frozen=True, slots=True)
class _Bench:
    """Where a suite is tried. `wait_until_measured` gives the image with what the suite does without a launcher.
    `strict`: it has to print no more than it prints then. `alone`: nothing else runs beside it."""

    image: Image
    backend: Backend
    launcher: bytes
    suite: Suite
    wait_until_measured: Callable[[], Image]
    strict: bool = True
    alone: bool = False

    def why_suite_fails(self, policy: Policy) -> str:
        """Why the unmodified source doesn't pass the suite under the policy, or ""."""
        with self.backend.session(self.image.key) as session:
            return self.run_suite_and_find_problem_or_empty(session, policy.to_lines(session.root))

    def run_suite_and_find_problem_or_empty(self, session: Session, policy_lines: str) -> str:
        goals = self.image.recipe.find_goals([self.suite.name])
        install_launcher(session, self.launcher, select_executable_goals(self.image.graph, goals))
        session.write(POLICY, policy_lines.encode())
        usual = self.image.suite_seconds.get(self.suite.name)
        wall_s = BASELINE_SUITE_S if usual is None else self.suite.timeout_factor * usual
        wall_s = max(self.suite.timeout_min_s, wall_s)
        limits = replace(SUITE_LIMITS, wall_s=wall_s, memory_mb=self.suite.memory_mb)
        load = self.image.estimate_load(self.suite.name)
        load = replace(load, alone=load.alone or self.alone)
        command = make_suite_command_reserving_cores(self.suite, limits, load)
        done = session.run(command)
        step = make_step_record(self.suite.name, Tier.TESTS, command, done)
        ran = make_suite_run_from_output(
            self.suite.name, step, done.output, self.image.recipe.find_parser(self.suite.name)
        )
        problem = self._find_problem(ran, self.wait_until_measured().expected)
        # Only the baseline's later rounds show that a line isn't the same in each: libevent's test-ratelim.
        return problem and self._find_problem(ran, self._wait_for_expected_of_all_rounds())

    def _find_problem(self, ran: SuiteRun, expected: ExpectedTests) -> str:
        return why_suite_failed(ran, expected) or (
            describe_surplus_results_or_empty(ran, expected) if self.strict else ""
        )

    def _wait_for_expected_of_all_rounds(self) -> ExpectedTests:
        """What the whole baseline expects, once it is measured. Raises SandboxError where that was stopped."""
        folder, recipe = self.image.folder, self.image.recipe
        assert folder is not None
        # Who measures holds this lock up to the end.
        with hold_file_lock(folder.with_suffix(".lock"), ""):
            whole = find_baseline_covering_suites(folder, recipe, [self.suite.name])
            if whole is None and rounds_path(folder, recipe).exists():
                raise SandboxError(f"suite {self.suite.name}: the run was stopped before all its rounds were measured")
        # A node of a cluster has no baseline of its own: the image comes with the whole one.
        return (self.wait_until_measured() if whole is None else whole).expected


def _learn_policy_preferring_no_surplus_output(bench: _Bench) -> LearntPolicy:
    if not select_executable_goals(bench.image.graph, bench.image.recipe.find_goals([bench.suite.name])):
        return LearntPolicy(Policy())
    # Many a suite says that it was refused something and passes: each answer would print that too, and be flagged.
    # What a busy machine stops or lets fail would be unconfined for good: it is tried once more, alone.
    for alone, strict in product((False, True), (True, False)):
        learnt = _find_least_sufficient_policy(replace(bench, strict=strict, alone=alone))
        if learnt.policy is not None:
            break
    return learnt


def _find_least_sufficient_policy(bench: _Bench) -> LearntPolicy:
    started = time.monotonic()
    seen, problem = _observe_suite_and_find_problem(bench)
    bench = replace(bench, image=bench.wait_until_measured())
    if problem:
        return LearntPolicy(None, (f"{NO_LAUNCHER}: watched, {problem}",))
    first = make_least_policy(seen)
    bound = seen.bind - {0}
    if bound:
        # nng's tests draw their first port by the time in seconds: a run within the same second shows nothing of it.
        time.sleep(max(0.0, started + _NEXT_SECOND_S - time.monotonic()))
    problem = _why_policy_keeps_failing(bench, first)
    if problem and bound:
        again, missed = _observe_suite_and_find_problem(bench)
        if not missed and not all(any(low <= port <= high for low, high in first.bind) for port in again.bind):
            seen = replace(seen, drawn=True)
            first = make_least_policy(seen)
            problem = _why_policy_keeps_failing(bench, first)
    given = tuple(_describe_granted_needs(seen, first))
    if not problem:
        return LearntPolicy(first, given)
    steps = list(list_relaxations(seen))
    is_long = bench.image.suite_seconds.get(bench.suite.name, 0.0) > _LONG_S
    if not is_long:
        for words, change in steps:
            if not bench.why_suite_fails(change(first)):
                return LearntPolicy(change(first), (*given, f"{words} ({problem})"))
    policy, more = first, list[str]()
    for number, (words, change) in enumerate(steps, start=1):
        policy, more = change(policy), [*more, words]
        if is_long and number % _AT_ONCE and number < len(steps):
            continue
        if not bench.why_suite_fails(policy):
            return LearntPolicy(policy, (*given, *more, f"({problem})"))
    return LearntPolicy(None, (f"{NO_LAUNCHER}: {problem}",))


def _why_policy_keeps_failing(bench: _Bench, policy: Policy) -> str:
    for _ in range(_TRIES):
        if not (problem := bench.why_suite_fails(policy)):
            break
    return problem


def _observe_suite_and_find_problem(bench: _Bench) -> tuple[Observed, str]:
    """Run the suite with its programs watched. Returns what was seen and why it didn't pass, or ""."""
    for _ in range(_TRIES):
        with bench.backend.session(bench.image.key) as session:
            before = {path: entry.startswith("d") for path, entry in list_tree_state(session).items()}
            problem = bench.run_suite_and_find_problem_or_empty(session, f"observe {session.root}/{OBSERVED}\n")
            try:
                notes = session.read(OBSERVED).decode("utf-8", "surrogateescape")
            except FileNotFoundError:
                # None of the programs was started.
                notes = ""
            seen = parse_launcher_notes(notes, before, session.root)
        if not problem:
            break
    return seen, problem


def parse_launcher_notes(notes: str, was_folder: Mapping[str, bool], root: str) -> Observed:
    """What the launcher's notes say. `was_folder`: the paths of the unmodified tree, and whether each is a folder."""
    noted: dict[str, set[str]] = {}
    for line in notes.splitlines():
        word, _, value = line.partition(" ")
        noted.setdefault(word, set()).add(value)
    # Folders that hold anything of the repository's.
    kept = {path for path in was_folder if not PurePosixPath(path).name.startswith(".")}
    full = {str(parent) for path in kept for parent in PurePosixPath(path).parents if not was_folder[path]}
    folders, files, near, old = set[str](), set[str](), set[str](), set[str]()
    made = {posixpath.normpath(path) for path in noted.get("folder", ())}
    written = {posixpath.normpath(path) for word in ("write", "symlink") for path in noted.get(word, ())} | made
    for path in (path.removeprefix(f"{root}/") for path in written if path.startswith(f"{root}/")):
        if was_folder.get(path):
            # Such a call fails, or the folder is made again.
            continue
        chain = [path, *(str(parent) for parent in PurePosixPath(path).parents)]
        top = [part for part in chain if part not in was_folder][-1:] or [path]
        above = str(PurePosixPath(top[0]).parent)
        if above not in full and above != ".":
            folders.add(above)
        elif top[0] != path or f"{root}/{path}" in made:
            folders.add(top[0])
            near.add(above)
        else:
            files.add(path)
            near.add(above)
            if path in was_folder:
                old.add(path)
    return Observed(
        bind=_read_ports(noted, "bind"),
        connect=_read_ports(noted, "connect"),
        listening=_read_ports(noted, "listening"),
        calls=frozenset(noted.get("call", ())),
        folders=tuple(sorted(folders)),
        files=tuple(sorted(files)),
        near=tuple(sorted(near)),
        old=tuple(sorted(old)),
        symlinks="symlink" in noted,
        to_proc=any(path.startswith("/proc/") for path in written),
    )


def _read_ports(noted: Mapping[str, set[str]], word: str) -> frozenset[int]:
    return frozenset(int(value) for value in noted.get(word, ()) if value.isdigit())


def make_least_policy(seen: Observed) -> Policy:
    """The least that does what was seen. Ports on which the driver listens are left out of the spare ones."""
    drivers = seen.listening - seen.bind
    spare = {port + more for port in seen.bind if port for more in range(_SPARE_PORTS + 1)} - drivers
    bind = {*seen.bind, *spare}
    connect = {*seen.connect, *bind} - {0}
    free = [name for name in _STARTING if name in seen.calls]
    # Whoever asks the kernel for a free port gets another each time.
    free += ["connect"] if seen.drawn or 0 in seen.bind else []
    free += ["bind"] if seen.drawn else []
    return Policy(
        made=(*(f"{folder}/" for folder in seen.folders), *seen.files),
        symlinks=seen.symlinks,
        bind=() if "bind" in free else make_port_ranges(bind),
        connect=() if "connect" in free else make_port_ranges(connect),
        calls=tuple(sorted(seen.calls - {*_STARTING})),
        free=tuple(free),
    )


def _describe_granted_needs(seen: Observed, policy: Policy) -> Iterator[str]:
    """In words, what the programs were seen to do and may do therefore."""
    if policy.calls:
        yield f"may call {', '.join(policy.calls)}"
    if policy.symlinks:
        yield "may make symbolic links"
    if seen.old:
        yield f"may write {shorten_name_list(seen.old)}"
    yield from (FREE[name] for name in policy.free if name not in _STARTING)
    reached = sorted((seen.listening - seen.bind) & seen.connect)
    if reached:
        yield f"may connect to the driver's port {', '.join(map(str, reached))}"


def list_relaxations(seen: Observed) -> Iterator[tuple[str, Relaxation]]:
    """The rights that are given up where a suite doesn't pass without them, in this order, in words."""
    yield "may start processes and programs", _make_relaxation_freeing_rights(*_STARTING)
    for name in ("descriptors", "abstract", "signals"):
        yield FREE[name], _make_relaxation_freeing_rights(name)
    if seen.near and "." not in seen.near:
        yield f"may write below {shorten_name_list(seen.near)}", lambda policy: _allow_writing_below(policy, seen.near)
    if seen.to_proc:
        yield "may write to /proc", lambda policy: replace(policy, write=(*policy.write, "/proc"))
    for name in ("connect", "bind", "files", "syscalls"):
        yield FREE[name], _make_relaxation_freeing_rights(name)


def _allow_writing_below(policy: Policy, folders: Sequence[str]) -> Policy:
    """The policy with the right to write below these folders. Files there needn't be made first, which a program that
    makes a file of its own (O_EXCL) doesn't survive."""
    made = tuple(path for path in policy.made if str(PurePosixPath(path).parent) not in folders)
    return replace(policy, write=(*policy.write, *folders), made=made)


def _make_relaxation_freeing_rights(*names: str) -> Relaxation:
    return lambda policy: replace(policy, free=(*policy.free, *names))
