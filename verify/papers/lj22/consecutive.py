"""Appendix D, (84): operator norms of consecutive layers.

At the start of a flow the matrices W_1, W_2, Fin of linear fully-connected layers (K = 0, M = 2)
are arbitrary, and the displayed inequality is about them: D_l is made of the same matrices.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.sources import final
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
DEFINED = "matrices of Definition 8; the first case for $C$ that applies"
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


CLAIMS = (
    Claim(
        "lj22.thm2-84@AA",
        Kind.INEQUALITY,
        final("Appendix D, (84)"),
        "operator norms of consecutive layers",
        PRINTED + "Here: fully-connected layers.",
        (ONE_OUTPUT,),
        measure=printed,
        pool=POOL,
        reading="AA",
        reading_text=f"{DEFINED} (of dense layers there is one matrix)",
        why=r"for $k=M$ the constant $C=\max\dim W^{[M+1]}$ is at least $1$ where its inverse is "
        r"meant, and $D_l$ has the square of a norm: where "
        r"$\lVert W_{l+1}^\top W_{l+1}-W_lW_l^\top\rVert_2<1$ that is less than the norm",
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
)
