"""Two-sided bounds on the representation cost R(f; Omega, L) of small functions, and on R^(1).

The cost is an infimum, so a number is known only between two: `one_layer` is exact (least norm),
`affine` bounds affine functions on convex hulls at every depth, `corrections` their R^(0) and
R^(1), `stacked` the explicit networks of completely positive kernels. Lower bounds hold for every
network, whatever its widths.
"""
