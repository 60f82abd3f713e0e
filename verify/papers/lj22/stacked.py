"""Layers of a chain as flattened and stacked matrices: they are layers, and their norms."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from graphs.activations import LINEAR, RELU, Activation
from verify.cases.case import Case
from verify.cases.hypotheses import unchanged
from verify.cases.networks_of_pieces import Plan, Spec
from verify.cases.pool import HOMOGENEOUS_MIX
from verify.cases.structured_pool import (
    StructuredPool,
    before,
    block,
    conv,
    conv_start,
    dense,
    kind_between,
    listed,
)
from verify.cases.transformations import freeze_edge, tie_edges
from verify.core.claim import Claim, Kind
from verify.language.terms import Term
from verify.papers.lj22.chains import (
    ARE_LAYERS,
    ARE_LEARNABLE,
    ARE_OWN,
    IS_CHAIN,
    NORMS_CHANGE_ALIKE,
    OF_THEOREM2,
    ONE_NORM,
)
from verify.papers.lj22.invariances import FLOW
from verify.papers.lj22.layer_proofs import cuts
from verify.papers.lj22.norm_proofs import norms_by_balances
from verify.papers.lj22.sources import both
from verify.papers.lj22.suppositions import skip_at_shared, with_shared
from verify.statements.network_hypotheses import BIAS_FREE, FEEDFORWARD
from verify.statements.stated import Given, stated

# hypotheses -------------------------------------------------------------------------------------
CHAIN = Given(
    "chain",
    IS_CHAIN,
    "the layers lie in one network, one immediately behind the other up to the output: "
    "fully-connected layers, convolutions and residual blocks",
    unchanged,
    skip_at_shared,
)
OWN_OUTSIDE_CONVOLUTIONS = Given(
    "own parameters outside of convolutions",
    ARE_OWN,
    "each learnable edge has a parameter of its own, but for those of a convolution",
    unchanged,
    tie_edges,
)
LEARNABLE = Given(
    "layers learnable",
    ARE_LEARNABLE,
    "all weights of the matrices are learnable",
    unchanged,
    freeze_edge,
)
THEOREM2 = Given(
    "layers of Theorem 2",
    OF_THEOREM2,
    r"$\nu$ is an arbitrary network $\eta$, followed by $K\ge0$ linear convolutional layers, by "
    r"$M\ge0$ layers that are linear ResNetFree blocks or linear fully-connected layers, and by a "
    r"linear fully-connected layer $Fin$",
    unchanged,
    with_shared(RELU),
)

COMMON = (
    LEARNABLE,
    OWN_OUTSIDE_CONVOLUTIONS,
    BIAS_FREE,
    *FLOW,
)


# cases ------------------------------------------------------------------------------------------
def _any_chain(random: Random, large: bool, pool: StructuredPool) -> Plan:
    pieces: list[Spec] = []
    inputs, first = random.randint(1, 3), before(random, large, pool)
    if random.random() < 0.6:
        inputs, first, size = conv_start(random, large, pool)
        pieces.append(conv(random, large, kind_between(random, pool), size))
        if random.random() < 0.4:
            pieces.append(conv(random, large, kind_between(random, pool)))
    for _ in range(random.randint(1, 3 if large else 2)):
        if random.random() < 0.5:
            variant = random.choice(("free", "diagonal", "free", "identity"))
            pieces.append(block(random, large, pool, variant, kind_between(random, pool)))
        else:
            pieces.append(dense(random.randint(1, 3), kind_between(random, pool)))
    return _ending(inputs, first, pieces, kind_between(random, pool))


def _ending(
    inputs: int, first: tuple[Spec, ...], pieces: list[Spec], last: Activation = LINEAR
) -> Plan:
    pieces = [*pieces, dense(1, last)]
    at = tuple(range(len(first), len(first) + len(pieces)))
    return Plan(inputs, (*first, *pieces), at)


def _theorem2_plan(random: Random, large: bool, pool: StructuredPool) -> Plan:
    pieces: list[Spec] = []
    inputs, first = random.randint(1, 3), before(random, large, pool)
    most = 3 if large else 1
    if random.random() < 0.7:
        inputs, first, size = conv_start(random, large, pool)
        pieces.append(conv(random, large, LINEAR, size))
        for _ in range(random.randint(0, most - 1)):
            pieces.append(conv(random, large, LINEAR))
    for _ in range(random.randint(0, most)):
        if random.random() < 0.6:
            width, inner = random.randint(1, most + 1), random.randint(1, most + 1)
            pieces.append(Spec("block", width, inner, "free"))
        else:
            pieces.append(dense(random.randint(1, most + 1)))
    if not pieces:
        pieces.append(dense(2))
    return _ending(inputs, first, pieces)


def _regions(pool: StructuredPool, *, linear: bool) -> Iterator[Case]:
    a = LINEAR if linear else RELU
    filter_ = Spec("convolution", 2, size=(3,), kernel=(2,), activation=a)
    padded = Spec("convolution", 2, size=(3,), kernel=(3,), padding=(1,), activation=a)
    free = Spec("block", 2, 2, "free", activation=a, within=a)
    plans = {
        "dense 2-2-1": (2, [dense(2, a)]),
        "ResNetFree 2-2-2 > dense": (2, [free]),
        "dense 1-2 > ResNetFree 2-2-2 > dense": (1, [dense(2, a), free]),
        "convolution > dense": (3, [filter_]),
        "convolution with zero padding > dense 6-2-1": (3, [padded, dense(2, a)]),
        "convolution > ResNetFree 4-2-2 > dense": (3, [filter_, free]),
    }
    if not linear:
        diagonal = Spec("block", 2, 2, "diagonal", activation=a, within=a)
        plans["ResNetDiagonal 2-2-2 > dense"] = (2, [diagonal])
    for title, (inputs, pieces) in plans.items():
        yield listed(_ending(inputs, (), pieces), "chain", title)


def _digits_plan(a: Activation) -> Plan:
    """Convolution, ResNetFree and dense layers on images of 4 x 4 pixels."""
    flat: dict[str, Any] = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1)}
    first = Spec("convolution", 2, size=(4, 4), kernel=(2, 2), activation=a, **flat)
    return _ending(16, (), [first, Spec("block", 4, 3, "free", activation=a, within=a)])


ANY_CHAIN = StructuredPool(
    activations=HOMOGENEOUS_MIX,
    examples=(1, 2, 3),
    planners=(("chain", _any_chain),),
    regions=partial(_regions, linear=False),
    on_digits=(("chain", _digits_plan(RELU)),),
)
LINEAR_CHAIN = StructuredPool(
    activations=HOMOGENEOUS_MIX,
    examples=(1, 2, 3),
    planners=(("chain", _theorem2_plan),),
    between=("linear",),
    regions=partial(_regions, linear=True),
    on_digits=(("chain", _digits_plan(LINEAR)),),
)
FORM = (
    "A flattening of a convolutional parameter tensor and a stacking of matrices in a "
    "ResNetDiagonal and ResNetFree block form a layer."
)
NORMS = (
    "The lemma implies that the squared Frobenius norms of these matrices in the same network "
    "differ by a value that is fixed at initialisation."
)

OTHER_WEIGHTS = (
    r"$[U\ \ Z]$ and $Y$ over $Z$ do not hold the same weights, and "
    r"$\lVert U\rVert_F\neq\lVert Y\rVert_F$ in general"
)


def _theorem2_claim(part: str, text: str, says: Term) -> Claim:
    return stated(
        f"lj22.thm2-83.{part}",
        both("(83) (earlier version: (70))"),
        {
            "a": "Frobenius norms against the last layer",
            "b": "one Frobenius norm in all representations of a layer",
        }[part],
        text,
        says,
        (THEOREM2, CHAIN, *COMMON),
        kind=Kind.LAW if part == "a" else Kind.IDENTITY,
        depends=("lj22.lemma3@B", "lj22.def8"),
        pool=LINEAR_CHAIN,
        proof=norms_by_balances if part == "a" else None,
        why="" if part == "a" else OTHER_WEIGHTS,
    )


CLAIMS = (
    stated(
        "lj22.sig2.layer@B",
        both("Significance of Lemma 3"),
        "stacked and flattened matrices are layers",
        FORM,
        ARE_LAYERS,
        (CHAIN, LEARNABLE, OWN_OUTSIDE_CONVOLUTIONS, FEEDFORWARD),
        kind=Kind.IDENTITY,
        depends=("lj22.def7@B", "lj22.def5", "lj22.def11"),
        pool=ANY_CHAIN,
        reading="B",
        reading_text="disconnected: no directed path from I to o remains",
        proof=cuts,
    ),
    stated(
        "lj22.sig2.norm",
        both("Significance of Lemma 3"),
        "Frobenius norms of stacked and flattened matrices",
        NORMS,
        NORMS_CHANGE_ALIKE,
        (CHAIN, *COMMON),
        kind=Kind.LAW,
        depends=("lj22.sig2.layer@B", "lj22.lemma3@B"),
        pool=ANY_CHAIN,
        proof=norms_by_balances,
    ),
    _theorem2_claim(
        "a",
        r"For each $j\in[K+M]$, $\|W_j(t)\|_F^2-\|Fin(t)\|_F^2=D_0$ with $D_0=\|W_j(0)\|_F^2-"
        r"\|Fin(0)\|_F^2$ fixed at initialisation ($W_j=[U\ \ Z]$ and $Y$ over $Z$ for a block).",
        NORMS_CHANGE_ALIKE,
    ),
    _theorem2_claim(
        "b",
        "A layer with more than one matrix representation has the same Frobenius norm in each "
        r"($[U\ \ Z]$ and $Y$ over $Z$ for a block).",
        ONE_NORM,
    ),
)
