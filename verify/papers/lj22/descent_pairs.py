"""Appendix F of the earlier version: gradient descent, pairs of vertices, (81) to (85)."""

from dataclasses import replace

from verify.claim import Claim, Kind
from verify.network_hypotheses import BIAS_FREE, INCIDENT_LEARNABLE
from verify.pair_hypotheses import PAIR_EXISTS, equal_patterns
from verify.papers.lj22 import descent_formulas as formulas
from verify.papers.lj22.descent import DESCENT, INDEX, PATHS, POOL, VARIANTS
from verify.papers.lj22.descent_proofs import same_sum, squares
from verify.papers.lj22.sources import earlier
from verify.steps import EQUAL_PATTERN_STEPS

AT_PAIR = (PAIR_EXISTS, INCIDENT_LEARNABLE, BIAS_FREE, *DESCENT)
JAGGED = (PAIR_EXISTS, INCIDENT_LEARNABLE, *PATHS)
# by the second reading of equal patterns leaky ReLU would have one: see lj22.lemma2b
ALIKE = (equal_patterns("A"), EQUAL_PATTERN_STEPS, *AT_PAIR)

COORDINATE = {
    "A": r"$[\alpha]_p$ of a jagged path is that of the path through the first vertex of $p_2$",
    "B": r"$[\alpha]_p$ of a jagged path is that of the path through the last vertex of $p_1$",
}
PAIR_LEFT = (
    r"\sum_{a\in\mathrm{IN}}w_{av}(t+1)w_{au}(t+1)-w_{av}(0)w_{au}(0)-\sum_{\tau=0}^t\eta(\tau)^2"
    r"[d(w(\tau))]_{av}[d(w(\tau))]_{au}"
)
PAIR_IN = (
    r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{a\in\mathrm{IN}}w_{av}(\tau)[d(w(\tau))]_{au}+w_{au}(\tau)"
    r"[d(w(\tau))]_{av}"
)
PAIR_PATHS = r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{p\in\mathcal A}\frac1n\sum_{j=1}^nd_{j,p}(w(\tau))"
PAIR_OUT = (
    r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{b\in\mathrm{OUT}}w_{vb}(\tau)[d(w(\tau))]_{ub}+w_{ub}(\tau)"
    r"[d(w(\tau))]_{bv}"
)
PAIR_RIGHT = (
    r"\sum_{b\in\mathrm{IN}_v}w_{vb}(t+1)w_{ub}(t+1)-w_{vb}(0)w_{ub}(0)-\sum_{\tau=0}^t"
    r"\eta(\tau)^2[d(w(\tau))]_{vb}[d(w(\tau))]_{ub}"
)
JAGGED_SET = (
    r" where $\mathcal A=\{p_1\cup p_2\mid p_1$ is a path from $I$ to $v$ or $u$; $p_2$ is a path "
    r"from $u$ or $v$, respectively, to $O\}$."
)
PAIR_WORDS = r"For $u$, $v$ with the same in- and out-vertices, "


PAIR_FIRST = Claim(
    "lj22v1.gd-82",
    Kind.IDENTITY,
    earlier("Appendix F, (81) = (82)"),
    "pair form, first equality",
    rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_IN}$$",
    AT_PAIR,
    ("lj22v1.gd",),
    measure=formulas.pair_in_as_printed,
    pool=POOL,
)
PAIR_FIRST_FIX = replace(
    PAIR_FIRST,
    id="lj22v1.gd-82.fix",
    title="pair form, first equality, with the factor 1",
    statement=rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_IN.replace('-2', '-', 1)}$$",
    measure=formulas.pair_in_repaired,
    repairs="lj22v1.gd-82",
    expanded=True,
    proof=squares("pair_in_repaired"),
)


def _jagged_in(reading: str, variant: str) -> Claim:
    return Claim(
        f"lj22v1.gd-83@{reading}{variant}",
        Kind.IDENTITY,
        earlier("Appendix F, (82) = (83)"),
        "pair form, jagged paths",
        rf"{PAIR_WORDS}$${PAIR_IN}={PAIR_PATHS}$${JAGGED_SET}",
        JAGGED,
        ("lj22v1.gd-82",),
        measure=lambda scene: formulas.pair_jagged_in(scene, reading, variant),
        pool=POOL,
        reading=f"{reading}{variant}",
        reading_text=f"{COORDINATE[reading]}; {VARIANTS[variant]}",
        signed=True,
    )


