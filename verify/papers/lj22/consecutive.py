"""Appendix D, (84): operator norms of consecutive layers; and what of (14) holds at every time.

At the start of a flow the matrices W_1, W_2, Fin of linear fully-connected layers (K = 0, M = 2)
are arbitrary, and the displayed inequality is about them: D_l is made of the same matrices. For
pairs of dense layers all readings of the matrices and of the cases for C agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.singular_values import ANY, NOT_ZERO
from verify.papers.lj22.sources import earlier, final
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

PRINTED = (
    r"For the $K+M$ pairs of adjacent layers, $\lVert W_l(t)\rVert_2^2\ge "
    r"C\,\lVert W_{l+1}(t)\rVert_2^2-D_l$, for $C=1/8$ if the $k+1$ layer is a "
    r"ResNetFree block, $C=1/\min(a_{k+1},b_{k+1})$ if "
    r"it is a convolutional layer, $C=\max\dim W^{[M+1]}$ if $k=M$ and $C=1$ otherwise; for "
    r"$D_l=\lVert W_{l+1}^\top(0)W_{l+1}(0)-W_l(0)W_l^\top(0)\rVert_2^2$. "
)
MATRICES = {"A": "matrices of Definition 8", "B": "matrices of Theorem 1 for the pair"}
OVERLAPS = {"A": "the first case for $C$ that applies", "B": "the case $k=M$ first"}
AXES = (("W1", ("b", "a")), ("W2", ("c", "b")), ("W3", ("one", "c")))


def _ending_in_a_row(case: Tensors, random: Random) -> Tensors:
    last = case.arrays["W3"]
    columns = last.shape[1]
    row = replace(last, shape=(1, columns), entries=last.entries[:columns])
    return case.changing(W3=row)


POOL = TensorPool(AXES, largest=4, adapt=_ending_in_a_row)
ONE_OUTPUT = Hypothesis(
    "Fin has one output",
    "$Fin$ is a row vector",
    by_case(lambda case: case.lengths["one"] == 1),
    _ending_in_a_row,
)


def _defect(scene: MatrixScene, first: str, second: str) -> Array:
    """W_2^T W_2 - W_1 W_1^T, constant along the flow."""
    return scene.gram(scene[second]) - scene.gram(scene.transpose(scene[first]))


def _pairs(scene: MatrixScene) -> list[tuple[str, str, int]]:
    """The pairs of layers with the printed C: for k = M the larger dimension of Fin, 1 x c."""
    return [("W1", "W2", 1), ("W2", "W3", scene.lengths["c"])]


def printed(scene: MatrixScene) -> Entries:
    """|W_l|^2 - (C |W_(l+1)|^2 - D_l) for both pairs."""
    return scene.parts(
        [
            (
                {"part": f"{one}, {two}"},
                scene.norm_squared(scene[one]),
                scene.share(scene.norm_squared(scene[two]), c)
                - scene.norm_squared(_defect(scene, one, two)),
            )
            for one, two, c in _pairs(scene)
        ]
    )


def telescoped(scene: MatrixScene) -> Entries:
    """|W_1|^2 - (C_1 C_2 |Fin|^2 - D_1 - C_1 D_2)."""
    (_, _, first), (_, _, second) = _pairs(scene)
    constants = scene.norm_squared(_defect(scene, "W1", "W2")) + scene.share(
        scene.norm_squared(_defect(scene, "W2", "W3")), first
    )
    last = scene.share(scene.norm_squared(scene["W3"]), first * second)
    return scene.compare(scene.norm_squared(scene["W1"]), last - constants)


def repaired(scene: MatrixScene) -> Entries:
    """|W_l|^2 - (|W_(l+1)|^2 - |W_(l+1)^T W_(l+1) - W_l W_l^T|) for both pairs."""
    return scene.parts(
        [
            (
                {"part": f"{one}, {two}"},
                scene.norm_squared(scene[one]),
                scene.norm_squared(scene[two]) - scene.symmetric_norm(_defect(scene, one, two)),
            )
            for one, two, _ in _pairs(scene)
        ]
    )


def ratio_by_rank(scene: MatrixScene) -> Entries:
    """Of a matrix that is not 0: |W|_2^2 - |W|_F^2 / rank(W), and |W|_F^2 - |W|_2^2."""
    from verify.papers.lj22.singular_values import rank_bound

    lower = rank_bound(scene)
    norm, frobenius = scene.norm_squared(scene["W"]), scene.frobenius_squared(scene["W"])
    below = ({"part": "below"}, norm, norm - lower.values)
    return scene.parts([below, ({"part": "above"}, frobenius, norm)])


def _claim(
    part: str, reading: str, title: str, text: str, measure: Callable[[MatrixScene], Entries]
) -> Claim:
    return Claim(
        f"lj22.thm2-84{part}@{reading}",
        Kind.INEQUALITY,
        final("Appendix D, (84)"),
        title,
        PRINTED + text,
        (ONE_OUTPUT,),
        measure=measure,
        pool=POOL,
        reading=reading,
        reading_text=f"{MATRICES[reading[0]]}; {OVERLAPS[reading[1]]} (measured on dense layers, "
        "where these agree)",
    )


def _rank(version: str) -> Claim:
    source = final if version == "lj22" else earlier
    return Claim(
        f"{version}.thm2-14.rank",
        Kind.INEQUALITY,
        source("Theorem 2, (14)"),
        "the part of (14) with the rank, at every time",
        r"$$\frac1{\mathrm{rank}(W)}\le\frac{\lVert W\rVert_2^2}{\lVert W\rVert_F^2}\le1$$ for the "
        r"matrix representation $W=W^{[k]}(t)$ of any layer that is not $0$.",
        (NOT_ZERO,),
        ("lj22.thm2-rank",),
        measure=ratio_by_rank,
        pool=ANY,
    )


READINGS = [one + two for one in "AB" for two in "AB"]
CLAIMS = (
    *(_claim("", r, "operator norms of consecutive layers", "", printed) for r in READINGS),
    *(
        _claim(
            ".telescoped", r, "the telescoped inequality", "Telescoped over all pairs.", telescoped
        )
        for r in READINGS
    ),
    Claim(
        "lj22.thm2-84.fix",
        Kind.INEQUALITY,
        final("Appendix D, (84)"),
        "operator norms of consecutive dense layers, with the norm and not its square",
        r"For adjacent linear fully-connected layers "
        r"$\lVert W_l\rVert_2^2\ge\lVert W_{l+1}\rVert_2^2-"
        r"\lVert W_{l+1}^\top W_{l+1}-W_lW_l^\top\rVert_2$.",
        (ONE_OUTPUT,),
        measure=repaired,
        pool=POOL,
        repairs="lj22.thm2-84@AA",
    ),
    _rank("lj22"),
    _rank("lj22v1"),
)
