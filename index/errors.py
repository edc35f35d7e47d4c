"""The error tree, at the bottom of the import order so that every package can raise and catch it.

GraftError
├── UserError          a mistake in what the user gave: one line that names the file, key or id, and the fix; exit 2
│   ├── ConfigError    a run configuration, an option
│   ├── TaskError      a task, a data set, a prediction
│   ├── RecipeError    a repository recipe, a mirror, a source tree
│   └── StaleIndexError  an index that is damaged, or of another format: rebuild it
├── ModelError         a model call that failed for good: the task's outcome is MODEL_ERROR
│   └── ContextTooLongError  the prompt does not fit the model's window
├── CeilingReached     the run's own ceiling on cost or tokens: the run stops cleanly and can be resumed
├── TimeOver           the time that was given is over: what isn't finished is left for the next call
├── AnswerPending      a request that nobody has answered yet: its sample waits, the others go on
└── InfraError         ours: the engine is gone, the disk is full, the image is missing; never a model's result
    └── SandboxError   raised by a sandbox, never by what ran inside it
"""

from __future__ import annotations

import errno
from typing import Any

# The machine has no more of something: never a user's mistake nor a candidate's.
OUT_OF_STOCK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO})


class GraftError(Exception):
    """Root of everything Graft raises on purpose."""

    exit_code = 1


class UserError(GraftError):
    """A user's mistake. The message is one line: what is wrong, where, and how to put it right."""

    exit_code = 2


class ConfigError(UserError):
    """A run configuration or an option is wrong."""


class TaskError(UserError):
    """A task, a data set or a file of predictions is wrong."""


class RecipeError(UserError):
    """A repository recipe, its mirror or its source tree is wrong."""


class StaleIndexError(UserError):
    """An index folder is damaged or of another format version; the message says to rebuild it."""


class ModelError(GraftError):
    """A model call failed for good, after retries."""


class ContextTooLongError(ModelError):
    """The provider refused the request because the prompt exceeds the model's window."""


class CeilingReached(GraftError):  # noqa: N818 - it is a clean stop, not a fault
    """The run's ceiling on cost or tokens is reached; no further call is made."""


class TimeOver(GraftError):  # noqa: N818 - it is a clean stop, not a fault
    """The time that was given is over; no further command is begun."""


class AnswerPending(GraftError):  # noqa: N818 - a sample that waits is no fault
    """Nobody has answered this request yet: the sample waits for it, the others go on. `request` is the agent's."""

    def __init__(self, request: Any) -> None:
        super().__init__("a request is still to be answered")
        self.request = request


class InfraError(GraftError):
    """A failure of Graft's own surroundings; retried by rule, counted, never scored as a model's."""


class SandboxError(InfraError):
    """The sandbox itself failed (engine gone, image missing, disk full)."""


def describe_install_commands(extra: str) -> str:
    """The commands that install an extra of Graft's, for a message: of a release, and in a checkout."""
    return f"pip install 'graft[{extra}]', or in a checkout .venv/bin/pip install -e '.[{extra}]' -c constraints.txt"
