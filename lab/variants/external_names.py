"""Names that come from outside the repository: what its compile commands, run as far as the preprocessor in the
original's warm image, read from other files than its own."""

from __future__ import annotations

import json
import logging
import os
import posixpath
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from executor.cache import replace_file, short_digest
from executor.manifest.variant.renamed_files import is_path_matched_by_any
from executor.manifest.variant.renamed_text import SHAPED
from executor.repository.build.command_line import detect_compiled_language, parse_compiler, strip_call_to_front_end
from executor.repository.build.graph import BuildGraph, BuildStep, bind_step
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from index.cpp.language import is_source
from index.cpp.tokens import remove_comments
from index.errors import InfraError, SandboxError
from index.progress import SILENT, Progress
from index.source_text import decode_source

log = logging.getLogger(__name__)

UnitStatusAndOutput = tuple[BuildStep, int, bytes]

FORMAT = 7
# What a dozen units of C++ make with all their macros.
_BATCH = 12
_LIMITS = CommandLimits(wall_s=900.0, memory_mb=4096, output_bytes=512 * 1024 * 1024)
_UNIT_MARK = b"\n#graft-unit "
_LINE_MARKER = re.compile(rb'^# \d++ "([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"[ 0-9]*+(?:\n|\Z)', re.MULTILINE)
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"')
_VIRTUAL = re.compile(rb"\bvirtual\b[^;{}()]*?([A-Za-z_]\w*)\s*\(")
_TOKEN = re.compile(rb'[A-Za-z_][0-9A-Za-z_]*+|"(?:[^"\\\n]|\\.)*+"|[0-9][0-9A-Za-z_.]*+|^#[^\n]*+|\S', re.MULTILINE)
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*+)(?:\(([^)]*)\))?(.*)")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b((?:[^\\\n]|\\\r?\n|\\.)*+)", re.MULTILINE)
PREPROCESS = ("-E", "-w")
BYTE_WORD = re.compile(rb"[A-Za-z_][0-9A-Za-z_]*+")
"""An identifier, in text as the preprocessor prints it."""
# Before a word, these don't make it a parameter's name.
_NOT_TYPE_WORDS = frozenset(
    b"const volatile struct union enum class typename unsigned signed long short return sizeof case else new delete "
    b"throw restrict __restrict __const operator".split()
)


@dataclass(frozen=True, slots=True)
class ExternalNames:
    """`names`: identifiers that headers from elsewhere, the compiler and command lines give. `firm`: those
    whose change a compiler wouldn't notice: macros, words of conditions and virtual functions. `read`: the files of
    the tree that the build's units read. `made`: of these, and of what is compiled, each file that the build makes,
    with its words."""

    names: frozenset[str]
    firm: frozenset[str]
    read: frozenset[str]
    made: Mapping[str, frozenset[str]]


def find_external_names(
    image: Image, backend: Backend, leave: Sequence[str] = (), progress: Progress = SILENT
) -> ExternalNames:
    """What the image's units read from outside. Files of the tree that `leave` names (fnmatch) count as outside. The
    result is kept beside the image. Raises SandboxError when the sandbox fails."""
    kept = require_image_folder(image) / f"outside-{short_digest({'format': FORMAT, 'leave': sorted(leave)})}.json"
    # A damaged file is made again.
    with suppress(OSError, ValueError, RecursionError):
        return TypeAdapter(ExternalNames).validate_python(json.loads(kept.read_bytes()))
    names: set[bytes] = set()
    firm: set[bytes] = set()
    read: set[str] = set()
    seen: set[bytes] = set()
    units = list_c_and_cpp_units(image.graph)
    with backend.session(image.key) as session, progress.open_count("units preprocessed", len(units)) as advance:
        for unit, status, text in run_unit_compilers(session, units, *PREPROCESS, "-dD"):
            advance()
            if status:
                continue
            parts = list(split_preprocessed_by_file(text, session.root, unit.cwd))
            read.update(path for path, _ in parts)
            if not any(is_own_file(path, leave) for path, _ in parts):
                # It shares no name with the repository's own code.
                continue
            for path, part in parts:
                if not is_own_file(path, leave) and part not in seen:
                    seen.add(part)
                    names.update(find_identifiers_except_parameter_names(part))
                    firm.update(define[1] for define in _DEFINE.finditer(part))
                    firm.update(match[1] for match in _VIRTUAL.finditer(part))
        elsewhere = sorted(path for path in read if path.startswith("/") or is_path_matched_by_any(path, leave))
        firm.update(_read_preprocessor_condition_words(session, elsewhere))
        read = {path for path in read if not path.startswith(("/", "<"))}
        compiled = {source for step in image.graph.steps for source in step.sources}
        made = {
            path: _find_identifiers_of_made_file(path, session.read(path))
            for path in sorted(_find_build_made_files(session, image.source_root, read | compiled))
            if not is_path_matched_by_any(path, leave)
        }
    found = ExternalNames(_decode_names(names | firm), _decode_names(firm), frozenset(read), made)
    replace_file(kept, json.dumps(asdict(found), default=sorted).encode())
    return found


