"""A non-linear activation on the output.

By the chain rule, for f = phi(f~) the Hessian is phi''(f~) grad f~ (grad f~)^T + phi'(f~) H_f~, and
given the layers below f~ is normal around 0 at w_0. Part (b) is judged exactly: where phi'' is 0
below some t >= 0, f~ lies there with probability 1/2 at least, whatever the width, and H_f is 0
there if phi is 0. The functions have phi'' = e + c min(max(z - t, 0), 1) and phi(0) = phi'(0) = 0
for t >= 0, and two Lipschitz derivatives. Part (a) is measured along ladders of widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.kinds.statistics.exponents import Exponents, Predicted
from verify.language.building import Number, When, implies, larger, smaller
from verify.language.terms import Term
from verify.papers.zlb22.output_curvature import REST, families
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, unless

PLACE = printed("Section 3, after the experiment, and Section 4, last paragraph")
HALF = Fraction(1, 2)
SMOOTH = ("tanh", "softplus", "sigmoid", "sin", "quadratic")  # within Assumption 3.2
DEPTHS: tuple[Sequence[int], ...] = ((2,), (2,), (2, 3, 4))
FCN = ("fully connected tanh networks, one input with entries in [-1, 1]",)


# (b), exactly -------------------------------------------------------------------------------------
t = Number("t", meaning="where phi'' begins to change")
c = Number("c", meaning="by what phi'' changes")
e = Number("e", meaning="phi'' below t")


def curvature(z: Term) -> Term:
    """phi''."""
    return e + c * smaller(larger(z - t, 0), 1)


FLAT_CHANCE = When(curvature(t) == 0, HALF, 0)
"""A lower bound, free of the width, on P(H_f(w_0) = 0), for t >= 0: phi'' is constant up to t."""
NEVER_FLAT = implies(t >= 0, -FLAT_CHANCE >= 0)

_BENDS = (c != 0) | (e != 0)
NOT_AFFINE = Given(
    "output activation not affine",
    _BENDS,
    r"the output activation $\varphi$ is not affine: $\varphi''(z)=e+c\min(\max(z-t,0),1)$ with "
    r"$c$ or $e$ not $0$",
    unless(_BENDS, lambda case, random: with_value(case, "c", 1)),
)


def _flat_below(case: Tensors, random: Random) -> Tensors:
    case = with_value(case, "t", abs(case.number("t")))
    return with_value(case, "e", 0) if random.random() < 0.5 else case


OUTPUTS = pool_with(t, c, e, largest=1, adapt=_flat_below)


# descent ------------------------------------------------------------------------------------------
def trained_through(setting: Setting, steps: int = 400) -> Measured:
    """(c): descent with tanh and sigmoid outputs, on targets inside their range."""
    import numpy as np

    from numerics.curvature.wirings import generator_of
    from verify.papers.zlb22.training_runs import SMALL, data_points, descended, networks_of

    width, count = ((32, 4), (64, 8), (512, 16))[setting.scale]
    points, labels = data_points("made", 4)
    own = generator_of(np.random.default_rng(setting.seed))
    figures: dict[str, int | float | str] = {}
    reached, definite = [], []
    for output, targets in (("tanh", labels / 2), ("sigmoid", HALF_FLOAT + labels / 4)):
        networks = networks_of("fcn", width, 8, count, own, depth=2, output=output)
        found = descended(networks, points, targets, steps, neurons=True)
        reached.append(float(found["loss"].max()))
        definite.append(float(found["least"].min()))
        figures[f"{output}: last loss over the first, largest"] = f"{reached[-1]:.3g}"
        figures[f"{output}: smallest lambda_min(K) on the way"] = f"{definite[-1]:.3g}"
    return Measured(
        max(reached) <= SMALL and min(definite) > 0,
        f"gradient descent brings every loss to {max(reached):.2g} of its start or below, and "
        f"lambda_min(K) stays at {min(definite):.2g} or above (criterion: {SMALL:g}, and above 0).",
        (f"one hidden layer of {width} tanh neurons, 4 points, {count} networks for each output",),
        figures,
        instances=2 * count,
    )


HALF_FLOAT = 0.5


# ladders ------------------------------------------------------------------------------------------
STAYS = Fraction(0)


def remains(outputs: Sequence[str]) -> Exponents:
    """|f - f_lin| at a fixed distance does not fall with the width."""
    return Exponents(
        partial(families, outputs, DEPTHS),
        (Predicted(REST, STAYS, below=-HALF),),
        scope=FCN,
    )


# claims -------------------------------------------------------------------------------------------
BREAKS = (
    r"Composing a non-linear function with a linear one breaks linearity; with a non-linear "
    r"activation on the output, transition to linearity does not hold any more: "
    r"$|f-f_{\mathrm{lin}}|$ in the ball does not tend to $0$."
)
CAUSES = (
    r"Adding a non-linear activation on the output layer causes the Hessian norm to be $O(1)$, "
    r"independently of the width, so that transition to linearity does not occur."
)
ANY = "a non-linear activation: any function that is not affine"
LOOKED = (*SMOOTH, "relu")

CLAIMS = (
    Claim(
        "zlb22.nonlinear_output.a@1",
        Kind.RATE,
        PLACE,
        "a non-linear output activation breaks transition to linearity",
        BREAKS,
        reading="1",
        reading_text=f"{ANY}; looked at: {', '.join(LOOKED)}",
        exponents=remains(LOOKED),
    ),
    stated(
        "zlb22.nonlinear_output.b@B1",
        PLACE,
        "a non-linear output activation makes the Hessian norm of order 1",
        CAUSES + r" Here $\varphi''(z)=e+c\min(\max(z-t,0),1)$, $\varphi(0)=\varphi'(0)=0$ and "
        r"$t\ge0$: for a lower bound $p$ on $P(H_f(\mathbf w_0)=0)$ that does not depend on the "
        r"width, $-p\ge0$.",
        NEVER_FLAT,
        (NOT_AFFINE,),
        pool=OUTPUTS,
        exact_only=True,
        reading="B1",
        reading_text=f"$O(1)$: of constant order, and bounded away from 0; {ANY}",
        through=r"where $\varphi$ is 0 on a half-line that holds 0, $H_f(\mathbf w_0)$ is 0 with "
        "probability 1/2 at least, $\\tilde f$ being symmetric around 0 "
        "(docs/mathematics/zlb22.md#output-activations)",
        why="An output activation that is 0 on a half-line need not be affine, and the "
        "pre-activation of the output lies on that half-line with probability 1/2, at every width: "
        "there $H_f=0$.",
    ),
    Claim(
        "zlb22.nonlinear_output.c.descent",
        Kind.EXPERIMENT,
        PLACE,
        "descent through an output activation",
        r"With a non-linear output the square loss can still satisfy PL$^*$, and existence of a "
        r"global minimum and efficient optimisation can still be established.",
        depends=("zlb22.nonlinear_output.c",),
        experiment=trained_through,
    ),
)
