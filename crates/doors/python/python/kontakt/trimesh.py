"""`CollisionManager` with the methods and answers of `trimesh.collision.CollisionManager`.

Hierarchies are built once per mesh and shared. Distances are the upper ends of certified bounds, and 0 in contact. Solids count with their
inside, which trimesh's manager does not see.

    >>> import kontakt as kt
    >>> from kontakt.trimesh import CollisionManager
    >>> box, manager = kt.convex.box([1, 1, 1]), CollisionManager()
    >>> manager.add_object("left", box)
    >>> manager.add_object("right", box, [2.5, 0, 0, 0, 0, 0, 1])
    >>> manager.in_collision_internal(), round(manager.min_distance_internal(), 9)
    (False, 0.5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._kontakt import Body, Contact, Distance, Mesh, contact, contacts, distance

__all__ = ["CollisionManager", "ContactData", "DistanceData"]

# What a body outside the manager is called, as trimesh does.
_EXTERNAL = "__external"

# A body at a pose, with its name.
_Named = tuple[str, Body, Any]


def _face(feature: Any) -> int:
    return int(feature[1]) if feature is not None and feature[0] == "face" else -1


class ContactData:
    """Where two bodies meet."""

    def __init__(self, names: tuple[str, str], found: Contact) -> None:
        self.names = set(names)
        self.point: NDArray[np.float64] = (found.point_a + found.point_b) / 2
        self.normal: NDArray[np.float64] = found.normal
        self.depth = float(found.depth)
        self._faces = dict(zip(names, (_face(found.feature_a), _face(found.feature_b))))

    def index(self, name: str) -> int:
        """The face of a body that meets the other, -1 of a convex shape."""
        return self._faces[name]


class DistanceData:
    """How far two bodies are apart, and where."""

    def __init__(self, names: tuple[str, str], found: Distance) -> None:
        self.names = set(names)
        self.distance = float(found)
        self._points = dict(zip(names, (found.point_a, found.point_b)))
        self._faces = dict(zip(names, (found.face_a, found.face_b)))

    def point(self, name: str) -> NDArray[np.float64]:
        """The nearest point of a body."""
        return self._points[name]

    def index(self, name: str) -> int:
        """The face it is on, -1 of a convex shape."""
        face = self._faces[name]
        return -1 if face is None else face


def _body(given: Any) -> Body:
    return given if isinstance(given, Body) else Mesh(given)


def _pose(given: Any) -> Any:
    """A copy, checked now and not when it is first used."""
    pose = np.eye(4) if given is None else np.array(given, dtype=np.float64)
    if pose.shape not in ((4, 4), (7,)):
        raise ValueError(f"transform: shape {pose.shape} where (4, 4) or (7,) is needed")
    if not np.isfinite(pose).all():
        raise ValueError("transform has a component that is not finite")
    return pose


class CollisionManager:
    """Named bodies at poses, and which of them meet."""

    def __init__(self) -> None:
        self._objects: dict[str, tuple[Body, Any]] = {}

    def add_object(self, name: str, mesh: Any, transform: ArrayLike | None = None) -> None:
        """Adds a body: a trimesh, a `kontakt.Mesh` or a convex shape; one of the same name is replaced."""
        self._objects[name] = (_body(mesh), _pose(transform))

    def remove_object(self, name: str) -> None:
        """Takes a body out; ValueError if there is none of that name."""
        self._known(name)
        del self._objects[name]

    def set_transform(self, name: str, transform: ArrayLike | None) -> None:
        """Moves a body; ValueError if there is none of that name."""
        self._objects[name] = (self._known(name), _pose(transform))

    def _known(self, name: str) -> Body:
        if name not in self._objects:
            raise ValueError(f"{name} not in collision manager!")
        return self._objects[name][0]

    def _all(self) -> list[_Named]:
        return [(name, *self._objects[name]) for name in sorted(self._objects)]

    def _inner(self) -> Iterator[tuple[_Named, _Named]]:
        own = self._all()
        return ((a, b) for i, a in enumerate(own) for b in own[i + 1 :])

    def _other(self, other: CollisionManager) -> Iterator[tuple[_Named, _Named]]:
        return ((a, b) for a in self._all() for b in other._all())

    def _single(self, mesh: Any, transform: Any) -> Iterator[tuple[_Named, _Named]]:
        one = (_EXTERNAL, _body(mesh), _pose(transform))
        return ((own, one) for own in self._all())

    @staticmethod
    def _meets(pairs: Iterable[tuple[_Named, _Named]], single: bool, return_names: bool, return_data: bool) -> Any:
        names: set[Any] = set()
        data: list[ContactData] = []
        met = False
        for (a, body_a, at_a), (b, body_b, at_b) in pairs:
            if contact(body_a, body_b, at_b, pose_a=at_a):
                met = True
                if not return_names and not return_data:
                    break
                names.add(a if single else (a, b))
                if return_data:
                    data += [ContactData((a, b), one) for one in contacts(body_a, body_b, at_b, pose_a=at_a)]
        answer = (met, *([names] if return_names else []), *([data] if return_data else []))
        return answer if len(answer) > 1 else met

    @staticmethod
    def _nearest(pairs: Iterable[tuple[_Named, _Named]], single: bool, return_names: bool, return_data: bool) -> Any:
        least, who, data = np.inf, None, None
        for (a, body_a, at_a), (b, body_b, at_b) in pairs:
            found = distance(body_a, body_b, at_b, pose_a=at_a)
            if float(found) < least:
                least, who, data = float(found), (a if single else (a, b)), DistanceData((a, b), found)
                if least == 0:
                    break
        answer = (least, *([who] if return_names else []), *([data] if return_data else []))
        return answer if len(answer) > 1 else least

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two bodies meet; with `return_names` also the set of pairs that do, with `return_data` where."""
        return self._meets(self._inner(), False, return_names, return_data)

    def in_collision_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any body meets another one; with `return_names` also the names of those that do, with `return_data` where."""
        return self._meets(self._single(mesh, transform), True, return_names, return_data)

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any body meets one of another manager; with `return_names` also the set of pairs (own, other), with `return_data` where."""
        return self._meets(self._other(other_manager), False, return_names, return_data)

    def min_distance_internal(self, name: str | None = None, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of two bodies, or of the body `name` to any other."""
        if name is not None:
            self._known(name)
        pairs = ((a, b) for a, b in self._inner() if name is None or name in (a[0], b[0]))
        return self._nearest(pairs, False, return_names, return_data)

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance to another body."""
        return self._nearest(self._single(mesh, transform), True, return_name, return_data)

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance to a body of another manager."""
        return self._nearest(self._other(other_manager), False, return_names, return_data)
