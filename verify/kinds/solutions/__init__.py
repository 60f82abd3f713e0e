"""Exact solutions of the gradient flow for all times."""
