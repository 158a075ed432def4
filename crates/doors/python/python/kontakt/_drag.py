"""A body that follows a hand, stops at contact and slides."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._kontakt import Body, Dragging, DragSample
from ._scene import _scene


class Drag:
    """A body dragged among others: it follows a hand, stops and slides, and never enters anything; each piece of motion is proven free.

    `body` starts at the pose `start`, where it must be free or touch. `scene` is what stands around, as for `check`. It stops some
    `skin` / 2 before contact, by default 1e-3 of its size. `stiffness` is the unit of forces; without `turning` it keeps its orientation.

    >>> import kontakt as kt
    >>> box = kt.convex.box([1, 1, 1])
    >>> drag = kt.Drag(box, None, {"wall": (box, [5, 0, 0, 0, 0, 0, 1])})
    >>> for x in range(8):
    ...     sample = drag.follow([x, 0, 0, 0, 0, 0, 1])
    >>> sample.ending, bool(2.9 < drag.pose[0] < 3)
    ('held', True)
    """

    def __init__(
        self, body: Body, start: ArrayLike | None, scene: Any, *, skin: float | None = None, stiffness: float = 1.0, turning: bool = True
    ) -> None:
        self._drag = Dragging(body, start, _scene(scene)._stage, skin, float(stiffness), bool(turning))

    def follow(self, hand: ArrayLike) -> DragSample:
        """Moves the body to the hand, (7,) or (4, 4), or as near as contacts let it come."""
        return self._drag.follow(hand)

    @property
    def pose(self) -> NDArray[np.float64]:
        """Where the body is, (7,)."""
        return self._drag.pose

    @property
    def skin(self) -> float:
        """How near it comes to what it touches."""
        return self._drag.skin

    def __repr__(self) -> str:
        return f"Drag(at {self.pose[:3].tolist()})"
