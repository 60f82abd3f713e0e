"""Fully connected networks with vector outputs, for claims in code."""
