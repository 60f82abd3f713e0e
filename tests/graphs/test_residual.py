from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, leaky_relu
from graphs.errors import NetworkError
from graphs.network import FIXED
from graphs.residual import residual_block
from graphs.strategies import inputs_for, weights_for
from tests.graphs.evaluated import applied, by_name, in_order, matrix, outputs_at, times

KINDS = {"linear": LINEAR, "relu": RELU, "abs": ABS, "half": leaky_relu("1/2")}
kinds = st.sampled_from(sorted(KINDS))
sizes = st.integers(1, 4)


def skip_matrix(variant, named, x_names, o_names):
    if variant == "free":
        return matrix(named, x_names, o_names)
    return [
        [
            Fraction(0)
            if i != j
            else Fraction(1)
            if variant == "identity"
            else named[f"w[{x}->{o}]"]
            for j, x in enumerate(x_names)
        ]
        for i, o in enumerate(o_names)
    ]


@given(
    data=st.data(),
    variant=st.sampled_from(["identity", "diagonal", "free"]),
    a=sizes,
    b=sizes,
    c=sizes,
    inner=kinds,
    outer=kinds,
)
def test_a_block_is_its_matrices(data, variant, a, b, c, inner, outer):
    c = c if variant == "free" else a
    net = residual_block(variant, a, b, c, KINDS[inner], KINDS[outer])
    weights, x = data.draw(weights_for(net)), data.draw(inputs_for(net))
    named = by_name(net, weights)
    x_names, h_names = [f"x{k + 1}" for k in range(a)], [f"h{k + 1}" for k in range(b)]
    o_names = ["o"] if c == 1 else [f"o{k + 1}" for k in range(c)]
    through = times(
        matrix(named, h_names, o_names), applied(inner, times(matrix(named, x_names, h_names), x))
    )
    skipped = times(skip_matrix(variant, named, x_names, o_names), x)
    expected = applied(outer, [p + q for p, q in zip(through, skipped, strict=True)])
    assert outputs_at(net, weights, x) == expected
    assert (
        net.parameter_count
        == a * b + b * c + {"identity": 0, "diagonal": a, "free": a * c}[variant]
    )


@given(data=st.data(), a=sizes, b=sizes)
def test_identity_is_a_case_of_diagonal_is_a_case_of_free(data, a, b):
    identity, diagonal, free = (residual_block(v, a, b) for v in ("identity", "diagonal", "free"))
    x = data.draw(inputs_for(identity))
    named = by_name(identity, data.draw(weights_for(identity)))
    o_names = [free.names[v] for v in free.outputs]
    skips = [(f"w[x{k + 1}->{o}]", k) for k, o in enumerate(o_names)]
    ones = {**named, **{name: Fraction(1) for name, _ in skips}}
    assert outputs_at(identity, in_order(identity, named), x) == outputs_at(
        diagonal, in_order(diagonal, ones), x
    )
    drawn = by_name(diagonal, data.draw(weights_for(diagonal)))
    off = {f"w[x{k + 1}->{o}]": Fraction(0) for k in range(a) for o in o_names}
    assert outputs_at(diagonal, in_order(diagonal, drawn), x) == outputs_at(
        free, in_order(free, {**off, **drawn}), x
    )


def test_the_skips_of_an_identity_block_are_fixed_at_one():
    net = residual_block("identity", 2, 3)
    skips = [net.edge_between(f"x{k}", f"o{k}") for k in (1, 2)]
    assert [net.fixed[e] for e in skips] == [1, 1]
    assert net.parameter_of.count(FIXED) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dense", 2), "'dense': use one of identity, diagonal, free"),
        (("identity", 2, 1, 3), "make c equal to a, or use 'free'"),
        (("free", 0), "must be positive"),
    ],
)
def test_impossible_blocks_are_refused(arguments, message):
    with pytest.raises(NetworkError, match=message):
        residual_block(*arguments)
