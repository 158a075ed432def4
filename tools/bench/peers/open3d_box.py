"""Small oriented boxes by Open3D. Requests after `load FILE` (raw little-endian f64 x y z):

    minimal      PointCloud.get_minimal_oriented_bounding_box
    jylanki      the tensor API's MINIMAL_JYLANKI, where the version has it

"seconds" is CPU time of the process for the call alone (single-threaded by environment). Axes are returned as rows.
"""

import time

import numpy
import open3d

from python_server import serve


def load(path):
    return numpy.fromfile(path, dtype="<f8").reshape(-1, 3)


def minimal(points):
    cloud = open3d.geometry.PointCloud(open3d.utility.Vector3dVector(points))
    start = time.process_time()
    box = cloud.get_minimal_oriented_bounding_box()
    seconds = time.process_time() - start
    return answer(seconds, box.extent, box.R)


def jylanki(points):
    methods = getattr(open3d.t.geometry, "MethodOBBCreate", None)
    if methods is None:
        return {"error": "this Open3D has no MINIMAL_JYLANKI"}
    tensor = open3d.core.Tensor(points)
    start = time.process_time()
    box = open3d.t.geometry.OrientedBoundingBox.create_from_points(tensor, False, methods.MINIMAL_JYLANKI)
    seconds = time.process_time() - start
    return answer(seconds, box.extent.numpy(), box.rotation.numpy())


def answer(seconds, extent, rotation):
    axes = numpy.asarray(rotation, dtype=float).T.tolist()
    return {"seconds": seconds, "volume": float(numpy.prod(extent)), "axes": axes}


serve("Open3D", open3d.__version__, load, {"minimal": minimal, "jylanki": jylanki})
