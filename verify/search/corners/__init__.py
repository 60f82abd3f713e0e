"""Cases at corners, always the same: zeros, ties, kinks, rank drops, size one, extremes."""
