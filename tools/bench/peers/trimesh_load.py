"""Reading mesh files by trimesh. Request after `load FILE` (which only remembers the path):

    read         trimesh.load(FILE) with its defaults

"seconds" is CPU time of the process for the call alone (single-threaded by environment); "peak_bytes" is the highest
resident size so far, so it speaks of one file only in a fresh process.
"""

import resource
import time

import trimesh

from python_server import serve


def read(path):
    start = time.process_time()
    loaded = trimesh.load(path)
    seconds = time.process_time() - start
    meshes = list(loaded.geometry.values()) if isinstance(loaded, trimesh.Scene) else [loaded]
    return {
        "seconds": seconds,
        "vertices": sum(len(mesh.vertices) for mesh in meshes),
        "faces": sum(len(mesh.faces) for mesh in meshes),
        "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }


serve("trimesh", trimesh.__version__, str, {"read": read})
