"""Section 4.1 and Claims 1 and 2: curves that converge in direction, and their signs."""

from functools import partial

from verify.claim import Claim, Kind
from verify.curves import (
    CONVERGES_IN_DIRECTION,
    CURVES,
    DIRECTION_WORDS,
    NO_ZERO_IN_LIMIT,
    NOT_CONSTANT,
    RAYS,
    SETTLING,
    as_vectors,
    of_curves,
)
from verify.papers.lj22.direction_measures import (
    IN_BALL,
    IN_ORTHANT,
    NO_ZERO_ENTRY,
    NOT_THE_ZERO_VECTOR,
    direction_late_in_ball,
    does_not_recur,
    late_in_ball,
    printed_everywhere,
    printed_off_zeros,
    settles_to_zero_with_signs,
    signs_stay,
)
from verify.papers.lj22.direction_proofs import ball_in_orthant, recurrence_of_printed, stable_signs
from verify.papers.lj22.sources import both
from verify.stated import stated
from verify.tensor_pool import TensorPool

LATE = (
    "the late signs, the limit direction and the recurrence of a curve are told by its leading "
    "coefficients (docs/mathematics.md, 7)"
)
VECTOR = TensorPool(arrays=(("v", ("entry",)),), largest=9, adapt=as_vectors)
VECTORS = TensorPool(arrays=(("v", ("entry",)), ("u", ("entry",))), largest=6, adapt=as_vectors)


BALL = r"with $v$ the limit direction and $\mathcal B$ the ball of radius $\min_i|v_i|/2$ around it"
PRINTED = (
    r"There exists a function $w:\mathbb R\to\mathbb R^d$ such that $w(t)$ converges in direction "
    r"to some vector $v$ but for all $u\in w(\mathbb R)$, $w^{-1}(u)$ has infinitely many "
    r"elements. Witness: $t\mapsto v\,|t\sin(t)|$ for a fixed vector $v\in\mathbb R^d$."
)


def _claim2(reading: str) -> Claim:
    return Claim(
        f"lj22.claim2.a@{reading}",
        Kind.IDENTITY,
        both("Claim 2, first sentence, and its proof"),
        "a curve that converges in direction and returns to each of its points forever",
        PRINTED,
        (NOT_THE_ZERO_VECTOR,),
        ("lj22.ass2",),
        measure=printed_everywhere if reading == "A" else printed_off_zeros,
        pool=VECTOR,
        reading=reading,
        reading_text=DIRECTION_WORDS[reading],
        exact_only=True,
        proof=None if reading == "A" else recurrence_of_printed,
        through=LATE,
        why=r"at the multiples of $\pi$ the curve is at $0$ and $w(t)/\|w(t)\|_2$ not defined"
        if reading == "A"
        else "",
    )


CLAIMS = (
    Claim(
        "lj22.ass2",
        Kind.ASSUMPTION,
        both("Assumption 2"),
        "directional convergence to a limit without zeros",
        r"$\frac{w(t)}{\lVert w(t)\rVert_2}\xrightarrow{t\to\infty}\bar w$ exists, is finite in "
        r"each entry and furthermore, for all $e\in E$, $\bar w_e\ne0$.",
    ),
    Claim(
        "lj22.rem-sign",
        Kind.EXISTENCE,
        both("Section 4.1, motivation and justification"),
        "directional convergence alone does not imply stable signs",
        r"There are curves $w(t)$ whose direction $w(t)/\lVert w(t)\rVert_2$ converges while a "
        r"weight that converges to $0$ changes sign an infinite number of times.",
        (CONVERGES_IN_DIRECTION,),
        ("lj22.ass1", "lj22.ass2"),
        measure=of_curves(settles_to_zero_with_signs),
        through=LATE,
        negated="on every curve with a direction each weight that tends to $0$ keeps its sign late",
        pool=SETTLING,
        exact_only=True,
    ),
    Claim(
        "lj22.claim1@A",
        Kind.IDENTITY,
        both("Claim 1"),
        "directional convergence to a limit without zeros implies stable signs",
        r"Assumption 2 implies Assumption 1: if $w(t)/\lVert w(t)\rVert_2\to\bar w$ with "
        r"$\bar w_e\ne0$ for every $e$, then from some $t_0$ on $\mathrm{sgn}(w(t))="
        r"\mathrm{sgn}(w(t_0))$.",
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        ("lj22.ass1", "lj22.ass2"),
        measure=of_curves(signs_stay),
        pool=CURVES,
        reading="A",
        reading_text=DIRECTION_WORDS["A"],
        exact_only=True,
        proof=partial(stable_signs, "signs_stay"),
        through=LATE,
    ),
    stated(
        "lj22.claim1.ball",
        both("Claim 1, first step of the proof"),
        "a ball inside of an orthant",
        r"The ball of radius $\min_i|v_i|/2$ around $v$ is a subset of the interior of the orthant "
        r"of $v$.",
        IN_ORTHANT,
        (NO_ZERO_ENTRY, IN_BALL),
        pool=VECTORS,
        proof=ball_in_orthant,
    ),
    Claim(
        "lj22.claim1.last",
        Kind.IDENTITY,
        both("Claim 1, last sentence of the proof"),
        "the weights come to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)\in\mathcal B$, where its signs stay "
        r"constant.",
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        ("lj22.claim1.ball",),
        measure=of_curves(late_in_ball),
        pool=CURVES,
        exact_only=True,
        through=LATE,
        why=r"it is $w(s)/\|w(s)\|_2$ that lies in $\mathcal B$; $w(s)$ itself may grow or shrink",
    ),
    Claim(
        "lj22.claim1.last.fix",
        Kind.IDENTITY,
        both("Claim 1, last sentence of the proof"),
        "the direction of the weights comes to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)/\lVert w(s)\rVert_2\in\mathcal B$, and "
        r"the signs of $w(s)$ stay constant.",
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        ("lj22.claim1.ball",),
        measure=of_curves(direction_late_in_ball),
        through=LATE,
        pool=CURVES,
        exact_only=True,
        proof=partial(stable_signs, "direction_late_in_ball"),
        repairs="lj22.claim1.last",
    ),
    Claim(
        "lj22.claim2.exists",
        Kind.EXISTENCE,
        both("Claim 2, first sentence"),
        "a curve with a direction that returns to each of its points forever",
        r"There exists a function $w:\mathbb R\to\mathbb R^d$ such that $w(t)$ converges in "
        r"direction to some vector $v$ but for all $u\in w(\mathbb R)$, $w^{-1}(u)$ has infinitely "
        "many elements. (Looked for among curves that are not constant.)",
        (CONVERGES_IN_DIRECTION, NOT_CONSTANT),
        ("lj22.ass2",),
        measure=of_curves(does_not_recur),
        negated="every such curve takes some value finitely often",
        pool=RAYS,
        exact_only=True,
        through=LATE,
    ),
    *(_claim2(reading) for reading in "AB"),
)
