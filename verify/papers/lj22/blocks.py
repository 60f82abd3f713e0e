"""Definitions 5, 6 and 8: residual blocks, active neurons, matrix representations."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from graphs.activations import Activation
from graphs.arithmetic import as_fraction
from graphs.exact import values
from graphs.network import FIXED
from graphs.residual import residual_block
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.layer_pieces import Mismatch, Piece, chosen_pieces, weights_of
from verify.papers.lj22.items import ANY
from verify.papers.lj22.layer_proofs import blocks_by_matrices, wider_blocks
from verify.papers.lj22.sources import both, final
from verify.structured import Plan, Spec
from verify.structured_pool import (
    Planner,
    StructuredPool,
    after,
    before,
    kind_between,
    kind_elsewhere,
    plan_of,
)
from verify.vocabulary import Entries, Scene, constant_entries

Numbers = Sequence[Fraction]


def block_of(case: Case) -> Piece | None:
    """The residual block that the case chooses, or None."""
    try:
        found = chosen_pieces(case)
    except Mismatch:
        return None
    return found[0] if found and found[0].kind == "block" else None


def by_matrices(case: Case, piece: Piece, x: Numbers) -> list[Fraction]:
    """r(x) = outer(U inner(Y x) + Z x), from the matrices alone."""
    net = case.network
    y, u, z = (weights_of(piece.matrices[name], case) for name in "YUZ")
    inner = [
        applied(net.activations[v], value)
        for v, value in zip(piece.inner, product(y, x), strict=True)
    ]
    sums = [a + b for a, b in zip(product(u, inner), product(z, x), strict=True)]
    return [applied(net.activations[v], s) for v, s in zip(piece.heads, sums, strict=True)]


def product(matrix: Sequence[Numbers], vector: Numbers) -> list[Fraction]:
    """A matrix times a vector."""
    pairs = [zip(row, vector, strict=True) for row in matrix]
    return [sum((a * b for a, b in row), Fraction(0)) for row in pairs]


def applied(activation: Activation, z: Fraction) -> Fraction:
    """sigma(z), of a piecewise linear activation."""
    left, right = activation.slopes
    return (left if z < 0 else right) * z


def graph_and_matrices(scene: Scene) -> Entries:
    """The heads of a block in the graph minus r(x) by the matrices, on each example."""
    rows = []
    for c, case in enumerate(scene.cases):
        piece = block_of(case)
        if piece is None:
            continue
        offset = int(scene.union.vertex_offset[c])
        post = scene.post[offset : offset + case.network.vertex_count]
        for j in range(case.example_count):
            column = [as_fraction(value) for value in post[:, j]]
            wanted = by_matrices(case, piece, [column[v] for v in piece.tails])
            for k, (v, value) in enumerate(zip(piece.heads, wanted, strict=True)):
                rows.append((c, {"head": k + 1, "example": j}, column[v] - value))
    return constant_entries(scene, rows)


def wider_variant(scene: Scene) -> Entries:
    """r of a block minus r of the next wider variant with the same matrices: ResNetIdentity in
    ResNetDiagonal with D the identity, ResNetDiagonal in ResNetFree with Z = D."""
    rows = []
    for c, case in enumerate(scene.cases):
        piece = block_of(case)
        if piece is None or piece.variant == "free":
            continue
        offset = int(scene.union.vertex_offset[c])
        post = scene.post[offset : offset + case.network.vertex_count]
        for j in range(case.example_count):
            column = [as_fraction(value) for value in post[:, j]]
            wanted = as_wider_block(case, piece, [column[v] for v in piece.tails])
            for k, (v, value) in enumerate(zip(piece.heads, wanted, strict=True)):
                rows.append((c, {"head": k + 1, "example": j}, column[v] - value))
    return constant_entries(scene, rows)


def as_wider_block(case: Case, piece: Piece, x: Numbers) -> list[Fraction]:
    """The heads of the next wider variant's graph, with the weights of this block."""
    wider = {"identity": "diagonal", "diagonal": "free"}[piece.variant]
    a, b = len(piece.tails), len(piece.inner)
    net = residual_block(wider, a, b, a)
    kinds = case.network.activations
    names = [net.names[v] for v in (*net.inner, *net.outputs)]
    old = (*piece.inner, *piece.heads)
    net = net.with_activations({n: kinds[v] for n, v in zip(names, old, strict=True)})
    y, u, z = (weights_of(piece.matrices[name], case) for name in "YUZ")
    places = {
        v: k for numbers in (net.inputs, net.inner, net.outputs) for k, v in enumerate(numbers)
    }
    inner, outputs = set(net.inner), set(net.outputs)
    weights = [Fraction(0)] * net.parameter_count
    for e, p in enumerate(net.parameter_of):
        if p == FIXED:
            continue
        tail, head = net.tails[e], net.heads[e]
        matrix = y if head in inner else (u if tail in inner else z)
        weights[p] = matrix[places[head]][places[tail]]
    post = values(net, tuple(weights), tuple(x))
    return [post[v] for v in net.outputs if v in outputs]


