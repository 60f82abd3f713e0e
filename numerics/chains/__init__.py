"""Long chains of random layers: with batch normalisation, and products without it (float64)."""
