"""Du, Hu and Lee (2018), a paper of its own package: what it states, for Lemmata to check."""

from lemmata import paper

paper("dhl18", ledger="ledger.toml")

from balanced_layers import networks, two_factors  # noqa: E402, F401 - they state the claims
