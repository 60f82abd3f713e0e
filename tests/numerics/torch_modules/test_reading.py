"""Modules of torch as networks: the same function, the same parameters, at every place."""

from fractions import Fraction
from math import exp, log1p, tanh

import pytest
import torch
from torch import nn
from torch.nn import functional

from graphs.errors import NetworkError
from graphs.exact import output
from graphs.network import Network
from numerics.torch_modules.reading import from_torch

PLAINLY = {
    "linear": lambda z: z,
    "relu": lambda z: max(z, 0.0),
    "abs": abs,
    "tanh": tanh,
    "sigmoid": lambda z: 1 / (1 + exp(-z)),
    "softplus": lambda z: log1p(exp(z)),
}


def outputs(net: Network, weights, x) -> list[float]:
    """The function of a network, in floats, from its definition."""
    free, post = iter(x), [0.0] * net.vertex_count
    for v, constant in zip(net.inputs, net.constants, strict=True):
        post[v] = float(next(free) if constant is None else constant)
    weight = [float(w) for w in net.edge_weights(weights)]
    for v, into in enumerate(net.in_edges):
        if v not in net.inputs:
            z = sum(weight[e] * post[net.tails[e]] for e in into)
            kind = net.activations[v]
            slope = kind.slope
            post[v] = PLAINLY[kind.kind](z) if slope is None else max(z, float(slope) * z)
    return [post[v] for v in net.outputs]


def random_module(module: nn.Module, seed: int = 0) -> nn.Module:
    """With random parameters and averages, variances positive."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():
            drawn = torch.randn(tensor.shape, generator=generator)
            tensor.copy_(drawn.abs() + 0.1 if name.endswith("running_var") else drawn)
    return module


class Residual(nn.Module):
    """A residual block between two layers, with what people write in between."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(2, 2, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(2)
        self.gate = nn.ReLU(inplace=True)
        self.second = nn.Conv2d(2, 2, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(2)
        self.scale = nn.Parameter(torch.ones(2, 1, 1))
        self.drop, self.leaky = nn.Dropout(), nn.LeakyReLU(0.25)
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        y = self.norm2(self.second(self.gate(self.norm1(self.first(x)))))
        y = self.gate(y + x * self.scale)
        y = functional.adaptive_avg_pool2d(y, 1).flatten(1)
        y = self.drop(self.leaky(y))
        return self.head(torch.cat([y[:, 1:], y[:, :1]], 1).view(y.shape[0], -1))


class Mixed(nn.Module):
    """A circular convolution, sums of layers that read the same, and smooth activations."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 3, stride=2, padding=1, padding_mode="circular")
        self.norm = nn.BatchNorm1d(2)
        self.one, self.two = nn.Linear(6, 3), nn.Linear(6, 3)
        self.norm2, self.end = nn.BatchNorm1d(3), nn.Softplus()

    def forward(self, x):
        y = self.norm(self.conv(x)).relu().flatten(1)
        y = self.one(y) + self.two(y) - 0.5 * torch.tanh(self.one(y))
        return self.end(self.norm2(torch.sigmoid(y))).mean(1, keepdim=True)


class Written(nn.Module):
    """A function of x and of modules and parameters. compute: takes both."""

    def __init__(self, compute, **parts) -> None:
        super().__init__()
        self.compute = compute
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return self.compute(self, x)


class Standardised(nn.Module):
    """By numbers of the data."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("average", torch.ones(2))

    def forward(self, x):
        return (x - self.average) * torch.tensor([0.5, 2.0])


def square() -> nn.Linear:
    return nn.Linear(2, 2, bias=False)


def frozen() -> nn.BatchNorm1d:
    return nn.BatchNorm1d(2).requires_grad_(False)


MODULES = {
    "one normalisation twice in a row": (
        Written(lambda m, x: m.b(m.b(x).relu()), b=nn.BatchNorm1d(2)),
        (2,),
    ),
    "one normalisation beside itself": (
        Written(lambda m, x: m.b(x) + m.b(x.relu()), b=nn.BatchNorm1d(2)),
        (2,),
    ),
    "one normalisation of two layers": (
        Written(
            lambda m, x: m.b(m.k(m.b(m.l(x)).relu())), b=nn.BatchNorm1d(2), l=square(), k=square()
        ),
        (2,),
    ),
    "one layer before two normalisations": (
        Written(
            lambda m, x: m.c(m.l(m.b(m.l(x)).relu())),
            b=nn.BatchNorm1d(2),
            c=nn.BatchNorm1d(2),
            l=square(),
        ),
        (2,),
    ),
    "a layer along another axis than its normalisation": (
        nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)),
        (3, 3),
    ),
    "a frozen normalisation": (nn.Sequential(square(), frozen(), nn.ReLU()), (2,)),
    "weights subtracted": (
        Written(lambda m, x: (x - m.p).relu() + 2 - m.p[:1], p=nn.Parameter(torch.ones(3))),
        (3,),
    ),
    "an average subtracted, a spread multiplied": (
        nn.Sequential(Standardised(), nn.Linear(2, 1)),
        (2,),
    ),
    "split, reversed": (
        Written(lambda m, x: torch.cat([1 - part for part in x.relu().split(3, 1)][::-1], 1)),
        (4,),
    ),
    "dense": (nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)), (3,)),
    "strides, groups, dilation": (
        nn.Sequential(
            nn.Conv1d(2, 4, 2, stride=2, groups=2, dilation=2),
            nn.LeakyReLU(),
            nn.AvgPool1d(2),
            nn.Flatten(),
            nn.Linear(4, 1, bias=False),
        ),
        (2, 7),
    ),
    "residual": (Residual(), (2, 3, 3)),
    "mixed": (Mixed(), (1, 6)),
}


