"""Moving vertex-face and edge-edge queries by the IPC toolkit. `load FILE` takes raw doubles: 0 (vertex-face) or 1 (edge-edge),
then 24 a query, four points at t = 0 and the same at t = 1. Requests:

    tight        Tight-Inclusion itself, tolerance 1e-6, at most 1e6 iterations; not `TightInclusionCCD`, which asks for a distance of a
                 fifth of that at the start, so that a step ends before contact, and so calls near misses hits
    additive     additive CCD with its defaults

"seconds" is CPU time of all calls, "each" the time of each in seconds by a monotonic clock. Both include the call from Python;
"overhead" is the time of a call that does next to nothing, a test of boxes.
"""

import time
from importlib.metadata import version

import ipctk
import numpy

from python_server import serve


def load(path):
    data = numpy.fromfile(path)
    return int(data[0]), [[p.copy() for p in q] for q in data[1:].reshape(-1, 8, 3)]


def run(loaded, solver, more=()):
    kind, queries = loaded
    call = solver.edge_edge_ccd if kind else solver.point_triangle_ccd
    boxes = ipctk.edge_edge_aabb_ccd if kind else ipctk.point_triangle_aabb_ccd
    hits, each = [], []
    start = time.process_time()
    for q in queries:
        begin = time.perf_counter_ns()
        hit = call(*q, *more)[0]
        each.append(1e-9 * (time.perf_counter_ns() - begin))
        hits.append(int(hit))
    seconds = time.process_time() - start
    begin = time.process_time()
    for q in queries:
        boxes(*q, 0.0)
    overhead = time.process_time() - begin
    return {"seconds": seconds, "overhead": overhead, "each": each, "hits": hits}


serve(
    "ipctk",
    version("ipctk"),
    load,
    {
        # No separation, all of time, the tolerance, the iterations.
        "tight": lambda loaded: run(loaded, ipctk.tight_inclusion, (0.0, 1.0, 1e-6, 1000000)),
        "additive": lambda loaded: run(loaded, ipctk.AdditiveCCD()),
    },
)
