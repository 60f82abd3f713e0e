"""What a network is: graphs, activations, parameters, paths, layers, exact algebra. No torch."""
