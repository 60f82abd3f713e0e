"""Theorem 10 for the smallest eigenvalue of the tangent kernel, on sequences known at every depth.

A ReLU network of depth M has a hidden layer of one neuron. Behind it the identity is put in, again
and again: the activation there is at least 0, so the function, of BN-rank 1, stays, and |theta_L|^2
= L + c_1 with c_1 = |theta|^2 - M for every L. Each identity adds (alpha^2 + 1) J J^T to the
kernel, J the column of derivatives by that neuron: a matrix of rank 1, the same for each. With two
outputs or more the smallest eigenvalue is then at most the largest of the kernel before, and of
order 1 on a bounded domain. The bound c'' L e^(-c_1) N^(4 - 4/k*) has order L, whatever c'' > 0.

The outputs are those of the network: with distinct inputs there is an f* that has these values, of
Jacobian rank k* > 1. Any sample with distinct first coordinates is fitted by such networks (a
projection, then hinges: `interpolants`), so that no probability saves the reading. At a kink the
slope of the activation is 1; any other leaves the rank at most 1.
"""

from __future__ import annotations

from typing import Any

from graphs.matrices import rank
from verify.claim import Claim, Kind
from verify.deep import Deep
from verify.deep_hypotheses import DIFFERENT, RELU
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.interpolants import READINGS, SOURCE, STATEMENT, STEPS
from verify.papers.j23.kernel_scaling import with_identities
from verify.papers.j23.quantities import each_case, relation
from verify.papers.j23.rank_one_fits import narrowed, widened
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]


def bottleneck(case: Deep) -> int | None:
    """The first hidden layer of one neuron."""
    return next((layer for layer in range(1, case.depth) if case.widths[layer] == 1), None)


HIDDEN_ONE = relation(
    "hidden layer of width 1",
    r"$f_\theta$ has BN-rank 1: some hidden layer has one neuron, and with identities behind it "
    r"$\theta_L$ represents $f_\theta$ with $\lVert\theta_L\rVert^2=L+c_1$ at every depth $L$",
    lambda case: bottleneck(case) is not None,
    narrowed,
    widened,
)
ROOM = Hypothesis(
    "room for k* = 2",
    r"$k^*>1$: there are two inputs and two outputs or more; $N\ge3$",
    by_case(lambda case: min(case.widths[0], case.widths[-1]) >= 2 and case.lengths["N"] >= 3),
    lambda case, random: widened(case, random, (0, case.depth)),
)


def order_of_the_smallest(scene: DeepScene) -> Entries:
    """The e for which the smallest eigenvalue of Theta^(L)(x, x), over L, is of order L^e, at the
    point of X where it is largest: 0 where what one identity adds is invertible, else -1."""

    def of_case(case: Deep) -> Labelled:
        layer = bottleneck(case)
        if layer is None:
            return []
        one, two = (with_identities(case, more, layer).exact for more in (1, 2))
        orders = []
        for at in range(case.lengths["N"]):
            kernels = [deeper.tangent_kernel(at, at, biases=True)[0] for deeper in (one, two)]
            orders.append(0 if rank(kernels[1] - kernels[0]) == case.widths[-1] else -1)
        return [({}, max(orders))]

    return each_case(of_case, scene)


DEEP = Claim(
    "j23.thm10.deep@C",
    Kind.INEQUALITY,
    SOURCE,
    "tangent kernel of rank-underestimating fits: growth in L",
    rf"{STATEMENT}: here along sequences $\theta_L$ whose $c_1$ does not depend on $L$, where "
    r"$\frac1L\Theta^{(L)}$ is of order $L^e$, that $e\ge0$.",
    (RELU, DIFFERENT, HIDDEN_ONE, ROOM),
    tuple(f"j23.thm10.{step}" for step in STEPS),
    order_of_the_smallest,
    pool(depths=(2, 2, 3), points=(3, 4), widest=2),
    "C",
    READINGS["C"],
    exact_only=True,
)
CLAIMS = (DEEP,)
