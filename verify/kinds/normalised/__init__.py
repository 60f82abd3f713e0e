"""Batch-normalised chains, for claims in code."""
