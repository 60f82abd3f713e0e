"""Weights of every law in lanes: the recipes of numerics.chains.laws for compiled kernels.

Logarithm, exponential and circular functions are polynomials on a reduced argument (the minimax
ones of fdlibm, Sun Microsystems 1993), right to a few units in the last place.
"""

from __future__ import annotations

from numerics.chains.lanes import (
    absolute,
    exponent,
    mantissa,
    nearest,
    power_of_two,
    root,
    uniform,
    where_less,
)
from numerics.chains.recipes import ATOMS, BETA, NORMAL, TRIANGULAR, UNIFORM
from numerics.kernels import compiled
from numerics.lanes import at, fill, store

HALF_PI = 1.5707963267948966
ROOT_HALF = 0.7071067811865476
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
INVERSE_LN2 = 1.4426950408889634
LEAST = -700.0  # below it an exponential is 0 for our purposes


@compiled
def logarithm(x):
    """The natural logarithm of positive normal numbers."""
    f, e = mantissa(x), exponent(x)
    low = where_less(f, ROOT_HALF, 1.0, 0.0)
    f = f + low * f - 1.0
    e = e - low
    s = f / (f + 2.0)
    z = s * s
    t = z * 1.479819860511658591e-01 + 1.531383769920937332e-01
    t = z * t + 1.818357216161805012e-01
    t = z * t + 2.222219843214978396e-01
    t = z * t + 2.857142874366239149e-01
    t = z * t + 3.999999999940941908e-01
    t = z * t + 6.666666666666735130e-01
    return e * LN2_HIGH + (s * (z * t + 2.0) + e * LN2_LOW)


@compiled
def exponential(x):
    """e^x for x at most 0; 0 below -700."""
    tiny = x
    x = where_less(x, LEAST, LEAST, x)
    n = nearest(x * INVERSE_LN2)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    t = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0
    t = r * t + 1.0 / 39916800.0
    t = r * t + 1.0 / 3628800.0
    t = r * t + 1.0 / 362880.0
    t = r * t + 1.0 / 40320.0
    t = r * t + 1.0 / 5040.0
    t = r * t + 1.0 / 720.0
    t = r * t + 1.0 / 120.0
    t = r * t + 1.0 / 24.0
    t = r * t + 1.0 / 6.0
    t = r * t + 0.5
    t = r * t + 1.0
    t = r * t + 1.0
    return where_less(tiny, LEAST, 0.0, t * power_of_two(n))


@compiled
def circle(v):
    """The cosine and the sine of 2 pi v, v in (0, 1)."""
    v = v * 4.0
    q = nearest(v)
    x = (v - q) * HALF_PI
    z = x * x
    t = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08
    t = z * t + 2.75573137070700676789e-06
    t = z * t - 1.98412698298579493134e-04
    t = z * t + 8.33333333332248946124e-03
    t = z * t - 1.66666666666666324348e-01
    sine = x * (z * t + 1.0)
    t = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09
    t = z * t - 2.75573143513906633035e-07
    t = z * t + 2.48015872894767294178e-05
    t = z * t - 1.38888888888741095749e-03
    t = z * t + 4.16666666666666019037e-02
    cosine = z * (z * t - 0.5) + 1.0
    # quarter turns q = 0 to 4: odd ones swap the two, |q - 2| tells the sign of the cosine's side
    from_two = absolute(q - 2.0)
    odd = where_less(absolute(from_two - 1.0), 0.5, 1.0, 0.0)
    across = where_less(odd, 0.5, cosine, sine)
    along = where_less(odd, 0.5, sine, cosine)
    # cos: q=0 c, 1 -s, 2 -c, 3 s, 4 c; sin: 0 s, 1 c, 2 -s, 3 -c, 4 s
    across = across * where_less(absolute(q - 1.5), 1.0, -1.0, 1.0)
    along = along * where_less(absolute(q - 2.5), 1.0, -1.0, 1.0)
    return across, along


@compiled
def fill_normal(like, bases, place, count, scale, shift, out):
    """Normal entries number 0 to count - 1 to `out` (count rows of lanes); see `fill_entries`."""
    width = len(like)
    for k in range(0, count - 1, 2):
        radius = root(logarithm(uniform(bases, place, k, like)) * -2.0) * scale
        cosine, sine = circle(uniform(bases, place, k + 1, like))
        store(out, k * width, radius * cosine + shift)
        store(out, (k + 1) * width, radius * sine + shift)
    if count % 2:
        k = count - 1
        radius = root(logarithm(uniform(bases, place, k, like)) * -2.0) * scale
        cosine, _ = circle(uniform(bases, place, k + 1, like))
        store(out, k * width, radius * cosine + shift)


@compiled
def fill_entries(like, kind, numbers, bases, place, count, out):
    """Entries number 0 to count - 1 of the law to `out`, for the bases at bases[place] and behind.

    numbers: scale, shift, and then the numbers of the recipe.
    """
    width = len(like)
    scale, shift = at(numbers, 0), at(numbers, 1)
    first, second, third = at(numbers, 2), at(numbers, 3), at(numbers, 4)
    fourth, fifth = at(numbers, 5), at(numbers, 6)
    if kind == NORMAL:
        fill_normal(like, bases, place, count, scale, shift, out)
        return
    for k in range(count):
        if kind == UNIFORM:
            x = uniform(bases, place, k, like) * 2.0 - 1.0
        elif kind == ATOMS:
            u = uniform(bases, place, k, like)
            x = where_less(u, fourth, first, where_less(u, fifth, fill(second, like), third))
        elif kind == TRIANGULAR:
            x = 2.0 * first - root(uniform(bases, place, k, like)) * (3.0 * first)
        elif kind == BETA:
            cosine, _ = circle(uniform(bases, place, 4 * k + 1, like))
            power = exponential(logarithm(uniform(bases, place, 4 * k, like)) * second)
            rest = 1.0 - cosine * cosine * (1.0 - power)
            factor = exponential(logarithm(uniform(bases, place, 4 * k + 2, like)) * third)
            coin = uniform(bases, place, 4 * k + 3, like)
            rest = where_less(coin, fourth, rest, rest * factor)
            left = where_less(rest, 1.0, 1.0 - rest, 0.0)
            size = root(left) * first
            x = where_less(cosine, 0.0, 0.0 - size, size)
        else:
            power = exponential(logarithm(uniform(bases, place, 2 * k, like)) * second)
            cosine, _ = circle(uniform(bases, place, 2 * k + 1, like))
            # U^(-2/nu) - 1 from the exponential of a negative number
            x = root((1.0 / power - 1.0) * first) * cosine
        store(out, k * width, x * scale + shift)
