"""Appendix D, Lemma 10: the operator norms of two flattenings of one tensor."""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.matrices import MatrixScene
from verify.papers.lj22.block_proofs import dimension_steps, flattened, flattenings_by_slices
from verify.papers.lj22.sources import both
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

POOL = TensorPool((("T", ("a", "b", "c")),), largest=4)
SIZES = TensorPool(integers=(("a", 1, 20), ("b", 1, 20), ("c", 1, 20)))
BLOCKS = ((("c",), ("a", "b")), (("b", "c"), ("a",)))  # pi_1 and pi_2


LARGEST = "of two products of sizes the larger one is that with the larger factor"


def flattenings(scene: MatrixScene) -> tuple[Array, Array]:
    """T_1 of shape c x (ab) and T_2 of shape (bc) x a, of each tensor."""
    first, second = flattened(scene["T"])
    return first, second


def lemma10(scene: MatrixScene) -> Entries:
    """|T_2|^2 - |T_1|^2 / min(a, b)."""
    first, second = flattenings(scene)
    least = min(scene.lengths["a"], scene.lengths["b"])
    share = scene.share(scene.norm_squared(first), Fraction(1, least))
    return scene.compare(scene.norm_squared(second), share)


def common_dimension(case: Tensors | dict[str, int]) -> int:
    """dim_T(pi_1, pi_2): the product over the blocks of pi_1 of the largest D_T with a block of
    pi_2, where D_T is the product of the sizes of the common modes, and 0 where there is none."""
    sizes = case.lengths if isinstance(case, Tensors) else case
    total = 1
    for block in BLOCKS[0]:
        shared = [[sizes[mode] for mode in block if mode in other] for other in BLOCKS[1]]
        total *= max(_product(modes) if modes else 0 for modes in shared)
    return total


def _product(sizes: list[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def cited(scene: MatrixScene) -> Entries:
    """|T_2|^2 - dim_T / dim(T) |T_1|^2."""
    first, second = flattenings(scene)
    sizes = scene.lengths
    constant = Fraction(common_dimension(scene.cases[0]), sizes["a"] * sizes["b"] * sizes["c"])
    return scene.compare(
        scene.norm_squared(second), scene.share(scene.norm_squared(first), constant)
    )


def dimensions(scene: MatrixScene) -> Entries:
    """dim_T by its definition minus c max(a, b); c max(a, b)/(abc) - 1/min(a, b)."""
    defined, printed, shares, wanted = [], [], [], []
    for case in scene.cases:
        a, b, c = (case.whole(name) for name in "abc")
        defined.append(Fraction(common_dimension({"a": a, "b": b, "c": c})))
        printed.append(Fraction(c * max(a, b)))
        shares.append(Fraction(c * max(a, b), a * b * c))
        wanted.append(Fraction(1, min(a, b)))
    array = scene.arithmetic.array
    return scene.parts(
        [
            ({"part": "dimension"}, array(defined), array(printed)),
            ({"part": "constant"}, array(shares), array(wanted)),
        ]
    )


def dimensions_by_size() -> Argument:
    """(70)-(73) by cases on which of a and b is larger."""
    return Argument(
        "two cases, a the larger of a and b and not: the definition of dim_T and the constant are "
        "identities of monomials in a, b, c",
        dimension_steps(),
        (LARGEST,),
        measure="dimensions",
        uses=(),
        section=9,
    )


CLAIMS = (
    Claim(
        "lj22.lemma10",
        Kind.INEQUALITY,
        both("Lemma 10, (68); earlier Lemma 9, (55)"),
        "flattenings of one tensor",
        r"Let $T\in\mathbb R^{a,b,c}$ be an order-3 tensor and $T_1,T_2$ its standard flattenings "
        r"into elements of $\mathbb R^{c\times(a\times b)}$ and $\mathbb R^{(b\times c)\times a}$. "
        r"Then $\frac{1}{\min(a,b)}\lVert T_1\rVert_2^2\le\lVert T_2\rVert_2^2$.",
        depends=("lj22.lemma10-69", "lj22.lemma10-70"),
        measure=lemma10,
        pool=POOL,
        proof=flattenings_by_slices("lemma10"),
    ),
    Claim(
        "lj22.lemma10-69",
        Kind.INEQUALITY,
        both("(69); earlier (56)"),
        "the cited inequality between flattenings",
        r"For $\pi_1=\{\{c\},\{a,b\}\}$ and $\pi_2=\{\{b,c\},\{a\}\}$, "
        r"$\frac{\dim_T(\pi_1,\pi_2)}{\dim(T)}\lVert T_1\rVert_2^2\le\lVert T_2\rVert_2^2$ with "
        r"$\dim(T)=abc$ and $\dim_T(\pi_1,\pi_2)=\prod_{B\in\pi_1}\max_{B'\in\pi_2}D_T(B,B')$, "
        r"$D_T(B,B')$ being the product of the sizes of the common modes, $0$ if there is none.",
        depends=("lj22.lemma10-70",),
        measure=cited,
        pool=POOL,
        proof=flattenings_by_slices("cited"),
    ),
    Claim(
        "lj22.lemma10-70",
        Kind.IDENTITY,
        both("(70)-(73); earlier (57)-(60)"),
        r"evaluation of the dimension",
        r"$\dim_T(\pi_1,\pi_2)=\max(c,0)\cdot\max(a,b)=c\max(a,b)$, and "
        r"$\frac{c\max(a,b)}{abc}=\frac{1}{\min(a,b)}$.",
        measure=dimensions,
        pool=SIZES,
        exact_only=True,
        proof=dimensions_by_size,
    ),
)