def _jagged_out(reading: str, variant: str) -> Claim:
    return replace(
        _jagged_in(reading, variant),
        id=f"lj22v1.gd-84@{reading}{variant}",
        source=earlier("Appendix F, (83) = (84)"),
        title="pair form, out-edges",
        statement=rf"{PAIR_WORDS}$${PAIR_PATHS}={PAIR_OUT}$${JAGGED_SET}",
        depends=(f"lj22v1.gd-83@{reading}{variant}",),
        measure=lambda scene: formulas.pair_jagged_out(scene, reading, variant),
    )


def _by_products(claim: Claim, reading: str, formula: str) -> Claim:
    """The repair: products of the weights themselves in the place of absolute values."""
    measure = getattr(formulas, formula)
    return replace(
        claim,
        id=f"{claim.id}.fix",
        title=f"{claim.title}, with products of the weights themselves",
        statement=f"{claim.statement} Repaired: {VARIANTS['A']}.",
        depends=("lj22v1.gd-82.fix",),
        measure=lambda scene: measure(scene, reading, "A"),
        repairs=claim.id,
    )


IN_AND_OUT = Claim(
    "lj22v1.gd-84.b",
    Kind.IDENTITY,
    earlier("Appendix F, (82) = (84)"),
    "pair form, in-edges and out-edges",
    rf"{PAIR_WORDS}$${PAIR_IN}={PAIR_OUT}$$",
    AT_PAIR,
    ("lj22v1.gd",),
    measure=formulas.pair_in_and_out,
    pool=POOL,
)
ALIKE_WORDS = (
    r" Repaired: for $u$ and $v$ that have the same activation pattern as each other on each "
    "example at every step."
)


def _last(index: str) -> Claim:
    return Claim(
        f"lj22v1.gd-85@{index}",
        Kind.IDENTITY,
        earlier("Appendix F, (84) = (85)"),
        "pair form, last equality",
        rf"{PAIR_WORDS}$${PAIR_OUT}={PAIR_RIGHT}$$",
        AT_PAIR,
        ("lj22v1.gd",),
        measure=lambda scene: formulas.pair_last(scene, index),
        pool=POOL,
        reading=index,
        reading_text=INDEX[index],
    )


LAST_FIX = replace(
    _last("B"),
    id="lj22v1.gd-85@B.fix",
    title="pair form, last equality, with the factor 1",
    statement=rf"{PAIR_WORDS}$${PAIR_OUT.replace('-2', '-', 1)}={PAIR_RIGHT}$$",
    measure=formulas.pair_last_repaired,
    repairs="lj22v1.gd-85@B",
    expanded=True,
    proof=squares("pair_last_repaired"),
)


def _both_ends(index: str) -> Claim:
    return Claim(
        f"lj22v1.gd-85.b@{index}",
        Kind.IDENTITY,
        earlier("Appendix F, (81) = (85)"),
        "matrix invariance with slack terms",
        rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_RIGHT}$$ thus recovering the matrix invariance of Ji & "
        "Telgarsky (2019) equation C.9.",
        AT_PAIR,
        ("lj22v1.gd-84.b",),
        measure=formulas.pair_same_end if index == "A" else formulas.pair_both_ends,
        pool=POOL,
        reading=index,
        reading_text=INDEX[index],
        proof=same_sum("pair_same_end") if index == "A" else None,
    )


EARLIER = [(reading, variant) for reading in "AB" for variant in ("B1", "B2")]

CLAIMS = (
    PAIR_FIRST,
    PAIR_FIRST_FIX,
    *(_jagged_in(*both) for both in EARLIER),
    _by_products(_jagged_in("A", "B1"), "A", "pair_jagged_in"),
    *(_jagged_out(*both) for both in EARLIER),
    _by_products(_jagged_out("B", "B1"), "B", "pair_jagged_out"),
    IN_AND_OUT,
    replace(
        IN_AND_OUT,
        id="lj22v1.gd-84.b.fix",
        title="pair form, in-edges and out-edges, for equal patterns",
        statement=IN_AND_OUT.statement + ALIKE_WORDS,
        hypotheses=ALIKE,
        repairs="lj22v1.gd-84.b",
        expanded=True,
    ),
    *(_last(index) for index in INDEX),
    LAST_FIX,
    *(_both_ends(index) for index in INDEX),
    replace(
        _both_ends("B"),
        id="lj22v1.gd-85.b@B.fix",
        title="matrix invariance with slack terms, for equal patterns",
        statement=_both_ends("B").statement + ALIKE_WORDS,
        hypotheses=ALIKE,
        repairs="lj22v1.gd-85.b@B",
        expanded=True,
    ),
)
