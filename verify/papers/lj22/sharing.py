"""Appendix C: convolutional neuron organisations, and the invariance under weight sharing."""

from dataclasses import replace
from functools import partial
from random import Random

from graphs.activations import LINEAR
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, HOMOGENEOUS
from verify.papers.lj22.architectures import regions
from verify.papers.lj22.channel_proofs import linear_channels
from verify.papers.lj22.frames import found_pairing
from verify.papers.lj22.items import ANY, PLANNERS, adjacent, item6, on_digits
from verify.papers.lj22.organisation import (
    all_at_learnable,
    jagged_defect,
    no_organisation,
    organised,
    set_difference,
    sharing_defect,
    sharing_defect_somewhere,
)
from verify.papers.lj22.sources import both, earlier, final
from verify.papers.lj22.suppositions import LINEAR_BETWEEN, OWN_OUTSIDE_CONVOLUTIONS
from verify.point_hypotheses import (
    DATA,
    DIFFERENTIABLE_LOSS,
    FLOW_SELECTION,
    NONZERO_WEIGHTS,
    STABLE_SIGNS,
)
from verify.pool import HOMOGENEOUS_MIX, RELU_MIX
from verify.structured import Plan
from verify.structured_pool import Planner, StructuredPool
from verify.transformations import freeze_one_of

TWO_CHANNELS = ("convolution with two output channels", "edges at the organisation learnable")
BEHIND = ("2", "5", "6")  # a convolution, then a convolution, a dense layer, a ResNetFree block


def _two_channels(planner: Planner) -> Planner:
    """The same plans with two channels out of the convolution."""

    def plan(random: Random, large: bool, pool: StructuredPool) -> Plan:
        drawn = planner(random, large, pool)
        first = drawn.at[0]
        spec = replace(drawn.pieces[first], width=2)
        return replace(drawn, pieces=(*drawn.pieces[:first], spec, *drawn.pieces[first + 1 :]))

    return plan


def _two_on_digits(item: str) -> tuple[str, Plan]:
    """The plan on digits with two channels out of the convolution."""
    _, plan = on_digits(item, linear=True)
    return item, replace(plan, pieces=(replace(plan.pieces[0], width=2), *plan.pieces[1:]))


def pool_of(
    items: tuple[str, ...], *, linear: bool, all_linear: bool = False, blocks: tuple[str, ...] = ()
) -> StructuredPool:
    """Cases with a convolution with two channels out; with any number where blocks are given."""
    planners = {**PLANNERS, **({"6": item6(blocks)} if blocks else {})}
    return StructuredPool(
        activations=("linear",) if all_linear else HOMOGENEOUS_MIX,
        examples=(1, 2, 3),
        planners=tuple(
            (item, planners[item] if blocks else _two_channels(planners[item])) for item in items
        ),
        between=("linear",) if linear or all_linear else RELU_MIX,
        regions=regions(items, linear=True, throughout=all_linear),
        on_digits=() if blocks or all_linear else tuple(map(_two_on_digits, items)),
    )


# hypotheses ---------------------------------------------------------------------------------------
def _is_organised(case: Case) -> bool:
    found = found_pairing(case)
    return found is not None and organised(case.network, found.shared)


ORGANISATION = Hypothesis(
    "convolutional neuron organisation",
    r"$\{v_{j,k}\}_{j\in[l],k\in[2]}$ meets (52) and (53): neurons of a channel share all their "
    "input weights, neurons of a position have the same in- and out-neighbours",
    by_case(_is_organised),
)


def _two(case: Case) -> bool:
    found = found_pairing(case)
    return found is not None and len(found.shared) == 2


def _item(*items: str) -> Hypothesis:
    words = {
        "2": "a convolution",
        "5": "a fully-connected layer",
        "6": "a ResNetFree block",
    }
    return Hypothesis(
        "convolution with two output channels",
        "$T_1$ is convolutional with two output channels, immediately followed by "
        + " or ".join(words[item] for item in items),
        by_case(lambda case: _two(case) and case.choice["item"] in items),
    )


def _read_alike(case: Case) -> bool:
    found = found_pairing(case)
    return (
        found is not None
        and adjacent(case, found)
        and all(p.variant in ("", "free") for p in found.pieces)
    )


READ_ALIKE = Hypothesis(
    "channels read alike",
    "a convolution, a fully-connected layer or a ResNetFree block follows immediately",
    by_case(_read_alike),
)


def _freeze(case: Case, random: Random) -> Case:
    found = found_pairing(case)
    net = case.network
    near = [] if found is None else [(net.in_edges[v], net.out_edges[v]) for v in found.vertices]
    return freeze_one_of(case, [e for into, out in near for e in (*into, *out)], random)


