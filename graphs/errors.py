"""What can be wrong with a network. Each error names the thing and the remedy."""


class NetworkError(ValueError):
    """A network, its weights or its file is not well formed."""


class CycleError(NetworkError):
    """The graph has a directed cycle, so it is not a feedforward network."""


class ActivationError(NetworkError):
    """An activation is unknown, or not one that the computation can treat."""


class WeightError(NetworkError):
    """A weight is missing, surplus, not finite, or not rational where it must be."""


class ParameterError(NetworkError):
    """A parameter belongs to no edge, or an edge to no parameter."""


class TooManyPathsError(NetworkError):
    """An enumeration of paths would pass the cap that was set for it."""


class PrecisionError(NetworkError):
    """More precision is asked for than there is on this machine."""


class NotRationalError(NetworkError):
    """Exact arithmetic met a number that is not rational (tanh, 1/sqrt(3), ...)."""
