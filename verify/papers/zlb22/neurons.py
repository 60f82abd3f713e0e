"""Definition 2.2: the network on a DAG, by its edges and by its layers; the size of its neurons.

The size is that of the mean square of a pre-activation under the law of its weights, given the
incoming neurons f: q f^T G f, with q the square of the scale factor and G the matrix of the second
moments E w_u w_u'.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Kind
from verify.kinds.dags.pool import dag_pool
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Number,
    Sum,
    Vector,
    When,
    card,
    dim,
    dot,
    eye,
    frob2,
    row,
    vector,
)
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.zlb22 import forward_passes
from verify.papers.zlb22.dag_notation import (
    COUNT,
    DAG,
    DEPTH,
    POINTS,
    VERTICES,
    P,
    W,
    X,
    forward,
    layers,
    parents,
    sigma,
)
from verify.papers.zlb22.digraphs import (
    LARGEST,
    LISTED,
    NAMES,
    small_graphs,
)
from verify.papers.zlb22.forward_passes import (
    SYMBOLS,
    layer_by_layer,
    symbols_for,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, pool_with, stated

ZERO, ONE = Fraction(0), Fraction(1)


# two forms ----------------------------------------------------------------------------------------
def pre_activation(v: Term, values: Term) -> Term:
    """(2): the sum over the edges into v."""
    return Sum(parents(v), lambda u: W[v, u] * values[u])


def along_edges(at: Term) -> Term:
    """(2), (3): the values of all vertices at a point, one after the other."""
    return forward(row(X, at), lambda values, v: sigma(v, pre_activation(v, values)))


def inner_product(v: Term, values: Term) -> Term:
    """The weights of a neuron times f_S, the values of its incoming neurons."""
    incoming = parents(v)
    weights = vector(card(incoming), lambda k: W[v, incoming[k]])
    return dot(weights, vector(card(incoming), lambda k: values[incoming[k]]))


def by_layers(at: Term) -> Term:
    """(5): layer l from the layers before, those of layer 0 being the inputs."""
    return Fold(
        layers(1, DEPTH),
        row(X, at),
        lambda values, number: vector(
            COUNT,
            lambda v: When(P[v] == number, sigma(v, inner_product(v, values)), values[v]),
        ),
    )


TWO_FORMS = Each(
    POINTS, lambda at: Each(VERTICES, lambda v: along_edges(at)[v] == by_layers(at)[v])
)


def forms_listed() -> Argument:
    """Every small graph, in symbols."""
    steps = []
    for count in range(1, LARGEST):
        holds = True
        for graph in small_graphs(count):
            symbols, weights, x = symbols_for(graph)
            given = (graph, weights, symbols.activation, x, symbols.zero)
            pairs = zip(forward_passes.along_edges(*given), layer_by_layer(*given), strict=True)
            holds &= all(symbols.is_zero(one - other) for one, other in pairs)
        text = f"{count} vertices: on all graphs the two values of each neuron are one polynomial"
        steps.append(Step(text, holds))
    return Argument(
        "on every small graph the two forms are one polynomial in weights, inputs and the values "
        "of the activations",
        tuple(steps),
        (SYMBOLS, *NAMES),
        (DAG.name,),
        (LISTED[0].replace(str(LARGEST), str(LARGEST - 1)), "any activations"),
        section="docs/mathematics/zlb22.md#forms-of-one-network",
    )


# the size of a neuron -----------------------------------------------------------------------------
f, moments, q = Vector("f", "k"), Matrix("G", "k", "k"), Number("q")
SIZE = q * dot(f, moments @ f)  # the mean square of the pre-activation
MEAN = frob2(f) / dim(f)


def _to_scale(case: Tensors, random: Random) -> Tensors:
    return case.changing(q=Tensor((), (), (Fraction(1, case.lengths["k"]),), held=True))


def _other_scale(case: Tensors, random: Random) -> Tensors:
    """The factor 1, or 1/in."""
    k = case.lengths["k"]
    return case.changing(q=Tensor((), (), (random.choice((ONE, Fraction(1, k * k))),)))


SCALE = Given(
    "scale factor",
    q == 1 / dim(f),
    r"the pre-activation is scaled by $\mathrm{in}(v)^{-1/2}$: $q=1/k$",
    _to_scale,
    _other_scale,
    thin=True,
)


def _moments(k: int, diagonal: Fraction, beside: Fraction) -> Tensor:
    entries = tuple(diagonal if i == j else beside for i in range(k) for j in range(k))
    return Tensor(("k", "k"), (k, k), entries, held=True)


def _to_standard(case: Tensors, random: Random) -> Tensors:
    return case.changing(G=_moments(case.lengths["k"], ONE, ZERO))


def _other_law(case: Tensors, random: Random) -> Tensors:
    """Another variance, or equal weights."""
    values = random.choice(((Fraction(2), ZERO), (Fraction(1, 4), ZERO), (ONE, ONE)))
    return case.changing(G=_moments(case.lengths["k"], *values))


STANDARD = Given(
    "independent standard weights",
    moments == eye(dim(f)),
    r"the weights are i.i.d. $\mathcal N(0,1)$: $\mathbb E\,w_uw_{u'}=1$ for $u=u'$, else $0$",
    _to_standard,
    _other_law,
    thin=True,
)


def by_the_moments(proof: Proof) -> None:
    """q = 1/k, and G = I."""
    proof.same(proof.goal, list(proof.given.values()))


# the claims ---------------------------------------------------------------------------------------
NETWORK = (
    r"For $v\notin\mathcal V_{\rm input}$, $f_v=\sigma_v(\tilde f_v)$ and "
    r"$\tilde f_v=\mathrm{in}(v)^{-1/2}\sum_{u\in S_{\rm in}(v)}w_{(u,v)}f_u$"
)

_definition = stated(
    "zlb22.def2.2",
    printed("Definition 2.2, eqs (2), (3), (5)"),
    "neural network on a DAG",
    NETWORK + r"; in layer notation, $f_i^{(\ell)}=\sigma_i^{(\ell)}(\tilde f_i^{(\ell)})$, "
    r"$\tilde f_i^{(\ell)}=(m_i^{(\ell)})^{-1/2}(\mathbf w_i^{(\ell)})^Tf_{S_i^{(\ell)}}$. (Judged "
    "on: the two forms give the same values.)",
    TWO_FORMS,
    (DAG,),
    kind=Kind.DEFINITION,
    depends=("zlb22.def2.1", "zlb22.def2.5"),
    pool=dag_pool(),
    exact_only=True,
    proof=forms_listed,
)
_size = stated(
    "zlb22.def2.2.size",
    printed("Definition 2.2, paragraph on initialisation"),
    "mean square of a pre-activation",
    NETWORK
    + r", the weights i.i.d. $\mathcal N(0,1)$: the factor keeps the size of neurons. Given "
    r"the incoming neurons, $\mathbb E\,\tilde f_v^2$ is the mean of their squares.",
    SIZE == MEAN,
    (SCALE, STANDARD),
    depends=("zlb22.def2.2",),
    pool=pool_with(f, moments, q),
    proofs=[by_the_moments],
    through="the mean of the square of a linear form is its form of second moments "
    "(docs/mathematics/zlb22.md#the-scale-factor)",
)

CLAIMS = (_definition, _size)
