"""Small cases, all of them: what there is up to a size, counted before it is looked at."""
