"""The classes and functions of python-fcl, asked of kontakt: `import kontakt.fcl as fcl`.

What differs: answers are decided exactly or certified; distances are upper ends of certified bounds; closed meshes are solids, which meet
what lies inside them; `continuousCollide` is never late. Cost sources and octrees are not there. Quaternions are w first, as in FCL;
sides of boxes and lengths of capsules, cones and cylinders are whole lengths.

    >>> import kontakt.fcl as fcl
    >>> box = fcl.CollisionObject(fcl.Box(2, 2, 2), fcl.Transform())
    >>> ball = fcl.CollisionObject(fcl.Sphere(1), fcl.Transform([2.5, 0, 0]))
    >>> fcl.collide(box, ball, fcl.CollisionRequest(), fcl.CollisionResult())
    0
    >>> round(fcl.distance(box, ball, fcl.DistanceRequest(), fcl.DistanceResult()), 9)
    0.5
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import convex
from ._kontakt import Body, Mesh
from ._kontakt import contact as _contact
from ._kontakt import contacts as _contacts
from ._kontakt import distance as _distance
from ._kontakt import impact as _impact

__all__ = [
    "BVHModel", "Box", "Capsule", "CollisionData", "CollisionGeometry", "CollisionObject", "CollisionRequest", "CollisionResult", "Cone",
    "Contact", "ContinuousCollisionRequest", "ContinuousCollisionResult", "Convex", "Cylinder", "DistanceData", "DistanceRequest",
    "DistanceResult", "DynamicAABBTreeCollisionManager", "Ellipsoid", "Halfspace", "Sphere", "Transform", "TriangleP", "collide",
    "continuousCollide", "defaultCollisionCallback", "defaultDistanceCallback", "distance",
]

Array = NDArray[np.float64]


class CollisionGeometry:
    """What has a shape; `body` is the one of kontakt."""

    body: Body


class Box(CollisionGeometry):
    """A box of whole sides x, y, z."""

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=np.float64)
        self.body = convex.box(self.side / 2)


class Sphere(CollisionGeometry):
    """A ball."""

    def __init__(self, radius: float) -> None:
        self.radius = float(radius)
        self.body = convex.sphere(radius)


class Ellipsoid(CollisionGeometry):
    """An ellipsoid of radii a, b, c."""

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=np.float64)
        self.body = convex.ellipsoid(self.radii)


class _Round(CollisionGeometry):
    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = float(radius), float(lz)
        self.body = self._make(self.lz / 2, self.radius)

    def _make(self, half: float, radius: float) -> Body:
        raise NotImplementedError


class Capsule(_Round):
    """All points within `radius` of a segment of length `lz` of the z axis."""

    def _make(self, half: float, radius: float) -> Body:
        return convex.capsule(half, radius)


class Cone(_Round):
    """A cone along z, its apex at +lz / 2."""

    def _make(self, half: float, radius: float) -> Body:
        return convex.cone(half, radius)


class Cylinder(_Round):
    """A cylinder along z."""

    def _make(self, half: float, radius: float) -> Body:
        return convex.cylinder(half, radius)


class Halfspace(CollisionGeometry):
    """All x with n·x <= d."""

    def __init__(self, n: ArrayLike, d: float) -> None:
        self.n, self.d = np.asarray(n, dtype=np.float64), float(d)
        length = float(np.linalg.norm(self.n))
        if not length > 0 or not np.isfinite(length):
            raise ValueError(f"n is {self.n.tolist()}, no direction")
        self.body = convex.half_space(self.n / length, self.d / length)


class TriangleP(CollisionGeometry):
    """A triangle of three points."""

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        self.a, self.b, self.c = (np.asarray(point, dtype=np.float64) for point in (a, b, c))
        self.body = convex.triangle([self.a, self.b, self.c])


class Convex(CollisionGeometry):
    """The convex hull of points; the faces are found anew."""

    def __init__(self, verts: ArrayLike, num_faces: int = 0, faces: ArrayLike | None = None) -> None:
        self.num_faces = int(num_faces)
        self.body = convex.hull(verts)


class BVHModel(CollisionGeometry):
    """A mesh: beginModel, addSubModel (any number of times), endModel."""

    def __init__(self) -> None:
        self._vertices: list[Array] = []
        self._faces: list[NDArray[np.int64]] = []
        self._count = 0

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Starts anew."""
        self._vertices, self._faces, self._count = [], [], 0
        return 0

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> int:
        """Adds vertices (n, 3) and triangles (m, 3) of them."""
        vertices = np.array(verts, dtype=np.float64)
        faces = np.array(triangles, dtype=np.int64)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
            raise ValueError(f"shapes {vertices.shape} and {faces.shape} where (n, 3) and (m, 3) are needed")
        self._faces.append(faces + self._count)
        self._vertices.append(vertices)
        self._count += len(vertices)
        return 0

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> int:
        """Adds a triangle of three points."""
        return self.addSubModel(np.array([v1, v2, v3], dtype=np.float64), [[0, 1, 2]])

    def endModel(self) -> int:
        """Builds the hierarchy."""
        if not self._faces:
            raise ValueError("a model without triangles")
        vertices, faces = np.vstack(self._vertices), np.vstack(self._faces)
        # Triangles added one by one share points, not vertices: those at one place are one, so that what is closed is a solid.
        places, own = np.unique(vertices, axis=0, return_inverse=True)
        self.body = Mesh(places, own.reshape(-1)[faces])
        return 0


