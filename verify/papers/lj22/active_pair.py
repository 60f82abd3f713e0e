"""The proof of Lemma 4, (62) to (67): a pair of ReLU neurons, one active and one inactive."""

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array, as_fraction
from graphs.neighbourhoods import equal_neighbourhoods
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.jagged import active_into, active_onward
from verify.network_hypotheses import INCIDENT_LEARNABLE, RELU_OR_LINEAR
from verify.pair_hypotheses import PAIR_EXISTS, RELU_PAIR, U_ACTIVE_V_INACTIVE
from verify.papers.lj22.jagged import FLOW_SIGN, gram_rate_in, gram_rate_out
from verify.papers.lj22.sketch import SMOOTH_POINT
from verify.papers.lj22.sources import final
from verify.pool import RELU_MIX, Pool
from verify.vocabulary import Entries, Scene

RATIOS = (2, 10, 100)


PAIR = (PAIR_EXISTS, U_ACTIVE_V_INACTIVE, RELU_PAIR, RELU_OR_LINEAR, INCIDENT_LEARNABLE)
RELU_POINTS = Pool(activations=RELU_MIX, largest=6, examples=(1, 2, 3))


# the measures ------------------------------------------------------------------------------------
def products(scene: Scene) -> tuple[Array, Array]:
    """(K,) each: the products of path sums in (65) and (67), without the sign: for each pair
    sum_j kappa_j (sum_a w_av A_a) (sum_b w_ub B_b) and sum_j kappa_j (sum_a w_au A_a)
    (sum_b w_vb B_b), with A_a and B_b the sums over active paths to a and from b."""
    weights, union = scene.weights[:, None], scene.union
    entering = scene.into(weights * active_into(scene)[union.tails])
    leaving = scene.out_of(weights * active_onward(scene)[union.heads])
    u, v = scene.pairs.vertices.T
    owner = union.vertex_owner[u]
    return (
        scene.on_examples(entering[v] * leaving[u], owner),
        scene.on_examples(entering[u] * leaving[v], owner),
    )


def in_side(scene: Scene) -> Entries:
    """(65): d/dt sum_a w_au w_av minus its product of sums over active paths."""
    return scene.per_pair(gram_rate_in(scene), -products(scene)[0])


def out_side(scene: Scene) -> Entries:
    """(67): d/dt sum_b w_ub w_vb minus its product of sums over active paths."""
    return scene.per_pair(gram_rate_out(scene), -products(scene)[1])


def difference(scene: Scene) -> Entries:
    """(65) minus (67)."""
    return scene.per_pair(*products(scene))


def much_larger(scene: Scene) -> Entries:
    """|(65)| - r |(67)|."""
    inward, outward = products(scene)
    owner = scene.union.vertex_owner[scene.pairs.vertices[:, 0]]
    ratios = [int(scene.cases[number].choice.get("ratio", 1)) for number in owner]
    right = [ratio * abs(as_fraction(side)) for ratio, side in zip(ratios, outward, strict=True)]
    left = scene.arithmetic.array([abs(as_fraction(side)) for side in inward])
    return scene.per_pair(left, scene.arithmetic.array(right))


def active_rule(scene: Scene) -> Entries:
    """The derivative of mu in the input of each path minus 1 if all neurons on it are active,
    else 0."""
    left = scene.tree_derivatives(scene.signed_tree)
    count, n = len(scene.paths), scene.n
    paths, examples = np.repeat(np.arange(count), n), np.tile(np.arange(n), count)
    first, table = scene.paths.first_input, scene.paths.edges
    names = [name for network in scene.union.networks for name in network.names]

    def label(k: int) -> dict[str, object]:
        row = table[paths[k]]
        vertices = [first[paths[k]], *scene.union.heads[row[row >= 0]]]
        return {"path": [names[v] for v in vertices], "example": int(examples[k])}

    sides = left[paths, examples], scene.path_activity[paths, examples]
    return Entries(
        sides[0] - sides[1],
        sides[0],
        scene.paths.owner[paths],
        "path",
        np.zeros(len(paths), dtype=np.int64),
        examples,
        label,
    )


