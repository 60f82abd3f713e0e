"""Fully connected leaky ReLU networks of vector outputs, many of one shape at a time (float64)."""
