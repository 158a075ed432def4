"""kontakt's Python module beside python-fcl, coal and trimesh, all in this one process: what a call costs, what an answer costs.

Run by `cargo xtask bench python [--quick] [--write FILE]`. Times are CPU time of this thread, per question, the least of several turns in which
the contenders take turns; of batches, which use all cores, CPU time of the whole process. Poses and what a peer can make of them before are
made before. Peers that are not installed are left out with a word.
"""

import argparse
import os
import platform
import time
from pathlib import Path

import numpy as np

import kontakt as kt

FAR = 1000.0


def ball(rings, radius, bump, waves):
    """A bumpy ball of 4 · rings · (rings − 1) triangles."""
    around = 2 * rings
    u = np.pi * np.arange(1, rings) / rings
    v = 2 * np.pi * np.arange(around) / around
    u, v = np.meshgrid(u, v, indexing="ij")
    r = radius * (1 + bump * np.sin(waves * u) * np.cos((waves + 1) * v))
    inner = np.stack([r * np.sin(u) * np.cos(v), r * np.sin(u) * np.sin(v), r * np.cos(u)], axis=-1).reshape(-1, 3)
    vertices = np.vstack([[0, 0, radius], inner, [0, 0, -radius]])
    i, j = np.meshgrid(np.arange(rings - 2), np.arange(around), indexing="ij")
    at = lambda i, j: (1 + i * around + j % around).ravel()
    a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    j = np.arange(around)
    top = np.stack([np.zeros_like(j), 1 + j, 1 + (j + 1) % around], axis=1)
    low, end = 1 + (rings - 2) * around, len(vertices) - 1
    bottom = np.stack([np.full_like(j, end), low + (j + 1) % around, low + j], axis=1)
    return vertices, np.vstack([top, np.stack([a, b, c], 1), np.stack([a, c, d], 1), bottom]).astype(np.int64)


def read_obj(path):
    """Vertices and triangles of a plain OBJ."""
    lines = [line.split() for line in path.read_text().splitlines()]
    vertices = np.array([line[1:4] for line in lines if line[:1] == ["v"]], dtype=float)
    faces = [[int(word.split("/")[0]) - 1 for word in line[1:]] for line in lines if line[:1] == ["f"]]
    return vertices, np.array([[face[0], face[k], face[k + 1]] for face in faces for k in range(1, len(face) - 1)])


