"""Appendix C: convolutional neuron organisations, and the invariance under weight sharing."""

from dataclasses import replace
from functools import partial
from random import Random

from verify.cases.breaks import one_bent, untie
from verify.cases.case import Case
from verify.cases.hypotheses import unchanged
from verify.cases.networks_of_pieces import Contents, Plan, fill
from verify.cases.pool import HOMOGENEOUS_MIX, RELU_MIX
from verify.cases.structured import Structured
from verify.cases.structured_pool import Planner, StructuredPool
from verify.cases.transformations import tie_two_of
from verify.core.claim import Claim, Kind
from verify.language.building import Each, card
from verify.papers.lj22 import invariances
from verify.papers.lj22.architectures import regions
from verify.papers.lj22.channel_proofs import linear_channels
from verify.papers.lj22.graph_terms import is_linear
from verify.papers.lj22.items import ANY, PLANNERS, on_digits, planner
from verify.papers.lj22.layers import convolution
from verify.papers.lj22.organisation import (
    ORGANISED,
    absolute_rate_sum,
    at_every,
    at_some,
    can_be_organised,
    jagged_sum,
    listed_by,
    pairs_in,
    pairs_out,
    rate_sum,
)
from verify.papers.lj22.path_terms import size
from verify.papers.lj22.sources import both, earlier, final
from verify.papers.lj22.suppositions import S, Supposed, V, X, shared_neurons, skip_at_shared
from verify.statements.mending import mended
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    NONZERO_WEIGHTS,
    off_inputs,
)
from verify.statements.stated import Given, stated

TWO_CHANNELS = ("convolution with two output channels", "edges at the organisation learnable")
BEHIND = ("2", "5", "6")  # a convolution, then a convolution, a dense layer, a ResNetFree block


def _two_channels(planner: Planner) -> Planner:
    """The same plans with two channels out of the convolution."""
    return lambda random, large, pool: _with_channels(planner(random, large, pool), 2)


def _with_channels(plan: Plan, count: int) -> Plan:
    """The plan with as many channels out of the convolution."""
    first = plan.at[0]
    spec = replace(plan.pieces[first], width=count)
    return replace(plan, pieces=(*plan.pieces[:first], spec, *plan.pieces[first + 1 :]))


def _two_on_digits(item: str) -> tuple[str, Plan]:
    """The plan on digits with two channels out of the convolution."""
    _, plan = on_digits(item, linear=True)
    return item, _with_channels(plan, 2)


def pool_of(
    items: tuple[str, ...], *, linear: bool, all_linear: bool = False, blocks: tuple[str, ...] = ()
) -> StructuredPool:
    """Cases with a convolution with two channels out; with any number where blocks are given."""
    planners = {**PLANNERS, **({"6": planner("6", blocks)} if blocks else {})}
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
def _third_channel(case: Structured, random: Random) -> Case:
    """Three channels out of the convolution."""
    return fill(_with_channels(case.plan, 3), case, Contents.of(case))


def _other_parameters(case: Case, random: Random) -> Case:
    """An edge of the convolution gets a parameter of its own; or two of its parameters become
    one."""
    net = case.network
    edges = [e for v in shared_neurons(case) for e in net.in_edges[v]]
    untied = untie(case, edges, random)
    if untied is not case:
        return untied
    return tie_two_of(case, sorted({net.parameter_of[e] for e in edges}), random)


SUPPOSED = Supposed(BEHIND)
ORGANISATION = Given(
    "convolutional neuron organisation",
    ORGANISED,
    r"$\{v_{j,k}\}_{j\in[l],k\in[2]}$ meets (52) and (53): neurons of a channel share all their "
    "input weights, neurons of a position have the same in- and out-neighbours",
    unchanged,
)


def _item(*items: str) -> Given:
    words = {
        "2": "a convolution",
        "5": "a fully-connected layer",
        "6": "a ResNetFree block",
    }
    return Given(
        "convolution with two output channels",
        (card(V) == 2) & Supposed(items).holds,
        "$T_1$ is convolutional with two output channels, immediately followed by "
        + " or ".join(words[item] for item in items),
        unchanged,
        _third_channel,
    )


