"""A hypothesis in terms, as an object that tests, repairs and breaks cases."""

from verify.cases.hypotheses import Hypothesis
from verify.core.claim import Source
from verify.core.instance import Supply
from verify.statements.stated import Given, stated


def as_hypothesis(given: Given, pool: Supply) -> Hypothesis:
    """That of a claim which says the same."""
    source = Source("-", "", "-")
    claim = stated("-", source, given.name, given.text, given.holds, [given], pool=pool)
    return claim.hypotheses[0]
