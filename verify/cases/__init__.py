"""What claims speak of: networks with data, arrays; how they are drawn, changed, made small."""