CONVOLUTION = Given(
    "convolutional layer",
    convolution(X, V, S),
    "a convolutional layer with free parameters $T$",
    unchanged,
    _other_parameters,
)
READ_ALIKE = Given(
    "channels read alike",
    SUPPOSED.holds,
    "a convolution, a fully-connected layer or a ResNetFree block follows immediately",
    unchanged,
    skip_at_shared,
)
ALL_LEARNABLE = replace(
    SUPPOSED.learnable,
    name="edges at the organisation learnable",
    text=r"every edge at the neurons of $\mathcal V$ is learnable",
)
ALL_POSITIONS = Given(
    "no zero padding",
    Each(S, lambda met: Each(met, lambda i: i != 0)),
    "the convolution has no padding, or circular padding",
    unchanged,
)
ALL_LINEAR = Given(
    "linear network",
    off_inputs(is_linear),
    "all neurons are linear: every factor of a subgradient is 1",
    unchanged,
    one_bent,
)
LINEAR_BETWEEN = SUPPOSED.linear
FLOW = (SUPPOSED.own, BIAS_FREE, *invariances.FLOW)

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


IN_EVERY, OUT_EVERY = at_every(pairs_in), at_every(pairs_out)
IN_SOME, OUT_SOME = at_some(pairs_in), at_some(pairs_out)
SAME_RATES = rate_sum(IN_SOME) == rate_sum(OUT_SOME)


def _sets_claim(which: str) -> tuple[Claim, ...]:
    items = {"55": BEHIND, "56": ("2",), "57": ("5",)}[which]
    pairs = pairs_in if which == "55" else pairs_out
    title = {"55": "pairs of in-weights", "56": "pairs of out-weights before a convolution"}.get(
        which, "pairs of out-weights before a fully-connected layer"
    )
    source = both(f"({which}) (earlier version: ({int(which) - 7}))")
    depends = ("lj22.def11", "lj22.def12")
    printed = stated(
        f"lj22.lemma9-{which}",
        source,
        title,
        EQUALITIES[which] + SETS,
        listed_by(which, at_every(pairs)),
        (_item(*items), ORGANISATION),
        depends=depends,
        pool=pool_of(items, linear=True),
        why={"55": "", "56": EVERY_PLACE, "57": EVERY_POSITION}[which],
    )
    if which == "55":
        return (printed,)
    repaired = mended(
        printed,
        f"{title}, at some position",
        printed.statement + SOME,
        listed_by(which, at_some(pairs)),
        (_item(*items),),
    )
    return printed, repaired


def _jagged_text(side: str) -> str:
    """(60), one of the two sums against the sum over jagged paths."""
    sums = {
        "in": r"\sum_{(w,w')\in w_{\mathrm{IN}}(\mathcal V)}\frac{d}{dt}ww'",
        "out": r"\sum_{(z,z')\in w_{\mathrm{OUT}}(\mathcal V)}\frac{d}{dt}zz'",
    }
    return (
        rf"$${sums[side]}=\sum_{{p\in\mathcal A}}\frac1n\sum_{{j=1}}^nd_{{j,p}}(w)$$ "
        r"(the display in differential form), $\mathcal A=\bigcup_j\mathcal A_j\cup\mathcal A'_j$ "
        r"the paths from $I$ to $v_{j,1}$ joined to paths from $v_{j,2}$ to $o$, and the other way "
        "round." + SETS
    )


JAGGED = (ALL_LINEAR, ALL_LEARNABLE, *FLOW)


def _jagged_claims(side: str) -> tuple[Claim, ...]:
    """(60): each of the two sums against the sum over jagged paths, in both variants of d."""
    every, some = (IN_EVERY, IN_SOME) if side == "in" else (OUT_EVERY, OUT_SOME)
    printed = stated(
        f"lj22.lemma9-60.{side}@A",
        final("(58) to (61)"),
        f"path sums in the proof of Lemma 9, {side}-weights",
        _jagged_text(side),
        rate_sum(every) == jagged_sum(),
        (_item(*BEHIND), ORGANISATION, *JAGGED),
        depends=("lj22.def12",),
        pool=pool_of(BEHIND, linear=True, all_linear=True),
        reading="A",
        reading_text=r"$d_{j,p}=\ell'(y_j\nu(x_j))\,y_j\,(x_j)_p\prod_{f\in p}w_f$",
        why=SIGN if side == "in" else SIGN_AND_POSITIONS,
    )
    repaired = mended(
        printed,
        printed.title,
        f"{printed.statement}{SOME} And the sum over $\\mathcal A$ with the sign $-$.",
        rate_sum(some) == -jagged_sum(),
        (_item(*BEHIND), *JAGGED),
    )
    return printed, repaired


