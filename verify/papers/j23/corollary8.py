"""Corollaries 8 and 17: representations have k large singular values on most layers.

The tangent kernel sums over all parameters: what a bound on that trace does not give, one on the
smaller trace, over the weights alone, does not give either.

The matrices V_l of Theorem 6 are any: measured is the least of |W_l - U V^T|_F^2 over pairs of
matrices with k orthonormal columns (reading D there), which is at most that of every other reading.

All inequalities are measured squared, where the numbers under the printed roots are at least 0:
where hypotheses are dropped they may not be, and of such cases nothing is said; nor of cases where
k is above a width, so that there are no k orthonormal columns. "At least (1 - p) L layers for
every p" is measured as in verify.papers.j23.theorem7_measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.balanced import CLIMBED_NOWHERE
from verify.kinds.deep.families import in_families
from verify.kinds.deep.hypotheses import (
    K_AT_LEAST_1,
    KERNEL_BOUND,
    NO_BIASES,
    NORM_BOUND,
    RANK,
    SLOPE,
    SMOOTH,
)
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.some_entries import kept
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_measures import to_free_pair
from verify.papers.j23.theorem7_measures import (
    c1,
    counted,
    growth,
    inverse_k,
    jacobian_power,
    jacobian_square,
    largest,
    mean_activation_square,
    mean_kernel_trace,
    said,
    smallest,
    squared_singular_value,
    total,
    whole_k,
)

SETS = pool(
    depths=(1, 1, 2, 2, 3),
    points=(1, 2, 6, 12),
    gaps=("gap", "gap2"),
    whole=(("k", 0, 3),),
    last=in_families,
)
PLAIN = pool(points=(1, 2, 3), whole=(("k", 0, 3),))
HYPOTHESES = (CLIMBED_NOWHERE, SLOPE, SMOOTH, K_AT_LEAST_1, RANK, NORM_BOUND, KERNEL_BOUND)


# what it is made of -------------------------------------------------------------------------------
def layers(scene: DeepScene) -> range:
    """1 to L."""
    return range(1, scene.depth + 1)


def representation_square(scene: DeepScene, layer: int) -> Array:
    """(C,): s_(k+1)(alpha~_l(X) / sqrt N)^2."""
    square = squared_singular_value(scene, scene.pre(layer), whole_k(scene) + 1)
    return scene.share(square, Fraction(1, scene.count))


def weight_value_square(scene: DeepScene, layer: int) -> Array:
    """(C,): s_(k+1)(W_l)^2."""
    return squared_singular_value(scene, scene.weight(layer), whole_k(scene) + 1)


def activation_norm_square(scene: DeepScene, layer: int) -> Array:
    """(C,): |alpha_l(X) / sqrt N|_op^2."""
    first = squared_singular_value(scene, scene.post(layer), whole_k(scene) * 0 + 1)
    return scene.share(first, Fraction(1, scene.count))


def jacobian_squares(scene: DeepScene) -> list[Array]:
    """(C,) each: |Jf(x_i)|_+^2."""
    return [jacobian_square(scene, at) for at in range(scene.count)]


def kernel_bound(scene: DeepScene) -> Array:
    """(C,): c L = Tr Theta(X, X) / N + gap2."""
    return mean_kernel_trace(scene) + scene["gap2"]


def norm_excess(scene: DeepScene) -> Array:
    """(C,): c_1 - 2 log max_i |Jf(x_i)|_+."""
    return c1(scene) - scene.log(largest(scene, jacobian_squares(scene)))


def bound_by_least(scene: DeepScene, *, at_least_1: bool) -> Array:
    """(C,): c L max{1, e^(c_1/k)} / (k min_i |Jf(x_i)|_+^(2/k)), or with e^(c_1/k) alone."""
    front = kernel_bound(scene) * growth(scene, at_least_1=at_least_1)
    least = jacobian_power(scene, smallest(scene, jacobian_squares(scene)))
    return front * inverse_k(scene) / least


def bound_by_mean(scene: DeepScene, *, at_least_1: bool) -> Array:
    """(C,): the mean over the points of c L max{1, e^(c_1/k)} / (k |Jf(x_i)|_+^(2/k))."""
    front = kernel_bound(scene) * growth(scene, at_least_1=at_least_1)
    one = scene.constant(1)
    inverses = [one / jacobian_power(scene, square) for square in jacobian_squares(scene)]
    return front * inverse_k(scene) * scene.share(total(inverses), Fraction(1, scene.count))


def defined(scene: DeepScene, entries: Entries, *radicands: Array) -> Entries:
    """The entries of the cases where all these numbers under roots are at least 0."""
    for radicand in radicands:
        entries = kept(entries, ~scene.arithmetic.is_negative(radicand)[entries.owner])
    return entries


def with_families(scene: DeepScene, entries: Entries) -> Entries:
    """The entries of the cases where every width is at least k."""
    least = min(scene.width(layer) for layer in range(scene.depth + 1))
    return kept(entries, (whole_k(scene) <= least)[entries.owner])


# Corollary 8 --------------------------------------------------------------------------------------
def representation_count(scene: DeepScene, *, at_least_1: bool) -> Entries:
    """For every p, squared: L times c L (c_1 - 2 log max |Jf|_+) e^(c_1/k) / (k L min |Jf|^(2/k)),
    minus m^2 times the m-th largest s_(k+1)(alpha~_l(X) / sqrt N)^2."""
    bound = bound_by_least(scene, at_least_1=at_least_1) * norm_excess(scene)
    values = [representation_square(scene, layer) for layer in layers(scene)]
    return defined(scene, said(scene, scene.parts(counted(scene, values, bound, power=2))), bound)


RIGHT = (
    r"\sqrt{\frac{c\,(c_1-2\log\max_i|Jf_\theta(x_i)|_+)\,%s}"
    r"{k\,\min_i|Jf_\theta(x_i)|_+^{2/k}}}\ \frac1{p\sqrt L}"
)
GROWTH = "e^{c_1/k}"
AT_LEAST_1 = r"\max\{1,e^{c_1/k}\}"
SUPPOSED = (
    r"Given balanced parameters with $\lVert\theta\rVert^2\le kL+c_1$ and points $x_1,\dots,x_N$ "
    r"with $\mathrm{Rank}\,Jf_\theta(x_i)=k\ge1$ and "
    r"$\frac1N\mathrm{Tr}[\Theta^{(L)}(X,X)]\le cL$, for all $p\in(0,1)$ there are at least "
    r"$(1-p)L$ layers such that "
)
REPRESENTATION = r"$s_{k+1}\Big(\tfrac1{\sqrt N}\tilde\alpha_\ell(X)\Big)\le"
PRINTED = Claim(
    "j23.cor8@A",
    Kind.INEQUALITY,
    printed("Corollary 8, Corollary 17"),
    "small singular values of the representations",
    f"{SUPPOSED}{REPRESENTATION}{RIGHT % GROWTH}$.",
    HYPOTHESES,
    measure=partial(representation_count, at_least_1=False),
    pool=SETS,
    reading="A",
    reading_text="the tangent kernel sums over all parameters",
    exact_only=True,
    floats=True,
    why=r"$c_1$ may be negative, and then $e^{c_1/k}$ is below $1$: Theorem 7, from which this is "
    r"taken, has $\max\{1,e^{c_1/k}\}$",
)
REPAIRED = replace(
    PRINTED,
    id="j23.cor8@A.fix",
    title="small singular values of the representations, with the constant of Theorem 7",
    statement=PRINTED.statement.replace(GROWTH, AT_LEAST_1),
    measure=partial(representation_count, at_least_1=True),
    repairs=PRINTED.id,
    why="",
)


# its steps ----------------------------------------------------------------------------------------
def _by_layer(scene: DeepScene, sides: Callable[[int], tuple[Array, Array]]) -> Entries:
    entries = scene.parts([({"layer": layer}, *sides(layer)) for layer in layers(scene)])
    return said(scene, entries)


def bias_defect(scene: DeepScene) -> Entries:
    """|alpha~_l(X) - W_l alpha_(l-1)(X)|_F^2."""

    def sides(layer: int) -> tuple[Array, Array]:
        product = scene.post(layer - 1) @ scene.transpose(scene.weight(layer))
        square = scene.frobenius_squared(scene.pre(layer) - product)
        return square, scene.constant(0)

    return _by_layer(scene, sides)


def product_slack(scene: DeepScene) -> Entries:
    """s_(k+1)(W_l)^2 |alpha_(l-1)(X) / sqrt N|_op^2 - s_(k+1)(alpha~_l(X) / sqrt N)^2."""
    return _by_layer(
        scene,
        lambda layer: (
            weight_value_square(scene, layer) * activation_norm_square(scene, layer - 1),
            representation_square(scene, layer),
        ),
    )


def cauchy_schwarz(scene: DeepScene) -> Entries:
    """The product of the sums of squares minus the square of the sum of products."""
    weights = [weight_value_square(scene, layer) for layer in layers(scene)]
    norms = [activation_norm_square(scene, layer - 1) for layer in layers(scene)]
    products = [scene.sqrt(w * a) for w, a in zip(weights, norms, strict=True)]
    whole = total(products)
    return said(scene, scene.compare(total(weights) * total(norms), whole * whole))


def frobenius_slack(scene: DeepScene) -> Entries:
    """The same with |W_l - U V^T|_F and Frobenius norms, minus that with s_(k+1) and |.|_op."""
    weights = [weight_value_square(scene, layer) for layer in layers(scene)]
    norms = [activation_norm_square(scene, layer - 1) for layer in layers(scene)]
    entries = scene.compare(_frobenius_product(scene), total(weights) * total(norms))
    return with_families(scene, said(scene, entries))


def _frobenius_product(scene: DeepScene) -> Array:
    distances = [to_free_pair(scene, layer) for layer in layers(scene)]
    norms = [mean_activation_square(scene, layer - 1) for layer in layers(scene)]
    return total(distances) * total(norms)


def theorem_slack(scene: DeepScene, *, least: bool = False) -> Entries:
    """The bounds of Theorems 6 and 7, multiplied, minus what they bound; least: with the smallest
    |Jf(x_i)|_+ in the place of the mean over the points."""
    bound = (bound_by_least if least else bound_by_mean)(scene, at_least_1=True)
    excess = norm_excess(scene)
    entries = said(scene, scene.compare(bound * excess, _frobenius_product(scene)))
    return with_families(scene, defined(scene, entries, bound, excess))


def layer_count(scene: DeepScene, *, mended: bool = False) -> Entries:
    """For every p, squared: L times the bound on the sum minus m^2 times the m-th largest
    s_(k+1)(W_l)^2 |alpha_(l-1)(X) / sqrt N|_op^2."""
    find = bound_by_least if mended else bound_by_mean
    front, excess = find(scene, at_least_1=mended), norm_excess(scene)
    values = [
        weight_value_square(scene, layer) * activation_norm_square(scene, layer - 1)
        for layer in layers(scene)
    ]
    entries = said(scene, scene.parts(counted(scene, values, front * excess, power=2)))
    return defined(scene, entries, front, excess)


def least_slack(scene: DeepScene) -> Entries:
    """The bound with the smallest |Jf(x_i)|_+ minus the mean over the points."""
    least, mean = (find(scene, at_least_1=False) for find in (bound_by_least, bound_by_mean))
    return defined(scene, said(scene, scene.compare(least, mean)), least)


FIRST, SECOND, THIRD = (f"proof of Corollary 17, {n} display" for n in ("first", "second", "third"))
NORMED = r"\lVert\tfrac1{\sqrt N}\alpha_{\ell-1}(X)\rVert"
VALUE = r"s_{k+1}(W_\ell)"
EXCESS = r"c_1-2\log\max_i|Jf_\theta(x_i)|_+"


def _step(
    name: str,
    place: str,
    title: str,
    statement: str,
    measure: Callable[[DeepScene], Entries],
    general: bool = False,
) -> Claim:
    return Claim(
        f"j23.cor8.steps.{name}",
        Kind.INEQUALITY,
        printed(place),
        title,
        statement,
        (SLOPE, SMOOTH, K_AT_LEAST_1) if general else HYPOTHESES,
        measure=measure,
        pool=PLAIN if general else SETS,
        exact_only=True,
        floats=True,
    )


PRODUCT = _step(
    "sv.b",
    FIRST,
    "singular values of a product",
    r"$s_{k+1}(\tfrac1{\sqrt N}\tilde\alpha_\ell(X))\le " + VALUE + NORMED + "_{op}$.",
    product_slack,
    general=True,
)
PRODUCT_AS_PRINTED = replace(
    PRODUCT,
    why=r"the biases are left out, which add a matrix of rank one to $W_\ell\alpha_{\ell-1}(X)$",
)
NO_SHIFT = replace(
    PRODUCT,
    id="j23.cor8.steps.sv.a",
    kind=Kind.IDENTITY,
    title="pre-activations as a product",
    why=r"the biases are left out: $\tilde\alpha_\ell(X)=W_\ell\alpha_{\ell-1}(X)+b_\ell1^T$",
    statement=r"$\tilde\alpha_\ell(X)=W_\ell\alpha_{\ell-1}(X)$; measured is the squared norm of "
    "the difference.",
    hypotheses=(SLOPE,),
    measure=bias_defect,
    exact_only=False,
    floats=False,
)
SUM = _step(
    "sum.c",
    SECOND,
    "the sums by Theorems 6 and 7",
    r"$\sqrt{\sum_\ell\lVert W_\ell-V_\ell V_{\ell-1}^T\rVert_F^2}\sqrt{\sum_\ell"
    + NORMED
    + r"_F^2}\le\sqrt{"
    + EXCESS
    + r"}\sqrt{\frac1N\sum_i\frac{cL\max\{1,e^{c_1/k}\}}{k|Jf_\theta(x_i)|_+^{2/k}}}$.",
    theorem_slack,
)
LAYERS = _step(
    "layers.a",
    THIRD,
    "most layers by the sum",
    rf"For every $p\in(0,1)$ there are at least $(1-p)L$ layers where ${VALUE}{NORMED}_{{op}}\le"
    rf"\sqrt{{{EXCESS}}}"
    r"\sqrt{\frac1N\sum_i\frac{c\,e^{c_1/k}}{k|Jf_\theta(x_i)|_+^{2/k}}}\frac1{p\sqrt L}$.",
    layer_count,
)


ONE_FAR_POINT = (
    "$c$ bounds the mean of the traces over the points, not each of them: one far point, of "
    r"a large trace, where $|Jf_\theta(x_i)|_+$ is small outweighs the others"
)
STEPS = (
    NO_SHIFT,
    replace(
        NO_SHIFT,
        id="j23.cor8.steps.sv.a.fix",
        title="pre-activations as a product, without biases",
        why="",
        statement="Without biases " + NO_SHIFT.statement,
        hypotheses=(SLOPE, NO_BIASES),
        repairs=NO_SHIFT.id,
    ),
    PRODUCT_AS_PRINTED,
    replace(
        PRODUCT,
        id="j23.cor8.steps.sv.b.fix",
        title="singular values of a product, without biases",
        statement="Without biases " + PRODUCT.statement,
        hypotheses=(*PRODUCT.hypotheses, NO_BIASES),
        repairs=PRODUCT.id,
    ),
    _step(
        "sum.a",
        SECOND,
        "the sum by Cauchy and Schwarz",
        rf"$\sum_\ell {VALUE}{NORMED}_{{op}}\le\sqrt{{\sum_\ell {VALUE}^2}}"
        rf"\sqrt{{\sum_\ell{NORMED}_{{op}}^2}}$.",
        cauchy_schwarz,
        general=True,
    ),
    _step(
        "sum.b",
        SECOND,
        "Frobenius norms in the sums",
        rf"$\sqrt{{\sum_\ell {VALUE}^2}}\sqrt{{\sum_\ell{NORMED}_{{op}}^2}}\le"
        rf"\sqrt{{\sum_\ell\lVert W_\ell-V_\ell V_{{\ell-1}}^T\rVert_F^2}}"
        rf"\sqrt{{\sum_\ell{NORMED}_F^2}}$.",
        frobenius_slack,
    ),
    replace(SUM, why=ONE_FAR_POINT),
    replace(
        SUM,
        id="j23.cor8.steps.sum.c.fix",
        title="the sums by Theorems 6 and 7, with the least Jacobian",
        statement=r"$\sqrt{\sum_\ell\lVert W_\ell-V_\ell V_{\ell-1}^T\rVert_F^2}\sqrt{\sum_\ell"
        + NORMED
        + r"_F^2}\le\sqrt{"
        + EXCESS
        + r"}\sqrt{\frac{cL\max\{1,e^{c_1/k}\}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}$.",
        measure=partial(theorem_slack, least=True),
        repairs=SUM.id,
    ),
    replace(LAYERS, why=ONE_FAR_POINT),
    replace(
        LAYERS,
        id="j23.cor8.steps.layers.a.fix",
        title="most layers by the sum, with the least Jacobian",
        statement=rf"For every $p\in(0,1)$ there are at least $(1-p)L$ layers where "
        rf"${VALUE}{NORMED}_{{op}}\le\sqrt{{{EXCESS}}}"
        r"\sqrt{\frac{c\max\{1,e^{c_1/k}\}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}\frac1{p\sqrt L}$.",
        measure=partial(layer_count, mended=True),
        repairs=LAYERS.id,
    ),
    _step(
        "layers.b",
        THIRD,
        "the least Jacobian in the place of the mean",
        r"$\sqrt{\frac1N\sum_i\frac{c\,e^{c_1/k}}{k|Jf_\theta(x_i)|_+^{2/k}}}\le"
        r"\sqrt{\frac{c\,e^{c_1/k}}{k\min_i|Jf_\theta(x_i)|_+^{2/k}}}$.",
        least_slack,
    ),
)
CLAIMS = (PRINTED, REPAIRED, *STEPS)
