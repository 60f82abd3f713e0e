"""Curves as instances, written by hand or drawn from a pool."""

from random import Random

from hypothesis import strategies as st

from verify.curves import CURVES, CurveCase, CurvePool
from verify.tensors import Tensor, tensor


def curve_case(trough, crest, decay=0, **vectors):
    """The curve with these rows of coefficients, and vectors beside it."""
    width = max(len(row) for row in (*trough, *crest))
    arrays = {
        name: tensor(("entry", "power"), [[*row, *[0] * (width - len(row))] for row in rows])
        for name, rows in (("trough", trough), ("crest", crest))
    }
    arrays |= {name: tensor(("entry",), values) for name, values in vectors.items()}
    return CurveCase({**arrays, "decay": Tensor((), (), (decay,), integer=True)})


def rational_case(rows, decay=0, **vectors):
    """A curve that does not swing."""
    return curve_case(rows, rows, decay, **vectors)


def printed_case(*v):
    """v |t sin t|."""
    return curve_case([[0, 0] for _ in v], [[0, a] for a in v])


def pool_draws(pool: CurvePool = CURVES):
    """A strategy: what the pool draws."""
    return st.integers(0, 10**6).map(lambda seed: pool.draw(Random(seed)))
