"""Hostile files: a few for each reader here, many by `python -m benchmarks.fuzzed_files`."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzzed_files import Fault, Reader, hostile, put_before, readers

NAMES = (
    *("draw", "graphml", "derive", "laws", "certificate", "record"),
    *("baseline", "difference", "history", "configuration"),
)


@pytest.fixture(scope="module")
def every():
    return readers()


def test_every_reader_is_tried(every):
    assert set(NAMES) == set(every)


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_takes_what_is_valid(every, name):
    reader = every[name]
    for seed in reader.seeds:
        content = seed if isinstance(seed, bytes) else reader.written(seed)
        assert put_before(reader, content)[0] in (0, 1), seed
    refused = reader.codes - {0}
    assert name in ("certificate", "difference") or put_before(reader, b"\xff")[0] in refused


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(data=st.data())
def test_a_hostile_file_is_taken_or_refused(every, name, data):
    reader = every[name]
    put_before(reader, data.draw(hostile(reader)))


def wrong(read):
    return Reader(({},), read)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda path: 3, "exit code 3"),
        (lambda path: sys.stderr.write("Traceback (most recent call last)") and 0, "exit code 0"),
        (lambda path: sys.stdout.write("\x1b[2J") and 0, "written to the terminal"),
        (lambda path: eval(path.read_text()) or 0, "was run"),
    ],
    ids=["code", "traceback", "steered", "run"],
)
def test_a_fault_is_seen(read, told):
    content = b"__import__('pathlib').Path('ran').touch()"
    with pytest.raises(Fault, match=told):
        put_before(wrong(read), content)
    assert not Path("ran").exists()