class Transform:
    """A pose: Transform(), of a rotation (3, 3) or quaternion w x y z, of a translation (3,), of both, or of another one."""

    def __init__(self, *args: Any) -> None:
        self._turn: Array = np.array([1.0, 0, 0, 0])
        self._shift: Array = np.zeros(3)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._turn, self._shift = args[0]._turn.copy(), args[0]._shift.copy()
            return
        if len(args) > 2:
            raise ValueError(f"{len(args)} arguments where a rotation and a translation are needed")
        for number, given in enumerate(args):
            array = np.asarray(given, dtype=np.float64)
            if array.shape == (3, 3):
                self.setRotation(array)
            elif array.shape == (4,) and number == 0:
                self.setQuatRotation(array)
            elif array.shape == (3,):
                self.setTranslation(array)
            else:
                raise ValueError(f"argument {number} has shape {array.shape} where (3, 3), (4,) or (3,) is needed")

    def getRotation(self) -> Array:
        """(3, 3)."""
        w, x, y, z = self._turn / np.linalg.norm(self._turn)
        return np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])

    def getTranslation(self) -> Array:
        """(3,)."""
        return self._shift.copy()

    def getQuatRotation(self) -> Array:
        """(4,), w first."""
        return self._turn.copy()

    def setRotation(self, R: ArrayLike) -> None:
        """Of (3, 3)."""
        self._turn = _quaternion(np.asarray(R, dtype=np.float64))

    def setTranslation(self, T: ArrayLike) -> None:
        """Of (3,)."""
        self._shift = np.array(T, dtype=np.float64).reshape(3)

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Of (4,), w first."""
        self._turn = np.array(q, dtype=np.float64).reshape(4)

    def _pose(self) -> Array:
        return np.concatenate([self._shift, self._turn[1:], self._turn[:1]])


def _quaternion(R: Array) -> Array:
    """Of a rotation, by its largest component (Shepperd)."""
    if R.shape != (3, 3):
        raise ValueError(f"rotation of shape {R.shape} where (3, 3) is needed")
    if not np.allclose(R @ R.T, np.eye(3), atol=1e-3) or np.linalg.det(R) < 0:
        raise ValueError("the matrix is no rotation")
    four = np.array([np.trace(R), R[0, 0], R[1, 1], R[2, 2]])
    k = int(np.argmax(four))
    if k == 0:
        q = np.array([1 + four[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        q = np.empty(4)
        q[0] = R[l, j] - R[j, l]
        q[1 + i] = 1 + R[i, i] - R[j, j] - R[l, l]
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + l] = R[l, i] + R[i, l]
    unit: Array = q / np.linalg.norm(q)
    return unit


class CollisionObject:
    """A geometry at a pose."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        if not hasattr(geom, "body"):
            raise ValueError("the model is not ended: endModel() builds it")
        self._geometry = geom
        self._at = Transform(tf) if tf is not None else Transform()

    def getTransform(self) -> Transform:
        """A copy of its pose."""
        return Transform(self._at)

    def setTransform(self, tf: Transform) -> None:
        """Moves it."""
        self._at = Transform(tf)

    def getRotation(self) -> Array:
        """(3, 3)."""
        return self._at.getRotation()

    def setRotation(self, mat: ArrayLike) -> None:
        """Turns it."""
        self._at.setRotation(mat)

    def getTranslation(self) -> Array:
        """(3,)."""
        return self._at.getTranslation()

    def setTranslation(self, vec: ArrayLike) -> None:
        """Moves it."""
        self._at.setTranslation(vec)

    def getQuatRotation(self) -> Array:
        """(4,), w first."""
        return self._at.getQuatRotation()

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Turns it."""
        self._at.setQuatRotation(q)


class Contact:
    """Where two objects meet: the normal points from o1 to o2; b1, b2 are faces of meshes, else -1."""

    def __init__(self) -> None:
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = self.b2 = -1
        self.normal: Array = np.zeros(3)
        self.pos: Array = np.zeros(3)
        self.penetration_depth = 0.0


class CollisionRequest:
    """Whether contacts are wanted, and how many at most."""

    def __init__(self, num_max_contacts: int = 1, enable_contact: bool = False, *ignored: Any, **others: Any) -> None:
        self.num_max_contacts, self.enable_contact = num_max_contacts, enable_contact


class CollisionResult:
    """Whether objects meet, and where."""

    def __init__(self, is_collision: bool = False) -> None:
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[Any] = []


class DistanceRequest:
    """What is wanted of a distance."""

    def __init__(self, enable_nearest_points: bool = False, enable_signed_distance: bool = False, *ignored: Any, **others: Any) -> None:
        self.enable_nearest_points, self.enable_signed_distance = enable_nearest_points, enable_signed_distance


class DistanceResult:
    """The least distance so far: -1 in contact."""

    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = self.b2 = -1


class ContinuousCollisionRequest:
    """How exactly the time of contact is wanted."""

    def __init__(self, num_max_iterations: int = 10, toc_err: float = 1e-4, *ignored: Any, **others: Any) -> None:
        self.num_max_iterations, self.toc_err = num_max_iterations, toc_err


class ContinuousCollisionResult:
    """Whether and when moving objects meet."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide, self.time_of_contact = is_collide, time_of_contact


