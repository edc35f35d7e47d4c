"""Keeps the programs of one session apart from the driver that starts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from executor.confine.install import (
    POLICY,
    compile_launcher_once,
    install_launcher,
    restore_programs,
    select_executable_goals,
)
from executor.confine.learn import read_or_learn_policies
from executor.confine.policy import NO_LAUNCHER, Kernel, LearntPolicy, describe_confinement_gaps_or_full
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, Session
from index.errors import SandboxError


class Confinement:
    """The launchers of one session: `learn_policies_and_install_launchers` before suites, `apply_policy` before each,
    `restore_programs` before a further build. Each raises SandboxError."""

    def __init__(self, session: Session, image: Image, backend: Backend) -> None:
        self._session, self._image, self._backend = session, image, backend
        self._learnt: dict[str, LearntPolicy] = {}
        self._kernel: Kernel | None = None
        self._entered: dict[str, LearntPolicy] = {}
        self._in_place: tuple[str, ...] = ()

    def learn_policies_and_install_launchers(self, suites: Sequence[str]) -> None:
        """Put launchers into the places of these suites' programs. What the suites need is learnt unless it is known,
        which takes a few runs of them in other sessions."""
        found = self._take_policies_from_suites_sharing_programs(
            read_or_learn_policies(self._image, self._backend, suites)
        )
        self._learnt.update(found)
        bound = [name for name, known in found.items() if known.policy is not None]
        wanted = self._list_program_paths_of_suites(bound)
        launcher = compile_launcher_once(self._image, self._backend)
        if wanted and launcher is not None and not set(wanted) <= set(self._in_place):
            self._kernel = install_launcher(self._session, launcher, wanted)
            self._in_place = tuple(sorted({*self._in_place, *wanted}))

    def _take_policies_from_suites_sharing_programs(
        self, found: Mapping[str, LearntPolicy]
    ) -> dict[str, LearntPolicy]:
        """The same, but none for a suite that shares a program with one that doesn't pass behind a launcher: the
        program would be changed between the two, which is held against an answer."""
        taken = dict(found)
        while True:
            loose = [name for name, known in taken.items() if known.policy is None]
            programs = set(self._list_program_paths_of_suites(loose)) if loose else set()
            sharing = [
                name
                for name in taken
                if name not in loose and not programs.isdisjoint(self._list_program_paths_of_suites([name]))
            ]
            if not sharing:
                return taken
            why = f"{NO_LAUNCHER}: shares a program with {', '.join(loose)}"
            taken.update(dict.fromkeys(sharing, LearntPolicy(None, (why,))))

    def _list_program_paths_of_suites(self, suites: Sequence[str]) -> tuple[str, ...]:
        return select_executable_goals(self._image.graph, self._image.recipe.find_goals(suites))

    def apply_policy(self, suite: str) -> None:
        """From now on the launchers apply this suite's policy."""
        known = self._learnt.get(suite)
        if known is None or (
            known.policy is not None and not set(self._list_program_paths_of_suites([suite])) <= set(self._in_place)
        ):
            self.learn_policies_and_install_launchers([suite])
            known = self._learnt.get(suite)
        if known is None:
            return
        self._entered[suite] = known
        if known.policy is None and not set(self._list_program_paths_of_suites([suite])).isdisjoint(self._in_place):
            # The launchers of another suite's policy stand in the places of programs that it shares.
            restore_programs(self._session)
            self._in_place = ()
        if known.policy is None or not self._in_place:
            return
        try:
            self._session.write(POLICY, known.policy.to_lines(self._session.root).encode())
        except SandboxError:
            # An earlier suite's programs may have filled the disk. Without a policy a launcher starts nothing, so
            # that the suite fails, and where the sandbox is at fault the next command says so.
            self._session.run(Command(("rm", "-f", "--", POLICY)))

    def restore_programs(self) -> None:
        """Put the programs back: a build may read them, and an installer would write through to the launcher."""
        if self._in_place:
            restore_programs(self._session)
            self._in_place = ()
            self._learnt.clear()

    @property
    def launcher_paths(self) -> tuple[str, ...]:
        return self._in_place

    @property
    def full_or_gaps_line_or_empty(self) -> str:
        """For the record, what held for the suites so far: `full`, or what didn't. "" without a launcher."""
        return (
            describe_confinement_gaps_or_full(self._kernel, sorted(self._entered.items()))
            if self._kernel is not None
            else ""
        )
