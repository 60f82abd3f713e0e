"""The table of laws: plain records, of many kinds of networks, with what is known of them."""

import json

import pytest

from graphs.laws.table import KINDS, entries, record


def test_the_table_has_all_the_kinds():
    found = list(entries())
    assert len({(e.family, e.name, e.activations) for e in found}) == len(found)
    assert {e.activations for e in found} == set(KINDS)
    families = {e.family for e in found}
    for word in ("fully connected", "DenseNet", "residual", "convolution", "random DAG", "tree"):
        assert any(word in family for family in families), word
    assert all(e.network.parameter_count <= 60 for e in found)


@pytest.mark.parametrize("chosen", range(0, 62, 6))
def test_a_record_says_what_is_known(chosen):
    entry = list(entries())[chosen]
    told = record(entry)
    assert json.loads(json.dumps(told)) == told
    assert told["parameters"] == entry.network.parameter_count
    assert sum(told["named"].values()) == told["linear"] + told["quadratic"]
    assert told["independent"] <= told["bound"]
    assert told["complete"] == (told["independent"] == told["bound"])
    assert told["all_quadratic"]
