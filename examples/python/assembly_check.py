"""Checks an assembly for clashes, explains the gravest, and proves a way out for each bolt.

    python examples/python/assembly_check.py [FILE]
"""

import argparse
from pathlib import Path

import kontakt as kt

GEARBOX = Path(__file__).parents[2] / "docs/guide/assembly/gearbox.glb"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", nargs="?", default=GEARBOX, help="any file that kontakt reads (.glb, .step, .obj, …)")
    options.add_argument("--clearance", type=float, default=0.5, help="bodies closer than this encroach on each other")
    options.add_argument("--quick", action="store_true", help="one way out only")
    options.add_argument("--output", help="not used")
    asked = options.parse_args()

    scene = kt.Scene.load(asked.file)
    print(scene)

    # Meshes stand for curved surfaces; how far they may be off is estimated from their smooth edges.
    report = scene.check(clearance=asked.clearance, deviation="auto")
    print(f"\n{report.verdict}: {report.summary}")
    for pair in report.forbidden:
        depth = f", {max(pair['interference']):.3g} deep" if pair.get("interference") else ""
        print(f"  {pair['a']} and {pair['b']}: {pair['relation']}{depth}")

    # Where two of them meet, in numbers of their own faces.
    if report.forbidden:
        worst = report.forbidden[0]
        a, b = scene[worst["a"]], scene[worst["b"]]
        faces = kt.pairs(a, b)
        print(f"\n{len(faces)} pairs of triangles of {worst['a']} and {worst['b']} intersect; the first: {faces[0].tolist()}")

    # A part that is in the way at the start is held; --allow lets a press fit slide.
    bolts = [name for name in scene.names if "bolt" in name]
    for name in bolts[:1] if asked.quick else bolts:
        around = {other: scene[other] for other in scene if other != name}
        out = kt.take_out({name: scene[name]}, around, allow={f"{name}:*": 0.05})
        print(f"{name}: {out!r}")


if __name__ == "__main__":
    main()
