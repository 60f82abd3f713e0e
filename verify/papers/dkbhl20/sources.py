"""Where the statements of Daneshmand et al. (2020) are printed."""

from verify.core.claim import Source


def printed(reference: str) -> Source:
    """A place in the paper, main text or appendix."""
    return Source("dkbhl20", "final", reference)