def random_poses(count, spread, seed):
    random = np.random.default_rng(seed)
    q = random.normal(size=(count, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    return np.hstack([random.uniform(-spread, spread, size=(count, 3)), q])


def matrices(poses):
    x, y, z, w = poses[:, 3:].T
    made = np.tile(np.eye(4), (len(poses), 1, 1))
    made[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], 1)
    made[:, 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], 1)
    made[:, 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
    made[:, :3, 3] = poses[:, :3]
    return made


class Kontakt:
    name, version = "kontakt", kt.__version__

    def __init__(self, a, b):
        self.a, self.b = kt.Mesh(*a), kt.Mesh(*b)

    def poses(self, at):
        return list(at)

    def contact(self, poses):
        a, b, contact = self.a, self.b, kt.contact
        return [contact(a, b, pose) for pose in poses]

    def distance(self, poses):
        a, b, distance = self.a, self.b, kt.distance
        return [distance(a, b, pose).hi for pose in poses]


class Fcl:
    name = "python-fcl"

    def __init__(self, a, b):
        import fcl
        from importlib.metadata import version

        self.fcl, Fcl.version = fcl, version("python-fcl")
        self.a, self.b = (fcl.CollisionObject(self.model(*mesh), fcl.Transform()) for mesh in (a, b))

    def model(self, vertices, faces):
        made = self.fcl.BVHModel()
        made.beginModel(len(vertices), len(faces))
        made.addSubModel(vertices, faces)
        made.endModel()
        return made

    def poses(self, at):
        return [self.fcl.Transform(np.ascontiguousarray(one[:3, :3]), np.ascontiguousarray(one[:3, 3])) for one in at]

    def contact(self, poses):
        fcl, a, b, request, found = self.fcl, self.a, self.b, self.fcl.CollisionRequest(), []
        for pose in poses:
            b.setTransform(pose)
            found.append(fcl.collide(a, b, request, fcl.CollisionResult()) > 0)
        return found

    def distance(self, poses):
        fcl, a, b, request, found = self.fcl, self.a, self.b, self.fcl.DistanceRequest(True), []
        for pose in poses:
            b.setTransform(pose)
            found.append(fcl.distance(a, b, request, fcl.DistanceResult()))
        return found


class Coal:
    name = "coal"

    def __init__(self, a, b):
        import coal

        self.coal, Coal.version = coal, coal.__version__
        self.a, self.b = self.model(*a), self.model(*b)
        self.at_a = coal.Transform3s()

    def model(self, vertices, faces):
        made = self.coal.BVHModelOBBRSS()
        made.beginModel(len(faces), len(vertices))
        made.addVertices(vertices)
        made.addTriangles(faces)
        made.endModel()
        return made

    def poses(self, at):
        return [self.coal.Transform3s(one[:3, :3].copy(), one[:3, 3].copy()) for one in at]

    def contact(self, poses):
        coal, a, at_a, b, request, result, found = self.coal, self.a, self.at_a, self.b, self.coal.CollisionRequest(), self.coal.CollisionResult(), []
        for pose in poses:
            result.clear()
            found.append(coal.collide(a, at_a, b, pose, request, result) > 0)
        return found

    def distance(self, poses):
        coal, a, at_a, b, request, result, found = self.coal, self.a, self.at_a, self.b, self.coal.DistanceRequest(), self.coal.DistanceResult(), []
        for pose in poses:
            result.clear()
            found.append(coal.distance(a, at_a, b, pose, request, result))
        return found


class Trimesh:
    name = "trimesh"

    def __init__(self, a, b):
        import trimesh
        from trimesh.collision import CollisionManager

        Trimesh.version = trimesh.__version__
        self.a, self.b = CollisionManager(), CollisionManager()
        self.a.add_object("a", trimesh.Trimesh(*a, process=False))
        self.b.add_object("b", trimesh.Trimesh(*b, process=False))

    def poses(self, at):
        return list(at)

    def contact(self, poses):
        a, b, found = self.a, self.b, []
        for pose in poses:
            b.set_transform("b", pose)
            found.append(a.in_collision_other(b))
        return found

    def distance(self, poses):
        a, b, found = self.a, self.b, []
        for pose in poses:
            b.set_transform("b", pose)
            found.append(a.min_distance_other(b))
        return found


def contenders(a, b, absent):
    made = []
    for kind in (Kontakt, Fcl, Coal, Trimesh):
        try:
            made.append(kind(a, b))
        except Exception as problem:  # not installed, or of another version
            absent[kind.name] = str(problem).splitlines()[0]
    return made


def race(all_of, question, at, turns):
    """Least CPU time of a question in µs, and the answers, of each contender."""
    ready = [(one, one.poses(at)) for one in all_of]
    least, answers = {}, {}
    for turn in range(turns):
        for one, poses in ready[turn % len(ready) :] + ready[: turn % len(ready)]:
            start = time.thread_time()
            answers[one.name] = getattr(one, question)(poses)
            seconds = time.thread_time() - start
            least[one.name] = min(least.get(one.name, np.inf), 1e6 * seconds / len(poses))
    return least, answers


def batch(ask, count, turns):
    """Least CPU time of the whole process, and wall time, for one of many poses, in µs."""
    cpu = wall = np.inf
    for _ in range(turns):
        start, clock = time.process_time(), time.perf_counter()
        ask()
        cpu = min(cpu, 1e6 * (time.process_time() - start) / count)
        wall = min(wall, 1e6 * (time.perf_counter() - clock) / count)
    return cpu, wall


class Page:
    """What is printed, and written if that is wanted."""

    def __init__(self):
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)


def judged(value, most):
    return f"{value:.2f}, at most {most}: {'reached' if value <= most else '**missed**'}"


