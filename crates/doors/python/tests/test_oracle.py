"""Against exact arithmetic in fractions."""

from fractions import Fraction
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kontakt as kt

whole = st.integers(-4, 4)
corner = st.tuples(whole, whole, whole)
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]


def minus(p, q):
    return tuple(x - y for x, y in zip(p, q))


def cross(p, q):
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def dot(p, q):
    return sum(x * y for x, y in zip(p, q))


def edges(t):
    return [minus(t[i], t[j]) for i in range(4) for j in range(i)]


def apart(a, b):
    """Two tetrahedra are apart if and only if a normal of a face or the product of two edges separates them."""
    normals = [cross(minus(t[f[1]], t[f[0]]), minus(t[f[2]], t[f[0]])) for t in (a, b) for f in FACES]
    axes = normals + [cross(p, q) for p, q in product(edges(a), edges(b))]
    for axis in axes:
        of_a, of_b = [dot(axis, p) for p in a], [dot(axis, p) for p in b]
        if max(of_a) < min(of_b) or max(of_b) < min(of_a):
            return True
    return False


def solid(t):
    return dot(minus(t[3], t[0]), cross(minus(t[1], t[0]), minus(t[2], t[0]))) != 0


tetrahedron = st.lists(corner, min_size=4, max_size=4, unique=True)


@settings(max_examples=300, deadline=None)
@given(tetrahedron, tetrahedron, corner)
def test_solid_tetrahedra_meet_exactly_where_fractions_say(a, b, shift):
    assume(solid(a) and solid(b))
    moved = [tuple(Fraction(x) + s for x, s in zip(p, shift)) for p in b]
    met = not apart([tuple(map(Fraction, p)) for p in a], moved)
    meshes = kt.Mesh(a, FACES), kt.Mesh(b, FACES)
    pose = [*shift, 0, 0, 0, 1]
    assert kt.contact(*meshes, pose) == met
    assert (float(kt.distance(*meshes, pose)) == 0) == met
    assert kt.contact(kt.convex.hull(a), kt.convex.hull(b), pose) == met


size = st.integers(1, 64)
place = st.floats(-50, 50, allow_nan=False)


@settings(max_examples=300, deadline=None)
@given(st.tuples(size, size, size), st.tuples(size, size, size), st.tuples(place, place, place))
def test_the_distance_of_boxes_lies_within_its_bounds(a, b, shift):
    half_a, half_b = [Fraction(x, 8) for x in a], [Fraction(x, 8) for x in b]
    gaps = [max(abs(Fraction(s)) - x - y, Fraction(0)) for x, y, s in zip(half_a, half_b, shift)]
    square = sum(gap * gap for gap in gaps)
    d = kt.distance(kt.convex.box(list(map(float, half_a))), kt.convex.box(list(map(float, half_b))), [*shift, 0, 0, 0, 1])
    assert Fraction(d.lo) ** 2 <= square <= Fraction(d.hi) ** 2
    assert d.hi - d.lo <= 1e-9 * max(1.0, d.hi)
