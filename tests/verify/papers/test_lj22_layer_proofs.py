"""Arguments about blocks and cuts: what they prove, what they do not, and their steps on graphs."""

from dataclasses import replace

import pytest

from graphs.layers import is_layer
from graphs.residual import VARIANTS
from tests.verify.structured_cases import drawn
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.lj22 import layer_proofs
from verify.papers.lj22.blocks import COMPUTED, WIDER
from verify.papers.lj22.chains import chain, layer_edges, representations
from verify.papers.lj22.layer_proofs import EDGES, KINDS, SymbolBlock, cuts, side_of
from verify.papers.lj22.stacked import ANY_CHAIN
from verify.registry import find
from verify.runs.budgets import budget_named

SMOKE = Context(budget_named("smoke"))
PROVED = ("lj22.def5", "lj22.def5-special", "lj22.sig2.layer@B")


@pytest.mark.parametrize("name", PROVED)
def test_they_prove_their_claims_and_no_others(name):
    claim = find(name)
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    for other in {*PROVED} - {name}:
        mixed = replace(claim, measure=find(other).measure, terms=find(other).terms)
        assert schema(mixed, SMOKE).outcome is Outcome.ERROR


def test_a_matrix_alone_is_no_cut_of_a_block():
    for held in ({"U"}, {"Y"}, {"Z"}, {"U", "Y"}, {"U", "Y", "Z"}):
        for matrix in ("[U Z] of a block", "Y over Z of a block"):
            wrong = {matrix: (("Y", "U", "Z"), held)}
            argument = cuts("not_a_layer", wrong)()
            assert not argument.holds
            claim = replace(find("lj22.sig2.layer@B"), proof=lambda found=argument: found)
            assert schema(claim, SMOKE).outcome is Outcome.ERROR
    assert cuts("", KINDS)().holds


def test_the_sides_of_a_drawn_chain():
    """Along each edge of a graph the side rises by 1 where the matrix has it, else by 0."""
    seen = set()
    for seed in range(12):
        case = drawn(ANY_CHAIN, seed)
        net, pieces = case.network, chain(case)
        for number, piece in enumerate(pieces):
            names = {"UZ": "[U Z] of a block", "YZ": "Y over Z of a block", "T": "T"}
            for name in representations(piece):
                held = layer_edges(net, piece, name)
                side = side_of(names.get(name, "T"))
                behind = {v for later in pieces[number + 1 :] for v in (*later.inner, *later.heads)}
                sides = [int(v in behind) for v in range(net.vertex_count)]
                for part in ("inner", "heads"):
                    for v in getattr(piece, part):
                        sides[v] = side[part]
                rises = [
                    sides[head] - sides[tail]
                    for tail, head in zip(net.tails, net.heads, strict=True)
                ]
                assert rises == [int(e in held) for e in range(net.edge_count)]
                assert is_layer(net, held, "A")
                assert is_layer(net, held, "B")
                seen.add(name)
    assert seen == {"W", "T", "UZ", "YZ"}
    assert set(EDGES) > {"T", "Y", "U", "Z"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("other", VARIANTS)
def test_the_sums_of_a_block_have_one_skip(variant, other):
    block = SymbolBlock(variant, 2, 2)
    skip = block.skip(other)
    heads = block.names["o"]
    same = [block.ring.is_zero(block.summed(o, {}) - block.by_matrices(o, skip)) for o in heads]
    assert all(same) is (variant == other)


def test_three_variants_and_three_shapes_are_expanded():
    assert len(layer_proofs.blocks_by_matrices(COMPUTED).steps) == 9
    assert len(layer_proofs.wider_blocks(WIDER).steps) == 6
