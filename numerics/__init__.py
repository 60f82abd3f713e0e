"""What a network does: float64 programs and enclosures for batches of networks, CPU or CUDA."""
