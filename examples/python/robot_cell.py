"""A robot arm in a cell: many random configurations at once, then a motion that is proven free between its samples too.

    python examples/python/robot_cell.py
"""

import argparse
import time

import numpy as np

import kontakt as kt

# An arm of six joints: the axis of each, and the link that it turns, a capsule that leads on to the next joint.
AXES = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]], dtype=float)
LENGTHS = np.array([0.4, 0.6, 0.5, 0.25, 0.2, 0.1])
RADII = np.array([0.09, 0.08, 0.07, 0.06, 0.05, 0.04])


def turns(axis, angles):
    """Rotation matrices (n, 3, 3) about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    sin, cos = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + sin * cross + (1 - cos) * (cross @ cross)


def poses(joints):
    """The pose of every link in the world (6, n, 4, 4) for joint angles (n, 6); a link's frame is in its middle, its z along it."""
    count = len(joints)
    at = np.tile(np.eye(4), (count, 1, 1))
    found = []
    for axis, length, angles in zip(AXES, LENGTHS, joints.T):
        at = at.copy()
        at[:, :3, :3] = at[:, :3, :3] @ turns(axis, angles)
        middle = at.copy()
        middle[:, :3, 3] += at[:, :3, 2] * length / 2
        found.append(middle)
        at[:, :3, 3] += at[:, :3, 2] * length
    return np.array(found)


def cell():
    """A table, a fence of four posts and a ball that hangs in the way."""
    post = kt.convex.cylinder(0.75, 0.05)
    around = {f"post {k}": (post, [1.1 * np.cos(w), 1.1 * np.sin(w), 0.75, 0, 0, 0, 1]) for k, w in enumerate(np.arange(4) * np.pi / 2 + 0.8)}
    around["table"] = (kt.convex.box([1.5, 1.5, 0.05]), [0, 0, -0.2, 0, 0, 0, 1])
    around["ball"] = (kt.convex.sphere(0.2), [0.5, 0.3, 1.2, 0, 0, 0, 1])
    return kt.Scene(around)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="fewer configurations")
    options.add_argument("--output", help="not used")
    count = 2_000 if options.parse_args().quick else 100_000

    scene = cell()
    links = [kt.convex.capsule(length / 2, radius) for length, radius in zip(LENGTHS, RADII)]
    joints = np.random.default_rng(1).uniform(-2.2, 2.2, size=(count, 6))
    at = poses(joints)

    # Every link against every body, all configurations in one call; neighbours of the chain touch by construction.
    start = time.perf_counter()
    hit = np.zeros(count, dtype=bool)
    for name in scene:
        for link, where in zip(links, at):
            hit |= kt.contact(scene[name], link, where)
    for i in range(len(links)):
        for j in range(i + 2, len(links)):
            hit |= kt.contact(links[i], links[j], at[j], pose_a=at[i])
    seconds = time.perf_counter() - start
    pairs = len(links) * len(scene) + 10
    print(f"{count} configurations, {pairs} pairs each: {hit.mean():.0%} collide; {seconds / count * 1e6:.1f} µs a configuration")

    # How near the free ones come to the ball: certified bounds, so the comparison is a proof.
    ball = scene["ball"]
    nearest = np.min([kt.distance(ball, link, where).lo for link, where in zip(links, at)], axis=0)
    print(f"{(nearest[~hit] >= 0.1).sum()} of {(~hit).sum()} free ones keep 0.1 from the ball, proven")

    # The tool on a straight line past the ball: free at both ends, and only what happens between them tells.
    tool = kt.convex.capsule(0.2, 0.03)
    start, end = np.array([[0.5, -0.4, 1.2, 0, 0, 0, 1], [0.5, 0.9, 1.2, 0, 0, 0, 1]])
    for lift in (0, 0.5):
        up = [0, 0, lift, 0, 0, 0, 0]
        sampled = any(kt.contact(scene[name], tool, [start + up, end + up]).any() for name in scene)
        hits = {name: kt.impact(scene[name], tool, start_b=start + up, end_b=end + up) for name in scene}
        first, hit = min(hits.items(), key=lambda one: one[1].t_lo)
        followed = "free all the way" if hit.verdict == "free" else f"{hit.verdict} with the {first} at t = {hit.t_lo:.6f}, never late"
        print(f"lifted by {lift}: at its ends {'in contact' if sampled else 'free'}; between them {followed}")


if __name__ == "__main__":
    main()
