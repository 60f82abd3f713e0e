"""Section 3: the path-enumeration function and the decomposition of a network through it."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.activations import PIECEWISE_LINEAR, Activation
from graphs.paths import count_paths, enumerate_paths
from graphs.unrolling import decomposition_tree
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    OWN_PARAMETERS,
    RELU_OR_LINEAR,
)
from verify.papers.lj22.preliminaries import is_tree_network
from verify.papers.lj22.proofs import pullback_by_signs
from verify.papers.lj22.sources import both
from verify.point_hypotheses import DIFFERENTIABLE, NONZERO_WEIGHTS
from verify.pool import ACTIVATIONS, RELU_MIX, Pool, draw_sign
from verify.transformations import random_rational
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


def path_sum_as_printed(scene: Scene) -> Entries:
    """nu - sum_p Z_p prod_{e in p} w_e."""
    products = scene.along(scene.weights)[:, None]
    return scene.per_example(scene.value, scene.over_paths(scene.path_activity * products))


def path_inner_product(scene: Scene) -> Entries:
    """nu - <Z, h>."""
    products = scene.path_input * scene.along(scene.weights)[:, None]
    return scene.per_example(scene.value, scene.over_paths(scene.path_activity * products))


def derivative_through_tree(scene: Scene) -> Entries:
    """The derivative of nu in w_e minus its path sum through mu."""
    terms = scene.tree_derivatives(scene.signed_tree) * scene.path_input
    return scene.per_edge_and_example(
        scene.gradients, scene.through_edges_without(terms, scene.weights)
    )


def derivative_as_printed(scene: Scene) -> Entries:
    """The derivative of nu in w_e minus sum_p Z_p prod_{f != e} w_f (Z_p is locally constant)."""
    return scene.per_edge_and_example(
        scene.gradients, scene.through_edges_without(scene.path_activity, scene.weights)
    )


def derivative_repaired(scene: Scene) -> Entries:
    """The same with the factor x_p."""
    terms = scene.path_activity * scene.path_input
    return scene.per_edge_and_example(
        scene.gradients, scene.through_edges_without(terms, scene.weights)
    )


def _activities_constant(scene: Scene, entries: Entries) -> np.ndarray:
    """No ReLU has pre-activation 0 (there Z_p may jump), and no kink elsewhere."""
    kinds = [a.kind for net in scene.union.networks for a in net.activations]
    gated = np.array([kind != "linear" for kind in kinds])[:, None]
    at_zero = (gated & scene.arithmetic.may_be_zero(scene.pre)).any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, at_zero)
    return np.asarray(~bad[entries.owner], dtype=bool)


ACTIVITIES_CONSTANT = Hypothesis(
    "differentiable",
    r"$\nu$ and the $Z_p$ are differentiable at $w$: no ReLU has preactivation $0$",
    _activities_constant,
)


SMOOTH_RELU = (
    FEEDFORWARD,
    RELU_OR_LINEAR,
    ACTIVITIES_CONSTANT,
    NONZERO_WEIGHTS,
    BIAS_FREE,
    OWN_PARAMETERS,
)


def pulled_through(scene: Scene) -> Entries:
    """a sigma(x) - sgn(a) sigma(x |a|)."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        if case.choice["activation"] not in ACTIVATIONS:
            continue
        a, x = (Fraction(case.choice[name]) for name in ("a", "x"))
        slope = case.choice.get("slope")
        left, right = Activation(case.choice["activation"], slope and Fraction(slope)).slopes
        sign = sign_at_zero(case) if a == 0 else (1 if a > 0 else -1)

        def sigma(z: Fraction, left: Fraction = left, right: Fraction = right) -> Fraction:
            return (left if z < 0 else right) * z

        rows.append((number, {}, a * sigma(x) - sign * sigma(x * abs(a))))
    return constant_entries(scene, rows)


def choose_factor(case: Case, random: Random) -> Case:
    """Choose a, x (0 among them), the activation, and the value of sgn(0)."""
    activation = ACTIVATIONS[random.choice(sorted(ACTIVATIONS))]
    slope = {} if activation.slope is None else {"slope": str(activation.slope)}
    return case.choosing(
        a=str(random_rational(random, zero=True)),
        x=str(random_rational(random, zero=True)),
        activation=activation.kind,
        sign_at_zero=random.choice((1, -1)),
        **slope,
    )


