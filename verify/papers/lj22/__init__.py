"""Le and Jegelka (2022), Training invariances and the low-rank phenomenon: beyond linear networks.

Two versions are coded: `lj22.*` is the final one, `lj22v1.*` the earlier one where it differs.
"""
