"""What a reviewer should look at in a candidate's text. A flag never decides a verdict: honest code exits and
forks too."""

from __future__ import annotations

import re

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_STRINGS = re.compile(r'"(?:\\.|[^"\\\n])*"')

# Ways to end the process before a test can object, to leave it, or to change what runs outside the function.
_CALLS = (
    ("exit", r"(?:_exit|_Exit|exit|quick_exit|exit_group|abort)"),
    ("process", r"(?:system|popen|v?fork|clone|posix_spawnp?|exec(?:l|le|lp|v|ve|vp|vpe))"),
    ("signal", r"(?:kill|killpg|tgkill|raise|ptrace)"),
    ("loader", r"(?:dlopen|dlsym|mprotect|atexit|on_exit)"),
    ("file removal", r"(?:unlink|rmdir|remove|nftw|ftruncate|truncate)"),
    ("raw system call", r"(?:syscall)"),
)
_PATTERNS = (
    (
        "constructor attribute",
        r"__attribute__\s*\(\(.*?\b(?:con|de)structor\b|\[\[\s*gnu::(?:con|de)structor",
    ),
    ("linker attribute", r"__attribute__\s*\(\(.*?\b(?:alias|ifunc|section|weak)\b"),
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
    """Names of what stands in the text, with the word that raised each, in a fixed order, each once.

    Calls are looked for outside comments and strings, test markers and paths inside strings.
    """
    bare = _COMMENTS.sub(" ", code)
    strings = "\n".join(_STRINGS.findall(bare))
    bare = _STRINGS.sub('""', bare)
    found: list[str] = []
    for name, words in _CALLS:
        match = re.search(rf"(?<![\w.>]){words}(?=\s*\()", bare)
        if match:
            found.append(f"{name}: {match[0]}")
    found += [name for name, pattern in _PATTERNS if re.search(pattern, bare, re.MULTILINE | re.DOTALL)]
    for name, pattern in _TEXTS:
        match = re.search(pattern, strings)
        if match:
            found.append(f"{name}: {match[0]}")
    return tuple(found)
