"""`graft`, and `python -m graft`.

Every process that an index's build starts imports the program that started it. The command line takes longer to
import (a third of a second) than a small tree to parse, so it waits for the one process that serves it.
"""

from __future__ import annotations


def main() -> None:
    """See `lab.cli.app.main`."""
    from lab.cli import app

    app.main()


if __name__ == "__main__":
    main()