def _face(feature: Any) -> int:
    return int(feature[1]) if feature is not None and feature[0] == "face" else -1


def collide(o1: CollisionObject, o2: CollisionObject, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> int:
    """How many contacts there are, at most as many as requested."""
    request, result = request or CollisionRequest(), result if result is not None else CollisionResult()
    (a, at_a), (b, at_b) = ((o._geometry.body, o._at._pose()) for o in (o1, o2))
    if not _contact(a, b, at_b, pose_a=at_a):
        return len(result.contacts)
    result.is_collision = True
    room = max(int(request.num_max_contacts) - len(result.contacts), 0)
    found = _contacts(a, b, at_b, pose_a=at_a) if request.enable_contact else []
    for one in found[:room]:
        said = Contact()
        said.o1, said.o2, said.normal = o1._geometry, o2._geometry, one.normal
        said.pos = (one.point_a + one.point_b) / 2
        said.penetration_depth = float(one.depth)
        said.b1, said.b2 = _face(one.feature_a), _face(one.feature_b)
        result.contacts.append(said)
    if not found and room > 0:
        said = Contact()
        said.o1, said.o2 = o1._geometry, o2._geometry
        result.contacts.append(said)
    return len(result.contacts)


def distance(o1: CollisionObject, o2: CollisionObject, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> float:
    """How far two objects are apart: the upper end of certified bounds, or -1 in contact."""
    request, result = request or DistanceRequest(), result if result is not None else DistanceResult()
    (a, at_a), (b, at_b) = ((o._geometry.body, o._at._pose()) for o in (o1, o2))
    found = _distance(a, b, at_b, pose_a=at_a)
    apart = float(found) if found.hi > 0 else -1.0
    if request.enable_signed_distance and apart < 0:
        depths = [float(one.depth) for one in _contacts(a, b, at_b, pose_a=at_a)]
        apart = -max(depths, default=0.0)
    if apart < result.min_distance:
        result.min_distance, result.o1, result.o2 = apart, o1._geometry, o2._geometry
        result.b1 = -1 if found.face_a is None else found.face_a
        result.b2 = -1 if found.face_b is None else found.face_b
        if request.enable_nearest_points:
            result.nearest_points = [found.point_a, found.point_b]
    return apart


def continuousCollide(
    o1: CollisionObject, tf1_end: Transform, o2: CollisionObject, tf2_end: Transform, request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """When two objects first meet on their ways to these ends, never late; 1 if they do not. What is not proven free counts as contact."""
    request, result = request or ContinuousCollisionRequest(), result if result is not None else ContinuousCollisionResult()
    found = _impact(
        o1._geometry.body, o2._geometry.body, start_a=o1._at._pose(), end_a=tf1_end._pose(), start_b=o2._at._pose(), end_b=tf2_end._pose(),
        tolerance=request.toc_err,
    )
    result.is_collide = found.verdict != "free"
    result.time_of_contact = found.t_lo if result.is_collide else 1.0
    return result.time_of_contact


class CollisionData:
    """What a callback gathers."""

    def __init__(self, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> None:
        self.request, self.result, self.done = request or CollisionRequest(), result or CollisionResult(), False


class DistanceData:
    """What a callback gathers."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request, self.result, self.done = request or DistanceRequest(), result or DistanceResult(), False


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Gathers contacts until there are as many as requested."""
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    if cdata.result.is_collision and len(cdata.result.contacts) >= cdata.request.num_max_contacts:
        cdata.done = True
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Keeps the least distance."""
    if not cdata.done:
        distance(o1, o2, cdata.request, cdata.result)
        cdata.done = cdata.result.min_distance <= 0
    return cdata.done, cdata.result.min_distance


class DynamicAABBTreeCollisionManager:
    """Many objects: every pair is handed to a callback until it says that it is done."""

    def __init__(self) -> None:
        self._objects: list[CollisionObject] = []

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        self._objects.extend(other_objs)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        self._objects.append(obj)

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Takes an object out."""
        self._objects.remove(obj)

    def setup(self) -> None:
        """Nothing is to be done."""

    def update(self, arg: Any = None) -> None:
        """Nothing is to be done."""

    def getObjects(self) -> list[CollisionObject]:
        """All objects."""
        return list(self._objects)

    def clear(self) -> None:
        """Takes all objects out."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._objects

    def size(self) -> int:
        """How many there are."""
        return len(self._objects)

    def _pairs(self, others: Any) -> Iterable[tuple[CollisionObject, CollisionObject]]:
        if others is None:
            return ((a, b) for i, a in enumerate(self._objects) for b in self._objects[i + 1 :])
        if isinstance(others, CollisionObject):
            return ((a, others) for a in self._objects)
        return ((a, b) for a in self._objects for b in others._objects)

    def collide(self, *args: Any) -> None:
        """collide(cdata, callback), collide(object, cdata, callback) or collide(manager, cdata, callback)."""
        *others, data, callback = args
        callback = callback or defaultCollisionCallback
        for a, b in self._pairs(others[0] if others else None):
            if callback(a, b, data):
                return

    def distance(self, *args: Any) -> None:
        """distance(cdata, callback), distance(object, cdata, callback) or distance(manager, cdata, callback)."""
        *others, data, callback = args
        callback = callback or defaultDistanceCallback
        for a, b in self._pairs(others[0] if others else None):
            if callback(a, b, data)[0]:
                return