def _earlier_jagged_claim(side: str, number: int) -> Claim:
    """(53) and (54) of the earlier version: a side of (47) as a sum over jagged paths."""
    pairs = IN_EVERY if side == "in" else OUT_EVERY
    return stated(
        f"lj22v1.lemma8.{number}",
        earlier(f"proof of Lemma 8, ({number})"),
        f"path sums in the proof of Lemma 8, {side}-weights",
        _jagged_text(side) + " With absolute values: of $ww'$ and $zz'$, and on the paths "
        r"$d_{j,p}=\ell'(y_j\nu(x_j))\,y_j\,(x_j)_p\prod_{f\in p}|w_f|$.",
        absolute_rate_sum(pairs) == jagged_sum(size),
        (_item(*BEHIND), ORGANISATION, *JAGGED, NONZERO_WEIGHTS),
        depends=("lj22.def12",),
        pool=pool_of(BEHIND, linear=True, all_linear=True),
        why=SIGN if side == "in" else SIGN_AND_POSITIONS,
    )


FORM = (SUPPOSED.own, FEEDFORWARD, BIAS_FREE)
ORGANISED_LAYER = stated(
    "lj22.def12",
    both("Definition 12, (52), (53) (earlier version: Definition 11)"),
    "convolutional neuron organisation",
    DEF12,
    can_be_organised(),
    (CONVOLUTION, *FORM),
    kind=Kind.DEFINITION,
    depends=("lj22.def11",),
    pool=pool_of(BEHIND, linear=False, blocks=ANY),
    why="with zero padding a neuron at the border has fewer in-neighbours than one in the "
    r"middle, so there is no bijection $\phi$ between them",
)
LEMMA9_PRINTED = stated(
    "lj22.lemma9",
    final("Lemma 9, (54)"),
    "invariance under weight sharing",
    LEMMA9,
    rate_sum(IN_EVERY) == rate_sum(OUT_EVERY),
    (_item(*BEHIND), ORGANISATION, LINEAR_BETWEEN, ALL_LEARNABLE, *FLOW),
    kind=Kind.LAW,
    depends=("lj22.def12", "lj22.lemma2b@A"),
    pool=pool_of(BEHIND, linear=True),
    why=EVERY_POSITION,
)
LEMMA8_PRINTED = stated(
    "lj22v1.lemma8",
    earlier("Lemma 8, (47)"),
    "weight sharing with absolute values",
    LEMMA8,
    absolute_rate_sum(IN_EVERY) == absolute_rate_sum(OUT_EVERY),
    (_item(*BEHIND), ORGANISATION, ALL_LEARNABLE, *FLOW, NONZERO_WEIGHTS),
    kind=Kind.LAW,
    depends=("lj22.def12", "lj22v1.lemma3b"),
    pool=pool_of(BEHIND, linear=False),
    why=EVERY_POSITION + ", and the signs of the terms differ from pair to pair",
)


def _at_some_position(printed: Claim, title: str, more: str) -> Claim:
    """The repair of a law of the organisation: the pairs at some position, linear neurons."""
    return mended(
        printed,
        title,
        printed.statement + SOME + more,
        SAME_RATES,
        (_item(*BEHIND), LINEAR_BETWEEN, ALL_LEARNABLE, *FLOW),
        depends=tuple(one for one in printed.depends if one != "lj22v1.lemma3b"),
        pool=pool_of(BEHIND, linear=True),
        proof=partial(linear_channels, TWO_CHANNELS),
    )


CLAIMS = (
    ORGANISED_LAYER,
    mended(
        ORGANISED_LAYER,
        f"{ORGANISED_LAYER.title}, without zero padding",
        DEF12 + " Repaired: for a convolution without zero padding, followed by a "
        "convolution, a fully-connected layer or a ResNetFree block.",
        can_be_organised(),
        (READ_ALIKE, ALL_POSITIONS, *FORM),
        pool=pool_of(BEHIND, linear=False, blocks=("free",)),
    ),
    LEMMA9_PRINTED,
    _at_some_position(
        LEMMA9_PRINTED,
        f"{LEMMA9_PRINTED.title}, pairs at some position",
        " Whatever the padding.",
    ),
    *(claim for which in ("55", "56", "57") for claim in _sets_claim(which)),
    *(claim for side in ("in", "out") for claim in _jagged_claims(side)),
    LEMMA8_PRINTED,
    _at_some_position(
        LEMMA8_PRINTED,
        "weight sharing without absolute values, linear neurons, pairs at some position",
        " And without the absolute values, for linear neurons.",
    ),
    *(_earlier_jagged_claim(side, number) for side, number in (("in", 53), ("out", 54))),
)
