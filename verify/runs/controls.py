"""Controls: claims whose answer is known. If one misbehaves, the run is void.

They go through the same methods, gate and checker as every claim. `control.planted.lj22`,
`control.planted.j23`, `control.planted.dkbhl20` and `control.planted.zlb22` are false lemmas in the
papers' own terms: a suite that does not refute them would not notice a slip.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from verify.cases.pool import Pool
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind, Source
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Along,
    Each,
    Matrix,
    Max,
    Number,
    Rate,
    Some,
    Sum,
    When,
    activation,
    card,
    edges,
    edges_on,
    examples,
    frob2,
    grad,
    hidden,
    implies,
    into,
    norm,
    nu,
    out_of,
    outputs,
    paths,
    upto,
    w,
    x,
)
from verify.language.proofs import Derivation, Proof
from verify.language.statements import Statement
from verify.language.terms import Term, make
from verify.papers.dkbhl20.lemma1 import NON_NEGATIVE, SPECTRA, TRACE_D
from verify.papers.dkbhl20.notation import LAM, entries
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
    jacobian,
)
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FEEDFORWARD,
    FLOW_SELECTION,
    HOMOGENEOUS,
    OWN_PARAMETERS,
    STABLE_SIGNS,
    incident_learnable,
)
from verify.statements.stated import proved, stated

SOURCE = Source("control", "-", "control")
POOL = Pool(losses=("prescribed",), largest=5)


# of networks and matrices, as terms --------------------------------------------------------------
OUTPUT = outputs()[1]
M = Matrix("M", "rows", "columns")
EULER = Each(examples(), lambda j: Sum(into(OUTPUT), lambda e: w(e) * grad(e, j)) == nu(j))
"""At the output, the sum over its in-edges of w dnu/dw is nu."""


def at_minus(j: Term) -> Term:
    """nu(-x_j)."""

    def post(v: Term, path: Term, before: Term) -> Term:
        inner = Sum(upto(card(into(v))), lambda k: w(into(v)[k]) * before[k])
        return When(card(into(v)) == 0, -x(v, j), activation(v, inner))

    return Along(OUTPUT, post)


def squares(some: Term) -> Term:
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


ODD = Each(examples(), lambda j: at_minus(j) == -nu(j))
ROOT_OF_TWO = Some(examples(), lambda j: nu(j) ** 2 == 2)
"""No rational case is a witness."""
DOUBLED_OUT_EDGES = Each(
    hidden(),
    lambda v: implies(
        incident_learnable(v), Rate(squares(into(v))) == 2 * Rate(squares(out_of(v)))
    ),
)


# of the other papers ------------------------------------------------------------------------------
A_LAYER_TOO_MANY = Each(
    examples(),
    lambda p: (DEPTH + 1) ** DEPTH * frob2(jacobian(p)) <= PARAMETER_SQUARE**DEPTH,
)
"""With L^L it would be a theorem (the means of the squared norms of the layers). Rational, so no
machine lacks this control."""
A_WIDTH_TOO_FEW = Sum(entries(LAM), lambda i: LAM[i] ** 2) ** 2 <= Sum(
    entries(LAM), lambda i: LAM[i] ** 3
)
"""With d times the right side it would be (56) of Daneshmand et al. (2020), which the
Cauchy-Schwarz inequality proves."""
LONGEST = Max(paths(), lambda path: card(edges_on(path)))
A_PATH_TOO_LONG = Each(
    examples(), lambda j: Sum(edges(), lambda e: w(e) * grad(e, j)) == LONGEST * nu(j)
)
"""With every path of the same length, as in fully connected networks, it would be Euler's
identity."""


# arguments and proofs ----------------------------------------------------------------------------
def an_argument(
    summary: str,
    trusted: tuple[str, ...] = ("a fact",),
    uses: tuple[str, ...] = (),
    cites: tuple[str, ...] = (),
) -> Argument:
    """An argument for Euler's identity whose one step says nothing of it."""
    one = Fraction(1)
    step = Step("1 = 1", one == one)
    return Argument(
        summary,
        (step,),
        trusted,
        uses,
        section="docs/mathematics/engine.md#the-balance-theorem",
        cites=cites,
        goal=EULER,
    )


def by_a_square(proof: Proof) -> None:
    """c^2 + 1 - 2 c = (c - 1)^2."""
    proof.algebra(proof.goal, {}, [C - 1])


def by_another_square(proof: Proof) -> None:
    """c^2 + 1 - 2 c = c^2, which it is not."""
    proof.algebra(proof.goal, {}, [C])


def by_nothing(proof: Proof) -> None:
    """0 <= 1, and nothing of what is to be shown."""
    proof.algebra(make("le", 0, 1), {}, [1])


def of_another() -> Derivation:
    """A proof that is right, of another statement than that of the claim."""
    other = Statement("control.proof.another", C**2 + 2 >= 2 * C)
    return proved(other, lambda proof: proof.algebra(proof.goal, {}, [C - 1, 1]))


C = Number("c")
MEANS = C**2 + 1 >= 2 * C
MEANS_AS_PRINTED = r"$c^2+1\ge2c$."


POINT = (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE, DIFFERENTIABLE)
EULER_AS_PRINTED = r"$\sum_{e\in\mathrm{IN}_o}w_e\,\partial\nu/\partial w_e=\nu$."

