"""The expanded engine: what a statement says, on polynomials that are brought to normal form.

Weights, inputs, slopes and risk coefficients are symbols. On small networks the checker expands the
statement again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from graphs.activations import LINEAR, RELU
from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.network import Network
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.small_networks import all_small_networks
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.language.expanding import expansion, has_signs
from verify.language.statements import Statement
from verify.methods.context import Context, Inquiry
from verify.methods.symbolic import SymbolicScene, identity_certificate, stated_residuals
from verify.search.certificates import answer

EXAMPLES = 2
SAMPLE_EDGES = 6  # the largest network whose entries go to the checker too

DIFFERENTIABLE = (
    "where the network is differentiable, an activation is its slope times its argument "
    "(docs/mathematics/engine.md#the-path-theorem); "
    "at kinks, limits and convex combinations of gradients"
)
REGIONS = (DIFFERENTIABLE,)
"""What normal forms with symbols for the slopes rest on."""


def expanded(claim: Claim, context: Context) -> Evidence | None:
    """Expand every equation of a statement on small networks, with free slopes and coefficients.

    Slopes are symbols, so a zero normal form proves the equation for every activation region. It is
    tried wherever the terms allow. None where they do not, and where it is no identity in symbols:
    that says nothing, since the hypotheses may be what it needs.
    """
    if not can_be_expanded(claim):
        return None
    assert claim.terms is not None
    try:
        found = _expanded(claim, claim.terms, context)
    except NetworkError:  # symbols do not tell what the statement decides
        return None
    return None if found is None or found.outcome is Outcome.INCONCLUSIVE else found


def _expanded(claim: Claim, statement: Statement, context: Context) -> Evidence | None:
    """The evidence; None where a residual is not the zero polynomial."""
    listed: list[Case] = []
    if statement.domain.arrays and isinstance(claim.pool, Pool):  # elsewhere nothing has a name
        listed = list(claim.pool.symbolic())
    inquiry = Inquiry("expanded", context, scope=(_scope(context, listed, statement),))
    counts: Counter[str] = Counter()
    seen: set[str] = set()  # titles of listed architectures, which come region by region
    refused = ""
    sample: tuple[dict[str, Any], dict[str, Any]] | None = None
    for net, looked_at in _looked_at(statement, context, listed):
        found = 0
        small = net.edge_count <= SAMPLE_EDGES
        for residual, label, scene in looked_at:
            found += 1
            if not scene.symbols.is_zero(residual):
                return None
            if small:
                at, lists = label["at"], scene.lists
                certificate = identity_certificate(statement, net, EXAMPLES, at, lists)
                reply = answer(certificate)
                counts[("replayed", "refused", "declined")[reply["exit"]]] += 1
                sample = (certificate, reply) if reply["exit"] == 0 else sample
                refused = refused or (reply["message"] if reply["exit"] == 1 else "")
        counts["networks"] += bool(found) and net.title not in seen
        seen.add(net.title if listed else "")
        counts["entries"] += found
    inquiry.figures = {"networks": counts["networks"], "entries": counts["entries"]}
    if refused:
        return inquiry.finds(Outcome.ERROR, f"the checker does not accept a certificate: {refused}")
    inquiry.instances = counts["entries"]
    return _told(inquiry, statement, counts, sample)


def _told(
    inquiry: Inquiry,
    statement: Statement,
    counts: Mapping[str, int],
    sample: tuple[dict[str, Any], dict[str, Any]] | None,
) -> Evidence:
    """The evidence where all residuals vanish: a proof where the checker has replayed them."""
    signed = has_signs(statement)
    weights = "signs and absolute values of the weights" if signed else "weights"
    summary = (
        f"{counts['entries']} residuals on {counts['networks']} networks are the zero polynomial "
        f"in {weights}, inputs, slopes and risk coefficients"
    )
    if counts["replayed"] and not counts["declined"]:
        inquiry.scope = tuple(
            f"{line}, of these the networks of at most {SAMPLE_EDGES} edges"
            for line in inquiry.scope
        )
        inquiry.figures["replayed by the checker"] = counts["replayed"]
        summary += f"; {counts['replayed']} of them, expanded again by the checker, vanish there."
        certificate, reply = sample or (None, None)
        return inquiry.finds(
            Outcome.PROVES_ON_SCOPE,
            summary,
            certificate=certificate,
            checker=reply,
            rests_on=REGIONS,
            section="docs/mathematics/engine.md#the-path-theorem",
        )
    outcome = Outcome.ARGUES_ON_SCOPE if counts["entries"] else Outcome.INCONCLUSIVE
    engine = "the normal forms are the engine's alone: the checker knows no polynomial form of them"
    return inquiry.finds(
        outcome,
        f"{summary}.",
        rests_on=(*REGIONS, engine),
        section="docs/mathematics/engine.md#the-path-theorem",
    )


def _scope(context: Context, listed: list[Case], statement: Statement) -> str:
    if listed:
        titles = dict.fromkeys(case.network.title for case in listed)
        return f"{', '.join(titles)}; {EXAMPLES} examples, every activation region that is allowed"
    steps = ", one step" if statement.makes_steps else ""
    return (
        f"all networks with 1 or 2 inputs and at most {context.budget.expanded_hidden} hidden "
        f"vertices, and fully connected ones, {EXAMPLES} examples, every activation region{steps}"
    )


def can_be_expanded(claim: Claim) -> bool:
    """Whether there is something to expand, as its terms tell."""
    judged = claim.kind in (Kind.IDENTITY, Kind.LAW)
    return judged and claim.terms is not None and expansion(claim.terms) is not None


Residual = tuple[Any, dict[str, Any], SymbolicScene]
"""The polynomial of an equation, its label and the scene it is in."""


def _looked_at(
    statement: Statement, context: Context, listed: list[Case]
) -> Iterator[tuple[Network, Iterator[Residual]]]:
    """The residuals network by network: of the listed architectures, or of all small networks."""
    for case in listed:
        lists = {name: case.list_of(name) for name in statement.domain.arrays}
        yield case.network, stated_residuals(statement, case.network, EXAMPLES, lists)
    for net in () if listed else _networks(context):
        yield net, stated_residuals(statement, net, EXAMPLES)


def _networks(context: Context) -> Iterator[Network]:
    """The output has a symbol for its slope, too: a linear one is the case that it is 1."""
    nets = (
        *all_small_networks(context.budget.expanded_hidden),
        fully_connected([2, 3, 1]),
        fully_connected([2, 2, 2, 1]),
        fully_connected([1, 3, 2, 1], LINEAR),
    )
    for net in nets:
        yield net.with_activations({net.names[v]: RELU for v in net.outputs})
