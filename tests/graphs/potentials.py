"""Whether a potential proves that coefficients balance."""

from graphs.balance import useful_edges


def check_potential(network, coefficients, potential):
    """Whether the potential proves that the coefficients balance (see `decide`)."""
    if any(potential.get(v, 0) for v in (*network.inputs, *network.outputs)):
        return False
    phi = [potential.get(v, 0) for v in range(network.vertex_count)]
    ends = zip(useful_edges(network), network.tails, network.heads, strict=True)
    return all(
        coefficients.get(e, 0) == phi[head] - phi[tail]
        for e, (useful, tail, head) in enumerate(ends)
        if useful
    )
