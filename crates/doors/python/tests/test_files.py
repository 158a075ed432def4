"""Files and scenes: what the command line reads, and what it says about it."""

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kontakt as kt

ROOT = Path(__file__).parents[4]
BINARY = os.environ.get("KONTAKT_BIN")
DATA = Path(os.environ.get("KONTAKT_DATA", ROOT.parent / "shared/data"))
GEARBOX = ROOT / "docs/guide/assembly/gearbox.glb"
CROSSING = ROOT / "examples/scenes/crossing.toml"
STEP = DATA / "step/as1-oc-214.stp"

with_binary = pytest.mark.skipif(not BINARY, reason="KONTAKT_BIN names no binary")
with_step = pytest.mark.skipif(not STEP.is_file(), reason="no corpus")


def run(*words):
    done = subprocess.run([BINARY, *map(str, words), "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def same(report, told):
    """All keys but those that only a program of its own has."""
    told = {key: value for key, value in told.items() if key not in ("schema", "version", "seconds", "motion", "way", "command")}
    for key, value in told.items():
        assert report[key] == value, key


@with_binary
def test_a_check_of_a_file_is_that_of_the_command_line():
    told = run("check", GEARBOX, "--deviation", "auto", "--clearance", "0.5", "--ignore", "bolt*:base")
    found = kt.check(GEARBOX, deviation="auto", clearance=0.5, ignore=["bolt*:base"])
    same(found, told)
    # The bodies one by one are the same bodies: faces count through the file, and coordinates are in single precision.
    alone = kt.check(kt.load(GEARBOX), deviation="auto", clearance=0.5, ignore=["bolt*:base"])
    assert alone.pairs == found.pairs and alone.summary == found.summary


@with_binary
def test_a_scene_file_is_that_of_the_command_line():
    scene = kt.Scene.load(CROSSING)
    same(scene.check(), run("check", "--scene", CROSSING))
    same(scene.path(), run("path", "--scene", CROSSING))
    same(scene.path(), run("path", "--scene", CROSSING))
    assert list(scene) == scene.names and len(scene.bodies) == len(scene) == len(scene.poses)


@with_binary
def test_a_way_out_is_that_of_the_command_line():
    told = run("take-out", f"{GEARBOX}:bolt_1")
    same(kt.take_out(f"{GEARBOX}:bolt_1"), told)


@with_binary
def test_a_path_of_a_body_of_a_file_is_that_of_the_command_line(tmp_path):
    motion = np.array([[0.0, 0, 0, 0, 0, 0, 1], [0, 0, 40, 0, 0, 0, 1]])
    lines = [" ".join(map(repr, [float(t), *row])) for t, row in enumerate(motion.tolist())]
    (tmp_path / "motion.txt").write_text("\n".join(lines) + "\n")
    told = run("path", "--moving", f"{GEARBOX}:bolt_1", "--motion", tmp_path / "motion.txt")
    same(kt.path(f"{GEARBOX}:bolt_1", motion), told)


@with_step
@with_binary
def test_curved_bodies_are_those_of_the_command_line():
    told = run("check", STEP, "--clearance", "1")
    found = kt.check(STEP, clearance=1)
    same(found, told)
    bodies = kt.load(STEP)
    assert all(isinstance(body, kt.CurvedBody) for body in bodies)
    assert kt.check(bodies, clearance=1).pairs == found.pairs
    by_name = {body.name: body for body in bodies}
    for pair in found.pairs[:20]:
        a, b = by_name[pair["a"]], by_name[pair["b"]]
        assert (kt.relation(a, b).name == "separate") <= (not kt.contact(a, b))
    body = bodies[0]
    mesh = body.mesh()
    assert "CurvedBody(" in repr(body) and body.deviation > 0 and mesh.is_closed == body.is_closed
    # A pose comes on top of where the file puts the body.
    assert kt.distance(mesh, body).lo == 0 and kt.contact(mesh, body)
    d = kt.distance(mesh, body, [0, 0, 1e4, 0, 0, 0, 1])
    assert 5e3 < d.lo <= d.hi < 2e4
    with pytest.raises(TypeError):
        pickle.dumps(body)


def test_bodies_are_picked_and_files_named_in_errors(tmp_path):
    assert [body.name for body in kt.load(f"{GEARBOX}:bolt*")] == [f"gearbox.glb:bolt_{n}" for n in range(1, 4)]
    with pytest.raises(OSError, match="missing.stl"):
        kt.load(tmp_path / "missing.stl")
    (tmp_path / "bad.obj").write_text("v 0 0 x\n")
    with pytest.raises(ValueError, match=r"bad.obj.*line 1"):
        kt.load(tmp_path / "bad.obj")
    (tmp_path / "bad.toml").write_text('[[body]]\nname = "a"\n')
    with pytest.raises(ValueError, match="bad.toml.*line 1"):
        kt.Scene.load(tmp_path / "bad.toml")
    with pytest.raises(ValueError, match="ignore: .*nobody"):
        kt.check(GEARBOX, ignore=["nobody:base"])
    with pytest.raises(ValueError, match="split is"):
        kt.load(GEARBOX, split="halves")
    with pytest.raises(ValueError, match="deviation is -1"):
        kt.load(GEARBOX, deviation=-1)
    with pytest.raises(ValueError, match="no motions"):
        kt.Scene({"a": kt.convex.sphere(1)}).path()


def test_a_scene_has_names_bodies_and_a_pickle():
    box = kt.convex.box([1, 1, 1])
    scene = kt.Scene([box, (box, [3, 0, 0, 0, 0, 0, 1]), kt.Mesh([[0, 0, 9], [1, 0, 9], [0, 1, 9]], [[0, 1, 2]], name="part0")])
    assert scene.names == ["part0", "part1", "part0#2"]
    assert scene.poses[1].tolist() == [3, 0, 0, 0, 0, 0, 1]
    assert float(kt.distance(scene["part0"], scene["part1"])) == pytest.approx(1)
    with pytest.raises(KeyError, match="part9; there are part0, part1"):
        scene["part9"]
    again = pickle.loads(pickle.dumps(scene))
    assert again.check().pairs == scene.check().pairs == copy.copy(scene).check().pairs
    with pytest.raises(TypeError, match="load it again"):
        pickle.dumps(kt.Scene.load(CROSSING))
    with pytest.raises(TypeError, match=r"parts\[1\] is a str"):
        kt.check([box, "wall"])


def test_rules_are_told_in_every_way_and_no_pair_is_no_answer():
    box = kt.convex.box([1, 1, 1])
    parts = {"left": box, "right": (box, [1.5, 0, 0, 0, 0, 0, 1])}
    assert kt.check(parts).verdict == "clash"
    for allow in ("left:right=0.5", ["left:right=0.5"], {"left:right": 0.5}, {("left", "right"): np.float32(0.5)}):
        assert kt.check(parts, allow=allow).verdict == "clear"
    for ignore in ("left:right", ["left:right"]):
        with pytest.raises(ValueError, match="needs a pair.*1 pairs ignored"):
            kt.check(parts, ignore=ignore)
        assert kt.check(parts, ignore=ignore, allow_empty=True).verdict == "clear"
    for none in ([], [box]):
        with pytest.raises(ValueError, match="needs a pair"):
            kt.check(none)


def test_a_drag_stops_at_a_wall_and_never_enters_it():
    box = kt.convex.box([1, 1, 1])
    drag = kt.Drag(box, None, {"wall": (box, [4, 0, 0, 0, 0, 0, 1])}, turning=False)
    endings = set()
    for k in range(40):
        sample = drag.follow([0.2 * k, 0.05 * k, 0, 0, 0, 0, 1])
        assert not kt.contact(box, box, [4, 0, 0, 0, 0, 0, 1], pose_a=drag.pose)
        assert np.array_equal(sample.pose, drag.pose)
        assert len(sample.pieces) == 0 or np.array_equal(sample.pieces[-1], drag.pose)
        endings.add(sample.ending)
        if sample.ending == "held":
            (name, point, normal, gap, force, own, other), *_ = sample.contacts
            assert name == "wall" and point.shape == (3,) and normal[0] < -0.99 and gap > 0 and force >= 0
    assert {"arrived", "held"} <= endings
    with pytest.raises(ValueError):
        kt.Drag(box, None, {"wall": box})
    with pytest.raises(ValueError, match="hand"):
        drag.follow([0, 0, 0])
