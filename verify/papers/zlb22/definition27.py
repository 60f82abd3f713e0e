"""Definition 2.7: the width as a least in-degree, in words and in (8), Remarks 2.6 and 2.8, and
Assumption 3.5.

An infimum over nothing has no value: of L = 1, where both widths and the least hidden size are
infinite, nothing is said.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from random import Random

from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Filter,
    Min,
    Some,
    card,
    into,
    tail,
    upto,
    vertices,
)
from verify.language.terms import Term
from verify.papers.zlb22.assumption_examples import in_degrees, widths
from verify.papers.zlb22.digraphs import Parents
from verify.papers.zlb22.notation import (
    DEPTH,
    NETWORKS,
    WIDTH,
    indegree,
    layer,
    on_graph,
    on_graphs,
    p,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, stated

# terms --------------------------------------------------------------------------------------------
NEURONS = Filter(vertices(), lambda v: p(v) >= 1)
WIDTH_OF_8 = Min(Filter(vertices(), lambda v: (p(v) >= 2) & (p(v) <= DEPTH - 1)), indegree)
"""m by the formula (8), which ends at layer L - 1."""
LEAST_SIZE = Min(upto(DEPTH - 1), lambda number: card(layer(number)))
"""min(n_1, ..., n_(L-1))."""
DEGREES = Each(NEURONS, lambda v: indegree(v) == card(layer(p(v) - 1)))
BY_WORDS, BY_FORMULA = WIDTH == LEAST_SIZE, WIDTH_OF_8 == LEAST_SIZE


def joined_to_all_before(v: Term) -> Term:
    """The parents of a neuron are the layer before."""
    before = layer(p(v) - 1)
    return Each(into(v), lambda e: p(tail(e)) == p(v) - 1) & Each(
        before, lambda u: Some(into(v), lambda e: tail(e) == u)
    )


FULL = Given(
    "fully connected",
    Each(NEURONS, joined_to_all_before),
    "every neuron is joined to all neurons of the layer before, and to no others",
)
TWO_HIDDEN = Given(
    "two hidden layers", DEPTH >= 3, r"there are two hidden layers at least: $L\ge3$"
)

# cases --------------------------------------------------------------------------------------------
LONGEST, WIDEST = 5, 3


def fully_connected(*sizes: int) -> Parents:
    """The graph with layers of n_0 to n_L neurons."""
    parents: list[tuple[int, ...]] = []
    before: tuple[int, ...] = ()
    for size in sizes:
        start = len(parents)
        parents += [before] * size
        before = tuple(range(start, start + size))
    return tuple(parents)


def _mostly_full(case: Case, random: Random) -> Case:
    """In three of four cases a fully connected network, else any."""
    if random.random() < 1 / 4:
        return NETWORKS.draw(random, n=1, loss=case.loss, large=False)
    sizes = [random.randint(1, WIDEST) for _ in range(random.randint(2, LONGEST))]
    net = on_graph(fully_connected(*sizes))
    return Pool(examples=(1,)).fill(net, random, n=1, loss=case.loss, family="fully connected")


POOL = Pool(largest=4, examples=(1,), adapt=_mostly_full)

# argument -----------------------------------------------------------------------------------------
DEEPEST = 4


def listed(summary: str, says: Term) -> Argument:
    """On all small sizes."""
    sizes = range(1, WIDEST + 1)
    graphs = {
        f"L = {depth}": [fully_connected(*each) for each in product(sizes, repeat=depth + 1)]
        for depth in range(1, DEEPEST + 1)
    }
    return Argument(
        f"on every small fully connected network {summary}",
        on_graphs(graphs, says, FULL),
        ("larger sizes and more layers are not looked at",),
        uses=(FULL.name,),
        scope=(f"fully connected networks with L from 1 to {DEEPEST} and sizes 1 to {WIDEST}",),
        section="docs/mathematics/zlb22.md#width",
    )


# the claims ---------------------------------------------------------------------------------------
WORDS = (
    "The width of a feedforward neural network is the minimum in-degree of all the neurons except "
    "those in the input and first layers"
)
FORMULA = r"$m:=\inf_{\ell\in\{2,\dots,L-1\},\,i\in[d_\ell]}m_i^{(\ell)}$"
TEXTS = {
    "A": r"the words: $m=\min\{\mathrm{in}(v):p(v)\ge2\}$",
    "B": r"the formula (8): $m=\min\{\mathrm{in}(v):2\le p(v)\le L-1\}$",
}
REMARK = (
    "For fully connected networks the width (the minimum in-degree after the first layer) is the "
    r"minimum hidden layer size, $m=\min(n_1,\dots,n_{L-1})$."
)

_definitions = tuple(
    Claim(
        f"zlb22.def2.7@{reading}",
        Kind.DEFINITION,
        printed("Definition 2.7, eq. (8)"),
        "network width",
        f"{WORDS}: {FORMULA}.",
        (),
        ("zlb22.def2.1", "zlb22.def2.5"),
        reading=reading,
        reading_text=text,
        examples=partial(widths, reading),
    )
    for reading, text in TEXTS.items()
)
_remark = stated(
    "zlb22.def2.7.fcn@A",
    printed("Remark 2.8"),
    "width of a fully connected network",
    REMARK,
    BY_WORDS,
    (FULL,),
    pool=POOL,
    depends=("zlb22.def2.7@A",),
    reading="A",
    reading_text=TEXTS["A"],
    proof=partial(listed, "the least in-degree from layer 2 on is the least hidden size", BY_WORDS),
)
_deep = stated(
    "zlb22.def2.7.fcn.deep@B",
    printed("Remark 2.8"),
    "width of a fully connected network, by the formula",
    REMARK,
    BY_FORMULA,
    (FULL, TWO_HIDDEN),
    pool=POOL,
    depends=("zlb22.def2.7@B",),
    reading="B",
    reading_text=TEXTS["B"] + "; with two hidden layers at least, where the infimum is over "
    "something",
    why=r"The range of (8) ends at layer $L-1$, so it never sees $n_{L-1}$, the in-degree of the "
    "outputs: it fails where the last hidden layer is the narrowest.",
)
_degrees = stated(
    "zlb22.def2.7.degrees",
    printed("Remark 2.6"),
    "in-degrees of a fully connected network",
    r"In a fully connected network the in-degree $m_i^{(\ell)}$ is the size of layer $\ell-1$.",
    DEGREES,
    (FULL,),
    pool=POOL,
    depends=("zlb22.def2.5",),
    proof=partial(listed, "the in-degree is the size of the layer before", DEGREES),
)

POLYNOMIAL = (
    "The maximum in-degree of any neuron is at most polynomial in the network width $m$: "
    r"$\sup_{\ell\in\{2,\dots,L-1\},\,i\in[d_\ell]}m_i^{(\ell)}=O(m^c)$, $c>0$ a constant."
)
_assumption = Claim(
    "zlb22.ass3.5@A",
    Kind.ASSUMPTION,
    printed("Assumption 3.5"),
    "in-degrees polynomial in the width",
    POLYNOMIAL,
    (),
    ("zlb22.def2.7@A",),
    reading="A",
    reading_text="the words: over every neuron outside of the input layer",
    examples=in_degrees,
)

CLAIMS = (*_definitions, _remark, _deep, _degrees, _assumption)
