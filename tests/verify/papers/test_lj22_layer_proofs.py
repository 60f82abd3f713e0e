"""Arguments about blocks and cuts: what they prove, what they do not, and their steps on graphs."""

from dataclasses import replace

import pytest

from graphs.layers import is_layer
from graphs.rationals import RATIONALS
from graphs.residual import VARIANTS
from tests.verify.structured_cases import drawn
from verify.cases.scenes import scene_of
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Filter, edges
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.terms import number
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.lj22 import layer_proofs
from verify.papers.lj22.chains import flattened, stacked
from verify.papers.lj22.layer_proofs import EDGES, SymbolBlock, cuts, side_of
from verify.papers.lj22.stacked import ANY_CHAIN
from verify.papers.registry import find

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
            argument = cuts(wrong)
            assert not argument.holds
            claim = replace(find("lj22.sig2.layer@B"), proof=lambda found=argument: found)
            assert schema(claim, SMOKE).outcome is Outcome.ERROR
    assert cuts().holds


def held_by(chosen, k, case):
    """The edges of a matrix of a layer."""
    held = Filter(edges(), lambda e: chosen(number(k), e))
    column = Evaluation(scene_of([case], RATIONALS)).column(held)
    return plain(column.values, held.sort, 0)


def test_the_sides_of_a_drawn_chain():
    """Along each edge of a graph the side rises by 1 where the matrix has it, else by 0."""
    seen = set()
    for seed in range(12):
        case = drawn(ANY_CHAIN, seed)
        net = case.network
        ends, inside, filters = (case.list_of(name) for name in "LMF")
        for k in case.list_of("W"):
            name = "[U Z] of a block" if inside[k - 1] else "T" if filters[k - 1] else "W"
            parts = {name: flattened}
            if inside[k - 1]:
                parts["Y over Z of a block"] = stacked
            for name, chosen in parts.items():
                held = held_by(chosen, k, case)
                side = side_of(name)
                behind = {v for later in (*inside[k:], *ends[k + 1 :]) for v in later}
                sides = [int(v in behind) for v in net.names]
                for part, some in (("inner", inside[k - 1]), ("heads", ends[k])):
                    for v in some:
                        sides[net.index[v]] = side[part]
                rises = [
                    sides[head] - sides[tail]
                    for tail, head in zip(net.tails, net.heads, strict=True)
                ]
                assert rises == [int(e in held) for e in range(net.edge_count)]
                assert is_layer(net, held, "A")
                assert is_layer(net, held, "B")
                seen.add(name)
    assert seen == {"W", "T", "[U Z] of a block", "Y over Z of a block"}
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
    assert len(layer_proofs.blocks_by_matrices().steps) == 9
    assert len(layer_proofs.wider_blocks().steps) == 6
