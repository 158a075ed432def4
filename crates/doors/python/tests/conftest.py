"""Bodies that several tests ask about."""

import numpy as np
import pytest

import kontakt as kt


def ball(rings, radius=1.0, bump=0.0):
    """A bumpy ball of latitude and longitude."""
    around = 2 * rings
    rows = [[0, 0, radius]]
    for i in range(1, rings):
        for j in range(around):
            u, v = np.pi * i / rings, 2 * np.pi * j / around
            r = radius * (1 + bump * np.sin(3 * u) * np.cos(4 * v))
            rows.append([r * np.sin(u) * np.cos(v), r * np.sin(u) * np.sin(v), r * np.cos(u)])
    rows.append([0, 0, -radius])
    at = lambda i, j: 1 + (i - 1) * around + j % around
    faces = []
    for j in range(around):
        faces.append([0, at(1, j), at(1, j + 1)])
        faces.append([len(rows) - 1, at(rings - 1, j + 1), at(rings - 1, j)])
        for i in range(1, rings - 1):
            faces += [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    return np.array(rows), np.array(faces)


def poses(count, spread, seed=1):
    """Random poses (n, 7)."""
    random = np.random.default_rng(seed)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    return np.hstack([random.uniform(-spread, spread, size=(count, 3)), turns])


@pytest.fixture(scope="session")
def knobbly():
    return kt.Mesh(*ball(16, bump=0.3))


@pytest.fixture(scope="session")
def small():
    return kt.Mesh(*ball(9, 0.6, 0.2))
