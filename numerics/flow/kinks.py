"""What happens where the flow meets kinks: which pre-activations cross 0, which stay there.

A pre-activation is *live* when something that is not 0 arrives at its vertex; only then is its 0 a
kink of the risk. Where nothing but zeros arrives (behind dead vertices), the slope does not matter,
until a vertex before it is no longer dead: the vertex *follows* that one.
"""

from __future__ import annotations

from numerics.flow.constants import PARALLEL, RATE_NOISE
from numerics.flow.passes import preactivation_gradient
from numerics.flow.slides import inner_product, velocity_at
from numerics.flow.status import Status
from numerics.flow.workspaces import FOLLOWERS, GROUP_MEMBERS, GROUPS
from numerics.kernels import CODES, NUMBERS, TANH, compiled
from numerics.layouts import EMPTY_SLOTS, NOT_AN_INPUT, PIECEWISE_LINEAR

NOT_ZERO, DEAD, HELD = range(3)
"""What is known of a post-activation: it is not 0; it is and stays 0; it is 0 for a kink is."""

SLIDES_NOW = 2

OK = -1
UNRESOLVED, NOT_UNIQUE = int(Status.UNRESOLVED), int(Status.NOT_UNIQUE)


@compiled
def mark_zeros(net, work, kinks, j):
    """Fill kinks.zero for example j. Returns nothing; see NOT_ZERO, DEAD, HELD."""
    filled, codes, numbers = net.slots - EMPTY_SLOTS, net.codes, net.numbers
    starts, in_slots, tails, zero = net.in_starts, net.in_slots, net.tails, kinks.zero
    for v in range(net.vertices):
        code, number, place = v * CODES, v * NUMBERS, v * net.stride + j
        if codes[code + 2] != NOT_AN_INPUT:
            zero[v] = DEAD if work.post[place] == 0.0 else NOT_ZERO
            continue
        arrives, behind = False, DEAD
        for e in range(starts[v], starts[v + 1]):
            if in_slots[e] < filled:
                of_tail = zero[tails[e]]
                arrives |= of_tail == NOT_ZERO
                behind = max(behind, of_tail)
        kind = codes[code + 3]
        if kind != PIECEWISE_LINEAR:
            zero[v] = behind if not arrives and kind == TANH else NOT_ZERO
        elif not arrives:
            zero[v] = behind
        elif kinks.candidate[place] != 0 or kinks.sides[place] == SLIDES_NOW:
            zero[v] = HELD
        else:
            kinked = numbers[number] != numbers[number + 1]
            slope = work.pattern[place] if kinked else numbers[number]
            zero[v] = DEAD if slope == 0.0 else NOT_ZERO


@compiled
def nothing_arrives(net, kinks, v):
    """Whether all that arrives at vertex v, on the example of kinks.zero, is 0."""
    filled, in_slots, tails, zero = net.slots - EMPTY_SLOTS, net.in_slots, net.tails, kinks.zero
    for e in range(net.in_starts[v], net.in_starts[v + 1]):
        if in_slots[e] < filled and zero[tails[e]] == NOT_ZERO:
            return False
    return True


@compiled
def add_followers(net, work, kinks, member):
    """Find what follows a member, and its slopes on both sides. False where there is no room.

    kinks.zero must be that of the member's example.
    """
    place = kinks.member_place[member]
    leader, j = place // net.stride, place % net.stride
    filled = net.slots - EMPTY_SLOTS
    for v in range(net.vertices):
        kinks.reach[v] = 0
    kinks.reach[leader] = 1
    flip = -1.0 if kinks.member_sides[member, 0] < 0 else 1.0  # the plus side may be z < 0 here
    kinks.plus_rates[leader] = flip * kinks.member_slopes[member, 0]
    kinks.minus_rates[leader] = -flip * kinks.member_slopes[member, 1]
    for v in range(leader + 1, net.vertices):
        touched, plus, minus = False, 0.0, 0.0
        for e in range(net.in_starts[v], net.in_starts[v + 1]):
            slot, tail = net.in_slots[e], net.tails[e]
            if slot < filled and kinks.reach[tail] == 1:
                touched = True
                plus += work.weights[slot] * kinks.plus_rates[tail]
                minus += work.weights[slot] * kinks.minus_rates[tail]
        if not touched or not nothing_arrives(net, kinks, v):
            continue
        code, number = v * CODES, v * NUMBERS
        kind = net.codes[code + 3]
        if kind != PIECEWISE_LINEAR and kind != TANH:
            continue
        scale = net.numbers[number + 2]
        left, right = net.numbers[number], net.numbers[number + 1]
        if kind == TANH:
            left = right = 1.0
        kinks.reach[v] = 1
        of_plus = left if plus < 0.0 else right
        of_minus = left if minus < 0.0 else right
        kinks.plus_rates[v] = of_plus * scale * plus
        kinks.minus_rates[v] = of_minus * scale * minus
        if left != right:
            i = kinks.sizes[FOLLOWERS]
            if i >= len(kinks.follower_group):
                return False
            kinks.follower_group[i] = kinks.member_group[member]
            kinks.follower_place[i] = v * net.stride + j
            kinks.follower_slopes[i, 0], kinks.follower_slopes[i, 1] = of_plus, of_minus
            kinks.follower_sides[i, 0] = sign(plus)
            kinks.follower_sides[i, 1] = sign(minus)
            kinks.sizes[FOLLOWERS] += 1
    return True


