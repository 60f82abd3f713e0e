"""Appendix C, equations (31), (33) to (39) and (51): velocities as sums over paths."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from verify.cases.pool import Pool
from verify.core.claim import Claim
from verify.language.building import Rate, Sum, grad, into, out_of, paths, sign, w
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.lj22 import velocity_proofs
from verify.papers.lj22.graph_terms import F, one_layer
from verify.papers.lj22.invariances import FLOW, LAYER_WORDS
from verify.papers.lj22.path_terms import (
    DERIVATIVE_OF_TREE,
    along,
    along_others,
    kappa,
    mean,
    over_paths_through,
    over_paths_with,
    size,
    slopes_along,
    x_of,
)
from verify.papers.lj22.sketch import GIVEN, at_each_edge, at_each_vertex
from verify.papers.lj22.sources import both
from verify.statements.mending import mended
from verify.statements.network_hypotheses import BIAS_FREE, OWN_PARAMETERS
from verify.statements.stated import stated

PATHS = Pool(largest=6)
LAYERED = Pool(largest=5)


@dataclass(frozen=True)
class Printing:
    """How d_{j,p} of (35) is read, and whether the display is repaired.

    reading: A, products of the weights; B, of their absolute values. In a repaired display the
    sign that the velocity has is put in, and by reading B the tree is that of Lemma 5, to which
    the absolute values belong.
    """

    reading: str
    repaired: bool = False


def by_gradients(printing: Printing) -> Term:
    """(31): dw_e/dt is (1/n) sum_j l' y_j g_j, or minus that."""

    def mended(mean_of: Term) -> Term:
        return -mean_of if printing.repaired else mean_of

    return at_each_edge(lambda e: Rate(w(e)) == mended(mean(lambda j: kappa(j) * grad(e, j))))


def alpha_x(p: Term, j: Term, printing: Printing) -> Term:
    """l' y_j [alpha]_p (x_j)_p, with the sign that the velocity has where that is put in."""
    term = kappa(j) * slopes_along(p, j) * x_of(p, j)
    if printing.repaired and printing.reading == "B":
        term = term * along(p, lambda e: sign(w(e)))
    return -term if printing.repaired else term


def d_of(p: Term, printing: Printing) -> Term:
    """(1/n) sum_j d_{j,p}."""
    factor = w if printing.reading == "A" else size
    return mean(lambda j: alpha_x(p, j, printing) * along(p, factor))


def velocity_by_paths(printing: Printing) -> Term:
    """(33), by reading A: dw_e/dt is a sum over the paths with e."""

    def over(e: Term, j: Term) -> Term:
        return over_paths_with(e, lambda p: alpha_x(p, j, printing) * along_others(p, e, w))

    return at_each_edge(lambda e: Rate(w(e)) == mean(lambda j: over(e, j)))


def weighted_by_paths(printing: Printing) -> Term:
    """(34): w_e dw_e/dt is the sum of d over the paths with e."""
    return at_each_edge(
        lambda e: w(e) * Rate(w(e)) == over_paths_with(e, lambda p: d_of(p, printing))
    )


def rate_of_squares(some: Term) -> Term:
    """d/dt of the sum of the squares of weights."""
    return Rate(Sum(some, lambda e: w(e) ** 2))


def by_in_edges(v: Term, printing: Printing) -> Term:
    """Twice the sum of d over the paths with each in-edge."""
    return 2 * Sum(into(v), lambda e: over_paths_with(e, lambda p: d_of(p, printing)))


def by_vertex(v: Term, printing: Printing) -> Term:
    """Twice the sum of d over the paths through a vertex."""
    return 2 * over_paths_through(v, lambda p: d_of(p, printing))


def rate_by_edges(printing: Printing) -> Term:
    """The first equality of (36) to (39)."""
    return at_each_vertex(lambda v: rate_of_squares(into(v)) == by_in_edges(v, printing))


def paths_counted(printing: Printing) -> Term:
    """The second: each path through v has one of its in-edges."""
    return at_each_vertex(lambda v: by_in_edges(v, printing) == by_vertex(v, printing))


def rate_out(printing: Printing) -> Term:
    """The third."""
    return at_each_vertex(lambda v: rate_of_squares(out_of(v)) == by_vertex(v, printing))


def back_to_in(printing: Printing) -> Term:
    """The fourth."""
    return at_each_vertex(lambda v: by_vertex(v, printing) == rate_of_squares(into(v)))


