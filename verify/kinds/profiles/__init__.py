"""Families of linear networks along which widths grow, and the order of their Hessians."""
