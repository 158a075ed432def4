"""Piles of rigid bodies, stepped from Python."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import kontakt as kt

BINARY = os.environ.get("KONTAKT_BIN")
FLOOR = kt.convex.half_space([0, 0, 1])
RAIN = """
import numpy as np, kontakt as kt
pile = kt.Pile(friction=0.4, restitution=0.2)
pile.add(kt.convex.half_space([0, 0, 1]), fixed=True)
random = np.random.default_rng(3)
at = np.zeros((300, 7))
at[:, :3] = np.stack(np.unravel_index(np.arange(300), (5, 5, 12)), 1) * 1.3 + random.uniform(-0.1, 0.1, (300, 3)) + [0, 0, 1]
at[:, 3:] = random.normal(size=(300, 4))
at[:, 3:] /= np.linalg.norm(at[:, 3:], axis=1)[:, None]
pile.add(kt.convex.box([0.4, 0.3, 0.5]), at[::2])
pile.add(kt.convex.sphere(0.5), at[1::2], density=2.0)
pile.step(60)
print(pile.hash)
"""


def test_boxes_and_a_mesh_come_to_rest_on_each_other():
    pile = kt.Pile(friction=0.5)
    cube = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    floor = pile.add(FLOOR, fixed=True)
    low = pile.add(kt.convex.box([0.5, 0.5, 0.5]), [0, 0, 0.6, 0, 0, 0, 1])
    # The frame of a body is its own: the cube's is at its corner.
    high = pile.add(kt.Mesh(cube, faces), [-0.5, -0.5, 1.2, 0, 0, 0, 1], density=2.0)
    assert (floor, low, high) == (0, 1, 2) and pile.ids.tolist() == [0, 1, 2] and repr(pile) == "Pile(3 bodies, time=0.0)"
    pile.step(600)
    assert pile.time == pytest.approx(3) and pile.is_at_rest and pile.kinetic_energy < 1e-8
    assert np.abs(pile.poses[1, :3] - [0, 0, 0.5]).max() < 1e-3 and np.abs(pile.poses[2, :3] - [-0.5, -0.5, 1]).max() < 2e-3
    found = pile.contacts(1e-3)
    on_floor = (found["ids"] == [0, 1]).all(axis=1)
    assert on_floor.sum() == 4 and np.allclose(found["normal"][on_floor], [0, 0, 1])
    assert found["point"].shape == (len(found["gap"]), 3) and np.abs(found["gap"]).max() < 1e-3
    pile.remove(low)
    assert len(pile) == 2 and pile.ids.tolist() == [0, 2]
    pile.step(200)
    assert pile.poses[1, 2] < 0.1
    with pytest.raises(KeyError, match="id 1"):
        pile.remove(low)


def test_what_is_told_to_move_moves_as_told():
    pile = kt.Pile(gravity=[0, 0, 0])
    pile.add(kt.convex.sphere(1), fixed=True, velocity=[1, 0, 0])
    ids = pile.add(kt.convex.sphere(1), [[5, 0, 0, 0, 0, 0, 1], [0, 9, 0, 0, 0, 0, 1]], spin=[0, 0, 1])
    assert ids.tolist() == [1, 2]
    pile.step(1000)
    # It is pushed on, or has sprung away; it was not gone through.
    assert pile.poses[0, 0] == pytest.approx(5) and pile.poses[1, 0] > 6.9 and pile.velocities[1, 0] >= 1 - 1e-9
    assert pile.poses[2, :3].tolist() == [0, 9, 0] and pile.spins[2].tolist() == [0, 0, 1] and not pile.asleep.any()


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda pile: pile.add(FLOOR), "without end"),
        (lambda pile: pile.add(kt.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])), "closed"),
        (lambda pile: pile.add(kt.convex.sphere(1), density=-1), "density"),
        (lambda pile: pile.add(kt.convex.sphere(1), velocity=[0, np.nan, 0]), "not finite"),
        (lambda pile: pile.add(kt.convex.sphere(1), spin=[0, 0]), r"spin: shape \(2,\)"),
        (lambda pile: pile.add(kt.convex.sphere(1), np.eye(3)), r"pose: shape \(3, 3\)"),
        (lambda pile: pile.contacts(-1), "gap is -1"),
        (lambda pile: kt.Pile(time_step=0), "time step"),
        (lambda pile: kt.Pile(gravity=[0, 0, np.inf]), "gravity"),
        (lambda pile: kt.Pile(restitution=2), "restitution"),
    ],
)
def test_what_is_wrong_is_named(ask, said):
    pile = kt.Pile()
    with pytest.raises(ValueError, match=said):
        ask(pile)
    assert len(pile) == 0


def test_the_number_of_threads_changes_no_bit():
    hashes = set()
    for threads in (1, 3):
        done = subprocess.run([sys.executable, "-c", RAIN], check=True, capture_output=True, text=True, env={**os.environ, "RAYON_NUM_THREADS": str(threads)})
        hashes.add(done.stdout)
    assert len(hashes) == 1


@pytest.mark.skipif(not BINARY, reason="KONTAKT_BIN names no binary")
def test_a_stack_is_that_of_the_command_line(tmp_path):
    (tmp_path / "stack.toml").write_text('kind = "pile"\ntime = 1.0\nuntil_rest = false\nfriction = 0.3\n[stack]\nedge = 1.0\ncount = 5\n')
    told = subprocess.run([BINARY, "simulate", tmp_path / "stack.toml", "--json"], check=True, capture_output=True, text=True)
    pile = kt.Pile(friction=0.3)
    at = np.zeros((5, 7))
    at[:, 2], at[:, 6] = np.arange(5) + 0.5, 1
    bodies = [(FLOOR, None, True), (kt.convex.box([0.5, 0.5, 0.5]), at, False)]
    for body, pose, fixed in bodies:
        pile.add(body, pose, fixed=fixed)
    pile.step(200)
    assert pile.hash == json.loads(told.stdout)["hash"]
