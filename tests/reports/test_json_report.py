"""The run's record as JSON: strict, valid by its schema, and the same after a round trip."""

import copy
import json
import math

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.json_report import RecordError, dump, dumps, load, pretty, schema, validate
from tests.reports.sample_run import sample, void_sample

UP = ".."  # out of a folder

SAMPLE = sample()


def places(value, path=()):
    """The path of every value inside a record."""
    yield path
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in members:
            yield from places(item, (*path, key))


PLACES = list(places(SAMPLE))


def changed(path, change):
    """The sample with one value replaced by what `change` makes of it."""
    record = copy.deepcopy(SAMPLE)
    if not path:
        return change(record)
    holder = record
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = change(holder[path[-1]])
    return record


def written(path):
    """A path as the messages write it."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return text.removeprefix(".")


def test_the_schema_is_a_schema_and_the_samples_obey_it():
    jsonschema.Draft202012Validator.check_schema(schema())
    for record in (sample(), void_sample()):
        validate(record)


def test_a_record_survives_the_round_trip(tmp_path):
    dump(SAMPLE, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == SAMPLE
    assert [file.name for file in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("claims", 2, "verdict"), "true", r"claims\[2\]\.verdict: 'true' is not one of"),
        (("claims", 0, "id"), "a b", r"claims\[0\]\.id: 'a b' does not match"),
        (("claims", 4, "evidence", 0, "seconds"), -1, r"seconds: -1 is less than the minimum of 0"),
        (("run", "void"), "no", r"run\.void: 'no' is not of type 'boolean'"),
        (("version",), 1, "version: 4 was expected"),
        (("version",), True, "version: 4 was expected"),
        (("claims",), {}, "claims: {} is not of type 'array'"),
        (
            ("claims", 1, "certificate", "case", "network", "edges", 0),
            {},
            "'tail' is a required property",
        ),
        (("claims", 1, "certificate"), {"format": "x"}, r"certificate(\.format)?: "),
        (("run", "id"), "", "id: '' should be non-empty"),
        (
            ("claims", 1, "certificate_file"),
            f"{UP}/x.json",
            "certificate_file: .* does not match",
        ),
        (("claims", 1, "certificate_file"), f"certificates/{UP}/x.json", "does not match"),
        (("claims", 1, "certificate_file"), "certificates/a/x.json", "does not match"),
        (("claims", 1, "certificate_file"), "/etc/x.json", "does not match"),
        (("papers", 0, "id"), f"{UP}/x", f"id: '{UP}/x' does not match"),
        (("statements", 0, "headline", "word"), "maybe", "word: 'maybe' is not one of"),
        (("changes", "claims", 0, "what"), "x", "is not one of"),
    ],
)
def test_a_corrupted_record_is_refused_by_name(path, value, message):
    with pytest.raises(RecordError, match=message):
        dumps(changed(path, lambda _: value))


@given(
    st.sampled_from([p for p in PLACES if p]),
    st.sampled_from([math.nan, math.inf, -math.inf]),
)
def test_numbers_that_json_cannot_hold_are_refused_with_their_place(path, number):
    with pytest.raises(RecordError) as caught:
        dumps(changed(path, lambda _: number))
    assert str(number) in str(caught.value)
    if not any(isinstance(key, str) and not key.isidentifier() for key in path):
        assert str(caught.value).startswith(f"{written(path)} is ")


@pytest.mark.parametrize("value", [(1, 2), {1, 2}, b"x", {1: "x"}, 1 + 2j])
def test_what_is_not_json_is_refused(value):
    with pytest.raises(RecordError, match="figures"):
        dumps(changed(("claims", 1, "evidence", 0, "figures"), lambda _: {"x": value}))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_file_with_an_infinity_is_refused(tmp_path, number):
    text = dumps(SAMPLE).replace('"seconds": 84.3', f'"seconds": {number}')
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match="JSON"):
        load(tmp_path / "run.json")


def test_a_file_that_is_not_json_is_named(tmp_path):
    (tmp_path / "run.json").write_text("verdict: proved", encoding="utf-8")
    with pytest.raises(RecordError, match=r"run\.json is not JSON"):
        load(tmp_path / "run.json")


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b'{"format": "\xed\xa0\x80"}', b"[" * 100_000, b"9" * 10_000],
    ids=["no text", "half a character", "deep", "long number"],
)
def test_a_file_that_no_reader_of_json_takes_is_named(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(RecordError, match=r"run\.json is not JSON"):
        load(tmp_path / "run.json")


def test_half_a_character_is_refused_with_its_place(tmp_path):
    half = changed(("claims", 1, "title"), lambda _: "a\ud800b")
    message = r"claims\[1\]\.title is 'a\\ud800b', which holds half a character"
    with pytest.raises(RecordError, match=message):
        dumps(half)
    (tmp_path / "run.json").write_text(json.dumps(half), encoding="utf-8")
    with pytest.raises(RecordError, match=message):
        load(tmp_path / "run.json")
    key = changed(("claims", 1, "evidence", 0, "figures"), lambda _: {"\ud800": 1})
    with pytest.raises(RecordError, match=r"figures has the key '\\ud800': JSON keys are texts"):
        dumps(key)


def test_a_failed_dump_leaves_the_old_file(tmp_path):
    path = tmp_path / "run.json"
    dump(SAMPLE, path)
    with pytest.raises(RecordError):
        dump(changed(("run", "seconds"), lambda _: math.nan), path)
    assert load(path) == SAMPLE


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)


@given(json_values)
def test_pretty_json_is_the_same_value(value):
    assert json.loads(pretty(value, width=30)) == value


def test_pretty_json_keeps_short_things_on_a_line():
    assert pretty({"a": [1, 2]}) == '{"a": [1, 2]}'
    assert pretty({"a": [1, 2]}, width=10) == '{\n  "a": [1, 2]\n}'
    assert pretty([[1, 2]], width=8) == "[[1, 2]]"
    assert pretty([[1, 2]], width=7) == "[\n  [\n    1,\n    2\n  ]\n]"  # it would end at 8
