"""Jagged paths for a pair of vertices: (40) to (49) of the proof of Lemma 2, in both versions."""

from dataclasses import replace

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.jagged import jagged_sum
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    INCIDENT_LEARNABLE,
    OWN_PARAMETERS,
)
from verify.pair_hypotheses import EQUAL_PATTERNS, PAIR_EXISTS
from verify.papers.lj22.pathsums import PATHS, WHY, Printing
from verify.papers.lj22.sketch import SMOOTH_POINT
from verify.papers.lj22.sources import earlier, final
from verify.point_hypotheses import (
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FLOW_SELECTION,
    STABLE_SIGNS,
)
from verify.pool import Pool
from verify.vocabulary import Entries, Scene

FLOW = (FEEDFORWARD, STABLE_SIGNS, DIFFERENTIABLE_LOSS, HOMOGENEOUS, DATA, FLOW_SELECTION)
PAIR = (PAIR_EXISTS, INCIDENT_LEARNABLE, *SMOOTH_POINT)
TAKES = {"A": "end", "B": "start"}  # whose subgradient a jagged path of (40) to (43) has


def sums_of_jagged(scene: Scene, printing: Printing, takes: str) -> Array:
    """(K,): the sum over the jagged paths of each pair of (1/n) sum_j d_{j,p}."""
    signed = printing.reading == "A"
    tree = scene.signed_tree if signed or not printing.repaired else scene.absolute_tree
    terms = scene.kappa[scene.paths.owner] * scene.tree_derivatives(tree) * scene.path_input
    at_leaves = scene.total(-terms if printing.repaired else terms)
    factors = scene.weights if signed else scene.absolute_weights
    return jagged_sum(scene, at_leaves, factors, takes=takes)


def gram_rate_in(scene: Scene) -> Array:
    """(K,): d/dt of sum_a w_au w_av."""
    w, v = scene.weights, scene.velocity
    return scene.paired_in(w, v) + scene.paired_in(v, w)


def gram_rate_out(scene: Scene) -> Array:
    """(K,): d/dt of sum_b w_ub w_vb."""
    w, v = scene.weights, scene.velocity
    return scene.paired_out(w, v) + scene.paired_out(v, w)


# the final version: the half that is common stands before the bracket ----------------------------
def in_side(scene: Scene) -> Entries:
    """(46): a term w_av w_ub takes the derivative at the path through u, to which ub belongs."""
    sums = sums_of_jagged(scene, Printing("A", repaired=True), "end")
    return scene.per_pair(gram_rate_in(scene), sums)


def out_side(scene: Scene) -> Entries:
    """(49): a term w_au w_vb takes the derivative at the path through u, to which au belongs."""
    sums = sums_of_jagged(scene, Printing("A", repaired=True), "start")
    return scene.per_pair(gram_rate_out(scene), sums)


def identified(scene: Scene) -> Entries:
    """The right side of (46) minus that of (49)."""
    printing = Printing("A")
    return scene.per_pair(
        sums_of_jagged(scene, printing, "end"), sums_of_jagged(scene, printing, "start")
    )


# the earlier version: with signs and absolute values ---------------------------------------------
def signed_rate_in(scene: Scene) -> Array:
    """(K,): sum_a sgn(w_au w_av) (w_au dw_av/dt + dw_au/dt w_av)."""
    w, v = scene.absolute_weights, scene.signs * scene.velocity
    return scene.paired_in(w, v) + scene.paired_in(v, w)


def signed_rate_out(scene: Scene) -> Array:
    """(K,): sum_b sgn(w_ub w_vb) (w_ub dw_vb/dt + dw_ub/dt w_vb)."""
    w, v = scene.absolute_weights, scene.signs * scene.velocity
    return scene.paired_out(w, v) + scene.paired_out(v, w)


def signed_in_side(scene: Scene, printing: Printing, takes: str) -> Entries:
    """(40): left side minus right side."""
    return scene.per_pair(signed_rate_in(scene), sums_of_jagged(scene, printing, takes))


def signed_out_side(scene: Scene, printing: Printing, takes: str) -> Entries:
    """(41) minus (42)."""
    return scene.per_pair(signed_rate_out(scene), sums_of_jagged(scene, printing, takes))


def both_sides(scene: Scene) -> Entries:
    """(41) minus (43)."""
    return scene.per_pair(signed_rate_out(scene), signed_rate_in(scene))


