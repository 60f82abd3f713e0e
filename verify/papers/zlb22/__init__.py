"""Zhu, Liu, Belkin (2022), Transition to linearity of general neural networks with directed acyclic
graph architecture."""

from verify.papers.zlb22 import (
    assumptions,
    block_norms,
    block_sums,
    bottlenecks,
    distances,
    gaussian_columns,
    gaussian_forms,
    gradient_norms,
    kernel_at_start,
    kernel_in_ball,
    layers,
    network_width,
    neuron_sizes,
    parameter_counts,
    shifts,
    skips,
    square_loss,
    widths,
)

CLAIMS = (
    *distances.CLAIMS,
    *layers.CLAIMS,
    *network_width.CLAIMS,
    *block_norms.CLAIMS,
    *block_sums.CLAIMS,
    *square_loss.CLAIMS,
    *widths.CLAIMS,
    *skips.CLAIMS,
    *bottlenecks.CLAIMS,
    *gaussian_forms.CLAIMS,
    *assumptions.CLAIMS,
    *gradient_norms.CLAIMS,
    *shifts.CLAIMS,
    *gaussian_columns.CLAIMS,
    *kernel_at_start.CLAIMS,
    *kernel_in_ball.CLAIMS,
    *parameter_counts.CLAIMS,
    *neuron_sizes.CLAIMS,
)
