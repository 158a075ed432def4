"""Collision detection with proven answers.

    >>> import kontakt as kt
    >>> box, ball = kt.convex.box([1, 1, 1]), kt.convex.sphere(1)
    >>> kt.contact(box, ball, [3, 0, 0, 0, 0, 0, 1])
    False
    >>> round(float(kt.distance(box, ball, [3, 0, 0, 0, 0, 0, 1])), 9)
    1.0

A pose is (7,) ``tx ty tz qx qy qz qw`` or (4, 4); batches of poses are (n, 7) or (n, 4, 4), answered with all cores and without
the interpreter's lock. Numbers come as certified bounds ``lo``, ``hi``.
"""

from . import convex
from ._bound import Volume, bound
from ._drag import Drag
from ._kontakt import (
    Body,
    Contact,
    CurvedBody,
    Distance,
    Distances,
    DragSample,
    Impact,
    Mesh,
    Pile,
    Range,
    Relation,
    Shape,
    StepContacts,
    __version__,
    ccd,
    contact,
    contacts,
    distance,
    impact,
    load,
    pairs,
    relation,
    within,
)
from ._scene import CheckReport, PathReport, Scene, TakeOutReport, check, path, take_out

__all__ = [
    "__version__", "Body", "bound", "ccd", "check", "CheckReport", "Contact", "contact", "contacts", "convex", "CurvedBody",
    "Distance", "distance", "Distances", "Drag", "DragSample", "Impact", "impact", "load", "Mesh", "pairs", "path", "PathReport",
    "Pile", "Range", "Relation", "relation", "Scene", "Shape", "StepContacts", "take_out", "TakeOutReport", "Volume", "within",
]