# the asymmetric case ---------------------------------------------------------------------------
def _asymmetric(scene: Scene, entries: Entries) -> np.ndarray:
    """All in-weights of v are -r times those of u (so that one is active and one is not), and its
    out-weights are those of u divided by r, up to one sign."""
    answers = []
    for k, (u, v) in enumerate(entries.subjects):
        ratio = int(scene.cases[entries.owner[k]].choice.get("ratio", 0))
        in_u, in_v = (_weights_at(scene, end, incoming=True) for end in (u, v))
        out_u, out_v = (_weights_at(scene, end, incoming=False) for end in (u, v))
        proportional = in_v == {a: -ratio * w for a, w in in_u.items()} and any(
            out_u == {b: sign * ratio * w for b, w in out_v.items()} for sign in (1, -1)
        )
        answers.append(ratio in RATIOS and proportional)
    return np.array(answers, dtype=bool)


def _weights_at(scene: Scene, vertex: int, *, incoming: bool) -> dict[int, Fraction]:
    """The weights of the in- or out-edges of a vertex, by their other ends."""
    tails, heads = scene.union.tails, scene.union.heads
    here, there = (heads, tails) if incoming else (tails, heads)
    edges = np.flatnonzero(here == vertex)
    return {int(there[e]): as_fraction(scene.weights[e]) for e in edges}


def out_of_proportion(case: Case, random: Random) -> Case:
    """One in-weight of one neuron of each pair times 3, and one of its out-weights times 10."""
    network, weights = case.network, list(case.weights)
    for pair in equal_neighbourhoods(network):
        v = random.choice(pair)
        for edges, factor in ((network.in_edges[v], 3), (network.out_edges[v], 10)):
            e = random.choice(edges)
            if network.own_parameter(e):
                weights[network.parameter_of[e]] *= factor
    return case.with_weights(weights)


def in_proportion(case: Case, random: Random) -> Case:
    """Give the first pair of the case the weights of an asymmetric case with a random ratio."""
    network = case.network
    pairs = equal_neighbourhoods(network)
    ratio = random.choice(RATIOS)
    if not pairs:
        return case
    u, v = random.choice((pairs[0], pairs[0][::-1]))
    weights = list(case.weights)
    own = network.own_parameter
    touching = [*network.in_edges[u], *network.in_edges[v], *network.out_edges[u]]
    if not all(map(own, [*touching, *network.out_edges[v]])):
        return case
    into_u = {network.tails[e]: network.parameter_of[e] for e in network.in_edges[u]}
    for e in network.in_edges[v]:
        weights[network.parameter_of[e]] = -ratio * weights[into_u[network.tails[e]]]
    sign = random.choice((1, -1))
    out_of_v = {network.heads[e]: network.parameter_of[e] for e in network.out_edges[v]}
    for e in network.out_edges[u]:
        weights[network.parameter_of[e]] = sign * ratio * weights[out_of_v[network.heads[e]]]
    return case.with_weights(weights).choosing(ratio=ratio)


ASYMMETRIC = Hypothesis(
    "asymmetric case",
    r"$w_{av}=-r\,w_{au}$ for every $a\in\mathrm{IN}$ and $w_{ub}=\pm r\,w_{vb}$, one sign for "
    r"every $b\in\mathrm{OUT}$; $r\in\{2,10,100\}$",
    _asymmetric,
    in_proportion,
    out_of_proportion,
)


