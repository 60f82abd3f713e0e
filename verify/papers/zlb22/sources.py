"""Where the statements of Zhu, Liu, Belkin (2022) are printed."""

from verify.core.claim import Source


def printed(reference: str) -> Source:
    """A place in the paper, main text or appendix."""
    return Source("zlb22", "final", reference)