CHOSEN_HOMOGENEOUS = Hypothesis(
    "positively homogeneous activation",
    r"$\sigma(\lambda z)=\lambda\sigma(z)$ for every $\lambda>0$",
    by_case(lambda case: case.choice.get("activation") in PIECEWISE_LINEAR),
    break_=lambda case, random: case.choosing(activation="tanh"),
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
        (FEEDFORWARD,),
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
        (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
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
        (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE),
        ("lj22.def3", "lj22.def4"),
        measure=tree_shape,
        pool=SIGNED_PATHS,
        exact_only=True,
    ),
    Claim(
        "lj22.eq1.a",
        Kind.IDENTITY,
        both("equation (1), first equality"),
        "sum over paths with 0-1 activations",
        r"$$\nu(x;w)=\sum_{p\in\mathcal P}Z_p(x;w)\prod_{e\in p}w_e,$$ where $Z_p(x;w)=1$ iff all "
        r"ReLUs on path $p$ are active (have nonnegative preactivation) and $0$ otherwise.",
        (FEEDFORWARD, RELU_OR_LINEAR, BIAS_FREE),
        ("lj22.def4",),
        measure=path_sum_as_printed,
        pool=RELU_PATHS,
        why=r"the product of the weights along $p$ stands without the input $x_p$ at which $p$ "
        "begins, which $h$ has",
    ),
    Claim(
        "lj22.eq1.b",
        Kind.IDENTITY,
        both("equation (1), second expression"),
        "inner product with the path enumeration function",
        r"$$\nu(x;w)=\big\langle(Z_p(x;w))_{p\in\mathcal P},\,h(x;w)\big\rangle_{\mathbb R^\rho}$$",
        (FEEDFORWARD, RELU_OR_LINEAR, BIAS_FREE),
        ("lj22.def4",),
        measure=path_inner_product,
        pool=RELU_PATHS,
        expanded=True,
    ),
    Claim(
        "lj22.eq2",
        Kind.IDENTITY,
        both("equation (2)"),
        "partial derivative through the decomposition",
        r"Where the derivative exists and in the limit where weight signs are constant, "
        r"$$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,e\in p}[\nabla_w\mu(x;w)]_p"
        r"\cdot x_p\prod_{f\in p,f\ne e}w_f,$$ with $[\cdot]_p$ the derivative of the tree network "
        r"in its $p$-th input, taken at $h(x;w)$.",
        (FEEDFORWARD, DIFFERENTIABLE, NONZERO_WEIGHTS, HOMOGENEOUS, BIAS_FREE, OWN_PARAMETERS),
        ("lj22.lemma1",),
        measure=derivative_through_tree,
        pool=PATHS,
        signed=True,
    ),
    Claim(
        "lj22.eq3",
        Kind.IDENTITY,
        both("equation (3)"),
        "partial derivative through the 0-1 activations",
        r"Where the derivative exists and in the limit where weight signs are constant, "
        r"$$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,e\in p}\Big(w_e\,"
        r"\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)\prod_{f\in p,f\ne e}w_f$$",
        SMOOTH_RELU,
        ("lj22.eq1.a",),
        measure=derivative_as_printed,
        pool=RELU_PATHS,
        why=r"the input $x_p$ at which the path begins is missing, as in (1)",
    ),
    Claim(
        "lj22.eq3.fix",
        Kind.IDENTITY,
        both("equation (3)"),
        "partial derivative through the 0-1 activations, with the input",
        r"Under the hypotheses of (3), $$\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|"
        r"\,e\in p}\Big(w_e\,\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)\,x_p"
        r"\prod_{f\in p,f\ne e}w_f$$",
        SMOOTH_RELU,
        ("lj22.eq1.b",),
        measure=derivative_repaired,
        pool=RELU_PATHS,
        repairs="lj22.eq3",
        expanded=True,
    ),
    Claim(
        "lj22.pullback",
        Kind.IDENTITY,
        both("Section 3, sketch of the decomposition"),
        "pulling a weight through an activation",
        r"For a positively homogeneous activation, "
        r"$a\cdot\sigma(x)=\mathrm{sgn}(a)\cdot\sigma(x|a|)$.",
        (CHOSEN_HOMOGENEOUS,),
        measure=pulled_through,
        pool=Pool(losses=("prescribed",), largest=1, examples=(1,), adapt=choose_factor),
        exact_only=True,
        proof=pullback_by_signs,
    ),
)
