"""A deforming mesh by the IPC toolkit on one thread. `load FILE` takes raw doubles: numbers of vertices and triangles, all vertices at
t = 0, the same at t = 1, then the triangles. Requests:

    lbvh         candidates by its LBVH broad phase, no inflation
    tight        with these candidates the collision-free step by Tight-Inclusion with its defaults (tolerance 1e-6)

"seconds" is CPU time of the process. Boxes, tree and candidates count; the mesh with its edges is made before.
"""

import time
from importlib.metadata import version

import ipctk
import numpy

from python_server import serve

ipctk.set_num_threads(1)


def load(path):
    data = numpy.fromfile(path)
    vertices, triangles = int(data[0]), int(data[1])
    start = data[2 : 2 + 3 * vertices].reshape(-1, 3)
    end = data[2 + 3 * vertices : 2 + 6 * vertices].reshape(-1, 3)
    faces = data[2 + 6 * vertices :].reshape(triangles, 3).astype(numpy.int32)
    start, end = numpy.asfortranarray(start), numpy.asfortranarray(end)
    return {"mesh": ipctk.CollisionMesh(start, ipctk.edges(faces), faces), "start": start, "end": end}


def lbvh(scene):
    scene.pop("candidates", None)
    candidates = ipctk.Candidates()
    begin = time.process_time()
    candidates.build(scene["mesh"], scene["start"], scene["end"], 0.0, broad_phase=ipctk.LBVH())
    seconds = time.process_time() - begin
    scene["candidates"] = candidates
    return {
        "seconds": seconds,
        "vertex_face": len(candidates.fv_candidates),
        "edge_edge": len(candidates.ee_candidates),
    }


def tight(scene):
    if "candidates" not in scene:
        lbvh(scene)
    begin = time.process_time()
    step = scene["candidates"].compute_collision_free_stepsize(
        scene["mesh"], scene["start"], scene["end"], 0.0, ipctk.TightInclusionCCD()
    )
    return {"seconds": time.process_time() - begin, "step": step}


serve("ipctk", version("ipctk"), load, {"lbvh": lbvh, "tight": tight})
