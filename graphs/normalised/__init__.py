"""One layer of the batch-normalised chain exactly: weight laws, steps on M, expectations over W.

Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020). M = H H^T / N is the second moment matrix of the
hidden representations H (d, N); a layer takes H to the rows of H + gamma W H, each divided by its
root mean square.
"""
