"""Pieces of arguments and of proofs that statements of several papers share."""
