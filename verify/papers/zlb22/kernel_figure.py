"""Figure 2: how far the tangent kernel moves in training, along ladders of widths.

The paper's networks are 3-layer DenseNets of which half of the edges are dropped, trained on images
of two classes. The print names neither the activation nor the widths; here tanh, which Assumption
3.2 allows, and widths as such a figure shows, from 64 on. Data are made points, and beside them two
classes of bundled digits at a reduced size.

The print says of its widths that the change is of order m^(-1/2). It is told from its neighbours
among the multiples of 1/4, so the borders are -3/8 and -5/8: a slope whose interval lies beyond one
of them contradicts the figure. With linear neurons the change is of order 1/m
(docs/mathematics/zlb22.md#figure-2).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.training_runs import CHANGE, kernel_change

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
STEPS = 200
LADDERS = ((16, 32, 64), (64, 128, 256), (64, 128, 256, 512, 1024))
SETTINGS = (("made", 4), ("digits", 4), ("digits", 16))  # data, points; by scale the first so many
SHOWN = (1, 1, 3)
MOST = (16, 128, 128)  # seeds


def runs(scale: int) -> list[Family]:
    """The trained networks of a scale."""
    return [
        Family(
            f"3-layer DenseNets, each edge dropped with probability 1/2, {count} points ({data})",
            LADDERS,
            partial(kernel_change, data, count, STEPS),
            f"kernel change dropped {data} {count}",
        )
        for data, count in SETTINGS[: SHOWN[scale]]
    ]


DESCENT = (
    "tanh neurons, full-batch gradient descent on the square loss with a step of 1 / lambda_max(K) "
    f"until it is a hundredth of what it was, {STEPS} steps at most"
)

CLAIMS = (
    Claim(
        "zlb22.fig2@A",
        Kind.EXPERIMENT,
        printed("Figure 2"),
        "change of the tangent kernel in training",
        r"The largest relative change of the tangent kernel in training, $\Delta K(m)=\max_{t>0}"
        r"\lVert K(\mathbf w_t)-K(\mathbf w_0)\rVert/\lVert K(\mathbf w_0)\rVert$, of a 3-layer "
        r"DenseNet with each weight removed with probability $\frac12$ follows close to the "
        r"theoretical prediction $\Theta(1/\sqrt m)$.",
        depends=("zlb22.thm3.6@A",),
        reading="A",
        reading_text=r"$\Delta K(m)=\Theta(1/\sqrt m)$ along the widths of a figure; the print "
        "names neither the activation, here tanh, nor the widths",
        exponents=Exponents(
            runs,
            (Predicted(CHANGE, -HALF, above=-QUARTER, below=-HALF - QUARTER, along=True),),
            MOST,
            (DESCENT,),
        ),
        why=r"Theorem 3.6 bounds the Hessian from above alone, and what it gives of the change of "
        r"the kernel has mean 0 at $\mathbf w_0$: with tanh neurons the change falls faster than "
        r"$m^{-1/2}$.",
    ),
)