@compiled
def sign(x):
    """-1, 0 or 1."""
    return (x > 0.0) - (x < 0.0)


@compiled
def add_member(net, work, kinks, place, group):
    """Make a place a member of a group, its right side the plus side. False without room."""
    i = kinks.sizes[GROUP_MEMBERS]
    if i >= len(kinks.member_group):
        return False
    number = (place // net.stride) * NUMBERS
    kinks.member_group[i], kinks.member_place[i] = group, place
    kinks.member_slopes[i, 0] = net.numbers[number + 1]
    kinks.member_slopes[i, 1] = net.numbers[number]
    kinks.member_sides[i, 0], kinks.member_sides[i, 1] = 1, -1
    kinks.sizes[GROUP_MEMBERS] += 1
    return True


@compiled
def gather(net, work, kinks):
    """Make groups of all candidates, beside those that slide. Returns whether there was room."""
    kinks.sizes[FOLLOWERS] = 0
    sliding = kinks.sizes[GROUPS]
    old_members = kinks.sizes[GROUP_MEMBERS]
    for i in range(old_members):
        mark_zeros(net, work, kinks, kinks.member_place[i] % net.stride)
        if not add_followers(net, work, kinks, i):
            return False
    for j in range(net.count):
        marked = False
        for v in net.kinks:
            place = v * net.stride + j
            if kinks.candidate[place] == 0:
                continue
            if not marked:
                mark_zeros(net, work, kinks, j)
                marked = True
            if nothing_arrives(net, kinks, v):
                continue  # it follows another one, or nothing
            if not join(net, work, kinks, place, sliding):
                return False
    return True


@compiled
def join(net, work, kinks, place, sliding):
    """Make a place a member of the new group with a parallel gradient, or of one of its own.

    Returns false without room. A pre-activation without gradient is no member.
    """
    i = kinks.sizes[GROUP_MEMBERS]
    if i >= len(kinks.member_group):
        return False
    row = kinks.rows[i]
    preactivation_gradient(net, work, kinks.sensitivity, place, row)
    size = inner_product(net.parameters, row, row)
    if size == 0.0:
        return True
    for g in range(sliding, kinks.sizes[GROUPS]):
        other = kinks.rows[kinks.leader[g]]
        product = inner_product(net.parameters, row, other)
        bound = size * inner_product(net.parameters, other, other)
        if product * product >= (1.0 - PARALLEL) * bound:
            add_member(net, work, kinks, place, g)
            if product < 0.0:
                swap(kinks.member_slopes, i)
                swap(kinks.member_sides, i)
            return add_followers(net, work, kinks, i)
    g = kinks.sizes[GROUPS]
    kinks.leader[g] = i
    kinks.theta[g] = 0.5
    kinks.state[g] = 1 if kinks.sides[place] >= 0 else -1
    if kinks.candidate[place] < 0:  # it crosses now
        kinks.state[g] = -kinks.state[g]
    kinks.sizes[GROUPS] += 1
    add_member(net, work, kinks, place, g)
    return add_followers(net, work, kinks, i)


@compiled
def swap(pairs, i):
    """Exchange what belongs to the two sides of member i."""
    pairs[i, 0], pairs[i, 1] = pairs[i, 1], pairs[i, 0]


@compiled
def preferred(kinks, g):
    """The state that group g should have, judged from the present one; itself where it may stay."""
    state, rate = kinks.state[g], kinks.residual[g]
    if state == 0:
        if kinks.jacobian[g, g] >= 0.0 and kinks.rate_size[g] > 0.0:
            return 1 if rate >= 0.0 else -1  # no slope holds it
        if kinks.theta[g] > 1.0:
            return 1
        return -1 if kinks.theta[g] < 0.0 else 0
    noise = RATE_NOISE * kinks.rate_size[g]
    if state * rate >= -noise:
        return state
    # with the slope of this side it is pushed to the other; that side pushes back, or not
    other = rate - state * kinks.jacobian[g, g]
    return 0 if state * other > 0.0 else -state


@compiled
def resolve(net, work, kinks, weights, gamma, velocity):
    """Choose the states of all groups: each moves to a side on which it goes on, or slides.

    That is a linear complementarity problem with bounds; it is solved by exchanging all groups
    that are wrong, after a while only the first of them. Returns OK or a status.
    """
    groups = kinks.sizes[GROUPS]
    for trial in range(8 * groups + 8):
        held = velocity_at(net, work, kinks, weights, gamma, velocity)
        changed = False
        for g in range(groups):
            wanted = preferred(kinks, g)
            if wanted != kinks.state[g] and not (changed and trial > 2 * groups + 2):
                if wanted == 0:
                    step = kinks.jacobian[g, g]
                    share = 1.0 if kinks.state[g] > 0 else 0.0
                    kinks.theta[g] = min(max(share - kinks.residual[g] / step, 0.0), 1.0)
                kinks.state[g] = wanted
                changed = True
        if not changed:
            return OK if held else UNRESOLVED
    return UNRESOLVED


@compiled
def unique(kinks):
    """OK, or NOT_UNIQUE where a group could leave to the other side as well, or rest there."""
    for g in range(kinks.sizes[GROUPS]):
        noise = RATE_NOISE * kinks.rate_size[g]
        if kinks.state[g] != 0:
            other = kinks.residual[g] - kinks.state[g] * kinks.jacobian[g, g]
            leaves = kinks.state[g] * kinks.residual[g] > noise
            if kinks.state[g] * other < -noise or (leaves and abs(other) <= noise):
                return NOT_UNIQUE
        elif kinks.jacobian[g, g] > 0.0:
            return NOT_UNIQUE
    return OK


@compiled
def settle(net, work, kinks):
    """Write the sides that follow from the states, keep the groups that slide. False where two
    groups want different slopes of one follower, or one that slides has followers that turn."""
    for i in range(kinks.sizes[FOLLOWERS]):
        g, place = kinks.follower_group[i], kinks.follower_place[i]
        state, slack = kinks.state[g], 2.0 * abs(work.pre[place])
        side = 1 if state < 0 else 0
        plus, minus = kinks.follower_slopes[i, 0], kinks.follower_slopes[i, 1]
        if state == 0 and plus != minus and turning(kinks, g):
            return False
        if kinks.follower_sides[i, side] == 0 or (state == 0 and outweighed(kinks, place)):
            continue
        if work.pattern[place] != kinks.follower_slopes[i, side]:
            return False  # another group wrote another slope
        kinks.sides[place], kinks.slack[place] = kinks.follower_sides[i, side], slack
    kept, members = 0, 0
    for g in range(kinks.sizes[GROUPS]):
        state = kinks.state[g]
        first = members
        row = kinks.rows[kinks.leader[g]]
        no_gradient = inner_product(net.parameters, row, row) == 0.0  # nothing arrives there
        gone = state == 0 and no_gradient
        for i in range(kinks.sizes[GROUP_MEMBERS]):
            if kinks.member_group[i] != g:
                continue
            place = kinks.member_place[i]
            if state != 0:
                side = kinks.member_sides[i, 0 if state > 0 else 1]
                kinks.sides[place], kinks.slack[place] = side, 2.0 * abs(work.pre[place])
                continue
            kinks.sides[place] = 0 if gone else SLIDES_NOW
            if gone:
                continue
            keep_member(kinks, i, members, kept)
            members += 1
        if state == 0 and not gone:
            kinks.leader[kept] = first
            kinks.theta[kept] = kinks.theta[g]
            kinks.state[kept] = 0
            kept += 1
    kinks.sizes[GROUPS], kinks.sizes[GROUP_MEMBERS] = kept, members
    kinks.sizes[FOLLOWERS] = 0
    for place in range(len(kinks.candidate)):
        kinks.candidate[place] = 0
    for j in range(net.count):
        mark_zeros(net, work, kinks, j)
        for v in net.kinks:
            place = v * net.stride + j
            if nothing_arrives(net, kinks, v):
                kinks.sides[place] = 0
            elif kinks.sides[place] == 0:
                return False  # came to life, and it is not known to which side
    return True


@compiled
def outweighed(kinks, place):
    """Whether the place follows a group that moves away from its kink."""
    for i in range(kinks.sizes[FOLLOWERS]):
        state = kinks.state[kinks.follower_group[i]]
        side = 1 if state < 0 else 0
        if kinks.follower_place[i] == place and state != 0 and kinks.follower_sides[i, side] != 0:
            return True
    return False


@compiled
def turning(kinks, g):
    """Whether the leader's slope is not 0 on either side, so that what follows it may turn."""
    i = kinks.leader[g]
    return kinks.member_slopes[i, 0] != 0.0 and kinks.member_slopes[i, 1] != 0.0


@compiled
def keep_member(kinks, old, new, group):
    """Move a member that slides on to its place among those that are kept."""
    kinks.member_group[new] = group
    kinks.member_place[new] = kinks.member_place[old]
    for side in range(2):
        kinks.member_slopes[new, side] = kinks.member_slopes[old, side]
        kinks.member_sides[new, side] = kinks.member_sides[old, side]
