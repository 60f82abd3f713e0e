"""The checker on layers as matrices: what is said of the pieces is held against the graph."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.ray_certificates import RAYS
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check


def corruptions(certificate: dict[str, Any]) -> Any:
    """Certificates in which one thing about the pieces is not so."""

    def other(change: Any) -> dict[str, Any]:
        copy = deepcopy(certificate)
        change(copy["case"]["choice"], copy)
        return copy

    choice = certificate["case"]["choice"]
    yield "no pieces", other(lambda c, _: c.pop("pieces"))
    yield "no numbers", other(lambda c, _: c.pop("at"))
    yield "another number", other(lambda c, _: c.update(at=[k + 1 for k in c["at"]]))
    yield "a negative number", other(lambda c, _: c.update(at=[-1 for _ in c["at"]]))
    for k in choice["at"]:  # of other pieces it is of no importance what is said
        record = choice["pieces"][k]
        for key in record:
            yield f"{k} lacks {key}", other(lambda c, _, k=k, key=key: c["pieces"][k].pop(key))
        yield f"{k} has more", other(lambda c, _, k=k: c["pieces"][k].update(more=1))
        yield f"{k} is sparse", other(lambda c, _, k=k: c["pieces"][k].update(kind="sparse"))
        for key in ("tails", "heads", "inner"):
            if key in record:
                yield (
                    f"{k}: {key} less",
                    other(lambda c, _, k=k, key=key: c["pieces"][k][key].pop()),
                )
                yield (
                    f"{k}: {key} twice",
                    other(
                        lambda c, _, k=k, key=key: c["pieces"][k][key].append(
                            c["pieces"][k][key][0]
                        )
                    ),
                )
        if record["kind"] == "convolution":
            yield f"{k}: channels", other(lambda c, _, k=k: c["pieces"][k].update(channels=[7, 1]))
            for key in ("size", "kernel", "stride", "dilation"):
                yield (
                    f"{k}: no {key}",
                    other(lambda c, _, k=k, key=key: c["pieces"][k].update({key: []})),
                )
                yield (
                    f"{k}: {key} 0",
                    other(
                        lambda c, _, k=k, key=key: c["pieces"][k].update(
                            {key: [0] * len(c["pieces"][k][key])}
                        )
                    ),
                )
    yield "another entry", other(lambda _, whole: whole.update(entry={"entry": [9, 9]}))


@pytest.mark.parametrize("name", RAYS)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    certificate = RAYS[name]
    assert check(certificate).code == ACCEPT
    broken = dict(corruptions(certificate))
    accepted = [what for what, other in broken.items() if check(other).code == ACCEPT]
    assert accepted == []
    assert len(broken) > 10


JUNK = [None, True, -1, 10**40, 0.5, "", "x", "1/3", [], {}, [[]], {"x": 1}, [10**12], [-1], [0]]


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(RAYS)))
def test_junk_in_the_pieces_never_breaks_the_checker(random: Any, name: str) -> None:
    for _ in range(10):
        certificate = deepcopy(RAYS[name])
        place: Any = certificate["case"]["choice"]
        key: Any = "pieces"
        while isinstance(place[key], (dict, list)) and place[key] and random.random() < 0.9:
            place = place[key]
            key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place[key] = random.choice(JUNK)
        outcome = check(certificate)
        assert outcome.code in (ACCEPT, REJECT, DECLINE)
        assert "\n" not in outcome.message
