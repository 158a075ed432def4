"""A walk through the answers, cell by cell as in a notebook, with a plot at its end.

    python examples/python/walk.py --output .       # writes walk.png; plots need matplotlib
"""

# %% What is asked about: a mesh from arrays, a convex shape.
import argparse
from pathlib import Path

import numpy as np

import kontakt as kt

options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--quick", action="store_true", help="a coarser map")
options.add_argument("--output", default=".", help="where the plot goes")
asked = options.parse_args()


def torus(big=1.0, small=0.4, around=64, across=32):
    """Vertices and faces of a closed torus about z."""
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    ring = big + small * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    corner = lambda di, dj: ((i + di) % around * across + (j + dj) % across).ravel()
    a, b, c, d = corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)
    return vertices, np.vstack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


ring = kt.Mesh(*torus(), name="ring")
stick = kt.convex.capsule(0.5, 0.12)
print(ring, stick)

# %% One question, one pose: a bool, a distance with both ends of its bounds, where the bodies are nearest.
pose = [0.0, 0, 0.2, 0, 0, 0, 1]
print("in contact:", kt.contact(ring, stick, pose))
d = kt.distance(ring, stick, pose)
print(f"apart by {d.lo:.9f} … {d.hi:.9f}, nearest face of the ring: {d.face_a}")
print("kept 0.4:", not kt.within(ring, stick, 0.4, pose))

# %% Many poses in one call: how far the stick is from the ring, wherever its middle is in a plane through the axis.
cells = 60 if asked.quick else 240
x, z = np.meshgrid(np.linspace(-2, 2, cells), np.linspace(-1.4, 1.4, cells * 7 // 10))
poses = np.zeros((x.size, 7))
poses[:, 0], poses[:, 2], poses[:, 6] = x.ravel(), z.ravel(), 1
field = kt.distance(ring, stick, poses)
print(f"{len(field)} poses, widest bounds {np.max(field.hi - field.lo):.1e}, {np.mean(field.hi == 0):.0%} in contact")

# %% Motions: the stick falls through the hole; aside it hits the ring, and is never late.
for aside in (0.0, 0.7):
    fall = kt.impact(ring, stick, start_b=[aside, 0, 2, 0, 0, 0, 1], end_b=[aside, 0, -2, 0, 0, 0, 1])
    print(f"falling at x = {aside}: {fall!r}")

# %% The plot.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib, no plot")
else:
    figure, axes = plt.subplots(figsize=(8, 5.2), layout="constrained")
    apart = field.hi.reshape(x.shape)
    filled = axes.contourf(x, z, apart, levels=np.arange(0, apart.max() + 0.05, 0.05), cmap="viridis")
    axes.contourf(x, z, apart, levels=[-1, 1e-3], colors=["#b03a2e"])
    axes.contour(x, z, apart, levels=[0.2], colors="white", linewidths=1.2)
    for side in (-1, 1):
        axes.add_patch(plt.Circle((side, 0), 0.4, fill=False, color="black", linewidth=1.2))
    figure.colorbar(filled, label="distance to the ring")
    axes.set(
        aspect="equal", xlabel="x of the stick's middle", ylabel="z", title="Where an upright stick meets a ring (red), and where it keeps 0.2 (white line)"
    )
    target = Path(asked.output) / "walk.png"
    figure.savefig(target, dpi=110)
    print("wrote", target.name)
