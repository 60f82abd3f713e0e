"""Figure 1, footnote 2: the threshold sigma_max d 1e-7 against those of the libraries.

What a library counts as zero is read off the library itself: the least singular value that its
default still counts, on matrices with singular values 1, t, 0, ..., 0, by bisection in t. Matlab's
rank is documented as max(size(A)) eps(norm(A)), which is the same formula as NumPy's at norm 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np

from verify.claim import Claim, Kind
from verify.experiment import Measured, Setting
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_hypotheses import number_between
from verify.normalised_pool import with_entries
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

FACTOR = 2.0  # thresholds within it count as consistent
SHAPES = (
    ((4, 4), (8, 32)),
    ((32, 32), (128, 128), (128, 512)),
    ((32, 32), (128, 128), (128, 1024)),
)
PRECISIONS: dict[str, type[np.floating]] = {"float32": np.float32, "float64": np.float64}
Ranker = Callable[[np.ndarray], int]


def footnote(matrix: np.ndarray) -> int:
    """The numerical rank by footnote 2: d is the number of rows."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > values.max() * matrix.shape[0] * 1e-7).sum())


def documented(rows: int, columns: int, precision: str) -> float:
    """max(m, n) eps, by the documentation of Matlab and NumPy, over sigma_max = 1."""
    return max(rows, columns) * float(np.finfo(PRECISIONS[precision]).eps)


def threshold(rank: Ranker, shape: tuple[int, int], precision: str) -> float:
    """The least second singular value (of sigma_max = 1) that counts, within a millionth of it.

    >>> round(threshold(lambda H: int((np.diag(H) > 0.25).sum()), (2, 2), "float64"), 5)
    0.25
    """
    low, high = -20.0, 0.0  # of the logarithm to base 10
    for _ in range(45):
        middle = (low + high) / 2
        matrix = np.zeros(shape, dtype=PRECISIONS[precision])
        matrix[0, 0], matrix[1, 1] = 1, 10**middle
        if rank(matrix) > 1:
            high = middle
        else:
            low = middle
    return float(10**high)


def thresholds_agree(
    setting: Setting, shapes: tuple[tuple[int, int], ...] | None = None
) -> Measured:
    """(e): the libraries' thresholds over that of footnote 2."""
    import torch

    def by_torch(matrix: np.ndarray) -> int:
        return int(torch.linalg.matrix_rank(torch.from_numpy(matrix)))

    rankers: dict[str, Ranker] = {
        "NumPy": lambda matrix: int(np.linalg.matrix_rank(matrix)),
        "PyTorch": by_torch,
    }
    shapes = shapes or SHAPES[setting.scale]
    figures: dict[str, int | float | str] = {}
    ratios: dict[str, list[float]] = {precision: [] for precision in PRECISIONS}
    for shape in shapes:
        for precision in PRECISIONS:
            printed_one = threshold(footnote, shape, precision)
            found = {name: threshold(rank, shape, precision) for name, rank in rankers.items()}
            found["Matlab, documented"] = documented(*shape, precision)
            for name, value in found.items():
                place = f"{name}, {shape[0]} x {shape[1]}, {precision}"
                figures[place] = f"{value:.4g}, by footnote 2 {printed_one:.4g}"
                ratios[precision].append(value / printed_one)
    everything = [ratio for values in ratios.values() for ratio in values]
    said = "; ".join(
        f"{precision}: {min(values):.4g} to {max(values):.4g}"
        for precision, values in ratios.items()
    )
    return Measured(
        all(1 / FACTOR <= ratio <= FACTOR for ratio in everything),
        f"default thresholds of the libraries over that of footnote 2, least and largest, in "
        f"{said} (criterion: within a factor of {FACTOR:g} in both precisions).",
        (f"shapes d x N: {', '.join(f'{d} x {n}' for d, n in shapes)}",),
        figures,
        instances=len(everything),
    )


# exactly: one threshold against the other ---------------------------------------------------------
READINGS = {
    "A": (23, r"in single precision, $\mathrm{eps}=2^{-23}$"),
    "B": (52, r"in double precision, $\mathrm{eps}=2^{-52}$"),
}


def counts_alike(scene: ChainScene, *, digits: int) -> Entries:
    """Whether a singular value of sigma_max s counts, 0 or 1, by footnote 2 less by the documented
    default: s > d 1e-7 against s > max(d, N) 2^-digits."""
    wide = [max(d, n) for d, n in zip(scene.whole("d"), scene.whole("N"), strict=True)]
    printed_ones = [Fraction(int(d), 10**7) for d in scene.whole("d")]
    defaults = [Fraction(int(size), 2**digits) for size in wide]
    values = [Fraction(case.number("s")) for case in scene.cases]
    by_footnote = [Fraction(s > t) for s, t in zip(values, printed_ones, strict=True)]
    by_default = [Fraction(s > t) for s, t in zip(values, defaults, strict=True)]
    return scene.compare(scene.numbers(by_footnote), scene.numbers(by_default))


def _near_thresholds(case: Tensors, random: Random) -> Chained:
    """A share that singular values have: of the order of either threshold, or of 1."""
    case = as_chain(case, random)
    size = max(case.whole("d"), case.whole("N"))
    scale = random.choice((Fraction(size, 10**7), Fraction(size, 2**23), Fraction(size, 2**52)))
    share = random.choice((scale * Fraction(random.randint(1, 32), 16), abs(case.number("s"))))
    return with_entries(case, "s", [min(share, Fraction(1))])


SHARES = TensorPool((("s", ()),), (("d", 1, 128), ("N", 1, 128)), adapt=_near_thresholds)
SHARE = number_between("s", 0, 1, r"$0\le s\le1$, as $\sigma/\sigma_{\max}$ is")


def _size(case: Chained, name: str) -> Fraction:
    return Fraction(max(1, abs(case.whole(name))))


SIZES = Hypothesis(
    "rows and columns",
    r"$d\ge1$ and $N\ge1$",
    by_case(lambda case: case.whole("d") >= 1 and case.whole("N") >= 1),
    lambda case, random: with_entries(
        with_entries(case, "d", [_size(case, "d")]), "N", [_size(case, "N")]
    ),
)


def _alike(reading: str) -> Claim:
    digits, text = READINGS[reading]
    return Claim(
        f"dkbhl20.fig1.e.counts@{reading}",
        Kind.IDENTITY,
        printed("footnote 2"),
        "what counts as zero",
        r"A singular value $s\sigma_{\max}$ of a $d\times N$ matrix lies above "
        r"$\sigma_{\max}\times d\times10^{-7}$ exactly where it lies above the documented default "
        r"of Matlab and NumPy, $\sigma_{\max}\max(d,N)\,\mathrm{eps}$.",
        (SIZES, SHARE),
        measure=partial(counts_alike, digits=digits),
        pool=SHARES,
        reading=reading,
        reading_text=text,
        exact_only=True,
    )


CLAIMS = (
    _alike("A"),
    _alike("B"),
    Claim(
        "dkbhl20.fig1.e",
        Kind.EXPERIMENT,
        printed("footnote 2"),
        "the threshold of the libraries",
        r"Taking singular values below $\sigma_{\max}\times d\times10^{-7}$ as zero is consistent "
        "with both Matlab and NumPy.",
        experiment=thresholds_agree,
    ),
)