ALL_LEARNABLE = Hypothesis(
    "edges at the organisation learnable",
    r"every edge at the neurons of $\mathcal V$ is learnable",
    by_case(all_at_learnable),
    break_=_freeze,
)


def _no_zero_padding(case: Case) -> bool:
    first = case.choice["pieces"][case.choice["at"][0]]
    return first["mode"] == "circular" or not any(first["padding"])


ALL_POSITIONS = Hypothesis(
    "no zero padding",
    "the convolution has no padding, or circular padding",
    by_case(_no_zero_padding),
)
ALL_LINEAR = Hypothesis(
    "linear network",
    "all neurons are linear: every factor of a subgradient is 1",
    by_case(lambda case: all(a == LINEAR for a in case.network.activations)),
)
FLOW = (
    OWN_OUTSIDE_CONVOLUTIONS,
    BIAS_FREE,
    FEEDFORWARD,
    STABLE_SIGNS,
    DIFFERENTIABLE_LOSS,
    HOMOGENEOUS,
    DATA,
    FLOW_SELECTION,
)

# statements ---------------------------------------------------------------------------------------
SETS = (
    r" with $w_{\mathrm{IN}}(\mathcal V):=\{(w_1,w_2)\mid\forall j\in[l],\exists a_j\in"
    r"\mathrm{IN}_j,\ w_{a_jv_{j,1}}\equiv w_1\text{ and }w_{a_jv_{j,2}}\equiv w_2\}$, "
    r"$w_{\mathrm{OUT}}(\mathcal V):=\{(w_1,w_2)\mid\forall j\in[l],\exists b_j\in\mathrm{OUT}_j,"
    r"\ w_{v_{j,1}b_j}\equiv w_1\text{ and }w_{v_{j,2}b_j}\equiv w_2\}$."
)
LEMMA9 = (
    r"Let $\mathcal V=\{v_{j,k}\}_{j\in[l],k\in\{1,2\}}$ be a convolutional neuron organisation. "
    r"For a.e. time $t\ge0$, $$\sum_{(w,w')\in w_{\mathrm{IN}}(\mathcal V)}w(t)w'(t)-w(0)w'(0)="
    r"\sum_{(z,z')\in w_{\mathrm{OUT}}(\mathcal V)}z(t)z'(t)-z(0)z'(0)$$" + SETS
)
LEMMA8 = (
    r"Let $\mathcal V=\{v_{j,k}\}_{j\in[l],k\in\{1,2\}}$ be a convolutional neuron organisation. "
    r"For a.e. time $t\ge0$, $$\sum_{(w,w')\in w_{\mathrm{IN}}(\mathcal V)}|w(t)w'(t)|-"
    r"|w(0)w'(0)|=\sum_{(z,z')\in w_{\mathrm{OUT}}(\mathcal V)}|z(t)z'(t)|-|z(0)z'(0)|$$" + SETS
)
SOME = r" Repaired: for some $j\in[l]$ in place of all of them in the two sets of pairs."
DEF12 = (
    r"Fix a convolutional layer with free parameters $T\in\mathbb R^{c\times b\times a}$. Then "
    r"neurons in this layer can be organised into a two-dimensional array $\{v_{j,k}\}_{j\in[l],"
    r"k\in[c]}$ for some $l\in\mathbb N$ such that 1. for all $j,j'\in[l]$ and all $k\in[c]$, "
    r"$v_{j,k}$ and $v_{j',k}$ share all their input weights: there is a bijection $\phi:"
    r"\mathrm{IN}_{v_{j,k}}\to\mathrm{IN}_{v_{j',k}}$ with $w_{uv_{j,k}}\equiv w_{\phi(u)v_{j',k}}"
    r"$ for all $u$; 2. for all $j\in[l]$ and $k,k'\in[c]$, $\mathrm{IN}_{v_{j,k}}=\mathrm{IN}_"
    r"{v_{j,k'}}$ and $\mathrm{OUT}_{v_{j,k}}=\mathrm{OUT}_{v_{j,k'}}$."
)
EQUALITIES = {
    "55": (
        r"$w_{\mathrm{IN}}(\mathcal V)=\{([T_1]_{1,j_2,j_1},[T_1]_{2,j_2,j_1})\mid j_1\in[a],\,"
        r"j_2\in[b]\}$ for a convolutional layer $T_1\in\mathbb R^{2\times b\times a}$ with "
        r"organisation $\mathcal V=\{v_{j,k}\}_{j\in[l],k\in[2]}$,"
    ),
    "56": (
        r"$w_{\mathrm{OUT}}(\mathcal V)=\{([T_2]_{k_1,k_2,1},[T_2]_{k_1,k_2,2})\mid k_1\in[e],\,"
        r"k_2\in[d]\}$ if $T_2\in\mathbb R^{e\times d\times2}$ is a convolutional layer "
        r"immediately after $T_1$,"
    ),
    "57": (
        r"$w_{\mathrm{OUT}}(\mathcal V)=\{(W_{l_1,l_2\times1},[T_2]_{l_1,l_2\times2})\mid l_1\in"
        r"[d],\,l_2\in[l]\}$ if instead the layer after $T_1$ is a fully-connected layer $W\in"
        r"\mathbb R^{d\times(l\times2)}$ ($T_2$: that layer),"
    ),
}


