"""Norms of explicit networks, which bound the representation cost R(f; Omega, L) from above:
`stacked`, those of completely positive kernels."""
