"""Section 3: the path-enumeration function and the decomposition of a network through it."""

from collections.abc import Callable

from verify.cases.pool import RELU_MIX, Pool
from verify.core.claim import Kind
from verify.language.building import (
    Along,
    Each,
    Filter,
    Let,
    Map,
    Number,
    Prod,
    Sum,
    When,
    card,
    concat,
    edges,
    edges_on,
    element,
    examples,
    grad,
    into,
    nu,
    paths,
    sign,
    tuple_,
    upto,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22 import velocity_proofs
from verify.papers.lj22.path_terms import (
    DERIVATIVE_OF_TREE,
    all_active,
    along,
    along_others,
    over_paths_with,
    slopes_along,
    x_of,
)
from verify.papers.lj22.proofs import pulled_through
from verify.papers.lj22.sources import both
from verify.papers.lj22.tree_proofs import by_induction
from verify.papers.lj22.tree_terms import (
    ALL_PATHS,
    OUTPUT,
    SIGNS,
    decomposed,
    hasse,
    is_complete,
    is_sign_of_weight,
    is_tree,
    sgn,
    signs_along,
    with_signs,
)
from verify.statements.network_hypotheses import (
    ACTIVITIES_CONSTANT,
    BIAS_FREE,
    DIFFERENTIABLE,
    FEEDFORWARD,
    HOMOGENEOUS,
    NONZERO_WEIGHTS,
    OWN_PARAMETERS,
    RELU_OR_LINEAR,
    where_learnable,
)
from verify.statements.stated import Given, stated

PATHS = Pool(losses=("prescribed",), largest=6)
TREES = Pool(
    families=(
        *("fully connected", "random DAG", "layered DAG", "tree", "residual", "convolution"),
        *("composition", "bottleneck"),
    ),
    losses=("prescribed",),
    largest=3,
    examples=(1, 2),
)
"""Networks whose paths are compared two by two: at most about a hundred."""
RELU_PATHS = Pool(losses=("prescribed",), largest=6, activations=RELU_MIX)


def paths_by_vertices() -> Term:
    """How many paths end at the output, counted vertex by vertex."""

    def number(u: Term, path: Term, before: Term) -> Term:
        return When(card(into(u)) == 0, 1, Sum(before, lambda count: count))

    return Along(OUTPUT, number)


def signed_tree(at_zero: Term) -> Term:
    """The graph of mu is a tree, its weights are -1 or 1, and those are fixed by the signs of w.
    The input that is added before the leaf k has the number |H_G| + k."""

    def shape(tree: Term) -> Term:
        leaves = Filter(upto(card(tree)), lambda k: is_complete(tree[k]))
        added = Map(leaves, lambda k: tuple_(card(tree) + k, k))
        points = concat(upto(card(tree)), Map(leaves, lambda k: card(tree) + k))
        return is_tree(points, concat(hasse(tree), added))

    return (
        Let(ALL_PATHS, shape)
        & Each(edges(), lambda e: is_sign_of_weight(e, at_zero))
        & Each(paths(), lambda p: is_product_of_signs(edges_on(p), at_zero))
    )


def is_product_of_signs(path: Term, at_zero: Term) -> Term:
    """Likewise that of the edge at an input."""
    weight = signs_along(path, at_zero)
    again = Prod(path, lambda e: sgn(sgn(w(e), at_zero), at_zero))
    return element(weight, SIGNS) & (again == weight)


def network_by_paths(*, with_input: bool) -> Term:
    """nu is the sum over the paths of Z_p prod_{e in p} w_e, with x_p or without it."""

    def summand(p: Term, j: Term) -> Term:
        entry = along(p, w)
        return all_active(p, j) * (entry * x_of(p, j) if with_input else entry)

    return Each(examples(), lambda j: nu(j) == Sum(paths(), lambda p: summand(p, j)))


def derivative_by_paths(factor: Callable[[Term, Term], Term]) -> Term:
    """dnu/dw_e is a sum over the paths with e of a factor and the product of the other weights."""

    def says(e: Term, j: Term) -> Term:
        others = over_paths_with(e, lambda p: factor(p, j) * along_others(p, e, w))
        return grad(e, j) == others

    return Each(edges(), lambda e: where_learnable(e, Each(examples(), lambda j: says(e, j))))


PIECEWISE = (FEEDFORWARD, RELU_OR_LINEAR, BIAS_FREE)
SMOOTH_RELU = (
    FEEDFORWARD,
    RELU_OR_LINEAR,
    ACTIVITIES_CONSTANT,
    NONZERO_WEIGHTS,
    BIAS_FREE,
    OWN_PARAMETERS,
)

A, X, LEFT, RIGHT = (Number(name) for name in ("a", "x", "left", "right"))


def sigma(z: Term) -> Term:
    """A positively homogeneous activation: by its slopes left and right of 0."""
    return When(z < 0, LEFT * z, RIGHT * z)


PULLED = A * sigma(X) == sign(A) * sigma(X * abs(A))
TWO_SLOPES = Given(
    "positively homogeneous activation",
    sigma(abs(A) * X) == abs(A) * sigma(X),
    r"$\sigma(\lambda z)=\lambda\sigma(z)$ for every $\lambda>0$",
    built_in=True,
)

LEMMA1 = (
    r"Let $\nu:\mathbb R^d\to\mathbb R$ be a feedforward network with computation graph $G$, and "
    r"$\rho$ the number of distinct maximal paths in $G$. There exists a tree network "
    r"$\mu:\mathbb R^\rho\to\mathbb R$ such that $\nu=\mu\circ h$, where $h$ is the path "
    r"enumeration function of $G$. Furthermore, all weights in $\mu$ are either $-1$ or $+1$ and "
    r"fully determined by the signs of the weights in $\nu$. "
)

CLAIMS = (
    stated(
        "lj22.def4",
        both("Definition 4"),
        "path enumeration function",
        r"$h:(x_1,\dots,x_d)\mapsto\big(x_p\prod_{e\in p}w_e\big)_{p\in\mathcal P}$, where "
        r"$x_p:=x_k$ such that $i_k\in p$. Judged: the paths enumerated are as many as the graph "
        r"has, counted without enumeration.",
        paths_by_vertices() == card(paths()),
        (FEEDFORWARD,),
        kind=Kind.DEFINITION,
        depends=("lj22.def1",),
        pool=PATHS,
    ),
    stated(
        "lj22.lemma1",
        both("Lemma 1 (earlier version: Lemma 2)"),
        "decomposition of a network through its paths",
        LEMMA1 + r"Measured: $\nu(x)-\mu(h(x;w))$ with $\mu$ built as the proof builds it.",
        with_signs(lambda s: Each(examples(), lambda j: nu(j) == decomposed(j, s))),
        (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
        depends=("lj22.def3", "lj22.def4", "lj22.lemma5", "lj22.lemma6@A1B2", "lj22.lemma7"),
        pool=PATHS,
        proofs=[by_induction],
    ),
    stated(
        "lj22.lemma1.shape",
        both("Lemma 1 (earlier version: Lemma 2)"),
        "the tree network has weights -1 and 1, fixed by the signs",
        LEMMA1 + r"Measured: the graph of $\mu$ is a tree; its weights are $\pm1$; the weights "
        r"$w$ and $\mathrm{sgn}(w)$ give the same $\mu$.",
        with_signs(signed_tree),
        (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
        kind=Kind.IDENTITY,
        depends=("lj22.def3", "lj22.def4"),
        pool=TREES,
    ),
    stated(
        "lj22.eq1.a",
        both("equation (1), first equality"),
        "sum over paths with 0-1 activations",
        r"$$\nu(x;w)=\sum_{p\in\mathcal P}Z_p(x;w)\prod_{e\in p}w_e,$$ where $Z_p(x;w)=1$ iff all "
        r"ReLUs on path $p$ are active (have nonnegative preactivation) and $0$ otherwise.",
        network_by_paths(with_input=False),
        PIECEWISE,
        depends=("lj22.def4",),
        pool=RELU_PATHS,
        why=r"the product of the weights along $p$ stands without the input $x_p$ at which $p$ "
        "begins, which $h$ has",
    ),
    stated(
        "lj22.eq1.b",
        both("equation (1), second expression"),
        "inner product with the path enumeration function",
        r"$$\nu(x;w)=\big\langle(Z_p(x;w))_{p\in\mathcal P},\,h(x;w)\big\rangle_{\mathbb R^\rho}$$",
        network_by_paths(with_input=True),
        PIECEWISE,
        depends=("lj22.def4",),
        pool=RELU_PATHS,
        proofs=[velocity_proofs.output_by_paths],
    ),
    stated(
        "lj22.eq2",
        both("equation (2)"),
        "partial derivative through the decomposition",
        r"Where the derivative exists and in the limit where weight signs are constant, "
        r"$$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,e\in p}[\nabla_w\mu(x;w)]_p"
        r"\cdot x_p\prod_{f\in p,f\ne e}w_f,$$ with $[\cdot]_p$ the derivative of the tree network "
        r"in its $p$-th input, taken at $h(x;w)$.",
        derivative_by_paths(lambda p, j: slopes_along(p, j) * x_of(p, j)),
        (FEEDFORWARD, DIFFERENTIABLE, NONZERO_WEIGHTS, HOMOGENEOUS, BIAS_FREE, OWN_PARAMETERS),
        depends=("lj22.lemma1",),
        pool=PATHS,
        proofs=[velocity_proofs.derivative_by_paths],
        through=DERIVATIVE_OF_TREE,
    ),
    stated(
        "lj22.eq3",
        both("equation (3)"),
        "partial derivative through the 0-1 activations",
        r"Where the derivative exists and in the limit where weight signs are constant, "
        r"$$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,e\in p}\Big(w_e\,"
        r"\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)\prod_{f\in p,f\ne e}w_f$$",
        derivative_by_paths(all_active),  # Z_p is constant near w
        SMOOTH_RELU,
        depends=("lj22.eq1.a",),
        pool=RELU_PATHS,
        why=r"the input $x_p$ at which the path begins is missing, as in (1)",
    ),
    stated(
        "lj22.eq3.fix",
        both("equation (3)"),
        "partial derivative through the 0-1 activations, with the input",
        r"Under the hypotheses of (3), $$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|"
        r"\,e\in p}\Big(w_e\,\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)\,x_p"
        r"\prod_{f\in p,f\ne e}w_f$$",
        derivative_by_paths(lambda p, j: all_active(p, j) * x_of(p, j)),
        SMOOTH_RELU,
        depends=("lj22.eq1.b",),
        pool=RELU_PATHS,
        proofs=[velocity_proofs.derivative_by_active_paths],
        repairs="lj22.eq3",
    ),
    stated(
        "lj22.pullback",
        both("Section 3, sketch of the decomposition"),
        "pulling a weight through an activation",
        r"For a positively homogeneous activation, "
        r"$a\cdot\sigma(x)=\mathrm{sgn}(a)\cdot\sigma(x|a|)$.",
        PULLED,
        (TWO_SLOPES,),
        proofs=[pulled_through],
    ),
)
