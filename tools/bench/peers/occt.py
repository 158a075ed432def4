"""Curved bodies by OCCT (PyPI: cadquery-ocp). Requests are JSON lines `{"do": NAME, ...}`; solids are numbered as they come in a file.

    make         {folder}                    writes the shapes of `occt_shapes` to STEP files
    read         {file}                      reads a file, without keeping it: seconds, solids, faces
    load         {file}                      reads and keeps it: the box of each solid
    distance     {a, b, pose}                BRepExtrema_DistShapeShape; a and b are [file, solid], pose moves b: [x, y, z, w, tx, ty, tz]
    box          {file, solid}               Bnd_OBB, optimal, and AddOptimal
    balls        {file, solid, balls}        distance and common volume with each ball [x, y, z, radius]
    off          {solid, point, pose}        how far a point is from the shells of a solid

"seconds" is CPU time of the process; OCCT is left on one thread.
"""

import os
import time
from importlib.metadata import version

from OCP.Bnd import Bnd_Box, Bnd_OBB
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere
from OCP.gp import gp_Pnt, gp_Quaternion, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Reader, STEPControl_Writer
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location

from occt_shapes import SHAPES, parts
from python_server import serve_json

SCHEMAS = ["AP203", "AP214IS", "AP242DIS"]
loaded = {}


def timed(call):
    start = time.process_time()
    value = call()
    return time.process_time() - start, value


def write(shape, path, schema):
    Interface_Static.SetCVal_s("write.step.schema", schema)
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    if writer.Write(path) != IFSelect_RetDone:
        raise OSError("OCCT cannot write " + os.path.basename(path))


def make(request):
    """Shapes in turn by the schemas of STEP."""
    made = []
    for number, (name, maker) in enumerate(SHAPES.items()):
        path = os.path.join(request["folder"], "made-" + "".join(c if c.isalnum() else "_" for c in name) + ".step")
        shape = maker()
        write(shape, path, SCHEMAS[number % len(SCHEMAS)])
        counts = [len(parts(shape, kind)) for kind in (TopAbs_SOLID, TopAbs_FACE)]
        made.append({"name": name, "file": path, "counts": counts, "valid": BRepCheck_Analyzer(shape).IsValid(), "volume": fine_volume(shape)})
    return {"made": made}


def read_file(path):
    reader = STEPControl_Reader()
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise OSError("OCCT cannot read it")
    reader.TransferRoots()
    return reader.OneShape()


def read(request):
    seconds, shape = timed(lambda: read_file(request["file"]))
    counts = [len(parts(shape, kind)) for kind in (TopAbs_SOLID, TopAbs_FACE)]
    return {"seconds": seconds, "counts": counts}


def load(request):
    loaded[request["file"]] = parts(read_file(request["file"]), TopAbs_SOLID)
    return {"boxes": [straight(solid) for solid in loaded[request["file"]]]}


def straight(shape):
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    low, high = box.CornerMin(), box.CornerMax()
    return [[low.X(), low.Y(), low.Z()], [high.X(), high.Y(), high.Z()]]


def solid_of(name):
    return loaded[name[0]][name[1]]


def placed(shape, pose):
    if pose is None:
        return shape
    place = gp_Trsf()
    place.SetTransformation(gp_Quaternion(*pose[:4]), gp_Vec(*pose[4:]))
    return shape.Moved(TopLoc_Location(place))


def distance(request):
    a, b = solid_of(request["a"]), placed(solid_of(request["b"]), request["pose"])
    seconds, found = timed(lambda: BRepExtrema_DistShapeShape(a, b))
    if not (found.IsDone() and found.NbSolution()):
        raise ValueError("no solution")
    points = [found.PointOnShape1(1), found.PointOnShape2(1)]
    return {"seconds": seconds, "value": found.Value(), "points": [[p.X(), p.Y(), p.Z()] for p in points]}


def box(request):
    solid = solid_of([request["file"], request["solid"]])

    def turned():
        found = Bnd_OBB()
        BRepBndLib.AddOBB_s(solid, found, False, True, False)
        return found

    seconds, found = timed(turned)
    straight_seconds, corners = timed(lambda: straight(solid))
    volume = 8.0 * found.XHSize() * found.YHSize() * found.ZHSize()
    return {"seconds": seconds, "volume": volume, "straight_seconds": straight_seconds, "straight": corners}


def volume_of(shape):
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, found)
    return found.Mass()


def fine_volume(shape):
    """By fine triangles: OCCT's integrals over splines may be off by a fifth."""
    low, high = straight(shape)
    size = sum((b - a) ** 2 for a, b in zip(low, high)) ** 0.5
    BRepMesh_IncrementalMesh(shape, 1e-4 * size, False, 0.1)
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, found, False, False, True)
    return found.Mass()


def balls(request):
    solid = solid_of([request["file"], request["solid"]])
    distances, volumes, seconds, common_seconds = [], [], 0.0, 0.0
    for x, y, z, radius in request["balls"]:
        ball = BRepPrimAPI_MakeSphere(gp_Pnt(x, y, z), radius).Shape()
        spent, found = timed(lambda: BRepExtrema_DistShapeShape(solid, ball))
        seconds += spent
        distances.append(found.Value() if found.IsDone() else None)
        spent, common = timed(lambda: BRepAlgoAPI_Common(solid, ball).Shape())
        common_seconds += spent
        volumes.append(volume_of(common) if common is not None and not common.IsNull() else 0.0)
    return {"seconds": seconds, "common_seconds": common_seconds, "distances": distances, "volumes": volumes}


def off(request):
    point = BRepBuilderAPI_MakeVertex(gp_Pnt(*request["point"])).Shape()
    shells = parts(placed(solid_of(request["solid"]), request["pose"]), TopAbs_SHELL)
    return {"value": min(BRepExtrema_DistShapeShape(point, shell).Value() for shell in shells)}


serve_json(
    "OCCT (cadquery-ocp)",
    version("cadquery-ocp"),
    {"make": make, "read": read, "load": load, "distance": distance, "box": box, "balls": balls, "off": off},
)