SIGN = (
    r"the flow has $\frac{dw}{dt}\in-\partial\mathcal R$, so that the sum over paths comes with "
    "the opposite sign"
)
SIGN_AND_POSITIONS = (
    f"{SIGN}; and a pair of weights behind a fully-connected layer occurs at one position $j$ "
    r"alone, so that $w_{\mathrm{OUT}}(\mathcal V)$, which asks for all $j\in[l]$, loses it"
)
EVERY_POSITION = (
    r"a pair is in $w_{\mathrm{OUT}}(\mathcal V)$ only if it occurs behind every position "
    r"$j\in[l]$; a weight of a fully-connected layer leaves one position alone"
)
EVERY_PLACE = (
    r"a pair is in $w_{\mathrm{OUT}}(\mathcal V)$ only if it occurs behind every position "
    r"$j\in[l]$; a position at the border does not meet all places of the next filter"
)


def _sets_claim(which: str) -> tuple[Claim, ...]:
    items = {"55": BEHIND, "56": ("2",), "57": ("5",)}[which]
    supposed = (_item(*items), ORGANISATION)
    printed = Claim(
        f"lj22.lemma9-{which}",
        Kind.IDENTITY,
        both(f"({which}) (earlier version: ({int(which) - 7}))"),
        {"55": "pairs of in-weights", "56": "pairs of out-weights before a convolution"}.get(
            which, "pairs of out-weights before a fully-connected layer"
        ),
        EQUALITIES[which] + SETS,
        supposed,
        ("lj22.def11", "lj22.def12"),
        measure=set_difference(which),
        pool=pool_of(items, linear=True),
        exact_only=True,
        why={"55": "", "56": EVERY_PLACE, "57": EVERY_POSITION}[which],
    )
    if which == "55":
        return (printed,)
    repaired = replace(
        printed,
        id=f"{printed.id}.fix",
        title=f"{printed.title}, at some position",
        statement=printed.statement + SOME,
        hypotheses=supposed[:1],
        measure=set_difference(which, every=False),
        repairs=printed.id,
        why="",
    )
    return printed, repaired


def _jagged_claims(side: str) -> tuple[Claim, ...]:
    """(60): each of the two sums against the sum over jagged paths, in both variants of d."""
    into = side == "in"
    sums = {
        "in": r"\sum_{(w,w')\in w_{\mathrm{IN}}(\mathcal V)}\frac{d}{dt}ww'",
        "out": r"\sum_{(z,z')\in w_{\mathrm{OUT}}(\mathcal V)}\frac{d}{dt}zz'",
    }
    statement = (
        rf"$${sums[side]}=\sum_{{p\in\mathcal A}}\frac1n\sum_{{j=1}}^nd_{{j,p}}(w)$$ "
        r"(the display in differential form), $\mathcal A=\bigcup_j\mathcal A_j\cup\mathcal A'_j$ "
        r"the paths from $I$ to $v_{j,1}$ joined to paths from $v_{j,2}$ to $o$, and the other way "
        "round." + SETS
    )
    supposed = (_item(*BEHIND), ALL_LINEAR, ALL_LEARNABLE, *FLOW)
    printed = Claim(
        f"lj22.lemma9-60.{side}@A",
        Kind.IDENTITY,
        final("(58) to (61)"),
        f"path sums in the proof of Lemma 9, {side}-weights",
        statement,
        (supposed[0], ORGANISATION, *supposed[1:]),
        ("lj22.def12",),
        measure=partial(jagged_defect, into=into),
        pool=pool_of(BEHIND, linear=True, all_linear=True),
        reading="A",
        reading_text=r"$d_{j,p}=\ell'(y_j\nu(x_j))\,y_j\,(x_j)_p\prod_{f\in p}w_f$",
        why=SIGN if into else SIGN_AND_POSITIONS,
    )
    repaired = replace(
        printed,
        id=f"{printed.id}.fix",
        statement=f"{statement}{SOME} And the sum over $\\mathcal A$ with the sign $-$.",
        hypotheses=supposed,
        measure=partial(jagged_defect, into=into, every=False, sign=-1),
        expanded=True,
        repairs=printed.id,
        why="",
    )
    return printed, repaired


