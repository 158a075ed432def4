"""Contacts of convex bodies in a simulation loop: boxes and balls fall into a tray and come to rest.

The solver is a plain sequence of impulses, thirty lines; the contacts are kontakt's.

    python examples/python/convex_contacts.py
"""

import argparse
from itertools import combinations

import numpy as np

import kontakt as kt

STEP = 1 / 120
GRAVITY = np.array([0, 0, -9.81])


class Body:
    """A rigid body: a shape, a pose and how it moves."""

    def __init__(self, shape, half, at, mass=1.0):
        self.shape = shape
        self.at, self.turn = np.array(at, dtype=float), np.array([0.0, 0, 0, 1])
        self.velocity, self.spin = np.zeros(3), np.zeros(3)
        self.inverse_mass = 1 / mass if mass else 0.0
        # Of a box; near enough for a ball.
        h = np.asarray(half, dtype=float)
        inertia = mass / 3 * np.array([h[1] ** 2 + h[2] ** 2, h[0] ** 2 + h[2] ** 2, h[0] ** 2 + h[1] ** 2])
        self.inverse_inertia = 1 / inertia if mass else np.zeros(3)

    @property
    def pose(self):
        return np.concatenate([self.at, self.turn])

    def push(self, impulse, point):
        x, y, z, w = self.turn
        turn = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])
        self.velocity += self.inverse_mass * impulse
        self.spin += turn @ (self.inverse_inertia * (turn.T @ np.cross(point - self.at, impulse)))

    def speed_at(self, point):
        return self.velocity + np.cross(self.spin, point - self.at)

    def move(self):
        self.at += STEP * self.velocity
        x, y, z = self.spin * STEP / 2
        ax, ay, az, aw = self.turn
        self.turn += [x * aw + y * az - z * ay, y * aw + z * ax - x * az, z * aw + x * ay - y * ax, -x * ax - y * ay - z * az]
        self.turn /= np.linalg.norm(self.turn)


def solve(touches):
    """Normal impulses and friction, pair after pair; what is deep is pushed out slowly."""
    for _ in range(8):
        for a, b, one in touches:
            point, normal = (one.point_a + one.point_b) / 2, one.normal
            speed = b.speed_at(point) - a.speed_at(point)
            weight = a.inverse_mass + b.inverse_mass
            wanted = 0.2 / STEP * max(float(one.depth) - 0.002, 0.0)
            push = max(wanted - speed @ normal, 0.0) / weight
            slide = speed - (speed @ normal) * normal
            drag = min(0.5 * push, 0.5 * np.linalg.norm(slide) / weight)
            impulse = 0.6 * (push * normal - drag * slide / max(np.linalg.norm(slide), 1e-9))
            a.push(-impulse, point)
            b.push(impulse, point)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="fewer bodies, fewer steps")
    options.add_argument("--output", help="not used")
    quick = options.parse_args().quick
    count, steps = (6, 150) if quick else (16, 480)

    floor = Body(kt.convex.box([3, 3, 0.5]), [3, 3, 0.5], [0, 0, -0.5], mass=0)
    random = np.random.default_rng(4)
    bodies = [floor]
    for k in range(count):
        half = random.uniform(0.1, 0.25, 3)
        shape = kt.convex.box(half) if k % 2 else kt.convex.sphere(half[0])
        bodies.append(Body(shape, half if k % 2 else [half[0]] * 3, [*random.uniform(-0.4, 0.4, 2), 0.5 + 0.4 * k]))

    most = 0
    for _ in range(steps):
        for body in bodies[1:]:
            body.velocity += STEP * GRAVITY
        touches = [
            (a, b, one)
            for a, b in combinations(bodies, 2)
            for one in kt.contacts(a.shape, b.shape, b.pose, pose_a=a.pose, gap=0.005)
        ]
        solve(touches)
        for body in bodies[1:]:
            body.move()
        most = max(most, len(touches))

    deepest = max((float(one.depth) for _, _, one in touches), default=0.0)
    energy = sum(float(body.velocity @ body.velocity) for body in bodies[1:]) / 2
    print(f"{count} bodies after {steps} steps: {len(touches)} contacts (most: {most}), deepest {deepest:.4f}, energy {energy:.4f}")
    assert all(np.isfinite(body.at).all() and body.at[2] > 0 for body in bodies[1:]), "a body fell through the floor"
    assert deepest < 0.05, "bodies sink into each other"


if __name__ == "__main__":
    main()
