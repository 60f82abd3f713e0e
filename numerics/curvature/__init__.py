"""Curvature of wide layered networks: Hessian products and norms, tangent kernels (float64)."""
