"""Solids made by OCCT and written to STEP, so that curved bodies of many styles are tried. Each function makes one solid."""

import math

from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_CompCurve
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_GTransform,
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
    BRepBuilderAPI_Transform,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipe, BRepOffsetAPI_MakeThickSolid, BRepOffsetAPI_ThruSections
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
    BRepPrimAPI_MakeWedge,
)
from OCP.GeomAPI import GeomAPI_Interpolate
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Elips, gp_GTrsf, gp_Mat, gp_Pnt, gp_Trsf, gp_Vec, gp_XYZ
from OCP.collections import HArray1_gp_Pnt, List_TopoDS_Shape
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Compound


def parts(shape, kind):
    """The parts of a kind, each use once."""
    found, walk = [], TopExp_Explorer(shape, kind)
    while walk.More():
        found.append(walk.Current())
        walk.Next()
    return found


def at(x, y, z, dx=0.0, dy=0.0, dz=1.0):
    return gp_Ax2(gp_Pnt(x, y, z), gp_Dir(dx, dy, dz))


def spline(points, closed):
    array = HArray1_gp_Pnt(1, len(points))
    for k, point in enumerate(points):
        array.SetValue(k + 1, gp_Pnt(*point))
    fit = GeomAPI_Interpolate(array, closed, 1e-9)
    fit.Perform()
    return fit.Curve()


def wire(*curves):
    make = BRepBuilderAPI_MakeWire()
    for curve in curves:
        make.Add(BRepBuilderAPI_MakeEdge(curve).Edge())
    return make.Wire()


def blob(z=0.0, scale=1.0, lobes=5):
    """A closed spline of lobes in a plane."""
    points = []
    for k in range(4 * lobes):
        angle = math.tau * k / (4 * lobes)
        reach = scale * (10.0 + 2.5 * math.cos(lobes * angle))
        points.append((reach * math.cos(angle), reach * math.sin(angle), z))
    return wire(spline(points, True))


def circle(z, radius):
    return wire(gp_Circ(at(0, 0, z), radius))


def rectangle(z, x, y):
    make = BRepBuilderAPI_MakePolygon()
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        make.Add(gp_Pnt(sx * x, sy * y, z))
    make.Close()
    return make.Wire()


def loft(wires, ruled):
    make = BRepOffsetAPI_ThruSections(True, ruled)
    for section in wires:
        make.AddWire(section)
    make.Build()
    return make.Shape()


def prism(outline, x, y, z):
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline, True).Face(), gp_Vec(x, y, z)).Shape()


def cube(half):
    return BRepPrimAPI_MakeBox(gp_Pnt(-half, -half, -half), gp_Pnt(half, half, half)).Shape()


def every_edge(make, shape, *size):
    seen = []
    for edge in parts(shape, TopAbs_EDGE):
        if not any(edge.IsSame(other) for other in seen):
            seen.append(edge)
            make.Add(*size, TopoDS.Edge(edge))
    return make.Shape()


def moved(shape, axis, angle, x, y, z):
    turn, shift = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), angle)
    shift.SetTranslation(gp_Vec(x, y, z))
    return BRepBuilderAPI_Transform(shape, shift.Multiplied(turn), True).Shape()


def cylinder(radius, height, z=0.0):
    return BRepPrimAPI_MakeCylinder(at(0, 0, z), radius, height).Shape()


def ball(x, y, z, radius):
    return BRepPrimAPI_MakeSphere(gp_Pnt(x, y, z), radius).Shape()


def bore():
    return BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(gp_Pnt(-30, -30, 0), gp_Pnt(30, 30, 80)).Shape(), cylinder(20.0, 82.0, -1.0)).Shape()


def six_spheres():
    centres = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    whole = ball(*centres[0], 1.0)
    for centre in centres[1:]:
        whole = BRepAlgoAPI_Fuse(whole, ball(*centre, 1.0)).Shape()
    return whole


def smooth_cube(half=1.0, radius=0.25):
    shape = cube(half)
    return every_edge(BRepFilletAPI_MakeFillet(shape), shape, radius)


def grown_fillet():
    shape = BRepPrimAPI_MakeBox(20.0, 10.0, 5.0).Shape()
    make = BRepFilletAPI_MakeFillet(shape)
    make.Add(0.5, 2.0, TopoDS.Edge(parts(shape, TopAbs_EDGE)[0]))
    return make.Shape()


