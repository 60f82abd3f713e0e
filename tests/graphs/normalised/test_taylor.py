"""The bound on the Taylor remainder of (66) over the cube."""

from fractions import Fraction

import pytest

from graphs.normalised.taylor import taylor_constant

F = Fraction


@pytest.mark.parametrize("reach", [F(0), F(1, 2)])
def test_a_reach_that_is_too_large_is_refused(reach):
    with pytest.raises(ValueError, match="reach"):
        taylor_constant(reach)