def require_image_folder(image: Image) -> Path:
    """Where the host keeps what it knows of the image. Raises InfraError for one of which it knows nothing more."""
    if image.folder is None:
        raise InfraError(f"{image.key}: nothing is known of how its suites ran")
    return image.folder


def _find_build_made_files(session: Session, root: Path, paths: Collection[str]) -> set[str]:
    """Which of these files of the image the build made, or made anew, so that they are younger than the original's."""
    listed = session.run(Command(("find", ".", "-type", "f", "-printf", "%T@ %p\\0"), limits=_LIMITS))
    entries = [entry.split(b" ./", 1) for entry in listed.output.split(b"\0") if b" ./" in entry]
    times = {path: time for time, path in entries}
    found = set()
    for path in paths:
        time = times.get(path.encode("utf-8", "surrogateescape"))
        if time is not None and (
            not (root / path).is_file() or int(float(time)) != int((root / path).stat().st_mtime)
        ):
            found.add(path)
    return found


def _find_identifiers_of_made_file(path: str, text: bytes) -> frozenset[str]:
    """The identifiers of a file that the build made; in assembler a plain word is hardly a symbol of C."""
    if is_source(path):
        return _decode_names(
            find_identifiers_except_parameter_names(
                remove_comments(decode_source(text)).encode("utf-8", "surrogateescape")
            )
        )
    return frozenset(filter(SHAPED.fullmatch, _decode_names(set(BYTE_WORD.findall(text)))))


def _decode_names(names: set[bytes]) -> frozenset[str]:
    return frozenset(name.decode() for name in names)


def list_c_and_cpp_units(graph: BuildGraph) -> tuple[BuildStep, ...]:
    """The build's steps that compile C or C++, with those that also link what they compile."""
    return tuple(step for step in graph.steps if step.sources and detect_compiled_language(step.argv) != "other")


def run_unit_compilers(
    session: Session, units: Sequence[BuildStep], *flags: str, with_stderr: bool = False
) -> Iterator[UnitStatusAndOutput]:
    """Run each unit's compiler with its own flags and these, without any output file: its status and what it prints,
    to stderr as well if `with_stderr`. Raises SandboxError when a batch doesn't end in time."""
    batches = [units[start : start + _BATCH] for start in range(0, len(units), _BATCH)]
    with ThreadPoolExecutor(1) as pool:
        coming: Future[list[UnitStatusAndOutput]] | None = None
        for batch in [*batches, None]:
            # It runs while the caller reads what the one before it printed.
            now, coming = coming, pool.submit(_run_unit_batch, session, batch, flags, with_stderr) if batch else None
            if now is not None:
                yield from now.result()


def _run_unit_batch(
    session: Session, batch: Sequence[BuildStep], flags: Sequence[str], with_stderr: bool
) -> list[UnitStatusAndOutput]:
    lines: list[str] = []
    for unit in batch:
        argv, cwd = bind_step(unit, session.root)
        call = parse_compiler(argv)
        words = shlex.join(strip_call_to_front_end(call, call.sources, *flags))
        folder = shlex.quote(posixpath.join(session.root, cwd))
        lines.append(
            f"(cd {folder} && {words}) 2>{'&1' if with_stderr else '/dev/null'}; printf '\\n#graft-unit %s\\n' $?"
        )
    done = session.run(Command(("sh", "-c", write_parallel_script(lines)), limits=_LIMITS))
    texts = done.output.split(_UNIT_MARK)
    if done.truncated or done.timed_out or len(texts) != len(batch) + 1:
        raise SandboxError(f"compiling {batch[0].sources[0]} and {len(batch) - 1} more units {done.ending}")
    # Behind each mark stand a unit's status and then the output of the next one.
    statuses = [text.split(b"\n", 1) for text in texts[1:]]
    outputs = [texts[0], *(rest for _, rest in statuses[:-1])]
    return [(unit, int(status), output) for unit, output, (status, _) in zip(batch, outputs, statuses, strict=True)]