def rounded_tube():
    shape = BRepAlgoAPI_Fuse(cylinder(10.0, 30.0), BRepPrimAPI_MakeCylinder(at(0, 0, 15, 1, 0, 0), 6.0, 25.0).Shape()).Shape()
    return every_edge(BRepFilletAPI_MakeFillet(shape), shape, 0.7)


def shell():
    """A cube, open above, with a wall of 1 outside whose edges are round."""
    box, above = cube(10.0), List_TopoDS_Shape()
    above.Append(parts(box, TopAbs_FACE)[5])
    make = BRepOffsetAPI_MakeThickSolid()
    make.MakeThickSolidByJoin(box, above, 1.0, 1e-6)
    return make.Shape()


def pipe():
    path = wire(spline([(0, 0, 0), (5, 10, 20), (-5, 5, 40), (0, 20, 60)], False))
    start, way = gp_Pnt(), gp_Vec()
    BRepAdaptor_CompCurve(path).D1(0.0, start, way)
    section = wire(gp_Circ(gp_Ax2(start, gp_Dir(way)), 3.0))
    return BRepOffsetAPI_MakePipe(path, BRepBuilderAPI_MakeFace(section, True).Face()).Shape()


def vase():
    profile = spline([(8, 0, 0), (12, 0, 10), (5, 0, 25), (7, 0, 35)], False)
    make = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(profile).Edge())
    corners = [(7, 0, 35), (0, 0, 35), (0, 0, 0), (8, 0, 0)]
    for one, other in zip(corners, corners[1:]):
        make.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(*one), gp_Pnt(*other)).Edge())
    face = BRepBuilderAPI_MakeFace(make.Wire(), True).Face()
    return BRepPrimAPI_MakeRevol(face, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape()


def half_ring():
    face = BRepBuilderAPI_MakeFace(wire(gp_Elips(at(20, 0, 0, 0, 1, 0), 5.0, 3.0)), True).Face()
    return BRepPrimAPI_MakeRevol(face, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 4.0).Shape()


def stretched(shape, x, y, z):
    map_ = gp_GTrsf(gp_Mat(x, 0, 0, 0, y, 0, 0, 0, z), gp_XYZ(0, 0, 0))
    return BRepBuilderAPI_GTransform(shape, map_, True).Shape()


def mirrored(shape):
    mirror = gp_Trsf()
    mirror.SetMirror(at(0, 0, 0, 1, 1, 0))
    return BRepBuilderAPI_Transform(shape, mirror, True).Shape()


def nurbs(shape):
    return BRepBuilderAPI_NurbsConvert(shape, True).Shape()


def torus(major, minor):
    return BRepPrimAPI_MakeTorus(major, minor).Shape()


def cone(bottom, top, height):
    return BRepPrimAPI_MakeCone(bottom, top, height).Shape()


def two_bodies():
    both, build = TopoDS_Compound(), BRep_Builder()
    build.MakeCompound(both)
    build.Add(both, ball(0, 0, 0, 3.0))
    build.Add(both, moved(torus(8.0, 2.0), (1, 2, 3), 0.5, 1, 2, 3))
    return both


def drilled_ball():
    return BRepAlgoAPI_Cut(ball(0, 0, 0, 10.0), moved(cylinder(3.0, 40.0, -20.0), (1, 1, 0), 0.8, 1, 0, 0)).Shape()


def drilled_torus():
    return BRepAlgoAPI_Cut(torus(10.0, 3.0), moved(cylinder(1.5, 40.0, -20.0), (1, 0, 0), 0.3, 10, 0, 0)).Shape()


def chamfered():
    shape = cube(1.0)
    return every_edge(BRepFilletAPI_MakeChamfer(shape), shape, 0.2)


# Name and maker; the making code of each file is the lambda's line here.
SHAPES = {
    "sphere": lambda: ball(0, 0, 0, 5.0),
    "sphere, moved": lambda: moved(ball(0, 0, 0, 5.0), (1, 2, 3), 0.7, 100, -50, 25),
    "sphere, a slice": lambda: BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 5.0, -0.5, 1.0, 2.0).Shape(),
    "sphere, upper half": lambda: BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 5.0, 0.0, math.pi / 2).Shape(),
    "sphere, eighth": lambda: BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 5.0, 0.0, math.pi / 2, math.pi / 2).Shape(),
    "piston": lambda: cylinder(19.999, 60.0, 10.0),
    "bore": bore,
    "cylinder, a slice": lambda: BRepPrimAPI_MakeCylinder(5.0, 20.0, 4.0).Shape(),
    "cone": lambda: cone(10.0, 4.0, 15.0),
    "cone with apex": lambda: cone(10.0, 0.0, 15.0),
    "cone, apex below": lambda: cone(0.0, 10.0, 15.0),
    "cone, a slice with apex": lambda: BRepPrimAPI_MakeCone(10.0, 0.0, 15.0, 2.0).Shape(),
    "flat cone": lambda: cone(10.0, 0.0, 0.1),
    "torus R10 r3": lambda: torus(10.0, 3.0),
    "torus R10 r2": lambda: torus(10.0, 2.0),
    "torus, part both ways": lambda: BRepPrimAPI_MakeTorus(10.0, 3.0, -1.0, 2.0, 4.0).Shape(),
    "torus, thin": lambda: torus(100.0, 0.01),
    "smooth cube": smooth_cube,
    "chamfered cube": chamfered,
    "growing fillet": grown_fillet,
    "two tubes, filleted": rounded_tube,
    "six spheres": six_spheres,
    "lens": lambda: BRepAlgoAPI_Common(ball(0, 0, 0, 10.0), ball(12, 0, 0, 10.0)).Shape(),
    "drilled ball": drilled_ball,
    "drilled torus": drilled_torus,
    "cross of cylinders": lambda: BRepAlgoAPI_Common(cylinder(5.0, 20.0, -10.0), BRepPrimAPI_MakeCylinder(at(-10, 0, 0, 1, 0, 0), 5.0, 20.0).Shape()).Shape(),
    "cross of cylinders, fused": lambda: BRepAlgoAPI_Fuse(cylinder(5.0, 20.0, -10.0), BRepPrimAPI_MakeCylinder(at(-10, 0, 0, 1, 0, 0), 4.0, 20.0).Shape()).Shape(),
    "cube less ball": lambda: BRepAlgoAPI_Cut(cube(5.0), ball(5, 5, 5, 4.0)).Shape(),
    "box with a void": lambda: BRepAlgoAPI_Cut(cube(5.0), ball(0, 0, 0, 3.0)).Shape(),
    "wedge": lambda: BRepPrimAPI_MakeWedge(10.0, 5.0, 8.0, 3.0).Shape(),
    "extruded spline": lambda: prism(blob(), 0, 0, 15),
    "extruded spline, slanted": lambda: prism(blob(), 3, 4, 15),
    "extruded ellipse": lambda: prism(wire(gp_Elips(at(0, 0, 0), 9.0, 4.0)), 0, 0, 15),
    "loft, smooth": lambda: loft([circle(0, 5.0), blob(10, 0.8), circle(25, 8.0)], False),
    "loft, ruled": lambda: loft([circle(0, 5.0), blob(10, 0.8), circle(25, 8.0)], True),
    "loft, square to circle": lambda: loft([rectangle(0, 8, 8), circle(20, 5.0)], False),
    "loft, twisted squares": lambda: loft([rectangle(0, 8, 8), rectangle(10, 4, 9), rectangle(20, 9, 4)], False),
    "loft, twisted, ruled": lambda: loft([rectangle(0, 8, 8), rectangle(10, 4, 9), rectangle(20, 9, 4)], True),
    "pipe along a spline": pipe,
    "vase": vase,
    "part of an elliptic ring": half_ring,
    "shell with round edges": shell,
    "ellipsoid": lambda: stretched(ball(0, 0, 0, 5.0), 1.0, 0.6, 2.0),
    "stretched torus": lambda: stretched(torus(10.0, 3.0), 1.0, 0.5, 1.5),
    "mirrored drilled ball": lambda: mirrored(drilled_ball()),
    "sphere as NURBS": lambda: nurbs(ball(0, 0, 0, 5.0)),
    "cylinder as NURBS": lambda: nurbs(cylinder(5.0, 20.0)),
    "cone as NURBS": lambda: nurbs(cone(10.0, 0.0, 15.0)),
    "torus as NURBS": lambda: nurbs(torus(10.0, 3.0)),
    "smooth cube as NURBS": lambda: nurbs(smooth_cube()),
    "two bodies": two_bodies,
    "tiny smooth cube": lambda: smooth_cube(1e-3, 2.5e-4),
    "huge smooth cube": lambda: smooth_cube(1e5, 2.5e4),
}