def layer_by_paths(printing: Printing) -> Term:
    """(51): the sum over F of w dw/dt is that over all paths of d; as printed with (x_j)_p and the
    product of the |w_f| a second time."""

    def of_path(p: Term, j: Term) -> Term:
        once = alpha_x(p, j, printing) * along(p, w)
        return once if printing.repaired else once * x_of(p, j) * along(p, size)

    sums = Sum(paths(), lambda p: mean(lambda j: of_path(p, j)))
    return Sum(F, lambda e: w(e) * Rate(w(e))) == sums


D_WORDS = {
    "A": r"$d_{j,p}$ with $\prod_{f\in p}w_f$ and the tree network $\mu$ of Lemma 1",
    "B": r"$d_{j,p}$ as displayed in (35), with $\prod_{f\in p}|w_f|$ and $\alpha^a\in"
    r"\partial\mu(h(w))$",
}
D_TERM = {
    "A": r"$d_{j,p}(w)=\ell'(y_j\nu(x_j;w))\,y_j\,[\alpha]_p\,(x_j)_p\prod_{f\in p}w_f$",
    "B": r"$d_{j,p}(w)=\ell'(y_j\nu(x_j;w))\,y_j\,[\alpha]_p\,(x_j)_p\prod_{f\in p}|w_f|$",
}
ALPHA = r", $\alpha$ the gradient of the tree network at $h(x_j;w)$."
WITHOUT_EDGE = {
    "A": r"(x_j)_p\prod_{f\in p,f\ne e}w_f",
    "B": r"\mathrm{sgn}(w_e)(x_j)_p\prod_{f\in p,f\ne e}|w_f|",
}
DESCENDS = r"the flow descends, $\frac{dw}{dt}\in-\partial\mathcal R(w)$: a minus sign is missing"
WHY = {
    "A": DESCENDS + ", as in (31)",
    "B": DESCENDS + r"; and the absolute values belong to the tree $\mu'$ of Lemma 5, not to $\mu$",
}
MENDED = {
    "A": " Repaired: with a minus sign, since the flow descends.",
    "B": r" Repaired: with a minus sign, since the flow descends, and $\alpha\in\partial\mu'(h'(w))"
    r"$, the tree of Lemma 5, to which the absolute values belong.",
}


@dataclass(frozen=True)
class Display:
    """One display of the proof, in one reading. proofs: of it, by reading, as repaired. mends:
    whether it needs the sign put in."""

    name: str
    where: str
    title: str
    formula: str
    says: Callable[[Printing], Term]
    proofs: Mapping[str, Callable[[Proof], None]]
    mends: bool = True


def displays(reading: str) -> tuple[Display, ...]:
    """(33), (34) and the four equalities of (36) to (39)."""
    through = r"\sum_{p\in\mathcal P|v\in p}\frac1n\sum_jd_{j,p}"
    rate = r"\frac{d}{dt}\sum_{u\in\mathrm{IN}_v}w_{uv}^2"
    rate_of_out = r"\frac{d}{dt}\sum_{b\in\mathrm{OUT}_v}w_{vb}^2"
    by_edge = r"2\sum_{u\in\mathrm{IN}_v}\sum_{p\in\mathcal P|uv\in p}\frac1n\sum_jd_{j,p}"
    chain = "proof of Lemma 2, (36)-(39), "
    return (
        Display(
            "lj22.eq34.33",
            "proof of Lemma 2, (33)",
            "velocity as a sum over paths",
            r"\frac{dw_e}{dt}=\frac1n\sum_j\ell'(y_j\nu(x_j;w))\,y_j\sum_{p\in\mathcal P|e\in p}"
            rf"[\alpha]_p\,{WITHOUT_EDGE[reading]}",
            velocity_by_paths,
            {"A": velocity_proofs.undivided_velocity},
        ),
        Display(
            "lj22.eq34.34",
            "proof of Lemma 2, (34) and (35)",
            "weight times velocity as a sum over paths",
            r"w_e\frac{dw_e}{dt}=\sum_{p\in\mathcal P|e\in p}\frac1n\sum_{j=1}^nd_{j,p}(w)",
            weighted_by_paths,
            {
                "A": velocity_proofs.velocity_by_paths,
                "B": velocity_proofs.velocity_by_sizes,
            },
        ),
        Display(
            "lj22.eq36-39.a",
            chain + "first equality",
            "rate of the in-weights by the paths through each in-edge",
            f"{rate}={by_edge}",
            rate_by_edges,
            {},
        ),
        Display(
            "lj22.eq36-39.b",
            chain + "second equality",
            "each path through a vertex has one of its in-edges",
            f"{by_edge}=2{through}",
            paths_counted,
            {"A": velocity_proofs.counted},
            mends=False,
        ),
        Display(
            "lj22.eq36-39.c",
            chain + "third equality",
            "rate of the out-weights by the paths through the vertex",
            f"{rate_of_out}=2{through}",
            rate_out,
            {"A": velocity_proofs.of_out_edges},
        ),
        Display(
            "lj22.eq36-39.d",
            chain + "fourth equality",
            "the paths through the vertex and the rate of the in-weights",
            f"2{through}={rate}",
            back_to_in,
            {"A": velocity_proofs.of_in_edges},
        ),
    )