def write_parallel_script(lines: Sequence[str]) -> str:
    """A shell's program that runs the lines on all cores and prints what they print in their order."""
    cores = os.cpu_count() or 1
    queues = [range(core, len(lines), cores) for core in range(min(cores, len(lines)))]
    programs = ["\n".join(f"(\n{lines[at]}\n) >$folder/{at}" for at in queue) for queue in queues]
    runs = "\n".join(f"(\n{program}\n) &" for program in programs)
    outputs = " ".join(f"$folder/{at}" for at in range(len(lines)))
    return f"folder=$(mktemp -d) || exit 1\n{runs}\nwait\ncat {outputs}\nrm -r $folder"


def split_preprocessed_by_file(text: bytes, root: str, cwd: str) -> Iterator[tuple[str, bytes]]:
    """Parts of a preprocessor's output, each with the file that it comes from: relative to the root, absolute for a
    file outside the tree, `<built-in>` and the like for what no file holds."""
    known: dict[bytes, str] = {}
    first, *rest = _LINE_MARKER.split(text)
    if first:
        yield "<start>", first
    for spelled, part in zip(rest[::2], rest[1::2], strict=True):
        if part:
            if spelled not in known:
                path = spelled.decode("utf-8", "surrogateescape")
                if not path.startswith("<"):
                    path = posixpath.normpath(posixpath.join(root, cwd, path)).removeprefix(f"{root}/")
                known[spelled] = path
            yield known[spelled], part


def is_own_file(path: str, leave: Sequence[str]) -> bool:
    """Whether a path that `split_preprocessed_by_file` gives is a file of the tree that `leave` doesn't name."""
    return not path.startswith(("/", "<")) and not is_path_matched_by_any(path, leave)


def _read_preprocessor_condition_words(session: Session, paths: Sequence[str]) -> set[bytes]:
    """Words of the conditions in these files: a repository's `#define _GNU_SOURCE` is an answer to them, though no
    expansion holds the word."""
    given = b"\0".join(path.encode("utf-8", "surrogateescape") for path in paths)
    done = session.run(Command(("xargs", "-0", "-r", "cat"), stdin=given, limits=_LIMITS))
    if not done.ok or done.truncated:
        raise SandboxError(f"reading {len(paths)} headers {done.ending}")
    return {word for line in _CONDITION.findall(done.output) for word in BYTE_WORD.findall(line)}


def find_identifiers_except_parameter_names(text: bytes) -> set[bytes]:
    """The identifiers of headers that code elsewhere can refer to: all but those that only name parameters."""
    found: set[bytes] = set()
    depth = 0
    before = last = b""
    tokens = _TOKEN.findall(text)
    for place, token in enumerate(tokens):
        if token == b"(":
            depth += 1
        elif token == b")":
            depth = max(0, depth - 1)
        elif token.startswith(b"#"):
            found |= _find_directive_words(token)
            continue
        elif BYTE_WORD.match(token):
            following = tokens[place + 1] if place + 1 < len(tokens) else b""
            if not (depth and following in (b",", b")", b"[") and _is_type_before_parameter(before, last)):
                found.add(token)
        before, last = last, token
    return found


def _is_type_before_parameter(before: bytes, last: bytes) -> bool:
    """Whether a word behind these two tokens is the name of a parameter."""
    if last in (b"*", b"&"):
        return before not in (b"(", b",", b"=", b"return")
    return BYTE_WORD.match(last) is not None and (last not in _NOT_TYPE_WORDS or last in (b"__restrict", b"restrict"))


def _find_directive_words(line: bytes) -> set[bytes]:
    define = _DEFINE.match(line)
    if define is None:
        return set(BYTE_WORD.findall(line))
    parameters = set(BYTE_WORD.findall(define[2] or b""))
    return {define[1], *(set(BYTE_WORD.findall(_STRING.sub(b" ", define[3]))) - parameters)}
