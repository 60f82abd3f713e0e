"""The second half of (18): E |grad f| is of order 1 at least, for homogeneous activations of every
degree r > 0.

The derivatives by the weights of the last layer are the neurons that enter it over the root of
their number, and a root of a mean of squares is at least the mean of the absolute values: E |grad
f| is at least the least E |f_u|. For a hidden neuron E |f|^q = E v^(qr/2) E |sigma(g)|^q, v the
mean of the squares of what enters it. With s = q r, v^(s/2) is at least the mean of the |f_u|^s
where s <= 2 (z^(s/2) is concave), and E v^(s/2) >= (E v)^(s/2) where s >= 2. So bounds on moments
of order 2 at most go from layer to layer, whatever the in-degrees, down to the inputs; no width
enters.
"""

from __future__ import annotations

from verify.core.argument import Argument
from verify.language.building import Fold, When, implies, larger, smaller, sqrt, upto, vector
from verify.language.terms import Term, make
from verify.papers.zlb22.chain_gradients import (
    CHAINS,
    MEAN_SQUARE,
    POSITIVE,
    SCALE,
    SIZES,
    STANDARD_INPUTS,
    STANDARD_WEIGHTS,
    L,
    last_neuron,
    r,
)
from verify.papers.zlb22.gaussian_moments import square_moment
from verify.papers.zlb22.gradient_ladders import MEASURED
from verify.papers.zlb22.gradient_norms import PLACE, with_hidden_layer
from verify.papers.zlb22.low_degrees import powers_of_means
from verify.statements.quantities import with_value
from verify.statements.stated import Given, stated

GIVEN_THE_NEURONS_BELOW = (
    "given the neurons before it, a pre-activation is normal with variance v = mean of their "
    "squares; so E |sigma(z)|^q = E v^(qr/2) E |sigma(g)|^q"
)


MEAN_OF_LAST = last_neuron(lambda e: e / 2)
"""E |f_(L-1)| of a chain with L >= 2, which is at most E |grad f|."""


def order(i: Term) -> Term:
    """q of what is i - 1 steps above: 1, times r for each step, at most 2."""
    return smaller(r ** (i - 1), 2)


def neuron(power: Term) -> Term:
    """At most E |sigma(g)|^q."""
    share = make("pow", 2, smaller(power / 2, 1) - 1)
    return share * SCALE ** (power / 2) * square_moment(1, power * r / 2)


def _next(least: Term, i: Term) -> Term:
    """K_q of one more layer, from the least of those below: K_(qr), or K_2^(qr/2) where qr > 2."""
    return neuron(order(i)) * least[i + 1] ** larger(order(i) * r / 2, 1)


ORDER_BOUND = Fold(
    upto(L - 1),
    vector(L, lambda i: square_moment(1, order(i) / 2)),
    lambda least, layer: vector(
        L, lambda i: When(i <= L - layer, smaller(least[i], _next(least, i)), least[i])
    ),
)[1]
"""The least K_1 of layers 0 to L - 1, a bound on the mean of |f_u|: going up, the i-th number is
the least K_q of the layers so far for the q that is asked for i - 1 layers above."""
OF_ORDER_1 = implies(
    (MEAN_OF_LAST >= ORDER_BOUND) | (sqrt(MEAN_SQUARE) < ORDER_BOUND), MEAN_OF_LAST >= ORDER_BOUND
)
"""E |grad f| is at least the bound, asked where that is decided: it lies between E |f_(L-1)| and
the root of E |grad f|^2."""

DEGREE_ABOVE_0 = Given(
    "degree above 0",
    r > 0,
    r"$r>0$",
    lambda case, random: with_value(case, "r", abs(case.number("r")) or 1),
    built_in=True,
)
SUPPOSED = (
    SIZES,
    with_hidden_layer(L),
    POSITIVE,
    DEGREE_ABOVE_0,
    STANDARD_WEIGHTS,
    STANDARD_INPUTS,
)


def by_means() -> Argument:
    """From E |grad f| to the means of the neurons, and from layer to layer."""
    steps, trusted = powers_of_means()
    return Argument(
        "the derivatives by the weights of the last layer are the neurons that enter it, over the "
        "root of their number, so that |grad f| is at least the mean of |f_u|; E |f|^q is at least "
        "E |sigma(g)|^q times the least E |f_u|^(qr) below (qr <= 2) or (E f_u^2)^(qr/2) (qr > 2), "
        "and so on down to the inputs: moments of order 2 at most, and no width",
        steps,
        (
            GIVEN_THE_NEURONS_BELOW,
            *trusted,
            "Jensen's inequality for the convex z^h, h >= 1",
        ),
        uses=tuple(one.name for one in SUPPOSED),
        section="docs/mathematics/zlb22.md#means-of-the-norm",
    )


CLAIMS = (
    stated(
        "zlb22.prop4.4.order",
        PLACE,
        "the gradient norm is of order 1 at least",
        r"$\mathbb E_{\mathbf x,\mathbf w_0}[\lVert\nabla_{\mathbf w}f_k(\mathbf w_0)\rVert]="
        r"\Omega(1)$ in the width: it is at least $\min_{\ell<L}K_1^{(\ell)}$ with $K_q^{(0)}="
        r"\mathbb E|g|^q$ and $K_q^{(\ell)}=2^{\min(q/2,1)-1}(C_\sigma/\mathbb E|g|^{2r})^{q/2}"
        r"\,\mathbb E|g|^{qr}\,\min_{j<\ell}B^{(j)}$, where $B^{(j)}$ is $K_{qr}^{(j)}$ for "
        r"$qr\le2$ and $(K_2^{(j)})^{qr/2}$ else, $g\sim\mathcal N(0,1)$. Here on chains of one "
        r"neuron a layer with $\sigma(z)=s|z|^r$, where bounds on the left side decide; and for "
        r"ReLU, $z^2$ and $z^3$ along widths.",
        OF_ORDER_1,
        SUPPOSED,
        depends=("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        pool=CHAINS,
        exact_only=True,
        proof=by_means,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#chains-of-one-neuron-a-layer)",
        exponents=MEASURED,
    ),
)