FORM = (OWN_OUTSIDE_CONVOLUTIONS, FEEDFORWARD, BIAS_FREE)


DEFINITION12 = Claim(
    "lj22.def12",
    Kind.DEFINITION,
    both("Definition 12, (52), (53) (earlier version: Definition 11)"),
    "convolutional neuron organisation",
    DEF12,
    FORM,
    ("lj22.def11",),
    measure=no_organisation,
    pool=pool_of(BEHIND, linear=False, blocks=ANY),
    exact_only=True,
    why="with zero padding a neuron at the border has fewer in-neighbours than one in the middle, "
    r"so there is no bijection $\phi$ between them",
)


def _earlier_jagged_claim(side: str, number: int) -> Claim:
    """(53) and (54) of the earlier version: a side of (47) as a sum over jagged paths."""
    printed = _jagged_claims(side)[0]
    return replace(
        printed,
        id=f"lj22v1.lemma8.{number}",
        source=earlier(f"proof of Lemma 8, ({number})"),
        title=f"path sums in the proof of Lemma 8, {side}-weights",
        statement=printed.statement + " With absolute values: of $ww'$ and $zz'$, and on the paths "
        r"$d_{j,p}=\ell'(y_j\nu(x_j))\,y_j\,(x_j)_p\prod_{f\in p}|w_f|$.",
        hypotheses=(*printed.hypotheses, NONZERO_WEIGHTS),
        measure=partial(jagged_defect, into=side == "in", absolute=True),
        reading=None,
        reading_text=None,
        depends=("lj22.def12",),
    )


CLAIMS = (
    DEFINITION12,
    replace(
        DEFINITION12,
        id="lj22.def12.fix",
        title="convolutional neuron organisation, without zero padding",
        statement=DEF12 + " Repaired: for a convolution without zero padding, followed by a "
        "convolution, a fully-connected layer or a ResNetFree block.",
        hypotheses=(READ_ALIKE, ALL_POSITIONS, *FORM),
        pool=pool_of(BEHIND, linear=False, blocks=("free",)),
        repairs="lj22.def12",
        why="",
    ),
    Claim(
        "lj22.lemma9",
        Kind.LAW,
        final("Lemma 9, (54)"),
        "invariance under weight sharing",
        LEMMA9,
        (_item(*BEHIND), ORGANISATION, LINEAR_BETWEEN, ALL_LEARNABLE, *FLOW),
        ("lj22.def12", "lj22.lemma2b@A"),
        measure=sharing_defect,
        pool=pool_of(BEHIND, linear=True),
        why=EVERY_POSITION,
    ),
    Claim(
        "lj22.lemma9.fix",
        Kind.LAW,
        final("Lemma 9, (54)"),
        "invariance under weight sharing, pairs at some position",
        LEMMA9 + SOME + " Whatever the padding.",
        (_item(*BEHIND), LINEAR_BETWEEN, ALL_LEARNABLE, *FLOW),
        ("lj22.def12", "lj22.lemma2b@A"),
        measure=sharing_defect_somewhere,
        pool=pool_of(BEHIND, linear=True),
        expanded=True,
        proof=partial(linear_channels, "sharing_defect_somewhere", TWO_CHANNELS),
        repairs="lj22.lemma9",
    ),
    *(claim for which in ("55", "56", "57") for claim in _sets_claim(which)),
    *(claim for side in ("in", "out") for claim in _jagged_claims(side)),
    Claim(
        "lj22v1.lemma8",
        Kind.LAW,
        earlier("Lemma 8, (47)"),
        "weight sharing with absolute values",
        LEMMA8,
        (_item(*BEHIND), ORGANISATION, ALL_LEARNABLE, *FLOW, NONZERO_WEIGHTS),
        ("lj22.def12", "lj22v1.lemma3b"),
        measure=partial(sharing_defect, absolute=True),
        pool=pool_of(BEHIND, linear=False),
        why=EVERY_POSITION + ", and the signs of the terms differ from pair to pair",
    ),
    Claim(
        "lj22v1.lemma8.fix",
        Kind.LAW,
        earlier("Lemma 8, (47)"),
        "weight sharing without absolute values, linear neurons, pairs at some position",
        LEMMA8 + SOME + " And without the absolute values, for linear neurons.",
        (_item(*BEHIND), LINEAR_BETWEEN, ALL_LEARNABLE, *FLOW),
        ("lj22.def12",),
        measure=sharing_defect_somewhere,
        pool=pool_of(BEHIND, linear=True),
        expanded=True,
        proof=partial(linear_channels, "sharing_defect_somewhere", TWO_CHANNELS),
        repairs="lj22v1.lemma8",
    ),
    *(_earlier_jagged_claim(side, number) for side, number in (("in", 53), ("out", 54))),
)