@pytest.mark.parametrize("name", MODULES)
def test_the_network_is_the_function_of_the_module(name):
    module, shape = MODULES[name]
    net, weights = from_torch(random_module(module), shape)
    plain = module.double().eval()
    for x in torch.randn(3, *shape, generator=torch.Generator().manual_seed(1)).double():
        wanted = plain(x[None]).flatten().tolist()
        assert outputs(net, weights, x.flatten().tolist()) == pytest.approx(wanted, rel=1e-9)


def test_a_module_by_hand():
    """f(x) = v relu(a x1 + b x2 + c) + d, every weight where it stands."""
    module = nn.Sequential(nn.Linear(2, 1), nn.ReLU(), nn.Linear(1, 1))
    values = {"0.weight": [[2.0, -0.5]], "0.bias": [0.25], "2.weight": [[3.0]], "2.bias": [-1.0]}
    module.load_state_dict({name: torch.tensor(value) for name, value in values.items()})
    net, weights = from_torch(module)
    edges = dict(zip(map(net.edge_name, range(5)), net.edge_weights(weights), strict=True))
    assert edges == {
        "x1->layer0[1]": 2,
        "x2->layer0[1]": Fraction(-1, 2),
        "1->layer0[1]": Fraction(1, 4),
        "layer0[1]->o": 3,
        "1->o": -1,
    }
    assert [str(net.activations[net.index[name]]) for name in ("layer0[1]", "o")] == [
        "relu",
        "linear",
    ]
    assert net.parameter_names[:2] == ("0.weight[1,1]", "0.weight[1,2]")
    assert output(net, weights, [1, 1]) == Fraction(17, 4)  # 3 (2 - 1/2 + 1/4) - 1


def test_the_weights_of_a_convolution_are_shared_exactly():
    """Two positions of a filter of two places on three inputs: four edges, two parameters."""
    net, weights = from_torch(nn.Conv1d(1, 1, 2, bias=False), (1, 3))
    assert (net.edge_count, net.parameter_count) == (4, 2)
    assert [len(edges) for edges in net.edges_of_parameter] == [2, 2]
    assert all(weight.denominator & (weight.denominator - 1) == 0 for weight in weights)


def test_a_batch_normalisation_goes_into_the_layer_before():
    """(x w - m) g / sqrt(v + eps) + b with w = 3, m = 1, g = 2, v + eps = 4, b = 5: 3 x + 4."""
    module = nn.Sequential(nn.Conv1d(1, 1, 1, bias=False), nn.BatchNorm1d(1, eps=1.0))
    with torch.no_grad():
        for tensor, value in zip(module.state_dict().values(), (3, 2, 5, 1, 3), strict=False):
            tensor.fill_(value)
    net, weights = from_torch(module, (1, 1))
    assert dict(zip(net.parameter_names, weights, strict=True)) == {
        "0.weight[1,1,1]": 3,
        "1.bias[1]": 4,
    }


def test_a_layer_that_is_read_twice_is_not_folded_and_stands_once():
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.norm = nn.Linear(1, 1, bias=False), nn.BatchNorm1d(1)

        def forward(self, x):
            y = self.layer(x)
            return self.norm(y) + y

    module = random_module(Twice())
    net, weights = from_torch(module)
    assert net.edges_of_parameter[net.parameter_names.index("layer.weight[1,1]")] == (0,)
    wanted = module.double().eval()(torch.ones(1, 1).double()).item()
    assert outputs(net, weights, [1.0]) == [pytest.approx(wanted)]