def _claims(display: Display, reading: str) -> tuple[Claim, ...]:
    """A display as printed, and with the sign mended where it is wrong."""
    found = display.proofs.get(reading)
    proofs = [] if found is None else [found]
    printed = stated(
        f"{display.name}@{reading}",
        both(display.where),
        display.title,
        f"For a.e. time, $${display.formula},$$ {D_TERM[reading]}{ALPHA}",
        display.says(Printing(reading)),
        GIVEN,
        depends=("lj22.eq31", f"lj22.eq32.b@{'A' if reading == 'A' else 'B2'}"),
        pool=PATHS,
        proofs=[] if display.mends else proofs,
        through=DERIVATIVE_OF_TREE,
        reading=reading,
        reading_text=D_WORDS[reading],
        why=WHY[reading] if display.mends else "",
    )
    if not display.mends:
        return (printed,)
    repaired = mended(
        printed,
        f"{display.title}, with the sign mended",
        printed.statement + MENDED[reading],
        display.says(Printing(reading, repaired=True)),
        GIVEN,
        proofs=proofs,
    )
    return printed, repaired


LAYERS = (
    r"For a.e. time $s\ge0$ and any layer $F$, $$\sum_{e\in F}w_e\frac{dw_e}{dt}="
    r"%s\sum_{p\in\mathcal P}\frac1n\sum_{j=1}^nd_{j,p}%s,$$ " + D_TERM["A"] + ALPHA
)
OF_LAYERS = stated(
    "lj22.eq51@AB",
    both("proof of Lemma 3, (51) (earlier version: (44))"),
    "double counting of paths for a layer",
    LAYERS % ("", r"\cdot(x_j)_p\cdot\prod_{f\in p}|w_f|"),
    layer_by_paths(Printing("A")),
    (one_layer("B"), *GIVEN),
    depends=("lj22.eq34.34@A", "lj22.def7@B"),
    pool=LAYERED,
    reading="AB",
    reading_text=f"{D_WORDS['A']}; {LAYER_WORDS['B']}",
    through=DERIVATIVE_OF_TREE,
    why=r"$(x_j)_p$ and the product along $p$ are in $d_{j,p}$ already; and " + DESCENDS,
)
GRADIENTS = (
    r"Along a gradient flow there exist $g_j\in\partial\nu_{x_j}(w)$ with, for a.e. time "
    r"$s\ge0$, $$\frac{dw}{dt}(s)=%s\frac1n\sum_{j=1}^n\ell'(y_j\nu(x_j;w(s)))"
    r"\cdot y_j\cdot g_j$$ Measured where $\nu_{x_j}$ is differentiable, $g_j=\nabla\nu_{x_j}"
    r"(w)$, and at a dormant vertex, with the Clarke element that the flow selects."
)
BY_GRADIENTS = stated(
    "lj22.eq31",
    both("proof of Lemma 2, (31)"),
    "velocity through Clarke elements of the output",
    GRADIENTS % "",
    by_gradients(Printing("A")),
    (OWN_PARAMETERS, BIAS_FREE, *FLOW),
    depends=("lj22.ass3",),
    pool=Pool(largest=6, kinks=True),
    why=DESCENDS,
)


CLAIMS = (
    BY_GRADIENTS,
    mended(
        BY_GRADIENTS,
        f"{BY_GRADIENTS.title}, descending",
        GRADIENTS % "-" + " Repaired: with a minus sign.",
        by_gradients(Printing("A", repaired=True)),
        (OWN_PARAMETERS, BIAS_FREE, *FLOW),
        proofs=[velocity_proofs.VELOCITY],
    ),
    *(claim for display in displays("A") for claim in _claims(display, "A")),
    *_claims(displays("B")[1], "B"),
    OF_LAYERS,
    mended(
        OF_LAYERS,
        f"{OF_LAYERS.title}, each product once",
        LAYERS % ("-", "")
        + MENDED["A"]
        + r" And $(x_j)_p\prod|w_f|$, which $d_{j,p}$ contains, stands there once.",
        layer_by_paths(Printing("A", repaired=True)),
        (one_layer("B"), *GIVEN),
        proofs=[velocity_proofs.layer_by_paths],
    ),
)
