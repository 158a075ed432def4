"""Bounding volumes of points."""

from __future__ import annotations

import json
from typing import Any

from numpy.typing import ArrayLike

from ._kontakt import bound_json
from ._report import Report


class Volume(Report):
    """A bounding volume: the keys of `kontakt bound --json` (`parameters`, `measure`, `method`, `gap` or `gap_reason`)."""

    def __repr__(self) -> str:
        return f"Volume({self['volume']}, {self['method']}, measure={self['measure']}, gap={self['gap']})"


def bound(
    points: ArrayLike | Any, volume: str = "obb", *, objective: str = "volume", method: str | None = None, gap: float | None = None,
    time_limit: float = 60.0,
) -> Volume:
    """A volume that contains all points (n, 3), or the vertices of a mesh: sphere, aabb, obb, kdop14, lss, rss, hull, …; `gap` is certified.

    >>> import kontakt as kt
    >>> box = kt.bound([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], "aabb")
    >>> box.parameters["max"], box.gap
    ([2.0, 1.0, 1.0], 0.0)
    """
    points = getattr(points, "vertices", points)
    return Volume(json.loads(bound_json(points, volume, objective, method, gap, float(time_limit))))
