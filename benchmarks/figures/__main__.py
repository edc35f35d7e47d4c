"""Write the measured tables and charts of README.md and docs/ from records, so that no figure is typed by hand.

python -m benchmarks.figures            # `make figures`: rewrite every page
python -m benchmarks.figures --check    # exit status 1 when a page isn't what its records give
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.figures.pages import CHARTS, fill_tables, find_pages
from benchmarks.record import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when a page is stale")
    check = parser.parse_args().check
    stale = 0
    made = {page: fill_tables(page.read_text(encoding="utf-8")).encode("utf-8") for page in find_pages()}
    for file, new in (made | {file: draw() for file, draw in CHARTS.items()}).items():
        if not file.is_file() or file.read_bytes() != new:
            stale += 1
            sys.stdout.write(f"{file.relative_to(ROOT)}: {'stale' if check else 'written'}\n")
            if not check:
                file.write_bytes(new)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
