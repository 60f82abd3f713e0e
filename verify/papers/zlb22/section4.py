"""Section 4, eqs. (15) to (17): the gradient of the square loss, the tangent kernel, PL*; and its
last paragraph, the kernel behind an output activation.

A case holds the Jacobian J of an output at n data points, a row for each, and the residuals
r = f - y. Beside them G and s of a second output, and the factor c of the loss
c sum_i (r_i^2 + s_i^2): the print has one output, so that G and s are 0, and c = 1/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.language.building import (
    Matrix,
    Min,
    Number,
    Vector,
    diag,
    dim,
    eigenvalues,
    frob2,
    implies,
    norm,
    rows,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.matrix_words import EVERY_SIZE, matrix
from verify.statements.derivations.spectral_steps import gram_is_symmetric
from verify.statements.derivations.symbols import SQUARES
from verify.statements.quantities import listed, rows_of, with_entries, with_value
from verify.statements.stated import Given, pool_with, stated

J, G, r, s, c = (
    Matrix("J", "n", "P", meaning="the Jacobian of an output at $n$ data points"),
    Matrix("G", "n", "P", meaning="the same of a second output"),
    Vector("r", "n", meaning="its residuals $f-y$"),
    Vector("s", "n", meaning="the residuals of the second output"),
    Number("c", meaning="the factor of the loss"),
)
SLOPES = Vector("s", "n", meaning=r"$\phi'$ of the output activation at each data point")
SECTION = "Section 4, eqs. (15) to (17)"


# definitions --------------------------------------------------------------------------------------
def least(symmetric: Term) -> Term:
    """lambda_min."""
    return eigenvalues(symmetric)[rows(symmetric)]


def kernel(*jacobians: Term) -> Term:
    """(17): K_ij is the inner product of the gradients at x_i and x_j, summed over the outputs."""
    first, *others = (jacobian @ jacobian.T for jacobian in jacobians)
    return sum(others, first)


KERNEL = kernel(J, G)
LOSS = c * (frob2(r) + frob2(s))  # (15)
GRADIENT = 2 * c * (J.T @ r + G.T @ s)  # of the loss
PL = norm(GRADIENT) ** 2 >= 2 * least(KERNEL) * LOSS  # (16)


# hypotheses ---------------------------------------------------------------------------------------
def _zeros(case: Tensors, *names: str) -> Tensors:
    for name in names:
        case = with_entries(case, name, [Fraction(0)] * len(case.arrays[name].entries))
    return case


def _opposite(case: Tensors, random: Random) -> Tensors:
    """A second output that moves like the first one, with the opposite residuals."""
    case = with_entries(case, "G", listed(case, "J"))
    return with_entries(case, "s", [-x for x in listed(case, "r")])


ONE_OUTPUT = Given(
    "one output of the loss",
    (G == 0 * G) & (s == 0 * s),
    r"the network has one output (else $K_{ij}$ and $\mathcal L$ are sums over two)",
    lambda case, random: _zeros(case, "G", "s"),
    _opposite,
    thin=True,
)
HALF = Given(
    "factor 1/2",
    c == Fraction(1, 2),
    r"$\mathcal L(\mathbf w)=\frac12\sum_i(f(\mathbf w;x_i)-y_i)^2$ (else with another factor: "
    r"$\frac1{2n}$ for the mean, 1 for none)",
    lambda case, random: with_value(case, "c", Fraction(1, 2)),
    lambda case, random: with_value(
        case, "c", random.choice((Fraction(1, 2 * max(2, case.lengths["n"])), Fraction(1)))
    ),
    thin=True,
)


def _rank(rows: Sequence[Sequence[Fraction]]) -> int:
    from graphs.matrices import rank
    from graphs.rationals import RATIONALS

    width = len(rows[0])
    found: int = rank(RATIONALS.array([x for row in rows for x in row]).reshape(-1, width))
    return found


def _definite(case: Tensors) -> bool:
    """Whether [J G], whose Gram matrix is K, has independent rows."""
    pairs = zip(rows_of(case, "J"), rows_of(case, "G"), strict=True)
    return _rank([[*one, *other] for one, other in pairs]) == case.lengths["n"]


def _to_definite(case: Tensors, random: Random) -> Tensors:
    """Data points are left out until the others are independent; a row of zeros is replaced."""
    while not _definite(case):
        last = case.lengths["n"] - 1
        if not last:
            return with_entries(case, "J", [Fraction(1)] * len(case.arrays["J"].entries))
        names = ("J", "G", "r", "s")
        case = case.changing(**{name: case.arrays[name].without("n", last) for name in names})
    return case


def _first_at_rest(case: Tensors, random: Random) -> Tensors:
    """The output at the first data point does not depend on the weights, and has a residual."""
    width, rest = case.lengths["P"], [Fraction(0)] * (case.lengths["n"] - 1)
    still = [Fraction(0)] * width
    case = with_entries(case, "J", [*still, *case.arrays["J"].entries[width:]])
    case = with_entries(case, "r", [Fraction(1), *rest])
    return with_entries(case, "G", [*still, *case.arrays["G"].entries[width:]])


DEFINITE = Given(
    "kernel definite",
    least(KERNEL) > 0,
    r"$\lambda_{\min}(K(\mathbf w))>0$",
    _to_definite,
    _first_at_rest,
)


def _printed_loss(case: Tensors, random: Random) -> Tensors:
    """Nearly always the loss as printed, of one output."""
    case = with_value(case, "c", Fraction(1, 2))
    return case if random.random() < 0.1 else _zeros(case, "G", "s")


LOSSES = pool_with(J, G, r, s, c, largest=3, adapt=_printed_loss)


# proofs -------------------------------------------------------------------------------------------
def as_printed(proof: Proof) -> tuple[list[Fact], Fact, Fact]:
    """What the loss is: G = 0, s = 0, c = 1/2; with K = J J^T and the gradient g = J^T r,
    |g|^2 = r^T K r >= lambda_min(K) |r|^2; and |g|^2 as a product."""
    alone = proof.given[ONE_OUTPUT.name]
    known = [proof.part(alone, 0), proof.part(alone, 1), proof.given[HALF.name]]
    own = kernel(J)
    _, low = proof.lemma("rayleigh", gram_is_symmetric(proof, own), S=own, x=r)
    square, _ = proof.lemma("norm of a vector", x=J.T @ r)
    return known, low, square


def by_rayleigh(proof: Proof) -> None:
    """|J^T r|^2 = r^T K r."""
    known, low, square = as_printed(proof)
    own = norm(J.T @ r) ** 2 >= least(kernel(J)) * frob2(r)
    proof.same(proof.goal, known, proof.algebra(own, {low: 1, square: 1}))


def no_rest_above_zero(proof: Proof) -> None:
    """|J^T r|^2 = r^T K r >= lambda_min(K) |r|^2, which is above 0 where the loss is."""
    known, low, _ = as_printed(proof)
    (lossy,) = proof.way
    half = proof.same(frob2(r) / 2 > 0, known, lossy)
    definite = proof.same(least(kernel(J)) > 0, known, proof.given[DEFINITE.name])
    moving = proof.algebra(frob2(J.T @ r) > 0, {(definite, half): 2, low: 1})
    proof.same(proof.goal, known, moving)


# arguments ----------------------------------------------------------------------------------------
LEAST = "lambda_min(K) is the least value of v^T K v on unit vectors"


def by_squares() -> Argument:
    """v^T K v = |J^T v|^2."""
    jacobian, vector = matrix("J"), matrix("v")
    part = jacobian.transposed @ vector
    form = vector.transposed @ jacobian @ jacobian.transposed @ vector
    return Argument(
        "v^T K v is a sum of squares for every v",
        (Step("v^T K v = |J^T v|^2", (form - part.transposed @ part).is_zero),),
        (SQUARES, EVERY_SIZE, LEAST),
        uses=(),
        section="docs/mathematics/zlb22.md#the-pl-inequality-by-the-kernel",
    )


def by_slopes() -> Argument:
    """v^T D K D v >= lambda_min(K) |D v|^2 >= lambda_min(K) min s_i^2 |v|^2."""
    jacobian, slopes, vector = matrix("J"), matrix("D", symmetric=True), matrix("v")
    rows_of_both = slopes @ jacobian
    form = vector.transposed @ rows_of_both @ rows_of_both.transposed @ vector
    moved = slopes @ vector
    other = moved.transposed @ jacobian @ jacobian.transposed @ moved
    return Argument(
        "the Jacobian of phi(f~) is D J, so v^T K_f v = (D v)^T K (D v), at least lambda_min(K) "
        "|D v|^2, and |D v|^2 is at least min s_i^2 |v|^2; lambda_min(K) is not negative",
        (Step("v^T (D J)(D J)^T v = (D v)^T J J^T (D v)", (form - other).is_zero),),
        (
            EVERY_SIZE,
            "v^T K v is at least lambda_min(K) |v|^2 for a symmetric K",
            "the derivative of phi(f~) by the weights is phi'(f~) times that of f~",
        ),
        uses=(),
        section="docs/mathematics/zlb22.md#output-activations",
    )


# the statements -----------------------------------------------------------------------------------
SEMIDEFINITE = least(kernel(J)) >= 0
BEHIND = diag(SLOPES) @ J  # by the chain rule, the gradient of phi(f~) is phi'(f~) times that of f~
COMPOSED = least(kernel(BEHIND)) >= Min(upto(dim(SLOPES)), lambda i: SLOPES[i] ** 2) * least(
    kernel(J)
)

CLAIMS = (
    stated(
        "zlb22.eq16",
        printed(SECTION),
        "gradient of the square loss",
        r"$\lVert\nabla_{\mathbf w}\mathcal L(\mathbf w)\rVert^2\ge2\lambda_{\min}(K(\mathbf w))"
        r"\,\mathcal L(\mathbf w)$, where $K=JJ^T$ and $\nabla\mathcal L=J^T(f-y)$.",
        PL,
        (ONE_OUTPUT, HALF),
        pool=LOSSES,
        proofs=[by_rayleigh],
    ),
    stated(
        "zlb22.eq16.semidefinite",
        printed("Section 4, eq. (17)"),
        "the tangent kernel is positive semi-definite",
        r"$\lambda_{\min}(K(\mathbf w))\ge0$.",
        SEMIDEFINITE,
        pool=pool_with(J, largest=4),
        proof=by_squares,
    ),
    stated(
        "zlb22.eq16.pl",
        printed("Section 4, PL*"),
        "a definite kernel gives PL*",
        r"If $\lambda_{\min}(K(\mathbf w))>0$ the loss satisfies PL$^*$ at $\mathbf w$: some "
        r"$\mu>0$ has $\lVert\nabla\mathcal L(\mathbf w)\rVert^2\ge2\mu\mathcal L(\mathbf w)$, "
        r"that is, $\nabla\mathcal L(\mathbf w)=0$ only where $\mathcal L(\mathbf w)=0$.",
        implies(LOSS > 0, frob2(GRADIENT) > 0),
        (ONE_OUTPUT, HALF, DEFINITE),
        depends=("zlb22.eq16",),
        pool=LOSSES,
        proofs=[no_rest_above_zero],
    ),
    stated(
        "zlb22.nonlinear_output.c",
        printed("Section 3, after the experiment, and Section 4, last paragraph"),
        "the kernel of a network with an output activation",
        r"The square loss can still satisfy PL$^*$: $\lambda_{\min}(K_f)\ge\min_i\varphi'"
        r"(\tilde f(x_i))^2\,\lambda_{\min}(K_{\tilde f})$, above $0$ where $\varphi'$ is not $0$ "
        r"at the data and $K_{\tilde f}$ is definite.",
        COMPOSED,
        depends=("zlb22.eq16.pl",),
        pool=pool_with(J, SLOPES, largest=3),
        proof=by_slopes,
        through="the kernel of a composition is the kernel between the slopes "
        "(docs/mathematics/zlb22.md#output-activations)",
    ),
)
