"""Products with G and S of numerics.curvature.point_operators for one lane, compiled."""

from __future__ import annotations

from numerics.curvature.lane_arrays import (
    AT,
    COLUMN,
    COLUMNS,
    END_EDGE,
    END_SEGMENT,
    END_SKIP,
    ENTRY,
    FIRST_EDGE,
    FIRST_SEGMENT,
    FIRST_SKIP,
    INPUTS,
    READ,
    READS,
    SHARED,
    VERTEX,
    WIDTH,
)
from numerics.curvature.tridiagonal import summed


@summed
def dot(one, two):
    """<one, two>."""
    total = 0.0
    for i in range(len(one)):
        total += one[i] * two[i]
    return total


@summed
def rows_times(matrix, rows, columns, first, vector, found):
    """found[i] += sum of matrix[i, j] vector[j] over j >= first."""
    part, n = vector[first:columns], columns - first
    for i in range(0, rows - 3, 4):
        at = i * columns + first
        one, two = matrix[at : at + n], matrix[at + columns : at + columns + n]
        at += 2 * columns
        three, four = matrix[at : at + n], matrix[at + columns : at + columns + n]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(len(part)):
            x = part[j]
            a += one[j] * x
            b += two[j] * x
            c += three[j] * x
            d += four[j] * x
        found[i] += a
        found[i + 1] += b
        found[i + 2] += c
        found[i + 3] += d
    for i in range(rows - rows % 4, rows):
        at = i * columns + first
        found[i] += dot(matrix[at : at + n], part)


@summed
def columns_times(matrix, rows, columns, first, vector, found):
    """found[j] += sum of matrix[i, j] vector[i], for j >= first."""
    part, n = found[first:columns], columns - first
    for i in range(0, rows - 3, 4):
        at = i * columns + first
        one, two = matrix[at : at + n], matrix[at + columns : at + columns + n]
        at += 2 * columns
        three, four = matrix[at : at + n], matrix[at + columns : at + columns + n]
        a, b, c, d = vector[i], vector[i + 1], vector[i + 2], vector[i + 3]
        for j in range(len(part)):
            part[j] += one[j] * a + two[j] * b + three[j] * c + four[j] * d
    for i in range(rows - rows % 4, rows):
        at = i * columns + first
        add(part, vector[i], matrix[at : at + n])


@summed
def add(found, factor, part):
    """found += factor part."""
    for j in range(len(found)):
        found[j] += factor * part[j]


@summed
def copy(part, found):
    """found = part."""
    for i in range(len(part)):
        found[i] = part[i]


@summed
def gram(plan, masks, delta, inner, reads, weights, x, out, scratch):
    """out = G x."""
    for i in range(len(x)):
        out[i] = weights[i] * x[i]
    for b in range(len(plan.table)):
        row = plan.table[b]
        d, s, at = row[WIDTH], row[COLUMNS], row[AT]
        if row[SHARED] > 0:
            _shared_gram(plan.edges, row, delta, reads, x, out, scratch.shared)
            continue
        if row[READS] == 0:
            continue
        left = delta[row[VERTEX] : row[VERTEX] + d]
        right = inner[row[COLUMN] : row[COLUMN] + s]
        u, q = x[at : at + d], x[at + d : at + d + s]
        first, second = out[at : at + d], out[at + d : at + d + s]
        if plan.masked:
            mask = masks[row[ENTRY] : row[ENTRY] + d * s]
            seen, sent = scratch.seen[:s], scratch.back[:s]
            sums = scratch.sums[:d]
            for j in range(s):
                seen[j] = right[j] * q[j]
                sent[j] = 0.0
            sums[:] = 0.0
            rows_times(mask, d, s, row[INPUTS], seen, sums)
            for i in range(d):
                first[i] += left[i] * sums[i]
                sums[i] = left[i] * u[i]
            columns_times(mask, d, s, row[INPUTS], sums, sent)
            for j in range(s):
                second[j] += right[j] * sent[j]
        else:
            across, back = dot(right, q), dot(left, u)
            add(first, across, left)
            add(second, back, right)


