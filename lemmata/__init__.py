"""Lemmata checks the statements of neural-network theory papers.

The public names: `network` and `Network` (what a network is), `Claim` and `Hypothesis` (what a
statement is), `Case` (an instance), `find_claim` and `all_claims` (what is coded).
"""

from graphs.network import Network, network
from verify.case import Case
from verify.claim import Claim, Kind, Source
from verify.hypotheses import Hypothesis
from verify.pool import Pool
from verify.registry import all_claims
from verify.registry import find as find_claim

__version__ = "0.7.0"

__all__ = [
    "Case",
    "Claim",
    "Hypothesis",
    "Kind",
    "Network",
    "Pool",
    "Source",
    "all_claims",
    "find_claim",
    "network",
]
