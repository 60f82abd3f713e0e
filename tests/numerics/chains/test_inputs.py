import pytest
import torch

from numerics.chains import inputs


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(3)


def ranks(matrices):
    return torch.linalg.matrix_rank(matrices).tolist()


def test_ranks_are_as_asked(generator):
    assert ranks(inputs.full(generator, 3, 5, 7)) == [5, 5, 5]
    assert ranks(inputs.low_rank(generator, 3, 5, 7, 2)) == [2, 2, 2]
    assert ranks(inputs.collinear(generator, 2, 5, 5, 1e-3)) == [5, 5]
    for kind in ("gaussian", "signs", "ones"):
        assert ranks(inputs.rank_one(generator, 2, 4, 6, kind)) == [1, 1]


def test_collinear_inputs_are_nearly_so(generator):
    values = torch.linalg.svdvals(inputs.collinear(generator, 1, 6, 6, 1e-3))[0]
    assert 1e-5 < float(values[1] / values[0]) < 1e-1


def test_orthonormal_rows(generator):
    rows = inputs.orthonormal_rows(generator, 3, 4, 6)
    gram = rows @ rows.mT / 6
    assert float((gram - torch.eye(4)).abs().max()) < 1e-14
    assert float(rows.std()) == pytest.approx(1, abs=0.2)


def test_offset_and_signs(generator):
    assert float(inputs.with_offset(generator, 5, 10, 10, 7.0).mean()) == pytest.approx(7, abs=0.3)
    assert inputs.signs(generator, 4, 5, 6).unique().tolist() == [-1, 1]


def test_digits(generator):
    raw = inputs.digits(generator, 2, 64, 5, "raw")
    assert raw.shape == (2, 64, 5)
    assert (float(raw.min()), float(raw.max())) == (0, 16)
    assert len(torch.unique(raw[0].T, dim=0)) == 5
    whole = inputs.digits(generator, 1, 64, 1797, "standardised")[0]
    assert float(whole.mean(dim=1).abs().max()) < 1e-12
    squares = whole.square().mean(dim=1)
    assert sorted({round(float(square), 9) for square in squares}) == [0, 1]
    same = [inputs.digits(torch.Generator().manual_seed(0), 1, 7, 5) for _ in range(2)]
    assert same[0].shape == (1, 7, 5)
    assert torch.equal(*same)


def test_wrong_requests_are_refused(generator):
    with pytest.raises(ValueError, match="d = 5"):
        inputs.digits(generator, 1, 5, 5, "raw")
    with pytest.raises(ValueError, match="1798 samples"):
        inputs.digits(generator, 1, 5, 1798)
    with pytest.raises(ValueError, match="n >= d"):
        inputs.orthonormal_rows(generator, 1, 3, 2)
    with pytest.raises(ValueError, match="gaussian"):
        inputs.rank_one(generator, 1, 3, 2, "other")
    with pytest.raises(ValueError, match="positive"):
        inputs.low_rank(generator, 1, 3, 2, 0)


def test_inputs_by_their_names():
    def drawn(name):
        return inputs.named(name, torch.Generator().manual_seed(4), 2, 6, 6)

    assert all(drawn(name).shape == (2, 6, 6) for name in inputs.NAMED)
    assert torch.linalg.matrix_rank(drawn("X-LOW(2)")).tolist() == [2, 2]
    assert set(drawn("X-ONE").unique().tolist()) == {-1.0, 1.0}
    assert torch.equal(drawn("X-MEAN(3)"), drawn("X-FULL") + 3.0)
    spread = torch.linalg.svdvals(drawn("X-COLL(1/1000)"))
    assert ((spread[:, 1] / spread[:, 0]) < 1e-2).all()