@summed
def _shared_gram(edges, row, delta, reads, x, out, sums):
    """The same for a layer that shares weights: the sums of u f^T + delta q^T over the edges of
    each weight, and back."""
    d, at, inputs, n = row[WIDTH], row[AT], row[INPUTS], row[READS]
    left, read = delta[row[VERTEX] : row[VERTEX] + d], reads[row[READ] : row[READ] + row[COLUMNS]]
    u, q, first, second = x[at : at + d], x[at + d : at + d + n], out[at : at + d], out[at + d :]
    sums[: row[SHARED]] = 0.0
    first[:] = 0.0
    second[:n] = 0.0
    for e in range(row[FIRST_EDGE], row[END_EDGE]):
        i, j, number = edges[e, 0], edges[e, 1], edges[e, 2]
        sums[number] += u[i] * read[j]
        if n > 0 and j >= inputs:
            sums[number] += left[i] * q[j]
    for e in range(row[FIRST_EDGE], row[END_EDGE]):
        i, j, number = edges[e, 0], edges[e, 1], edges[e, 2]
        first[i] += sums[number] * read[j]
        if n > 0 and j >= inputs:
            second[j] += sums[number] * left[i]


@summed
def clean(plan, groups, weights, null, x, sums):
    """Take out of x what G takes to 0."""
    for i in range(len(x)):
        x[i] = x[i] if weights[i] > 0.0 else 0.0
    for b in range(len(plan.table)):
        row = plan.table[b]
        if row[READS] == 0:
            continue
        at, n = row[AT], row[WIDTH] + row[READS]
        part, one = x[at : at + n], null[at : at + n]
        if plan.masked:
            group = groups[at : at + n]
            sums[:n] = 0.0
            for i in range(n):
                sums[group[i]] += one[i] * part[i]
            for i in range(n):
                part[i] -= one[i] * sums[group[i]]
        else:
            add(part, -dot(one, part), one)


@summed
def product(plan, matrices, scales, slopes, bends, curve, y, out, scratch):
    """out = S y."""
    above, direct = scratch.above, scratch.direct
    above[:] = 0.0
    direct[:] = 0.0
    for b in range(len(plan.table)):
        row = plan.table[b]
        d, s, at, vertex = row[WIDTH], row[COLUMNS], row[AT], row[VERTEX]
        z, moved = scratch.z[vertex : vertex + d], scratch.moved[vertex : vertex + d]
        scale, slope, first = (
            scales[vertex : vertex + d],
            slopes[vertex : vertex + d],
            y[at : at + d],
        )
        for i in range(d):
            z[i] = scale[i] * first[i]
        if row[READS] > 0:
            read = out[at + d : at + d + s]
            read[: row[INPUTS]] = 0.0
            for n in range(row[FIRST_SEGMENT], row[END_SEGMENT]):
                source, place, width = plan.segments[n]
                copy(scratch.moved[source : source + width], read[place : place + width])
            matrix = matrices[row[ENTRY] : row[ENTRY] + d * s]
            rows_times(matrix, d, s, row[INPUTS], read, z)
        for n in range(row[FIRST_SKIP], row[END_SKIP]):
            head, tail = plan.skips[n]
            z[head] += scratch.z[tail] if plan.before else scratch.moved[tail]
        for i in range(d):
            moved[i] = slope[i] * z[i]
    top = plan.table[len(plan.table) - 1]
    for i in range(top[WIDTH]):
        vertex = top[VERTEX] + i
        if plan.neurons:
            above[vertex] = curve[i] * scratch.moved[vertex]
        else:
            direct[vertex] = curve[i] * scratch.z[vertex]
    for b in range(len(plan.table) - 1, -1, -1):
        row = plan.table[b]
        d, s, at, vertex = row[WIDTH], row[COLUMNS], row[AT], row[VERTEX]
        z = scratch.z[vertex : vertex + d]  # from here on the gradients instead
        scale, slope, bend = (
            scales[vertex : vertex + d],
            slopes[vertex : vertex + d],
            bends[vertex : vertex + d],
        )
        up, beside, first = (
            above[vertex : vertex + d],
            direct[vertex : vertex + d],
            out[at : at + d],
        )
        for i in range(d):
            z[i] = up[i] * slope[i] + beside[i] + bend[i] * z[i]
            first[i] = z[i] * scale[i]
        for n in range(row[FIRST_SKIP], row[END_SKIP]):
            head, tail = plan.skips[n]
            if plan.before:
                direct[tail] += z[head]
            else:
                above[tail] += z[head]
        if row[READS] > 0:
            back = scratch.back[:s]
            copy(y[at + d : at + d + s], back)
            matrix = matrices[row[ENTRY] : row[ENTRY] + d * s]
            columns_times(matrix, d, s, row[INPUTS], z, back)
            for n in range(row[FIRST_SEGMENT], row[END_SEGMENT]):
                source, place, width = plan.segments[n]
                add(above[source : source + width], 1.0, back[place : place + width])