def test_a_normalisation_learns_where_it_needs_gradients():
    """Called once it goes into the layer; called twice its uses share its parameters; frozen or
    without parameters its factors are fixed."""
    for norm in (frozen(), nn.BatchNorm1d(2, affine=False)):
        net, _ = from_torch(nn.Sequential(square(), norm))
        assert {name.partition("[")[0] for name in net.parameter_names} == {"0.weight"}
    net, _ = from_torch(MODULES["one normalisation beside itself"][0], (2,))
    assert set(net.parameter_names) == {"b.weight[1]", "b.weight[2]", "b.bias[1]", "b.bias[2]"}
    assert [len(edges) for edges in net.edges_of_parameter] == [2, 2, 2, 2]


def test_what_needs_no_gradient_is_fixed_and_tied_layers_share():
    module = nn.Sequential(nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1))
    module[2].weight = module[0].weight
    module[4].requires_grad_(False)
    net, weights = from_torch(random_module(module))
    assert net.parameter_names == ("0.weight[1,1]", "0.bias[1]", "2.bias[1]")
    assert net.fixed.count(None) == 4
    assert len(weights) == 3


def test_the_module_stays_as_it_was():
    module = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1)).train()
    from_torch(module)
    assert module.training
    assert module[0].weight.dtype == torch.float32


class Line(nn.Module):
    def __init__(self, compute) -> None:
        super().__init__()
        self.layer, self.compute = nn.Linear(2, 2), compute

    def forward(self, x):
        return self.compute(self.layer(x))


def beside(compute) -> nn.Module:
    """Weights that have an axis where the batch has its own."""
    return Written(compute, weights=nn.Parameter(torch.ones(5, 2)))


def uncopied() -> nn.Module:
    """A layer with a tensor that is computed of others, as the old `weight_norm` makes one."""
    module = nn.Linear(1, 1)
    module.other = 2 * torch.ones(1, requires_grad=True)
    return module


def test_what_torch_prints_of_a_failure_is_kept_from_the_reader(capfd):
    for module, shape in ((Line(lambda y: y if y.sum() > 0 else -y), 1), (nn.Linear(2, 1), 3)):
        with pytest.raises(NetworkError):
            from_torch(module, shape)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("module", "shape", "told"),
    [
        (nn.Sequential(nn.MaxPool1d(2)), (1, 4), r"max_pool1d.* at 0 \(MaxPool1d\): .*average"),
        (Line(lambda y: y * y), None, r"mul in Line, .*product of two neurons"),
        (Line(lambda y: y.softmax(1)), None, "softmax in Line.*leave it to the loss"),
        (
            Line(lambda y: y if y.sum() > 0 else -y),
            None,
            "does not see through Line.*; line .*y.sum",
        ),
        (nn.Sequential(nn.Linear(2, 1)), (3,), r"does not see through Sequential .*shape \(3,\): "),
        (Line(lambda y: (y, y)), None, "returns 2 tensors"),
        (Line(lambda y: None), None, "returns None"),
        (Line(lambda y: y.long().double()), None, "whole numbers and truths"),
        (beside(lambda m, x: x + m.weights), (2,), r"shape \(5, 2\) stand beside a batch"),
        (beside(lambda m, x: x * m.weights), (2,), r"shape \(5, 2\) stand beside a batch"),
        (nn.Softplus(threshold=0), (1,), "threshold 0: take 20"),
        (Line(lambda y: y.detach()), None, "gradients do not flow"),
        (Line(lambda y: y.mean()), None, "a mean over the batch"),
        (Line(lambda y: y / 0), None, "div in Line, .*not known with these arguments"),
        (Line(lambda y: functional.pad(y, (-1, 0))), None, "negative padding"),
        (nn.Conv1d(1, 1, 1), (4,), "no axis for the channels"),
        (nn.Linear(3000, 3000), None, "more than 1000000 edges"),
        (nn.Conv2d(3, 64, 3), (3, 64, 64), "^the network has more than 1000000 edges"),
        (uncopied(), None, "Linear cannot be copied"),
        (
            Written(lambda m, x: m.b(x) * m.b.weight, b=nn.BatchNorm1d(2)),
            (2,),
            "another operator reads its weights",
        ),
        (nn.Conv1d(1, 1, 1), None, "does not tell the shape of its input"),
        (nn.Linear(1, 1), (0,), "shape"),
        ("module", None, "str is no torch.nn.Module"),
    ],
)
def test_what_is_no_network_is_named_with_its_place(module, shape, told):
    with pytest.raises(NetworkError, match=told):
        from_torch(module, shape)
