"""Section 3: the path-enumeration function and the decomposition of a network through it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from graphs.paths import count_paths, enumerate_paths
from graphs.unrolling import decomposition_tree
from verify import network_hypotheses
from verify.claim import Claim, Kind
from verify.given import (
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
from verify.language.building import (
    Each,
    Number,
    Sum,
    When,
    edges,
    examples,
    grad,
    nu,
    paths,
    sign,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.path_terms import (
    DERIVATIVE_OF_TREE,
    all_active,
    along,
    along_others,
    over_paths_with,
    slopes_along,
    x_of,
)
from verify.papers.lj22.preliminaries import is_tree_network
from verify.papers.lj22.proofs import pullback_by_signs
from verify.papers.lj22.sources import both
from verify.pool import RELU_MIX, Pool, draw_sign
from verify.stated import Given, stated
from verify.vocabulary import PATH_CAP, Entries, Row, Scene, constant_entries, sign_at_zero

PATHS = Pool(losses=("prescribed",), largest=6)
SIGNED_PATHS = replace(PATHS, adapt=draw_sign)
RELU_PATHS = Pool(losses=("prescribed",), largest=6, activations=RELU_MIX)


def number_of_paths(scene: Scene) -> Entries:
    """The paths by dynamic programming minus the paths enumerated."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        enumerated = sum(1 for _ in enumerate_paths(case.network, PATH_CAP))
        rows.append((number, {}, Fraction(count_paths(case.network).total - enumerated)))
    return constant_entries(scene, rows)


def through_tree(scene: Scene) -> Entries:
    """nu(x) - mu(h(x; w))."""
    return scene.per_example(scene.value, scene.signed_tree.outputs)


def tree_shape(scene: Scene) -> Entries:
    """Two predicates of the tree network mu: it is a tree; its weights are -1 or 1 and fixed by
    the signs of w (the same tree from the weights replaced by their signs)."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        at_zero = sign_at_zero(case)
        built = decomposition_tree(case.network, case.weights, absolute=False, sign_at_zero=at_zero)
        signs = [Fraction(at_zero if w == 0 else (1 if w > 0 else -1)) for w in case.weights]
        again = decomposition_tree(case.network, signs, absolute=False, sign_at_zero=at_zero)
        good_tree = is_tree_network(built.tree)
        good_weights = set(built.weights) <= {1, -1} and again.weights == built.weights
        rows.append((number, {"predicate": "tree"}, Fraction(not good_tree)))
        rows.append((number, {"predicate": "weights"}, Fraction(not good_weights)))
    return constant_entries(scene, rows)


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

TREE_EXISTS = (
    network_hypotheses.FEEDFORWARD,
    network_hypotheses.HOMOGENEOUS,
    network_hypotheses.BIAS_FREE,
)
LEMMA1 = (
    r"Let $\nu:\mathbb R^d\to\mathbb R$ be a feedforward network with computation graph $G$, and "
    r"$\rho$ the number of distinct maximal paths in $G$. There exists a tree network "
    r"$\mu:\mathbb R^\rho\to\mathbb R$ such that $\nu=\mu\circ h$, where $h$ is the path "
    r"enumeration function of $G$. Furthermore, all weights in $\mu$ are either $-1$ or $+1$ and "
    r"fully determined by the signs of the weights in $\nu$. "
)

CLAIMS = (
    Claim(
        "lj22.def4",
        Kind.DEFINITION,
        both("Definition 4"),
        "path enumeration function",
        r"$h:(x_1,\dots,x_d)\mapsto\big(x_p\prod_{e\in p}w_e\big)_{p\in\mathcal P}$, where "
        r"$x_p:=x_k$ such that $i_k\in p$. Judged: the paths enumerated are as many as the graph "
        r"has, counted without enumeration.",
        (network_hypotheses.FEEDFORWARD,),
        ("lj22.def1",),
        measure=number_of_paths,
        pool=PATHS,
        exact_only=True,
    ),
    Claim(
        "lj22.lemma1",
        Kind.IDENTITY,
        both("Lemma 1 (earlier version: Lemma 2)"),
        "decomposition of a network through its paths",
        LEMMA1 + r"Measured: $\nu(x)-\mu(h(x;w))$ with $\mu$ built as the proof builds it.",
        TREE_EXISTS,
        ("lj22.def3", "lj22.def4", "lj22.lemma5", "lj22.lemma6@A1B2", "lj22.lemma7"),
        measure=through_tree,
        pool=SIGNED_PATHS,
        signed=True,
    ),
    Claim(
        "lj22.lemma1.shape",
        Kind.IDENTITY,
        both("Lemma 1 (earlier version: Lemma 2)"),
        "the tree network has weights -1 and 1, fixed by the signs",
        LEMMA1 + r"Measured: the graph of $\mu$ is a tree; its weights are $\pm1$; the weights "
        r"$w$ and $\mathrm{sgn}(w)$ give the same $\mu$.",
        TREE_EXISTS,
        ("lj22.def3", "lj22.def4"),
        measure=tree_shape,
        pool=SIGNED_PATHS,
        exact_only=True,
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
        proof=partial(pullback_by_signs, PULLED),
    ),
)
