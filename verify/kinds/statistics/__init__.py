"""Statistics: means, rates and exponents with intervals that hold at all times."""