# cases --------------------------------------------------------------------------------------------
def one_block(variants: tuple[str, ...]) -> Planner:
    """Plans around one residual block."""

    def planner(random: Random, large: bool, pool: StructuredPool) -> Plan:
        top = 4 if large else 2
        spec = Spec(
            "block",
            random.randint(1, top),
            random.randint(1, top),
            random.choice(variants),
            activation=kind_between(random, pool),
            within=kind_elsewhere(random, pool),
        )
        inputs = random.randint(1, top)
        return plan_of(
            random, inputs, before(random, large, pool), (spec,), after(random, large, pool)
        )

    return planner


def _is_variant(*variants: str) -> Hypothesis:
    def good(case: Case) -> bool:
        piece = block_of(case)
        return piece is not None and piece.variant in variants

    words = ", ".join(f"ResNet{variant.capitalize()}" for variant in variants)
    return Hypothesis("residual block", f"a residual block: {words}", by_case(good))


def _square(case: Case) -> bool:
    piece = block_of(case)
    return piece is not None and len(piece.tails) == len(piece.heads)


SQUARE = Hypothesis("square skip", "$c=a$ in ResNetFree", by_case(_square))
POOL = StructuredPool(examples=(1, 2, 3), planners=(("3", one_block(ANY)),))
NARROW = StructuredPool(examples=(1, 2, 3), planners=(("3", one_block(ANY[:2])),))
BLOCKS = (
    r"(1) ResNetIdentity: $r(x;U,Y)=\sigma(U\sigma(Yx)+Ix)$, $x\in\mathbb R^a$, $Y,U^\top\in"
    r"\mathbb R^{b\times a}$, $I$ the identity; (2) ResNetDiagonal: $r(x;U,Y,D)=\sigma(U\sigma(Yx)"
    r"+Dx)$, same shapes, $D$ diagonal; (3) ResNetFree: $r(x;U,Y,Z)=\sigma(U\sigma(Yx)+Zx)$, "
    r"$Y\in\mathbb R^{b\times a}$, $U\in\mathbb R^{c\times b}$, $Z\in\mathbb R^{c\times a}$."
)
ACTIVE = (
    r"Fix some time $t$ and let $W_1\in\mathbb R^{b\times a}$ be a weight matrix from some set of "
    r"$a$ neurons to another set of $b$ neurons. Let $I_{\mathrm{act}}\subseteq[b]$ be the set of "
    r"the $b$ neurons that are active (linear or ReLU with nonnegative preactivation). "
    r"$[W_1W_1^\top]_{\mathrm{act}}$ is the submatrix of $W_1W_1^\top$ with rows and columns from "
    r"$I_{\mathrm{act}}$; likewise $[W_2^\top W_2]_{\mathrm{act}}$. (Over all training examples.)"
)
REPRESENTATION = (
    r"The matrix representation for a ResNetFree block $r(x;U,Y,Z)$ is $[U\ \ Z]$; for a "
    r"convolutional tensor $T^{a,b,c}\in\mathbb R^{a,b,c}$ it is the flattening to an element of "
    r"$\mathbb R^{a\times(b\times c)}$; and for a fully-connected layer it is the weight matrix "
    "itself."
)

CLAIMS = (
    Claim(
        "lj22.def5",
        Kind.DEFINITION,
        both("Definition 5"),
        "ResNetIdentity, ResNetDiagonal, ResNetFree",
        BLOCKS,
        (_is_variant(*ANY),),
        ("lj22.def1",),
        measure=graph_and_matrices,
        pool=POOL,
        exact_only=True,
        proof=blocks_by_matrices,
    ),
    Claim(
        "lj22.def5-special",
        Kind.IDENTITY,
        both("after Definition 5"),
        "nesting of the three variants",
        "ResNetIdentity is a special case of ResNetDiagonal, which is in turn a special case of "
        "ResNetFree.",
        (_is_variant(*ANY[:2]), SQUARE),
        ("lj22.def5",),
        measure=wider_variant,
        pool=NARROW,
        exact_only=True,
        proof=wider_blocks,
    ),
    Claim(
        "lj22.def6@A",
        Kind.DEFINITION,
        final("Definition 6"),
        "submatrix of active neurons",
        ACTIVE,
        depends=("lj22.def2",),
        reading="A",
        reading_text="leaky ReLU neurons are never in the set",
    ),
    Claim(
        "lj22.def8",
        Kind.DEFINITION,
        both("Definition 8 (earlier version: Definition 7)"),
        "matrix representation of a layer",
        REPRESENTATION,
        depends=("lj22.def5", "lj22.def11"),
    ),
)
