"""Applies a pattern that RE2 refuses to each line. A program of its own, so that it can be stopped: standard input is
the JSON of [pattern, text], standard output that of [[start, name], ...]."""

import json
import re
import sys


def search_pattern_in_lines_of_stdin() -> None:
    pattern, text = json.load(sys.stdin)
    compiled = re.compile(pattern)
    named = "name" in compiled.groupindex
    found = []
    start = 0
    for line in text.split("\n"):
        match = compiled.search(line)
        if match:
            found.append([start + len(line[: match.start()].encode()), (match["name"] or "").strip() if named else ""])
        start += len(line.encode()) + 1
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    search_pattern_in_lines_of_stdin()
