"""Convex shapes, centred at the origin of their frame, their axis z where there is one; `margin` rounds outward.

    >>> import kontakt as kt
    >>> kt.convex.box([1, 2, 3])
    Shape({"box": {"half": [1.0, 2.0, 3.0]}})
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._kontakt import Shape, shape

__all__ = [
    "box", "capsule", "cone", "cylinder", "ellipsoid", "from_dict", "half_space", "hull", "point", "segment", "sphere", "triangle",
    "union",
]


def _list(given: Any, what: str) -> Any:
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: no array of numbers ({error})") from None
    if not np.isfinite(array).all():
        at = ", ".join(str(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{what}[{at}] is not finite")
    return array.tolist()


def _number(given: Any, what: str) -> float:
    value = float(given)
    if not np.isfinite(value):
        raise ValueError(f"{what} is {value}, not finite")
    return value


def _make(kind: str, about: dict[str, Any], margin: float) -> Shape:
    told: dict[str, Any] = {kind: about}
    if margin:
        told["margin"] = _number(margin, "margin")
    return shape(json.dumps(told))


def from_dict(told: dict[str, Any]) -> Shape:
    """The shape that a dict of the command line's form describes."""
    return shape(json.dumps(told))


def sphere(radius: float, *, margin: float = 0.0) -> Shape:
    """A ball."""
    return _make("sphere", {"radius": _number(radius, "radius")}, margin)


def box(half: ArrayLike, *, margin: float = 0.0) -> Shape:
    """A box of half extents (3,)."""
    return _make("box", {"half": _list(half, "half")}, margin)


def capsule(half_length: float, radius: float, *, margin: float = 0.0) -> Shape:
    """All points within `radius` of a segment of the z axis."""
    return _make("capsule", {"half_length": _number(half_length, "half_length"), "radius": _number(radius, "radius")}, margin)


def cylinder(half_length: float, radius: float, *, margin: float = 0.0) -> Shape:
    """A cylinder along z."""
    return _make("cylinder", {"half_length": _number(half_length, "half_length"), "radius": _number(radius, "radius")}, margin)


def cone(half_length: float, radius: float, *, margin: float = 0.0) -> Shape:
    """A cone along z, its apex at +z."""
    return _make("cone", {"half_length": _number(half_length, "half_length"), "radius": _number(radius, "radius")}, margin)


def ellipsoid(radii: ArrayLike, *, margin: float = 0.0) -> Shape:
    """An ellipsoid of radii (3,)."""
    return _make("ellipsoid", {"radii": _list(radii, "radii")}, margin)


def hull(points: ArrayLike, *, margin: float = 0.0) -> Shape:
    """The convex hull of points (n, 3)."""
    return _make("hull", {"points": _list(points, "points")}, margin)


def segment(points: ArrayLike, *, margin: float = 0.0) -> Shape:
    """The segment between two points (2, 3)."""
    return _make("segment", {"points": _list(points, "points")}, margin)


def triangle(points: ArrayLike, *, margin: float = 0.0) -> Shape:
    """A triangle of points (3, 3)."""
    return _make("triangle", {"points": _list(points, "points")}, margin)


def point(*, margin: float = 0.0) -> Shape:
    """The origin."""
    return _make("point", {}, margin)


def half_space(normal: ArrayLike, offset: float = 0.0, *, margin: float = 0.0) -> Shape:
    """All x with normal·x <= offset."""
    return _make("half_space", {"normal": _list(normal, "normal"), "offset": _number(offset, "offset")}, margin)


def union(parts: Iterable[Any], *, margin: float = 0.0) -> Shape:
    """A union of shapes: a list of shapes, or of pairs (shape, pose) with a pose (7,)."""
    told = []
    for number, part in enumerate(parts):
        one, pose = part if isinstance(part, tuple) else (part, [0, 0, 0, 0, 0, 0, 1])
        told.append({"shape": json.loads(one.json), "pose": _list(pose, f"parts[{number}] pose")})
    return _make("union", {"parts": told}, margin)
