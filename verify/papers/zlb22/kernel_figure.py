"""Figure 2: how far the tangent kernel moves in training, along ladders of widths.

The paper's networks are 3-layer DenseNets of which half of the edges are dropped, trained on images
of two classes. Here two classes of bundled digits at a reduced size, and made points beside them.
Exponents are told from their neighbours among the multiples of 1/4. With linear neurons the change
is of order 1/m (docs/mathematics.md, section 47); for curved ones readings A and C are left open,
along widths where the slope goes from -1/2 towards -1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.claim import Claim, Kind
from verify.exponents import Exponents, Family, Predicted
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.training_runs import CHANGE, RATIO, kernel_change

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
STEPS = 200
LADDERS = ((16, 32, 64), (32, 64, 128), (32, 64, 128, 256, 512, 1024))
SETTINGS = (  # networks, data, points; by scale the first so many
    ("dropped", "made", 4),
    ("dropped", "digits", 4),
    ("fcn", "made", 4),
    ("random", "made", 4),
    ("dropped", "digits", 16),
)
SHOWN = (1, 2, 5)
NETWORKS = {
    "dropped": "3-layer DenseNets, each edge dropped with probability 1/2",
    "fcn": "fully connected networks of 3 layers",
    "random": "random layered DAGs of 3 layers",
}


def runs(scale: int) -> list[Family]:
    """The trained networks of a scale."""
    return [
        Family(
            f"{NETWORKS[kind]}, {count} points ({data})",
            LADDERS,
            partial(kernel_change, kind, data, count, STEPS),
            f"kernel change {kind} {data} {count}",
        )
        for kind, data, count in SETTINGS[: SHOWN[scale]]
    ]


SAID = {
    "A": (
        r"$\Delta K(m)=\Theta(1/\sqrt m)$",
        (Predicted(CHANGE, -HALF, above=-QUARTER, below=-HALF - QUARTER),),
    ),
    "B": (
        r"$\Delta K(m)=\tilde O(1/\sqrt m)$",
        (Predicted(CHANGE, -HALF, above=-QUARTER),),
    ),
    "C": (
        r"$\Delta K(m)$ and $\lVert H_f\rVert$ scale alike: their ratio has the exponent 0",
        (Predicted(RATIO, Fraction(0), above=QUARTER, below=-QUARTER),),
    ),
}
DESCENT = (
    "tanh neurons, full-batch gradient descent on the square loss with a step of 1 / lambda_max(K) "
    f"until it is a hundredth of what it was, {STEPS} steps at most"
)


def _figure(reading: str) -> Claim:
    text, predicted = SAID[reading]
    return Claim(
        f"zlb22.fig2@{reading}",
        Kind.EXPERIMENT,
        printed("Figure 2"),
        "change of the tangent kernel in training",
        r"The largest relative change of the tangent kernel in training, $\Delta K(m)=\max_{t>0}"
        r"\lVert K(\mathbf w_t)-K(\mathbf w_0)\rVert/\lVert K(\mathbf w_0)\rVert$, of a 3-layer "
        r"DenseNet with each weight removed with probability $\frac12$ follows close to the "
        r"theoretical prediction $\Theta(1/\sqrt m)$.",
        depends=("zlb22.thm3.6@A",),
        reading=reading,
        reading_text=text,
        exponents=Exponents(runs, predicted, most=(16, 16, 64), scope=(DESCENT,)),
    )


CLAIMS = tuple(map(_figure, SAID))
