"""Modules of torch as networks."""
