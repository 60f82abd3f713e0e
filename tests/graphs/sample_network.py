"""A small network with everything that a file can hold, for the tests of files."""

from fractions import Fraction

from graphs.activations import leaky_relu
from graphs.files import to_json
from graphs.network import network

SMALL = network(
    [("x", "h"), ("x", "o"), ("h", "o")],
    inputs=["x"],
    outputs=["o"],
    activations={"h": leaky_relu("1/10")},
    fixed={("x", "o"): 1},
    scale_squares={"o": "1/2"},
    title="a small one",
)
WEIGHTS = (Fraction(-2, 3), Fraction(3))


def document():
    """A JSON object that is right, for the tests to spoil."""
    return to_json(SMALL, WEIGHTS)
