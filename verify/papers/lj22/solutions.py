"""What claims about the limit suppose, as hypotheses on exact solutions of the gradient flow."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from graphs.arithmetic import as_fraction
from graphs.exact import evaluation_at
from verify.case import Case
from verify.hypotheses import Hypothesis, by_case
from verify.layer_pieces import Mismatch, Piece, chosen_pieces
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, HOMOGENEOUS
from verify.point_hypotheses import DATA
from verify.rays import RAY, is_solution
from verify.tails import Numbers, Tail, has_tail, tail_of

KINDS = {
    "ray": "a ray $s(t)w$ with $s\\to\\infty$",
    "rest": "a point of rest of the logistic risk",
}


@cache
def solution(*kinds: str) -> Hypothesis:
    """The case starts an exact solution of the gradient flow of one of the kinds, on which the
    weights keep their signs (Assumption 1) and the loss is differentiable (Assumption 3)."""

    def test(case: Case) -> bool:
        return case.choice.get("solution") in kinds and is_solution(case)

    return Hypothesis(
        "gradient flow, Assumptions 1 and 3",
        r"$w(t)$ solves the gradient flow, keeps its signs, and the loss is differentiable; "
        f"decided on {' or '.join(KINDS[kind] for kind in kinds)}",
        by_case(test),
    )


@cache
def tail(*, linear: bool) -> Hypothesis:
    """The architecture of Theorem 2."""
    what = "linear " if linear else ""
    return Hypothesis(
        "layers behind an arbitrary network",
        rf"$\nu$ is a network $\eta$, then $K\ge0$ {what}convolutions, then $M\ge0$ {what}"
        rf"ResNetFree blocks or {what}fully-connected layers, then a linear fully-connected "
        "layer with one output; all weights behind $\\eta$ learnable",
        by_case(lambda case: has_tail(case, linear=linear)),
    )


def free_block() -> Hypothesis:
    """A ResNetFree block, all of whose weights are learnable with parameters of their own."""

    def test(case: Case) -> bool:
        try:
            found = chosen_pieces(case)
        except Mismatch:
            return False
        net = case.network
        return bool(found) and all(
            piece.kind == "block"
            and piece.variant == "free"
            and all(net.own_parameter(e) for e in piece.edges)
            for piece in found
        )

    return Hypothesis("ResNetFree", r"a ResNetFree block, all its weights learnable", by_case(test))


DIVERGES = Hypothesis(
    "diverging norm",
    r"$\lVert W^{[j]}\rVert_F\to\infty$ for some $j\in[K+M]$",
    by_case(lambda case: case.choice.get("solution") == RAY and _moves(case)),
)


def _moves(case: Case) -> bool:
    try:
        found = tail_of(case, linear=False)
    except Mismatch:
        return False
    return any(any(map(any, found.matrix(j))) for j in found.layers)


def _separable(case: Case) -> bool:
    theta = [Fraction(value) for value in case.choice.get("theta", ())]
    if len(theta) != len(case.network.free_inputs):
        return False
    return all(
        y * sum((a * b for a, b in zip(theta, row, strict=True)), Fraction(0)) > 0
        for row, y in zip(case.inputs, case.labels, strict=True)
    )


SEPARABLE = Hypothesis(
    "linearly separable data",
    r"some $\theta$ has $y_i\langle\theta,x_i\rangle>0$ for all $i$",
    by_case(_separable),
)

NO_ZERO_LIMIT = Hypothesis(
    "limit direction without zeros",
    r"the limiting direction of the weight vector has no entry $0$",
    by_case(lambda case: all(case.weights)),
)

RISK_BELOW = Hypothesis(
    "small initial risk",
    r"logistic loss, $\mathcal R(w(0))<\ell(0)$ with $\mathcal R=\frac1n\sum_i\ell(y_i\nu(x_i))$",
    by_case(lambda case: case.choice.get("solution") in ("ray", "rest")),
)

SUM_BELOW = Hypothesis(
    "small initial sum of losses",
    r"logistic loss, $\sum_i\ell(y_i\nu(x_i;w(0)))<\ell(0)$, so that every margin is positive",
    by_case(lambda case: _margins_positive(case)),
)


def _margins_positive(case: Case) -> bool:
    found = evaluation_at(case.network, case.weights, case.inputs).outputs[0]
    return all(y * as_fraction(v) > 0 for y, v in zip(case.labels, found, strict=True))


# fully-connected networks -----------------------------------------------------------------------
def dense_layers(case: Case) -> list[Piece] | None:
    """The layers of a fully-connected network, None where it is none."""
    try:
        found = chosen_pieces(case)
    except Mismatch:
        return None
    net = case.network
    chain = [net.inputs, *(piece.heads for piece in found)]
    good = (
        found
        and all(piece.kind == "dense" for piece in found)
        and all(piece.tails == tails for piece, tails in zip(found, chain, strict=False))
        and found[-1].heads == net.outputs
        and sum(len(piece.edges) for piece in found) == net.edge_count
        and not net.shares_parameters
    )
    return found if good else None


def matrices(case: Case, *, absolute: bool = False) -> list[Numbers]:
    """The weight matrices of a fully-connected network."""
    found = dense_layers(case) or []
    whole = Tail(tuple(found), case.network.edge_weights(case.weights))
    return [whole.numbers(piece.matrices["W"], absolute=absolute) for piece in found]


def linear_layers(case: Case) -> int:
    """K: how many layers at the end are linear."""
    count = 0
    for piece in reversed(dense_layers(case) or []):
        if any(case.network.activations[v].kind != "linear" for v in piece.heads):
            break
        count += 1
    return count


def _relu_before(case: Case, *, hidden: bool) -> bool:
    found = dense_layers(case)
    if not found:
        return False
    last = 1 if hidden else linear_layers(case)
    kinds = [
        case.network.activations[v].kind
        for piece in found[: len(found) - last]
        for v in piece.heads
    ]
    return last >= 1 and all(kind == "relu" for kind in kinds)


RELU_THEN_LINEAR = Hypothesis(
    "ReLU, then linear",
    r"fully connected, ReLU before the last $K$ layers, which are linear",
    by_case(lambda case: _relu_before(case, hidden=False)),
)

RELU_HIDDEN = Hypothesis(
    "fully connected with ReLU",
    r"fully connected, ReLU at the hidden vertices",
    by_case(lambda case: _relu_before(case, hidden=True)),
)

NETWORK = (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE, DATA)

__all__ = [
    "DIVERGES",
    "NETWORK",
    "NO_ZERO_LIMIT",
    "RELU_HIDDEN",
    "RELU_THEN_LINEAR",
    "RISK_BELOW",
    "SEPARABLE",
    "SUM_BELOW",
    "Mismatch",
    "dense_layers",
    "linear_layers",
    "matrices",
    "solution",
    "tail",
    "tail_of",
]
