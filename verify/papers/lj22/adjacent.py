"""Appendix D, (84), for pairs of adjacent layers that are not both dense.

A dense layer W before a block r(U, Y, Z); a convolution S before a convolution T; the last
convolution T before a dense layer V (k = M). At the start of a flow the arrays are arbitrary, and
D_l is made of the forms that Theorem 1 prescribes for the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.matrices import MatrixScene
from verify.papers.lj22.block_proofs import flattened
from verify.papers.lj22.consecutive import DEFINED, PRINTED
from verify.papers.lj22.sources import final
from verify.tensor_pool import TensorPool
from verify.vocabulary import Entries

EIGHTH = Fraction(1, 8)
BLOCK = (("W", ("a", "n")), ("U", ("c", "b")), ("Y", ("b", "a")), ("Z", ("c", "a")))
CONVOLUTIONS = (("S", ("p", "q", "a")), ("T", ("a", "b", "c")))
DENSE = (("T", ("a", "b", "c")), ("V", ("d", "l", "c")))


def _defect(scene: MatrixScene, first: Array, second: Array) -> Array:
    """W_2^T W_2 - W_1 W_1^T for the forms of Theorem 1."""
    return scene.gram(second) - scene.gram(scene.transpose(first))


def block(scene: MatrixScene) -> Entries:
    """|W|^2 - (|A|^2 / 8 - D_l) for A = [U Z]."""
    leaving = scene.above(scene["Y"], scene["Z"])
    layer = scene.beside(scene["U"], scene["Z"])
    constant = scene.norm_squared(_defect(scene, scene["W"], leaving))
    right = scene.share(scene.norm_squared(layer), EIGHTH) - constant
    return scene.compare(scene.norm_squared(scene["W"]), right)


def block_repaired(scene: MatrixScene) -> Entries:
    """|W|^2 - (|[U Z]|^2 / 8 - |defect| - |U^T U - Y Y^T| / 8)."""
    leaving = scene.above(scene["Y"], scene["Z"])
    inside = scene.symmetric_norm(_defect(scene, scene["Y"], scene["U"]))
    outside = scene.symmetric_norm(_defect(scene, scene["W"], leaving))
    whole = scene.norm_squared(scene.beside(scene["U"], scene["Z"]))
    right = scene.share(whole - inside, EIGHTH) - outside
    return scene.compare(scene.norm_squared(scene["W"]), right)


def convolution(scene: MatrixScene) -> Entries:
    """|W_l|^2 - (|W_(l+1)|^2 / min(a, b) - D_l) for two convolutions S and T."""
    arriving, own = flattened(scene["S"])
    leaving = flattened(scene["T"])[1]
    constant = scene.norm_squared(_defect(scene, arriving, leaving))
    least = min(scene.lengths["a"], scene.lengths["b"])
    right = scene.share(scene.norm_squared(leaving), Fraction(1, least)) - constant
    return scene.compare(scene.norm_squared(own), right)


def convolution_repaired(scene: MatrixScene) -> Entries:
    """|W_l|^2 - (|W_(l+1)|^2 - |defect|) / min(p, q), of the layer l."""
    arriving, own = flattened(scene["S"])
    leaving = flattened(scene["T"])[1]
    size = scene.symmetric_norm(_defect(scene, arriving, leaving))
    least = min(scene.lengths["p"], scene.lengths["q"])
    right = scene.share(scene.norm_squared(leaving) - size, Fraction(1, least))
    return scene.compare(scene.norm_squared(own), right)


def _before_dense(scene: MatrixScene) -> tuple[Array, Array, Array, Array, int]:
    """T as c x (ab) and (bc) x a, V as (dl) x c and d x (lc), and the larger of d and lc."""
    arriving, own = flattened(scene["T"])
    count, d, positions, c = scene["V"].shape
    leaving = scene["V"].reshape(count, d * positions, c)
    whole = scene["V"].reshape(count, d, positions * c)
    return arriving, own, leaving, whole, max(d, positions * c)


def last(scene: MatrixScene) -> Entries:
    """|T|^2 - (max dim V |V|^2 - D_l) for the last convolution T and the dense layer V."""
    arriving, own, leaving, whole, widest = _before_dense(scene)
    constant = scene.norm_squared(_defect(scene, arriving, leaving))
    right = scene.share(scene.norm_squared(whole), widest) - constant
    return scene.compare(scene.norm_squared(own), right)


def last_repaired(scene: MatrixScene) -> Entries:
    """|T|^2 - (|V|^2 / max dim V - |defect|) / min(a, b)."""
    arriving, own, leaving, whole, widest = _before_dense(scene)
    size = scene.symmetric_norm(_defect(scene, arriving, leaving))
    least = min(scene.lengths["a"], scene.lengths["b"])
    right = scene.share(scene.norm_squared(whole), Fraction(1, widest)) - size
    return scene.compare(scene.norm_squared(own), scene.share(right, Fraction(1, least)))


Measure = Callable[[MatrixScene], Entries]
NORM = "; the norm of the difference and not its square: "
SQUARE = "$D_l$ has the square of a norm, which is less than the norm where that is below $1$"
PARTS: tuple[tuple[str, str, TensorPool, Measure, Measure, str, str], ...]
PARTS = (
    (
        "block",
        "a dense layer before a ResNetFree block",
        TensorPool(BLOCK, largest=3),
        block,
        block_repaired,
        (
            r"$\lVert W\rVert_2^2\ge\frac18\lVert[U\ Z]\rVert_2^2-\lVert Y^\top Y+Z^\top Z-WW^\top"
            r"\rVert_2-\frac18\lVert U^\top U-YY^\top\rVert_2$."
        ),
        SQUARE
        + r", and the cost $\frac18\lVert U^\top U-YY^\top\rVert_2$ of the switch is missing",
    ),
    (
        "conv",
        "a convolution before a convolution",
        TensorPool(CONVOLUTIONS, largest=3),
        convolution,
        convolution_repaired,
        r"$C=1/\min(a_l,b_l)$ of the layer $l$, and $C$ times the norm is subtracted.",
        SQUARE + r"; and the factor is that of layer $l+1$, while layer $l$ is the one that is "
        "flattened in two ways",
    ),
    (
        "last",
        "the last convolution before a dense layer, k = M",
        TensorPool(DENSE, largest=3),
        last,
        last_repaired,
        r"$C=1/(\min(a_l,b_l)\max\dim W_{l+1})$, and the norm over $\min(a_l,b_l)$ is subtracted.",
        SQUARE + r"; and $C=\max\dim W^{[M+1]}$ is at least $1$ where its inverse is meant",
    ),
)


def _claims() -> tuple[Claim, ...]:
    found = []
    for part, title, pool, measure, repaired, text, why in PARTS:
        printed = Claim(
            f"lj22.thm2-84.{part}@A",
            Kind.INEQUALITY,
            final("Appendix D, (84)"),
            f"operator norms of consecutive layers, {title}",
            PRINTED + f"Here: {title}.",
            measure=measure,
            pool=pool,
            reading="A",
            reading_text=DEFINED,
            why=why,
        )
        mended = Claim(
            f"lj22.thm2-84.{part}@A.fix",
            Kind.INEQUALITY,
            final("Appendix D, (84)"),
            f"operator norms of {title}, with a norm and not its square",
            f"Matrices of Definition 8, {title}" + NORM + text,
            measure=repaired,
            pool=pool,
            repairs=f"lj22.thm2-84.{part}@A",
            reading="A",
            reading_text=DEFINED,
        )
        found += [printed, mended]
    return tuple(found)


CLAIMS = _claims()
