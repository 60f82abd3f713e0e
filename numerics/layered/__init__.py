"""Networks whose weights are matrices and tensors, layer by layer, in batches: dense torch."""
