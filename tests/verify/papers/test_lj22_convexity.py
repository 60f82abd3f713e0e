"""A linear piece that is not convex, by hand."""

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.papers.registry import find

CLAIM = find("lj22.rem-convex@A")
# relu(x1) - relu(x1 - x2), and relu of it: relu(min(x1, x2)), 0 outside of the positive quadrant
NET = net_of("x1>a x1>b x2>b a>o b>o", {"a": RELU, "b": RELU, "o": RELU})
WEIGHTS = {"x1>a": 1, "x1>b": 1, "x2>b": -1, "a>o": 1, "b>o": -1}
CORNERS = (["1/2", "0"], ["0", "-1/2"], ["-1/2", "-1/2"], ["-1/2", "0"], ["0", "1/2"])
MIDDLE = (["1/4", "1/4"], 1, 1)
ROUND = [*((corner, 1, 1) for corner in CORNERS), MIDDLE]


def test_the_zero_piece_around_a_quadrant():
    # from (1/2, 0) around to (0, 1/2); the midpoint (1/4, 1/4) has the value 1/4
    assert value_of(CLAIM, case_of(NET, WEIGHTS, ROUND), at=[]) == 1


def test_a_convex_piece_is_no_witness():
    points = (["1/2", "1/4"], ["1/2", "1/8"], ["1/2", "3/16"])
    assert value_of(CLAIM, case_of(NET, WEIGHTS, [(x, 1, 1) for x in points]), at=[]) == 0


def test_what_is_no_chain_in_one_piece():
    across = case_of(NET, WEIGHTS, [ROUND[0], ROUND[4], MIDDLE])  # x1 = x2 lies between them
    dependent = case_of(NET, WEIGHTS, [ROUND[0], ROUND[3], ([0, 0], 1, 1)])
    several = case_of(NET, WEIGHTS, [(["1/2", "1/8"], 1, 1), *ROUND[:-1], (["1/4", "5/16"], 1, 1)])
    elsewhere = case_of(NET, WEIGHTS, ROUND[:-1])
    single = case_of(NET, WEIGHTS, ROUND[:1])
    zero = case_of(NET, {**WEIGHTS, "x1>a": 0}, ROUND)
    for case in (across, dependent, several, elsewhere, single, zero):
        assert values_of(CLAIM, case) == []
