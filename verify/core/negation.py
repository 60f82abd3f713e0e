"""What would refute a claim, in words: its negation, and what it takes to show that."""

from __future__ import annotations

from verify.core.claim import Claim, Kind

CASE = "one exact case that meets every hypothesis and "
OF_KIND = {
    Kind.IDENTITY: CASE + "at which one of the entries is not 0",
    Kind.INEQUALITY: CASE + "at which one of the inequalities fails strictly",
    Kind.LAW: CASE
    + "at which the rate of change along the flow is not 0: along the flow through this point the "
    "quantity then changes; a computed trajectory that drifts does not refute it",
    Kind.EXPECTATION: CASE + "at which the expectation is not as it says",
    Kind.DEFINITION: CASE + "for which what it defines is not there, or is not as it says",
}
SOLUTION = "one exact solution, known for all times, that meets every hypothesis and on which "
NO_TRAJECTORY = "; a computed trajectory, however long, does not refute it"
NO_SEARCH = "; that a search finds none does not refute it"


def negation(claim: Claim) -> str:
    """What would refute a claim, as a sentence; "" of one that is not judged, fits no rate
    and samples nothing.

    >>> from verify.papers.registry import find
    >>> negation(find("lj22.cor1-div"))[:48]
    'It would be refuted by one exact solution, known'
    """
    if claim.rate is not None:
        return (
            "Nothing refutes it: where the interval of a fitted slope leaves the claimed range the "
            "claim is left open, since every ladder of sizes ends."
        )
    if claim.exponents is not None and not claim.judged:
        if any(said.along for said in claim.exponents.predicted):
            return (
                "It would be contradicted by a slope along these widths whose interval, of error "
                "1/1000 at all numbers of seeds, lies wholly beyond a border."
            )
        return (
            "Nothing refutes it: where a slope lies on the side of another exponent, or is not "
            "told from it, the claim is left open, since every ladder of widths ends."
        )
    if claim.sampled is not None and not claim.judged:
        return (
            "Nothing refutes it: a sample that speaks against it leaves it open, since no sample "
            "is an exact case."
        )
    if not claim.judged:
        return ""
    if claim.kind is Kind.EXPERIMENT:
        return "Nothing refutes it: an experiment that comes out otherwise is shown as it came out."
    return f"It would be refuted by {_by(claim)}."


def _by(claim: Claim) -> str:
    if claim.kind is Kind.LIMIT:
        fails = claim.negated or "the limit is not there, or is another one"
        return SOLUTION + fails + NO_TRAJECTORY
    if claim.kind is Kind.EXISTENCE:
        fails = claim.negated or "no case that meets every hypothesis is as the claim says"
        return f"an argument that {fails}{NO_SEARCH}"
    return f"{CASE}at which {claim.negated}" if claim.negated else OF_KIND[claim.kind]
