"""A hypothesis in terms, as an object that tests, repairs and breaks cases."""

from verify.claim import Source
from verify.hypotheses import Hypothesis
from verify.instance import Supply
from verify.stated import Given, stated


def as_hypothesis(given: Given, pool: Supply) -> Hypothesis:
    """That of a claim which says the same."""
    source = Source("-", "", "-")
    claim = stated("-", source, given.name, given.text, given.holds, [given], pool=pool)
    return claim.hypotheses[0]