# the claims ----------------------------------------------------------------------------------
FACTORS = {
    "65": (
        r"\frac{d}{dt}\sum_{a\in\mathrm{IN}}w_{au}w_{av}",
        (
            r"\Big(\sum_{a\in\mathrm{IN}}w_{av}\sum_{p_1:I\to a\text{ active}}(x_j)_{p_1}"
            r"\prod_{f\in p_1}w_f\Big)\Big(\sum_{b\in\mathrm{OUT}}w_{ub}"
            r"\sum_{p_2:b\to o\text{ active}}\prod_{f\in p_2}w_f\Big)"
        ),
    ),
    "67": (
        r"\frac{d}{dt}\sum_{b\in\mathrm{OUT}}w_{ub}w_{vb}",
        (
            r"\Big(\sum_{a\in\mathrm{IN}}w_{au}\sum_{p_1:I\to a\text{ active}}(x_j)_{p_1}"
            r"\prod_{f\in p_1}w_f\Big)\Big(\sum_{b\in\mathrm{OUT}}w_{vb}"
            r"\sum_{p_2:b\to o\text{ active}}\prod_{f\in p_2}w_f\Big)"
        ),
    ),
}
SUPPOSED = (
    r"Let $u$ be active ($z_u>0$) and $v$ inactive ($z_v<0$) with the same neighbours, the network "
    r"differentiable at the current weights for all training examples. "
)
FINAL = final("proof of Lemma 4, (62)-(67)")


def _display(number: str) -> Claim:
    left, right = FACTORS[number]
    measure = in_side if number == "65" else out_side
    part = "" if number == "65" else ".67"
    return Claim(
        f"lj22.lemma4-{number}{part}@B",
        Kind.IDENTITY,
        final(f"proof of Lemma 4, ({number})"),
        f"{'in' if number == '65' else 'out'}-side derivative, one neuron active and one inactive",
        SUPPOSED + rf"Then $${left}=-\frac1n\sum_j\ell'(y_j\nu(x_j))\,y_j{right}$$",
        (*PAIR, *SMOOTH_POINT),
        ("lj22.lemma4-65.rule", f"lj22.eq46-49.{'46' if number == '65' else '49'}@B"),
        measure=measure,
        pool=RELU_POINTS,
        expanded=True,
        reading="B",
        reading_text=FLOW_SIGN,
    )


CLAIMS = (
    _display("65"),
    Claim(
        "lj22.lemma4-65.rule",
        Kind.IDENTITY,
        FINAL,
        "the derivative of the tree network is 1 on active paths and 0 on others",
        r"The network being differentiable at the current weights for all training examples, for "
        r"any path $p$ the partial derivative $\partial_p\mu$ is $1$ if all neurons on $p$ are "
        r"active and $0$ otherwise.",
        (RELU_OR_LINEAR, *SMOOTH_POINT),
        ("lj22.lemma1",),
        measure=active_rule,
        pool=RELU_POINTS,
        signed=True,
    ),
    _display("67"),
    Claim(
        "lj22.lemma4-67.unequal",
        Kind.EXISTENCE,
        FINAL,
        "the in-side and out-side derivatives are not equal in general",
        SUPPOSED + "The two expressions (65) and (67) are not equal in general.",
        (*PAIR, *SMOOTH_POINT),
        ("lj22.lemma4-67.compare@A",),
        measure=difference,
        negated="(65) and (67) are equal for all such pairs, weights and data",
        pool=RELU_POINTS,
    ),
    Claim(
        "lj22.lemma4-67.compare@A",
        Kind.INEQUALITY,
        FINAL,
        "the in-side derivative is much larger in an asymmetric case",
        SUPPOSED + r"Take an asymmetric case where the in-edges of $v$ have much larger weights "
        r"than those of $u$ while the out-edges of $v$ have much smaller weights than those of "
        r"$u$; then (65) is much larger than (67). Measured in fixed proportion, the weights at "
        r"$v$ being $r$ times larger on the in-side and $r$ times smaller on the out-side, and as "
        r"$|(65)|\ge r\,|(67)|$.",
        (*PAIR, *SMOOTH_POINT, ASYMMETRIC),
        ("lj22.lemma4-65@B", "lj22.lemma4-67.67@B"),
        measure=much_larger,
        pool=RELU_POINTS,
        reading="A",
        reading_text="the names are those for which (65) is the larger one",
        exact_only=True,
    ),
)
