"""Prevents: a damaged file, an odd answer or a hostile log that ends Graft with a traceback, or hangs it.

A few damaged inputs for every reader of foreign bytes; `python -m benchmarks.fuzz` plays for as long as one likes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz.reader_trials import play_readers, try_input
from benchmarks.fuzz.readers import Reader, list_readers
from benchmarks.fuzz.sample_damage import MOST_BYTES, damage_sample
from index.errors import GraftError

READERS = list_readers()
# These make an index or read a large recipe each time.
SLOW = {"source file", "index database", "index manifest", "index tree", "recipe", "health manifest"}
QUICK = [reader for reader in READERS if reader.name not in SLOW]

# A recipe is read whole before its name is compared; the samples for a database are the damage itself.
REFUSED = {"recipe": ("differs from its folder's",), "index database": ("damaged", "cut short", "no index there")}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Importing litellm takes the seconds that the first reader which needs it is given.
    provider = next(reader for reader in READERS if reader.name == "provider's body")
    provider.read(provider.samples[0], tmp_path_factory.mktemp("import"))
    return tmp_path_factory.mktemp("fuzz")


@pytest.mark.parametrize("reader", READERS, ids=[reader.name for reader in READERS])
def test_every_sample_is_read_as_it_is(reader: Reader, scratch: Path) -> None:
    """A sample that is refused at the door would test nothing behind it."""
    for sample in reader.samples:
        try:
            reader.read(sample, scratch)
        except GraftError as error:
            assert any(reason in str(error) for reason in REFUSED.get(reader.name, ())), error


def test_damaged_samples_end_in_an_error_of_ours(scratch: Path) -> None:
    _, quick = play_readers(QUICK, scratch, random.Random(14), rounds=6)
    _, slow = play_readers([reader for reader in READERS if reader.name in SLOW], scratch, random.Random(14), rounds=1)
    assert not [(finding.reader, finding.problem, finding.trace) for finding in (*quick, *slow)]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(reader=st.sampled_from(QUICK), data=st.binary(max_size=300) | json_values.map(lambda v: json.dumps(v).encode()))
def test_any_bytes_and_any_json_end_in_an_error_of_ours(reader: Reader, data: bytes, scratch: Path) -> None:
    finding = try_input(reader, data, scratch)
    assert finding is None, finding


def test_a_hang_and_a_crash_are_found(scratch: Path) -> None:
    def hangs(data: bytes, folder: Path) -> None:
        import re

        re.search(r"(a|a)*b$", "a" * 40)

    def crashes(data: bytes, folder: Path) -> None:
        raise KeyError("x")

    for read, problem in ((hangs, "hang: more than 0.2 CPU-s for 1 bytes"), (crashes, "KeyError: 'x'")):
        finding = try_input(Reader("r", read, (b"x",), 0.2), b"x", scratch)
        assert finding is not None
        assert finding.problem == problem


def test_no_damaged_input_is_larger_than_the_bound_is_for() -> None:
    chance = random.Random(1)
    inputs = [damage_sample(b'{"a": [1, "b"]}\nc\n', chance) for _ in range(400)]
    assert max(map(len, inputs)) == MOST_BYTES
    assert len(set(inputs)) > 300
