"""The module says what the command line says, to the last bit."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import poses

import kontakt as kt

BINARY = os.environ.get("KONTAKT_BIN")
COUNT = int(os.environ.get("KONTAKT_CASES", "2000"))
pytestmark = pytest.mark.skipif(not BINARY, reason="KONTAKT_BIN names no binary")


# The same questions in a process of its own.
ASK = """
import sys
import numpy as np
import kontakt as kt
(a,), (b,), folder = kt.load(sys.argv[1]), kt.load(sys.argv[2]), sys.argv[3]
asked = np.load(folder + "/poses.npy")
found = kt.distance(a, b, asked)
np.save(folder + "/answers.npy", [found.lo, found.hi, kt.contact(a, b, asked)])
"""


def run(*words):
    done = subprocess.run([BINARY, *map(str, words), "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def write(path, mesh):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_batches_are_those_of_the_command_line(tmp_path, knobbly, small):
    files = write(tmp_path / "a.obj", knobbly), write(tmp_path / "b.obj", small)
    asked = poses(COUNT, 2.5)
    (tmp_path / "poses.txt").write_text("\n".join(" ".join(map(repr, row)) for row in asked.tolist()))
    told = run("batch", *files, "--poses", tmp_path / "poses.txt", "--query", "distance")["results"]
    found = kt.distance(knobbly, small, asked)
    # Whatever the number of threads, on either side.
    assert run("batch", *files, "--poses", tmp_path / "poses.txt", "--query", "distance", "--threads", 3)["results"] == told
    np.save(tmp_path / "poses.npy", asked)
    for threads in (1, 3):
        subprocess.run(
            [sys.executable, "-c", ASK, *map(str, files), tmp_path], check=True, env={**os.environ, "RAYON_NUM_THREADS": str(threads)}
        )
        lo, hi, met = np.load(tmp_path / "answers.npy")
        assert np.array_equal(lo, found.lo) and np.array_equal(hi, found.hi) and np.array_equal(met, found.hi == 0)
    assert len(told) == len(found) == COUNT
    hits = 0
    for i, one in enumerate(told):
        lo, hi = one["distance"]
        if found.hi[i] == 0:
            # In contact, or one inside the other: the command line's batch knows surfaces only.
            inside = kt.relation(knobbly, small, asked[i]).name == "contained"
            assert inside or (lo, hi) == (0, 0)
            hits += 1
            continue
        assert (lo, hi) == (found.lo[i], found.hi[i])
        assert one["faces"] == [found.face_a[i], found.face_b[i]]
        assert one["point_a"] == found.point_a[i].tolist()
    assert COUNT // 20 < hits < COUNT * 19 // 20, "generator drifted"
    assert (kt.contact(knobbly, small, asked) == (found.hi == 0)).all()


def test_a_check_is_that_of_the_command_line(tmp_path, knobbly, small):
    files = write(tmp_path / "a.obj", knobbly), write(tmp_path / "b.obj", small)
    told = run("check", *files, "--exact", "--clearance", "0.5")
    found = kt.check({"a.obj": knobbly, "b.obj": small}, clearance=0.5, touch_tolerance=0.0)
    assert found.pairs == told["pairs"]
    assert found.verdict == told["verdict"] and found.summary == told["summary"]


def test_pairs_are_those_of_the_command_line(tmp_path, knobbly, small):
    files = write(tmp_path / "a.obj", knobbly), write(tmp_path / "b.obj", small)
    pose = [0.9, 0.1, 0.2, 0, 0, 0, 1]
    (tmp_path / "pose.txt").write_text(" ".join(map(str, pose)))
    told = run("batch", *files, "--poses", tmp_path / "pose.txt", "--query", "pairs", "--list-pairs")["results"][0]
    found = kt.pairs(knobbly, small, pose)
    assert len(found) > 10
    assert found.tolist() == told["list"]
    assert np.array_equal(found, found[np.lexsort((found[:, 1], found[:, 0]))])
