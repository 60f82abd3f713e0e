"""Controls: claims whose answer is known. If one misbehaves, the run is void.

They go through the same methods, gate and checker as every claim. `control.planted.lj22`,
`control.planted.j23`, `control.planted.dkbhl20` and `control.planted.zlb22` are false lemmas in the
papers' own terms: a suite that does not refute them would not notice a slip.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from operator import mul

from verify.argument import Argument, Step
from verify.claim import Claim, Kind, Source
from verify.dag_hypotheses import DAG, LINEAR_ACTIVATIONS, ONE_OUTPUT
from verify.dag_pool import dag_pool
from verify.dag_scene import DagScene
from verify.deep_hypotheses import SLOPE, SMOOTH
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
from verify.language.building import Number
from verify.language.proofs import Derivation, Proof
from verify.language.statements import Statement
from verify.language.terms import make
from verify.matrices import MatrixScene
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    INCIDENT_LEARNABLE,
    OWN_PARAMETERS,
)
from verify.normalised_hypotheses import NON_NEGATIVE, TRACE_D
from verify.normalised_pool import chain_pool
from verify.normalised_scene import ChainScene
from verify.point_hypotheses import (
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FLOW_SELECTION,
    STABLE_SIGNS,
)
from verify.pool import Pool
from verify.stated import proved, stated
from verify.tensor_pool import TensorPool
from verify.vocabulary import Entries, Row, Scene, constant_entries

SOURCE = Source("control", "-", "control")
POOL = Pool(losses=("prescribed",), largest=5)
NETWORKS = pool()
MATRIX = TensorPool((("M", ("rows", "columns")),))
SPECTRA = chain_pool("lam")
GRAPHS = dag_pool(points=1)


def euler(scene: Scene) -> Entries:
    """sum over the in-edges of the output of w dnu/dw, minus nu (Euler's identity)."""
    shares = scene.into(scene.weights[:, None] * scene.gradients)[scene.union.outputs]
    return scene.per_example(shares, scene.value)


def oddness(scene: Scene) -> Entries:
    """nu(-x) + nu(x)."""
    return scene.per_example(scene.value_at(-scene.inputs), -scene.value)


def root_of_two(scene: Scene) -> Entries:
    """1 where nu(x)^2 = 2 for some example, else 0: no rational case is a witness."""
    rows: list[Row] = []
    for number, _ in enumerate(scene.cases):
        hit = any(value * value == 2 for value in scene.value[number])
        rows.append((number, {}, Fraction(hit)))
    return constant_entries(scene, rows)


def doubled_out_edges(scene: Scene) -> Entries:
    """d/dt of sum_in w^2 - 2 sum_out w^2."""
    rate = scene.weights * scene.velocity
    rate = rate + rate
    out = scene.out_of(rate)
    return scene.per_vertex(scene.into(rate), out + out)


def a_layer_too_many(scene: DeepScene) -> Entries:
    """|theta|^(2L) - (L + 1)^L |Jf(x)|_F^2, at each point. With L^L it would be a theorem (the
    means of the squared norms of the layers). Rational, so no machine lacks this control."""
    depth = scene.depth
    power = reduce(mul, [scene.parameter_square] * depth)
    return scene.parts(
        [
            (
                {"point": at},
                power,
                scene.share(scene.frobenius_squared(scene.jacobian(at)), (depth + 1) ** depth),
            )
            for at in range(scene.count)
        ]
    )


def frobenius_above(scene: MatrixScene) -> Entries:
    """|M|_F^2 - |M|_2^2."""
    matrix = scene["M"]
    return scene.compare(scene.frobenius_squared(matrix), scene.norm_squared(matrix))


def frobenius_below(scene: MatrixScene) -> Entries:
    """|M|_2^2 - |M|_F^2."""
    matrix = scene["M"]
    return scene.compare(scene.norm_squared(matrix), scene.frobenius_squared(matrix))


def a_width_too_few(scene: ChainScene) -> Entries:
    """sum lambda^3 - (sum lambda^2)^2. With d times the first it would be (56) of Daneshmand et
    al. (2020), which the Cauchy-Schwarz inequality proves."""
    values = scene["lam"]
    squares = values * values
    total = squares.sum(1)
    return scene.compare((squares * values).sum(1), total * total)


def a_path_too_long(scene: DagScene) -> Entries:
    """sum_e w_e df/dw_e - L f of a linear network. With every path of length L, as in fully
    connected networks, it would be Euler's identity."""
    ends = scene.chosen(scene.outputs & ~scene.inputs)
    columns = [scene.weight(v, u).reshape(-1, 1) for v, u in scene.slots]
    weights, depth = scene.arithmetic.join(columns, 1), scene.numbers(scene.depth)
    parts = []
    for at in range(scene.lengths["N"]):
        run = scene.passed(at)
        total = value = scene.constant(0)
        for v in range(scene.vertices):
            total = total + (run.post_gradient[v] * weights).sum(1) * ends[:, v]
            value = value + run.post[v] * ends[:, v]
        parts.append(({"point": at}, total, value * depth))
    return scene.parts(parts)


def forged() -> Argument:
    """An argument for Euler's identity under the right name whose one step says nothing of it."""
    one = Fraction(1)
    return Argument("1 = 1", (Step("1 = 1", one == one),), (), "euler", ())


def beside_the_claim() -> Argument:
    """An argument for Euler's identity that uses a hypothesis which the claim does not have."""
    one = Fraction(1)
    step = Step("1 = 1", one == one)
    return Argument("for a tree", (step,), ("a fact",), "euler", ("tree network",), section=2)


def citing(name: str) -> Argument:
    """An argument for Euler's identity that cites another claim, or the one that it is for."""
    one = Fraction(1)
    step = Step("1 = 1", one == one)
    return Argument("by another", (step,), ("a fact",), "euler", (), section=2, cites=(name,))


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

CONTROLS: dict[str, tuple[Claim, tuple[str, ...]]] = {
    claim.id: (claim, expected)
    for claim, expected in (
        (
            Claim(
                "control.true",
                Kind.IDENTITY,
                SOURCE,
                "Euler's identity at the output",
                r"$\sum_{e\in\mathrm{IN}_o}w_e\,\partial\nu/\partial w_e"
                r"=\nu$.",
                (*POINT, OWN_PARAMETERS),
                measure=euler,
                pool=POOL,
            ),
            ("supported", "proved", "proved on scope"),
        ),
        *(
            (
                Claim(
                    f"control.argument.{name}",
                    Kind.IDENTITY,
                    SOURCE,
                    title,
                    r"$\sum_{e\in\mathrm{IN}_o}w_e\,\partial\nu/\partial w_e=\nu$.",
                    (*POINT, OWN_PARAMETERS),
                    measure=euler,
                    pool=POOL,
                    proof=proof,
                ),
                (expected,),
            )
            for name, title, proof, expected in (
                ("forged", "an argument whose one step is 1 = 1", forged, "error"),
                ("other", "an argument with another hypothesis", beside_the_claim, "error"),
                (
                    "unfounded",
                    "an argument that cites a false claim",
                    partial(citing, "control.false"),
                    "supported",
                ),
                (
                    "circular",
                    "an argument that cites what it argues for",
                    partial(citing, "control.argument.circular"),
                    "supported",
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
            Claim(
                "control.false",
                Kind.IDENTITY,
                SOURCE,
                "every network is odd",
                r"$\nu(-x)=-\nu(x)$.",
                (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
                measure=oddness,
                pool=POOL,
            ),
            ("refuted",),
        ),
        (
            Claim(
                "control.undecided",
                Kind.EXISTENCE,
                SOURCE,
                "some network takes the value root of 2",
                r"There are rational weights and inputs with $\nu(x)^2=2$ (there are none; a "
                r"search cannot know).",
                (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
                measure=root_of_two,
                pool=POOL,
                exact_only=True,
            ),
            ("open",),
        ),
        (
            Claim(
                "control.inequality.true",
                Kind.INEQUALITY,
                SOURCE,
                "the operator norm is at most the Frobenius norm",
                r"$\lVert M\rVert_F^2\ge\lVert M\rVert_2^2$.",
                measure=frobenius_above,
                pool=MATRIX,
            ),
            ("supported",),
        ),
        (
            Claim(
                "control.inequality.false",
                Kind.INEQUALITY,
                SOURCE,
                "the operator norm is at least the Frobenius norm",
                r"$\lVert M\rVert_2^2\ge\lVert M\rVert_F^2$.",
                measure=frobenius_below,
                pool=MATRIX,
            ),
            ("refuted",),
        ),
        (
            Claim(
                "control.planted.j23",
                Kind.INEQUALITY,
                SOURCE,
                "planted: the bound on the cost by the Jacobian with a layer too many",
                r"$\lVert\theta\rVert^{2L}\ge(L+1)^L\lVert Jf_\theta(x)\rVert_F^2$.",
                (SLOPE, SMOOTH),
                measure=a_layer_too_many,
                pool=NETWORKS,
                exact_only=True,
                floats=True,
            ),
            ("refuted",),
        ),
        (
            Claim(
                "control.planted.dkbhl20",
                Kind.INEQUALITY,
                SOURCE,
                "planted: the bound on the squared Frobenius norm without the width",
                r"$\big(\sum_i\lambda_i^2\big)^2\le\sum_i\lambda_i^3$.",
                (NON_NEGATIVE, TRACE_D),
                measure=a_width_too_few,
                pool=SPECTRA,
            ),
            ("refuted",),
        ),
        (
            Claim(
                "control.planted.zlb22",
                Kind.IDENTITY,
                SOURCE,
                "planted: Euler's identity with the number of layers, whatever the paths",
                r"$\sum_ew_e\,\partial f/\partial w_e=Lf$ for a linear network on a DAG.",
                (DAG, ONE_OUTPUT, LINEAR_ACTIVATIONS),
                measure=a_path_too_long,
                pool=GRAPHS,
                exact_only=True,
            ),
            ("refuted",),
        ),
        (
            Claim(
                "control.planted.lj22",
                Kind.LAW,
                SOURCE,
                "planted: vertex balance with the out-edges counted twice",
                r"$\frac{d}{dt}\sum_{u\in\mathrm{IN}_v}w_{uv}^2=2\frac{d}{dt}\sum_{b\in"
                r"\mathrm{OUT}_v}w_{vb}^2$.",
                (
                    *POINT,
                    INCIDENT_LEARNABLE,
                    STABLE_SIGNS,
                    DIFFERENTIABLE_LOSS,
                    DATA,
                    FLOW_SELECTION,
                ),
                measure=doubled_out_edges,
                pool=POOL,
            ),
            ("refuted",),
        ),
    )
}
