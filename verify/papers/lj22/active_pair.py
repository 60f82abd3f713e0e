"""The proof of Lemma 4, (62) to (67): a pair of ReLU neurons, one active and one inactive."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.neighbourhoods import equal_neighbourhoods
from verify.cases.breaks import opposite_in_weights
from verify.cases.case import Case
from verify.cases.pool import RELU_MIX, Pool
from verify.cases.transformations import twin
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Rate,
    Some,
    When,
    edge,
    edges_on,
    examples,
    head,
    implies,
    into,
    list_,
    out_of,
    paths,
    tail,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22 import active_pair_proofs
from verify.papers.lj22.graph_terms import (
    active_and_inactive,
    at_each_pair,
    at_some_pair,
    in_products,
    inactive,
    out_products,
)
from verify.papers.lj22.jagged import FLOW_SIGN, along_halves
from verify.papers.lj22.path_proofs import zero_or_one
from verify.papers.lj22.path_terms import (
    DERIVATIVE_OF_TREE,
    along,
    kappa,
    mean,
    over_paths_through,
    slopes_along,
    x_of,
)
from verify.papers.lj22.sketch import GIVEN
from verify.papers.lj22.sources import final
from verify.statements.network_hypotheses import RELU_OR_LINEAR
from verify.statements.stated import stated

RATIOS = (2, 10, 100)


# the displays ------------------------------------------------------------------------------------
def of_products(u: Term, v: Term, end: Term, start: Term) -> Term:
    """(1/n) sum_j l' y_j times the product of the sums over the active paths p1 into and p2 out of
    u, with the weights at some end of p1 and some start of p2; multiplied out, over the paths
    through u."""

    def of_path(p: Term, j: Term) -> Term:
        active = along(p, lambda e: When((head(e) != u) & inactive(head(e), j), 0, 1))
        return active * x_of(p, j) * along_halves(p, u, (end, start), w)

    return mean(lambda j: kappa(j) * over_paths_through(u, lambda p: of_path(p, j)))


def in_products_by_paths(u: Term, v: Term) -> Term:
    """(65), but for its sign: with w_av and w_ub."""
    return of_products(u, v, v, u)


def out_products_by_paths(u: Term, v: Term) -> Term:
    """(67), but for its sign: with w_au and w_vb."""
    return of_products(u, v, u, v)


def asymmetric(u: Term, v: Term, ratio: Term) -> Term:
    """All in-weights of v are -r times those of u (so that one is active and one is not), and its
    out-weights are those of u divided by r, up to one sign."""

    def leaving(sign: int) -> Term:
        return Each(out_of(u), lambda e: w(e) == sign * ratio * w(edge(v, head(e))))

    entering = Each(into(u), lambda e: w(edge(tail(e), v)) == -ratio * w(e))
    return entering & (leaving(1) | leaving(-1))


def much_larger(u: Term, v: Term) -> Term:
    """|(65)| is at least r |(67)| in an asymmetric case."""

    def of_ratio(ratio: Term) -> Term:
        inward, outward = in_products_by_paths(u, v), out_products_by_paths(u, v)
        return implies(asymmetric(u, v, ratio), abs(inward) >= ratio * abs(outward))

    return Each(list_(*RATIOS), of_ratio)


RULE = Each(
    paths(),
    lambda p: Each(
        examples(),
        lambda j: (
            slopes_along(p, j) == When(Some(edges_on(p), lambda e: inactive(head(e), j)), 0, 1)
        ),
    ),
)
"""The derivative of the tree network in the input of a path."""


# cases -------------------------------------------------------------------------------------------
def one_active(case: Case, random: Random) -> Case:
    """Often with a pair of ReLUs, the in-weights of the second near those of the first turned."""
    if random.random() < 0.2:
        return case
    turned = opposite_in_weights(twin(case, random), random)
    nudged = [weight * (1 + Fraction(random.randint(-1, 1), 8)) for weight in turned.weights]
    return turned.with_weights(nudged)


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
    return case.with_weights(weights)


RELU_POINTS = Pool(activations=RELU_MIX, largest=6, examples=(1, 2, 3))
PAIRED = ("fully connected", "random DAG", "layered DAG", "dense", "residual", "dropped edges")
ONE_ACTIVE = replace(RELU_POINTS, families=PAIRED, examples=(1, 2), adapt=one_active)
IN_PROPORTION = replace(
    ONE_ACTIVE, adapt=lambda case, random: in_proportion(one_active(case, random), random)
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
    part = "" if number == "65" else ".67"

    def says(u: Term, v: Term) -> Term:
        if number == "65":
            return Rate(in_products(u, v)) == -in_products_by_paths(u, v)
        return Rate(out_products(u, v)) == -out_products_by_paths(u, v)

    at_pairs = at_each_pair(says, active_and_inactive)
    return stated(
        f"lj22.lemma4-{number}{part}@B",
        final(f"proof of Lemma 4, ({number})"),
        f"{'in' if number == '65' else 'out'}-side derivative, one neuron active and one inactive",
        SUPPOSED + rf"Then $${left}=-\frac1n\sum_j\ell'(y_j\nu(x_j))\,y_j{right}$$",
        at_pairs,
        (RELU_OR_LINEAR, *GIVEN),
        depends=("lj22.lemma4-65.rule", f"lj22.eq46-49.{'46' if number == '65' else '49'}@B"),
        pool=ONE_ACTIVE,
        proofs=[active_pair_proofs.one_moves(int(number == "67"))],
        reading="B",
        reading_text=FLOW_SIGN,
    )


CLAIMS = (
    _display("65"),
    stated(
        "lj22.lemma4-65.rule",
        FINAL,
        "the derivative of the tree network is 1 on active paths and 0 on others",
        r"The network being differentiable at the current weights for all training examples, for "
        r"any path $p$ the partial derivative $\partial_p\mu$ is $1$ if all neurons on $p$ are "
        r"active and $0$ otherwise.",
        RULE,
        (RELU_OR_LINEAR, *GIVEN),
        depends=("lj22.lemma1",),
        pool=RELU_POINTS,
        proof=zero_or_one,
        through=DERIVATIVE_OF_TREE,
    ),
    _display("67"),
    stated(
        "lj22.lemma4-67.unequal",
        FINAL,
        "the in-side and out-side derivatives are not equal in general",
        SUPPOSED + "The two expressions (65) and (67) are not equal in general.",
        at_some_pair(
            lambda u, v: (
                active_and_inactive(u, v)
                & (in_products_by_paths(u, v) != out_products_by_paths(u, v))
            )
        ),
        (RELU_OR_LINEAR, *GIVEN),
        kind=Kind.EXISTENCE,
        depends=("lj22.lemma4-67.compare@A",),
        negated="(65) and (67) are equal for all such pairs, weights and data",
        pool=ONE_ACTIVE,
    ),
    stated(
        "lj22.lemma4-67.compare@A",
        FINAL,
        "the in-side derivative is much larger in an asymmetric case",
        SUPPOSED + r"Take an asymmetric case where the in-edges of $v$ have much larger weights "
        r"than those of $u$ while the out-edges of $v$ have much smaller weights than those of "
        r"$u$; then (65) is much larger than (67). Measured in fixed proportion, the weights at "
        r"$v$ being $r$ times larger on the in-side and $r$ times smaller on the out-side, and as "
        r"$|(65)|\ge r\,|(67)|$.",
        at_each_pair(much_larger, active_and_inactive),
        (RELU_OR_LINEAR, *GIVEN),
        depends=("lj22.lemma4-65@B", "lj22.lemma4-67.67@B"),
        pool=IN_PROPORTION,
        proofs=[active_pair_proofs.much_larger],
        reading="A",
        reading_text="the names are those for which (65) is the larger one",
    ),
)
