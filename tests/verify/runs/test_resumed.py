"""A run that goes on from any part of a journal finds what the uninterrupted run finds."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.verify.runs.cheap_methods import CLAIMS, SMOKE, CheapMethods, install
from verify.core.evidence import Outcome
from verify.runs.engine import gather
from verify.runs.tasks import METHODS

OUTCOMES = (Outcome.SUPPORTS, Outcome.SUPPORTS, Outcome.REFUTES, Outcome.PROVES, None)
"""None: the method has nothing to say."""


@pytest.fixture
def cheap(monkeypatch) -> CheapMethods:
    methods = install(monkeypatch)
    usual = methods.named

    def by_method(method):
        """Each method of a claim finds what was drawn for it."""

        def answer(claim, context):
            outcome = methods.drawn[claim.id, method]
            methods.outcomes = {claim.id: outcome or Outcome.SUPPORTS}
            piece = usual(method)(claim, context)
            return None if outcome is None else piece

        return answer

    monkeypatch.setattr("verify.runs.tasks.method_named", by_method)
    return methods


def shuffled(random, workers: int):
    """An executor with so many workers, of whom any may be the next to finish."""

    def execute(tasks, _workers, more, kept, _executor):
        from verify.runs.tasks import perform

        waiting = list(tasks)
        while waiting:
            task = waiting.pop(random.randrange(min(workers, len(waiting))))
            piece = perform(task, kept)
            waiting += more(task, piece)
            yield task, piece

    return execute


def plain(found):
    return {
        name: [replace(piece, seconds=0.0) for piece in pieces] for name, pieces in found.items()
    }


@given(
    drawn=st.fixed_dictionaries(
        {(claim.id, method): st.sampled_from(OUTCOMES) for claim in CLAIMS for method in METHODS}
    ),
    lost=st.sets(st.integers(0, 80)),
    workers=st.integers(1, 5),
    random=st.randoms(use_true_random=False),
)
@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # a new folder for each example
)
def test_a_resumed_run_is_the_uninterrupted_one(
    cheap, monkeypatch, tmp_path_factory, drawn, lost, workers, random
):
    cheap.drawn = drawn
    cheap.forget()
    setting = replace(SMOKE, journal=tmp_path_factory.mktemp("journal"))
    whole, _ = gather(CLAIMS, setting)
    performed = sorted(cheap.forget())
    records = sorted(setting.journal.rglob("*.json"))
    for number, path in enumerate(records):
        if number in lost:
            path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("verify.runs.engine.execute", shuffled(random, workers))
        assert plain(gather(CLAIMS, setting)[0]) == plain(whole)
        again = len(cheap.forget())
        assert again == len(lost & set(range(len(records))))
        assert plain(gather(CLAIMS, replace(setting, journal=None))[0]) == plain(whole)
        assert sorted(cheap.forget()) == performed
