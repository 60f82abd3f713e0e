"""Where the statements of Le and Jegelka (2022) are printed."""

from verify.core.claim import Source


def final(reference: str) -> Source:
    """A place in the final version."""
    return Source("lj22", "final", reference)


def earlier(reference: str) -> Source:
    """A place in the earlier version."""
    return Source("lj22", "earlier", reference)


def both(reference: str) -> Source:
    """A place in both versions, with the final version's number."""
    return Source("lj22", "both", reference)
