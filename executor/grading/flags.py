"""Flags what a reviewer should look at in a candidate's text. A flag never decides a verdict: honest code exits and
forks too."""

from __future__ import annotations

import re

# One pattern, so that a quote in a comment, or the start of a comment in a string, hides nothing.
_COMMENT_OR_LITERAL = re.compile(
    r'R"(?P<end>[^()\\\s]{0,16})\((?P<raw>.*?)\)(?P=end)"|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*",
    re.DOTALL,
)

# Ways to end the process before a test can object, to leave it, or to change what runs outside the function.
_CALLS = (
    ("exit", r"(?:_exit|_Exit|exit|quick_exit|exit_group|abort|__builtin_(?:abort|trap|exit))"),
    ("process", r"(?:system|popen|v?fork|clone|posix_spawnp?|exec(?:l|le|lp|v|ve|vp|vpe))"),
    ("signal", r"(?:kill|killpg|tgkill|raise|ptrace)"),
    ("loader", r"(?:dlopen|dlsym|mprotect|atexit|on_exit)"),
    ("file removal", r"(?:unlink|rmdir|remove|nftw|ftruncate|truncate)"),
    ("raw system call", r"(?:syscall)"),
)
_PATTERNS = (
    (
        "constructor attribute",
        r"__attribute(?:__)?\s*\(\(.*?\b_*(?:con|de)structor_*\b|\[\[[^]]*\bgnu\s*::\s*_*(?:con|de)structor",
    ),
    ("linker attribute", r"__attribute(?:__)?\s*\(\(.*?\b_*(?:alias|ifunc|section|weak)_*\b"),
    ("assembly", r"\b(?:asm|__asm__|__asm)\b"),
    ("redefinition", r"^\s*#\s*(?:define|undef|pragma\s+(?:redefine_extname|weak|push_macro))\b"),
    ("include", r"^\s*#\s*include\b"),
    ("main", r"\bmain\s*\([^;{]*\)\s*\{"),
)
_TEXTS = (
    (
        "test marker",
        r"\[\s*(?:ok|err|OK|PASSED|FAILED|exception|ignore)\s*\]|\b(?:PASS|FAIL|ok \d+|not ok)\b",
    ),
    ("path of the system", r"/proc/|/dev/(?:tty|pts|fd)|/etc/|/sys/"),
)


def flags(code: str) -> tuple[str, ...]:
    """The flags of the text in a fixed order, each once, with the word that raised it.

    Calls, and functions whose address is taken, are searched outside comments and strings; test markers and paths
    are searched inside strings.
    """
    texts: list[str] = []

    def set_aside(match: re.Match[str]) -> str:
        text = match["text"] if match["raw"] is None else match["raw"]
        if text is None:
            return " "
        texts.append(text)
        return '""'

    # A line end behind a backslash joins lines before anything else is read.
    bare = _COMMENT_OR_LITERAL.sub(set_aside, re.sub(r"\\\r?\n", "", code))
    strings = "\n".join(texts)
    found: list[str] = []
    for name, words in _CALLS:
        match = re.search(rf"(?<![\w.>]){words}(?=\s*[(),;}}])", bare)
        if match:
            found.append(f"{name}: {match[0]}")
    found += [name for name, pattern in _PATTERNS if re.search(pattern, bare, re.MULTILINE | re.DOTALL)]
    for name, pattern in _TEXTS:
        match = re.search(pattern, strings)
        if match:
            found.append(f"{name}: {match[0]}")
    return tuple(found)
