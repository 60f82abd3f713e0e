"""Arguments for the steps of the proof of Proposition 18, part 1, that are algebra."""

from __future__ import annotations

from math import prod

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE, SymbolScene

EVERY_DEPTH = "for every depth: computed for depths up to %d"
POWERS = "numbers at least 0 compare as their L-th powers"
EXPONENT = "for s > 0 the equation holds if its L-th power does"


def masks_are_idempotent_for_relu() -> Argument:
    """The entries of D are 0 and 1, the roots of d d = d."""
    ring = ring_of(1)
    (slope,) = ring.generators
    values = ring.derivative(slope, 0), slope * 0
    steps = tuple(
        Step(f"d d = d for d = {word}", ring.is_zero(value * value - value))
        for word, value in zip(("1", "0"), values, strict=True)
    )
    return Argument(
        "the slopes of the ReLU are 1 and 0",
        steps,
        ("D D is the diagonal matrix of the squares",),
        ("fully connected", "ReLU", "smooth at the points"),
        section="docs/mathematics/j23.md#proposition-9-part-1",
    )


def product_bounds_the_form() -> Argument:
    """v^T J u = <y, D x> = <D y, D x> for x = W_l ... W_1 u and y = W_(l+1)^T ... W_L^T v."""
    steps = []
    for size in (1, 2, 3):
        axes = dict.fromkeys("dxy", ("n", "one"))
        scene = SymbolScene(axes, {"n": size, "one": 1})
        d, x, y = (scene[name] for name in "dxy")
        difference = (y * (d * x) - (d * y) * (d * x)).sum() - (y * x * (d - d * d)).sum()
        steps.append(
            Step(
                f"<y, D x> - <D y, D x> is the sum of x_i y_i (d_i - d_i^2), n = {size}",
                scene.ring.is_zero(difference),
            )
        )
    return Argument(
        "D D = D makes v^T J u an inner product of the two vectors whose lengths are on the right",
        (*steps, *masks_are_idempotent_for_relu().steps),
        ("the inequality of Cauchy and Schwarz", EVERY_SHAPE),
        ("fully connected", "ReLU", "smooth at the points"),
        section="docs/mathematics/j23.md#proposition-9-part-1",
    )


def product_telescopes() -> Argument:
    """The product of the p_(l-1)^2/p_l^2 is |u|^2/|J u|^2."""
    steps = []
    for depth in range(1, 6):
        ring = ring_of(depth + 1)
        lengths = ring.generators[: depth + 1]
        above = prod(lengths[:-1], start=lengths[-1])
        below = prod(lengths[1:], start=lengths[0])
        steps.append(
            Step(
                f"prod p_(l-1)^2 |Ju|^2 = prod p_l^2 |u|^2, L = {depth}",
                ring.is_zero(above - below),
            )
        )
    return Argument(
        "the sum of the ratios is at least L times the root of order L of their product, which "
        "telescopes",
        tuple(steps),
        ("the arithmetic mean is at least the geometric mean", EVERY_DEPTH % 5, POWERS),
        ("u is moved",),
        section="docs/mathematics/j23.md#proposition-9-part-1",
    )


def terms_are_bounded() -> Argument:
    """Term by term, by the bound of the second display."""
    steps = []
    for depth in range(1, 5):
        ring = ring_of(2 * depth + 2)
        p, q, form = (
            ring.generators[: depth + 1],
            ring.generators[depth + 1 : -1],
            ring.generators[-1],
        )
        rest = [prod((*p[1:k], *p[k + 1 :]), start=p[0] ** 0) for k in range(1, depth + 1)]
        left = sum(p[k - 1] * q[k - 1] for k in range(1, depth + 1)) * prod(p[1:], start=p[0] ** 0)
        right = form * sum(p[k - 1] * rest[k - 1] for k in range(1, depth + 1))
        terms = sum(p[k - 1] * (p[k] * q[k - 1] - form) * rest[k - 1] for k in range(1, depth + 1))
        steps.append(
            Step(
                "the slack times all p_l^2 is the sum of p_(l-1)^2 (p_l^2 q_l^2 - (v^T J u)^2) "
                f"times squares, L = {depth}",
                ring.is_zero(left - right - terms),
            )
        )
    return Argument(
        "each factor p_l^2 q_l^2 - (v^T J u)^2 is at least 0 by the second display, for the ReLU; "
        "p_l and q_l are the lengths there",
        (*steps, *product_bounds_the_form().steps),
        ("the inequality of Cauchy and Schwarz", EVERY_SHAPE, EVERY_DEPTH % 4),
        ("fully connected", "ReLU", "smooth at the points", "u is moved"),
        section="docs/mathematics/j23.md#proposition-9-part-1",
        cites=("j23.prop9.prod@B.fix", "j23.prop9.formula@B"),
    )


def last_step_for_unit_vectors() -> Argument:
    """With |u|^2 = 1 the two sides are the same."""
    ring = ring_of(2)
    form, square = ring.generators
    slack = form * form * square - form * form
    step = Step(
        "(v^T J u)^2 |u|^2 - (v^T J u)^2 is (v^T J u)^2 (|u|^2 - 1), which is 0 for |u| = 1",
        ring.is_zero(slack - form * form * (square - 1)),
    )
    return Argument(
        "for a unit vector u both sides are equal",
        (step,),
        (POWERS,),
        ("unit vectors", "u is moved"),
        section="docs/mathematics/j23.md#proposition-9-part-1",
    )


def bound_of_singular_vectors() -> Argument:
    """J u = s v gives v^T J u = s |v|^2 and |J u|^2 = s^2 |v|^2."""
    steps = []
    for size in (1, 2, 3):
        scene = SymbolScene({"v": ("n", "one"), "s": ("one", "one")}, {"n": size, "one": 1})
        v, s = scene["v"], scene["s"]
        moved = v @ s
        square = (v * v).sum()
        form = (scene.transpose(v) @ moved)[0, 0, 0] - s[0, 0, 0] * square
        length = (moved * moved).sum() - s[0, 0, 0] * s[0, 0, 0] * square
        words = f"{size} output{'s' * (size > 1)}"
        steps.append(Step(f"v^T (s v) = s |v|^2, {words}", scene.ring.is_zero(form)))
        steps.append(Step(f"|s v|^2 = s^2 |v|^2, {words}", scene.ring.is_zero(length)))
    return Argument(
        "with |v| = 1 the left side to the power L is L^L s^(2L) / s^2",
        tuple(steps),
        (EXPONENT, EVERY_SHAPE),
        ("singular vectors",),
        section="docs/mathematics/j23.md#proposition-9-part-1",
    )