def diagonal(scene: Scene) -> Entries:
    """The left side of (5) with v in the place of u, minus the left side of (4), at each vertex."""
    union, w = scene.union, scene.weights
    squares = w * w
    ends = zip(union.tails, union.heads, strict=True)
    edge_into = {(int(t), int(h)): e for e, (t, h) in enumerate(ends)}
    first, second, vertex, sign = [], [], [], []
    for v in scene.inner:
        u = int(v)  # the u of (5)
        for a in union.tails[union.heads == v]:
            first.append(edge_into[int(a), u])
            second.append(edge_into[int(a), int(v)])
            vertex.append(v)
            sign.append(1)
        for b in union.heads[union.tails == v]:
            first.append(edge_into[u, int(b)])
            second.append(edge_into[int(v), int(b)])
            vertex.append(v)
            sign.append(-1)
    terms = w[np.array(first, dtype=np.int64)] * w[np.array(second, dtype=np.int64)]
    signed = terms * scene.arithmetic.array(sign)
    five = scene.arithmetic.sum_at(signed, np.array(vertex, dtype=np.int64), union.vertex_count)
    return scene.per_vertex(five, scene.into(squares) - scene.out_of(squares))


# the claims ----------------------------------------------------------------------------------
FLOW_SIGN = "the common sign, which is lost, is that of the flow, which descends"
WITH_PI = (
    r"with $a\in\mathrm{IN}$, $b\in\mathrm{OUT}$, $p_1$ a path from $I$ to $a$, $p_2$ a path from "
    r"$b$ to $o$, $\Pi_j=(x_j)_{p_1}\prod_{f\in p_1}w_f\prod_{f\in p_2}w_f$, and $\partial^u_j$, "
    r"$\partial^v_j$ the partial derivatives of $\mu$ at the inputs of the paths through $u$ and "
    r"$v$"
)
SIDES = {
    "46": (
        "rate of the in-weights of a pair by jagged paths",
        r"\frac{d}{dt}\sum_aw_{au}w_{av}",
        r"(w_{av}w_{ub}\,\partial^u_j+w_{au}w_{vb}\,\partial^v_j)",
        in_side,
    ),
    "49": (
        "rate of the out-weights of a pair by jagged paths",
        r"\frac{d}{dt}\sum_bw_{ub}w_{vb}",
        r"(w_{au}w_{vb}\,\partial^u_j+w_{av}w_{ub}\,\partial^v_j)",
        out_side,
    ),
}


def _side(number: str) -> Claim:
    title, left, bracket, measure = SIDES[number]
    return Claim(
        f"lj22.eq46-49.{number}@B",
        Kind.IDENTITY,
        final(f"proof of Lemma 2, ({number})"),
        title,
        r"For $u,v$ with $\mathrm{IN}_u=\mathrm{IN}_v$ and $\mathrm{OUT}_u=\mathrm{OUT}_v$, $$"
        rf"{left}=-\frac1n\sum_j\ell'(y_j\nu_j)y_j\sum_{{a,b,p_1,p_2}}\Pi_j\,{bracket}$$ "
        + WITH_PI
        + ".",
        PAIR,
        ("lj22.eq34.34@A",),
        measure=measure,
        pool=PATHS,
        signed=True,
        reading="B",
        reading_text=FLOW_SIGN,
    )


SAME = Claim(
    "lj22.eq46-49.same",
    Kind.IDENTITY,
    final("proof of Lemma 2, (46), (49) and (50)"),
    "equal patterns identify the two sides",
    r"Under equal activation patterns of $u$ and $v$ on each example, $\partial^u_j="
    r"\partial^v_j$ as a set, which identifies (46) with (49): $$\sum_j\ell'y_j\sum_{a,b,p_1,p_2}"
    r"\Pi_j\,(w_{av}w_{ub}\,\partial^u_j+w_{au}w_{vb}\,\partial^v_j)=\sum_j\ell'y_j"
    r"\sum_{a,b,p_1,p_2}\Pi_j\,(w_{au}w_{vb}\,\partial^u_j+w_{av}w_{ub}\,\partial^v_j)$$ "
    + WITH_PI
    + ", as the flow selects them.",
    (PAIR_EXISTS, EQUAL_PATTERNS, INCIDENT_LEARNABLE, OWN_PARAMETERS, BIAS_FREE, *FLOW),
    ("lj22.lemma8@A1B1", "lj22.eq46-49.46@B", "lj22.eq46-49.49@B"),
    measure=identified,
    pool=Pool(largest=6, kinks=True),
    why=r"at preactivation $0$ a ReLU neuron counts as active, but the flow may select another "
    r"slope than $1$ there: $\partial^u_j\mu$ and $\partial^v_j\mu$, as it selects them, differ",
)
D_JAGGED = (
    r"$d_{j,p}$ of (35), for $p\in\mathcal A=\{p_1\cup p_2\mid p_1$ is a path from $I$ to $v$ or "
    r"$u$; $p_2$ is a path from $u$ or $v$, respectively, to $O\}$"
)
# by the other one the terms are not those of the left side, whatever their sign
READ_WITH = {"40": "A", "42": "B"}
WHOSE = {
    "A": "that of the path with the last vertex of p1 replaced by the first of p2",
    "B": "that of the path with the first vertex of p2 replaced by the last of p1",
}
LEFT_IN = (
    r"\sum_{a\in\mathrm{IN}}\mathrm{sgn}(w_{au}w_{av})\Big(w_{au}\frac{dw_{av}}{dt}+"
    r"\frac{dw_{au}}{dt}w_{av}\Big)"
)
LEFT_OUT = (
    r"\sum_{b\in\mathrm{OUT}}\mathrm{sgn}(w_{ub}w_{vb})\Big(w_{ub}\frac{dw_{vb}}{dt}+"
    r"\frac{dw_{ub}}{dt}w_{vb}\Big)"
)
SIGNED_SIDES = {
    "40": ("signed rate of the in-weights of a pair by jagged paths", LEFT_IN, signed_in_side),
    "42": ("signed rate of the out-weights of a pair by jagged paths", LEFT_OUT, signed_out_side),
}


