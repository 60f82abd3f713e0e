"""Where the statements of Jacot (2023) are printed."""

from verify.core.claim import Source


def printed(reference: str) -> Source:
    """A place in the paper, main text or appendix."""
    return Source("j23", "final", reference)