def cpu_name():
    info = Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")] if info.is_file() else []
    return names[0] if names else platform.processor()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", type=Path)
    asked = options.parse_args()
    turns, share = (2, 10) if asked.quick else (7, 1)
    page, absent = Page(), {}

    small = ball(8, 1.0, 0.2, 3)
    pair = contenders(small, small, absent)
    page.say("# Benchmarks of the Python module")
    page.say()
    page.say("By `cargo xtask bench python --write`. µs of CPU time of one thread a question, the least of several turns, all libraries in one process;")
    page.say("of batches CPU time of the process, all threads together. Peers get transforms made before, kontakt gets (4, 4) arrays.")
    page.say()
    load = os.getloadavg()[0]
    page.say(f"{cpu_name()}, {os.cpu_count()} cores, load {load:.1f} at the start{' (busy: look at ratios)' if load > 1 else ''};")
    versions = ", ".join(f"{one.name} {one.version}" for one in pair)
    page.say(f"Python {platform.python_version()}, numpy {np.__version__}, {versions}.")
    for name, reason in absent.items():
        page.say(f"Skipped: {name} ({reason}).")
    page.say()

    names = [one.name for one in pair]
    page.say("| question, scene | " + " | ".join(names) + " | kontakt / best peer |")
    page.say("|" + "---|" * (len(names) + 2))
    verdicts = []

    def row(title, all_of, question, at, most=None):
        least, answers = race(all_of, question, at, turns)
        peers = [least[name] for name in names[1:] if name in least]
        ratio = least["kontakt"] / min(peers) if peers else float("nan")
        page.say(f"| {title} | " + " | ".join(f"{least[name]:.2f}" for name in names) + f" | {ratio:.2f} |")
        if most is not None and peers:
            verdicts.append(f"{title}, kontakt / best peer: {judged(ratio, most)}")
        return least, answers

    far = matrices(random_poses(20_000 // share, 1, 1))
    far[:, 0, 3] += FAR
    least, _ = row("contact, far away: the call", pair, "contact", far)
    verdicts.insert(0, f"a call with nothing to do, µs: {judged(least['kontakt'], 0.7)}")
    row("distance, far away", pair, "distance", far[: len(far) // 10])

    scenes = [("82k × 66k triangles", ball(144, 1.0, 0.25, 5), ball(129, 0.9, 0.2, 4), 1.6, 1000)]
    data = Path(os.environ.get("KONTAKT_DATA", "")) / "mesh"
    if (data / "env.obj").is_file():
        env, rob = read_obj(data / "env.obj"), read_obj(data / "rob.obj")
        scenes.insert(0, ("env × rob", env, rob, 0.5 * np.ptp(env[0], axis=0).max(), 1000))
    disputes = []
    for title, a, b, spread, count in scenes:
        ready = contenders(a, b, {})
        middle = (a[0].min(axis=0) + a[0].max(axis=0) - b[0].min(axis=0) - b[0].max(axis=0)) / 2
        poses = random_poses(count // share, spread, 2)
        poses[:, :3] += middle
        at = matrices(poses)
        target = 0.35 if "82k" in title else None
        _, hits = row(f"contact, {title}", ready, "contact", at, target)
        some = at[:: 10 if asked.quick else 4]
        _, apart = row(f"distance, {title}", ready, "distance", some, target)
        inside = [kt.relation(ready[0].a, ready[0].b, pose).name == "contained" for pose in at]
        for name in names[1:]:
            differ = sum(x != y and not inner for x, y, inner in zip(hits["kontakt"], hits[name], inside))
            both = [(x, y) for x, y in zip(apart["kontakt"], apart[name]) if x > 0 and y > 0]
            off = max((abs(x - y) for x, y in both), default=0.0)
            disputes.append(f"{title}, {name}: {differ} verdicts of {len(at)} differ; distances by up to {off:.1e}")
        disputes.append(f"{title}: {np.mean(hits['kontakt']):.0%} in contact, {sum(inside)} inside (which peers do not see)")

    page.say()
    page.say("| batch of far poses, kontakt only | CPU a pose, µs | wall a pose, µs |")
    page.say("|---|---|---|")
    count = 100_000 // share
    seven = random_poses(count, 1, 3)
    seven[:, 0] += FAR
    mesh = pair[0]
    for title, given in (("(n, 4, 4)", matrices(seven)), ("(n, 7)", seven)):
        cpu, wall = batch(lambda: kt.contact(mesh.a, mesh.b, given), count, turns)
        page.say(f"| contact, {title} | {cpu:.3f} | {wall:.3f} |")
        verdicts.append(f"batch of far poses, {title}, µs of CPU a pose: {judged(cpu, 0.25)}")
    page.say()
    page.say("Agreement:")
    page.say()
    for line in disputes:
        page.say(f"- {line}")
    page.say()
    page.say("Wanted:")
    page.say()
    for line in verdicts:
        page.say(f"- {line}")
    if asked.write:
        asked.write.write_text("\n".join(page.lines) + "\n")


if __name__ == "__main__":
    main()