def _signed_side(number: str) -> Claim:
    reading = READ_WITH[number]
    title, left, measure = SIGNED_SIDES[number]
    return Claim(
        f"lj22v1.eq40-43.{number}@{reading}",
        Kind.IDENTITY,
        earlier(f"proof of Lemma 3, {'(40)' if number == '40' else '(41) and (42)'}"),
        title,
        rf"For almost every $s>0$, $${left}=\sum_{{p\in\mathcal A}}\frac1n\sum_{{j=1}}^nd_{{j,p}}"
        r"(w(s)),$$ " + D_JAGGED + ".",
        PAIR,
        ("lj22.eq34.34@B",),
        measure=lambda scene: measure(scene, Printing("B"), TAKES[reading]),
        pool=PATHS,
        signed=True,
        reading=reading,
        reading_text=f"the subgradient coordinate of a jagged path is {WHOSE[reading]}",
        why=WHY["B"],
    )


def _signed_side_mended(number: str) -> Claim:
    printed, reading = _signed_side(number), READ_WITH[number]
    measure = SIGNED_SIDES[number][2]
    return replace(
        printed,
        id=f"{printed.id}.fix",
        title=f"{printed.title}, with the sign mended",
        statement=printed.statement
        + r" Repaired: with a minus sign, and $\alpha\in\partial\mu'(h'(w))$.",
        measure=lambda scene: measure(scene, Printing("B", repaired=True), TAKES[reading]),
        repairs=printed.id,
        why="",
    )


CLAIMS = (
    *map(_side, SIDES),
    SAME,
    replace(
        SAME,
        id="lj22.eq46-49.same.fix",
        title="equal patterns identify the two sides, at points of differentiability",
        statement=SAME.statement + " Repaired: where the network is differentiable.",
        hypotheses=(
            *(h for h in SAME.hypotheses if h is not FLOW_SELECTION),
            DIFFERENTIABLE,
        ),
        pool=PATHS,
        signed=True,
        repairs="lj22.eq46-49.same",
        why="",
    ),
    *map(_signed_side, SIGNED_SIDES),
    *map(_signed_side_mended, SIGNED_SIDES),
    Claim(
        "lj22v1.eq40-43.43",
        Kind.IDENTITY,
        earlier("proof of Lemma 3, (41) and (43)"),
        "the signed rates of the in-weights and of the out-weights of a pair",
        rf"For almost every $s>0$, $${LEFT_OUT}={LEFT_IN}$$",
        PAIR,
        ("lj22v1.eq40-43.40@A", "lj22v1.eq40-43.42@B"),
        measure=both_sides,
        pool=Pool(largest=6),
        signed=True,
        why="where $u$ is active and $v$ is not, only $w_{au}$ and $w_{ub}$ move: one side has the "
        "products $w_{av}w_{ub}$, the other the products $w_{au}w_{vb}$",
    ),
    Claim(
        "lj22v1.rem-uv",
        Kind.IDENTITY,
        earlier("end of the proof of Lemma 3"),
        "the law for pairs at u = v is the law for vertices",
        r"The second part is a special case of the first part, which is obtainable by setting "
        r"$u=v$: with $u=v$ the left side of (5), $\sum_aw_{au}w_{av}-\sum_bw_{ub}w_{vb}$, is that "
        r"of (4), $\sum_uw_{uv}^2-\sum_bw_{vb}^2$.",
        (INCIDENT_LEARNABLE, BIAS_FREE, *FLOW),
        ("lj22.lemma2a", "lj22v1.lemma3b"),
        measure=diagonal,
        pool=Pool(),
        expanded=True,
    ),
)
