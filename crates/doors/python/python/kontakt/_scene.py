"""Scenes of named bodies: what clashes, which motions are free, which ways lead out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._kontakt import Body, Stage, check_json, follow_json, path_json, take_out_json
from ._report import Report

# A body, or a body and its pose.
Part = Any
# A file's path ("FILE" or "FILE:NAME"), a list of paths, a body, a list of bodies or of (body, pose), a dict from names to these, or a Scene.
Parts = Any
Path = str | os.PathLike[str]


class CheckReport(Report):
    """What a check found: the keys of `kontakt check --json`, as items and as attributes (`verdict`, `pairs`, `groups`, `summary`, …)."""

    def __repr__(self) -> str:
        return f"CheckReport({self['verdict']}, {len(self['bodies'])} bodies, {len(self['pairs'])} pairs)"

    @property
    def forbidden(self) -> list[dict[str, Any]]:
        """The pairs that fail the check."""
        return [pair for pair in self["pairs"] if pair["forbidden"]]


class PathReport(Report):
    """What was proven of a motion: the keys of `kontakt path --json` (`verdict`, `segments`, `least_clearance` as [lo, hi], …)."""

    def __repr__(self) -> str:
        if "segments" not in self:
            return f"PathReport({self['verdict']}, {len(self['pairs'])} pairs)"
        return f"PathReport({self['verdict']}, {len(self['segments'])} segments, least_clearance={self['least_clearance']})"


class TakeOutReport(Report):
    """The ways out that were tried: the keys of `kontakt take-out --json` (`verdict`, `direction`, `held_by`, `ways`, …)."""

    def __repr__(self) -> str:
        if self["verdict"] == "free":
            return f"TakeOutReport(free, direction={self['direction']}, distance={self['distance']})"
        return f"TakeOutReport(held by {', '.join(self['held_by'])})"


class Scene:
    """Named bodies where they stand.

    `Scene(parts)`: a body, a list of bodies or of (body, pose), or a dict from names to these. `Scene.load(path)` reads files. A pose is
    (7,) or (4, 4) and comes on top of where a body's file puts it.

    >>> import kontakt as kt
    >>> box = kt.convex.box([1, 1, 1])
    >>> scene = kt.Scene({"left": box, "right": (box, [3, 0, 0, 0, 0, 0, 1])})
    >>> scene
    Scene(2 bodies: left, right)
    >>> scene.check().verdict
    'clear'
    """

    def __init__(self, parts: Parts) -> None:
        self._parts: Any = None
        if isinstance(parts, Stage):
            self._stage = parts
        else:
            self._parts = _named(parts)
            self._stage = Stage(self._parts)

    @classmethod
    def load(cls, path: Path | Iterable[Path], *, split: str = "objects", deviation: float | None = None) -> Scene:
        """The scene of a scene file (`.toml`, docs/scene-files.md) with its rules and motions, or all bodies of other files, each with a name
        of its own. `split` and `deviation` as for `load`.

        >>> import kontakt as kt
        >>> scene = kt.Scene.load("examples/scenes/crossing.toml")        # doctest: +SKIP
        >>> scene.check().verdict, scene.path().verdict                   # doctest: +SKIP
        """
        files = _paths(path)
        if len(files) == 1 and files[0].lower().endswith(".toml"):
            return cls(Stage.of_scene_file(files[0], split, deviation))
        return cls(Stage.of_files(files, split, deviation))

    @property
    def names(self) -> list[str]:
        """The names of all bodies, in order."""
        return self._stage.names

    @property
    def poses(self) -> NDArray[np.float64]:
        """Where they stand, (n, 7)."""
        return self._stage.poses

    @property
    def bodies(self) -> list[Body]:
        """The bodies where they stand, in order."""
        return self._stage.bodies()

    @property
    def missing(self) -> list[tuple[str, str]]:
        """The bodies of the files that are not there or not whole, and why: beside them nothing is called clear."""
        return self._stage.missing

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Body:
        names = self.names
        if name not in names:
            raise KeyError(f"{name}; there are {_few(names)}")
        return self.bodies[names.index(name)]

    def __repr__(self) -> str:
        return f"Scene({len(self)} {'body' if len(self) == 1 else 'bodies'}: {_few(self.names)})"

    def __reduce__(self) -> Any:
        if self._parts is None:
            raise TypeError("a scene of files has no pickle; load it again")
        return Scene, ({name: (body, pose) for name, body, pose in self._parts},)

    def check(
        self, *, clearance: float | None = None, ignore: str | Iterable[str] = (), allow: str | Iterable[str] | Mapping[Any, float] = (),
        touch_tolerance: float | None = None, deviation: float | str | None = None, strict: bool = False, all_distances: bool = False,
        allow_empty: bool = False, time_limit: float | None = None,
    ) -> CheckReport:
        """As the function `check`; what is given adds to the rules of a scene file."""
        told = check_json(
            self._stage, clearance, _pairs(ignore), _allowed(allow), touch_tolerance, deviation, bool(strict), bool(all_distances), time_limit
        )
        report = CheckReport(json.loads(told))
        bodies, ignored = len(report["bodies"]), report["summary"]["ignored"]
        if report["summary"]["pairs"] == ignored and not allow_empty:
            raise ValueError(f"a check needs a pair, and of {bodies} bodies none is left ({ignored} pairs ignored); allow_empty=True takes it as it is")
        return report

    def path(self, *, ignore: str | Iterable[str] = (), tolerance: float | None = None, time_limit: float | None = None) -> PathReport:
        """Follows all motions of a scene file at once; the file is read again. The keys are those of `kontakt path --scene --json`."""
        return PathReport(json.loads(follow_json(self._stage, _pairs(ignore), tolerance, time_limit)))


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def _paths(given: Any) -> list[str]:
    return [os.fspath(path) for path in ([given] if _is_path(given) else given)]


def _few(names: list[str]) -> str:
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")


def _pairs(given: str | Iterable[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _allowed(allow: Any) -> list[str]:
    if not hasattr(allow, "items"):
        return _pairs(allow)
    return [f"{pair if isinstance(pair, str) else ':'.join(pair)}={float(depth)!r}" for pair, depth in allow.items()]


def _named(parts: Any) -> list[tuple[str, Body, Any]]:
    if isinstance(parts, Body):
        parts = [parts]
    given = parts.items() if hasattr(parts, "items") else [(None, part) for part in parts]
    named: list[tuple[str, Body, Any]] = []
    taken: set[str] = set()
    for number, (name, part) in enumerate(given):
        body, pose = part if isinstance(part, tuple) else (part, None)
        if not isinstance(body, Body):
            which = f"parts[{number}]" if name is None else f"parts[{name!r}]"
            raise TypeError(f"{which} is a {type(body).__name__}, not a body; kontakt.Mesh(other) makes one of vertices and faces")
        name = str(body.name or f"part{number}") if name is None else str(name)
        # Bodies that share a name count on, as in files.
        own, count = name, 1
        while own in taken:
            count += 1
            own = f"{name}#{count}"
        taken.add(own)
        named.append((own, body, pose))
    return named


def _scene(parts: Any, deviation: float | None = None) -> Scene:
    if isinstance(parts, Scene):
        return parts
    if _is_path(parts):
        return Scene.load(parts, deviation=deviation)
    if not isinstance(parts, Body) and not hasattr(parts, "items"):
        parts = list(parts)
        if parts and all(map(_is_path, parts)):
            return Scene.load(parts, deviation=deviation)
    return Scene(parts)


def _moving(moving: Any, scene: Any) -> Stage:
    """Movers among others. Both from files, a body of a file that moves does not stand in its own way."""
    files = [_is_path(part) or (isinstance(part, (list, tuple)) and bool(part) and all(map(_is_path, part))) for part in (moving, scene)]
    if files[0] and (files[1] or scene is None):
        return Stage.in_motion(_paths(moving), [] if scene is None else _paths(scene), "objects", None)
    if scene is None:
        raise TypeError("scene is missing: what stands around the moving body")
    if isinstance(moving, Body) and moving.name is None:
        moving = {"moving": moving}
    return _scene(moving)._stage.among(_scene(scene)._stage)


def check(
    parts: Parts, *, clearance: float | None = None, ignore: str | Iterable[str] = (), allow: str | Iterable[str] | Mapping[Any, float] = (),
    touch_tolerance: float | None = None, deviation: float | str | None = None, strict: bool = False, all_distances: bool = False,
    allow_empty: bool = False, time_limit: float | None = None,
) -> CheckReport:
    """Every pair of bodies: what clashes, touches, or comes closer than `clearance`.

    `parts` is a file's path or a list of them, a list of bodies or (body, pose), a dict from names to these, or a `Scene`. `ignore` lists
    pairs "a:b" that do not count (`*` stands for anything), `allow` pairs that may overlap, "a:b=depth" or a dict {"a:b": depth}. Where no
    pair is left that is a ValueError, and no clear answer, unless `allow_empty`.
    Gaps and interferences up to `touch_tolerance` count as touching. `deviation` is how far meshes lie off the surfaces they stand for,
    a length or "auto"; `strict` forbids touching. After `time_limit` seconds what is not known is undecided.

    >>> import kontakt as kt
    >>> box = kt.convex.box([1, 1, 1])
    >>> report = kt.check({"left": box, "right": (box, [2.25, 0, 0, 0, 0, 0, 1])}, clearance=0.5)
    >>> report.verdict, report.pairs[0]["relation"]
    ('clash', 'encroaching')
    """
    fine = float(deviation) if isinstance(deviation, (int, float)) and deviation > 0 else None
    return _scene(parts, fine).check(
        clearance=clearance, ignore=ignore, allow=allow, touch_tolerance=touch_tolerance, deviation=deviation, strict=strict,
        all_distances=all_distances, allow_empty=allow_empty, time_limit=time_limit,
    )


def path(
    moving: Parts, motion: ArrayLike, scene: Parts = None, *, times: ArrayLike | None = None, clearance: float | None = None,
    ignore: str | Iterable[str] = (), allow: str | Iterable[str] | Mapping[Any, float] = (), tolerance: float | None = None,
    distance_tolerance: float | None = None, interpolate: str = "slerp", pivot: ArrayLike | None = None, time_limit: float | None = None,
) -> PathReport:
    """A motion through the poses (n, 7) or (n, 4, 4) of `moving`, proven free of `scene` between them too, or where it touches.

    `moving` and `scene` are as for `check`; of a file "assembly.glb:plug" moves among all its other bodies where there is no `scene`.
    `times` (n,) count 0, 1, 2, … where there are none. With `clearance`, the report's `keeps_clearance` is True or False where that is
    proven, None where its bounds leave it open.

    >>> import kontakt as kt
    >>> box = kt.convex.box([1, 1, 1])
    >>> motion = [[-4, 3, 0, 0, 0, 0, 1], [4, 3, 0, 0, 0, 0, 1]]
    >>> report = kt.path(box, motion, {"wall": box}, clearance=0.5)
    >>> report.verdict, report.keeps_clearance
    ('free', True)
    """
    at = None if times is None else np.asarray(times, dtype=np.float64).tolist()
    told = path_json(
        _moving(moving, scene), motion, at, clearance, _pairs(ignore), _allowed(allow), tolerance, distance_tolerance, interpolate, pivot,
        time_limit,
    )
    return PathReport(json.loads(told))


def take_out(
    moving: Parts, scene: Parts = None, *, distance: float | None = None, all_ways: bool = False, ignore: str | Iterable[str] = (),
    allow: str | Iterable[str] | Mapping[Any, float] = (), tolerance: float | None = None, time_limit: float | None = None,
) -> TakeOutReport:
    """A straight way out for `moving`, proven free of `scene`, or what holds it: along the axes and the axes of its cylinders.

    >>> import kontakt as kt
    >>> box = kt.convex.box([1, 1, 1])
    >>> walls = {"left": (box, [-2.5, 0, 0, 0, 0, 0, 1]), "right": (box, [2.5, 0, 0, 0, 0, 0, 1])}
    >>> kt.take_out(box, walls).direction
    [0.0, 1.0, 0.0]
    """
    told = take_out_json(
        _moving(moving, scene), distance, bool(all_ways), _pairs(ignore), _allowed(allow), tolerance, time_limit
    )
    return TakeOutReport(json.loads(told))