CONTROLS: dict[str, tuple[Claim, tuple[str, ...]]] = {
    claim.id: (claim, expected)
    for claim, expected in (
        (
            stated(
                "control.true",
                SOURCE,
                "Euler's identity at the output",
                EULER_AS_PRINTED,
                EULER,
                (*POINT, OWN_PARAMETERS),
                pool=POOL,
            ),
            ("proved on scope",),
        ),
        *(
            (
                stated(
                    f"control.argument.{name}",
                    SOURCE,
                    title,
                    EULER_AS_PRINTED,
                    EULER,
                    (*POINT, OWN_PARAMETERS),
                    pool=POOL,
                    proof=proof,
                ),
                (expected,),
            )
            for name, title, proof, expected in (
                (
                    "forged",
                    "an argument whose one step is 1 = 1",
                    partial(an_argument, "1 = 1", trusted=()),
                    "error",
                ),
                (
                    "other",
                    "an argument with another hypothesis",
                    partial(an_argument, "for a tree", uses=("tree network",)),
                    "error",
                ),
                (
                    "unfounded",
                    "an argument that cites a false claim",
                    partial(an_argument, "by another", cites=("control.false",)),
                    "proved on scope",
                ),
                (
                    "circular",
                    "an argument that cites what it argues for",
                    partial(an_argument, "by itself", cites=("control.argument.circular",)),
                    "proved on scope",
                ),
            )
        ),
        (
            replace(
                stated(
                    "control.proof.another",
                    SOURCE,
                    "a proof of another statement",
                    MEANS_AS_PRINTED,
                    MEANS,
                ),
                derivation=of_another,
            ),
            ("error",),
        ),
        *(
            (
                stated(
                    f"control.proof.{name}", SOURCE, title, MEANS_AS_PRINTED, MEANS, proofs=[steps]
                ),
                (expected,),
            )
            for name, title, steps, expected in (
                ("true", "a proof", by_a_square, "proved"),
                ("forged", "a proof with a square that is none of it", by_another_square, "error"),
                ("empty", "a proof whose one step is 0 <= 1", by_nothing, "error"),
            )
        ),
        (
            stated(
                "control.false",
                SOURCE,
                "every network is odd",
                r"$\nu(-x)=-\nu(x)$.",
                ODD,
                (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
                pool=POOL,
            ),
            ("refuted",),
        ),
        (
            stated(
                "control.undecided",
                SOURCE,
                "some network takes the value root of 2",
                r"There are rational weights and inputs with $\nu(x)^2=2$ (there are none; a "
                r"search cannot know).",
                ROOT_OF_TWO,
                (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
                kind=Kind.EXISTENCE,
                pool=POOL,
            ),
            ("open",),
        ),
        (
            stated(
                "control.inequality.true",
                SOURCE,
                "the operator norm is at most the Frobenius norm",
                r"$\lVert M\rVert_F^2\ge\lVert M\rVert_2^2$.",
                frob2(M) >= norm(M) ** 2,
            ),
            ("supported",),
        ),
        (
            stated(
                "control.inequality.false",
                SOURCE,
                "the operator norm is at least the Frobenius norm",
                r"$\lVert M\rVert_2^2\ge\lVert M\rVert_F^2$.",
                norm(M) ** 2 >= frob2(M),
            ),
            ("refuted",),
        ),
        (
            stated(
                "control.planted.j23",
                SOURCE,
                "planted: the bound on the cost by the Jacobian with a layer too many",
                r"$\lVert\theta\rVert^{2L}\ge(L+1)^L\lVert Jf_\theta(x)\rVert_F^2$.",
                A_LAYER_TOO_MANY,
                (FULLY_CONNECTED, SLOPE, SMOOTH),
                pool=layered_pool(pool()),
            ),
            ("refuted",),
        ),
        (
            stated(
                "control.planted.dkbhl20",
                SOURCE,
                "planted: the bound on the squared Frobenius norm without the width",
                r"$\big(\sum_i\lambda_i^2\big)^2\le\sum_i\lambda_i^3$.",
                A_WIDTH_TOO_FEW,
                (NON_NEGATIVE, TRACE_D),
                pool=SPECTRA,
            ),
            ("refuted",),
        ),
        (
            stated(
                "control.planted.zlb22",
                SOURCE,
                "planted: Euler's identity with the number of layers, whatever the paths",
                r"$\sum_ew_e\,\partial f/\partial w_e=Lf$ for a linear network on a DAG.",
                A_PATH_TOO_LONG,
                (FEEDFORWARD, BIAS_FREE, OWN_PARAMETERS),
                activations=("linear",),
                pool=Pool(activations=("linear",), losses=("prescribed",), largest=5),
            ),
            ("refuted",),
        ),
        (
            stated(
                "control.planted.lj22",
                SOURCE,
                "planted: vertex balance with the out-edges counted twice",
                r"$\frac{d}{dt}\sum_{u\in\mathrm{IN}_v}w_{uv}^2=2\frac{d}{dt}\sum_{b\in"
                r"\mathrm{OUT}_v}w_{vb}^2$.",
                DOUBLED_OUT_EDGES,
                (*POINT, STABLE_SIGNS, DIFFERENTIABLE_LOSS, DATA, FLOW_SELECTION),
                kind=Kind.LAW,
                pool=POOL,
            ),
            ("refuted",),
        ),
    )
}
