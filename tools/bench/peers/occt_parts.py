"""Assemblies made with OCCT (PyPI: cadquery-ocp), with faults to plant: `FAMILIES` has for each its maker and the faults it knows. A maker is
called with the size of the faults in millimetres and the names of those wanted, and gives the parts by name. Which of them overlap is for
OCCT's common volumes to say."""

import math

from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon, BRepBuilderAPI_MakeWire, BRepBuilderAPI_Transform,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipe, BRepOffsetAPI_ThruSections
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCone, BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakePrism, BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus,
)
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Elips, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS

X, Z = gp_Dir(1, 0, 0), gp_Dir(0, 0, 1)


def cyl(r, z0, z1, x=0, y=0):
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(x, y, z0), Z), r, z1 - z0).Shape()


def cylx(r, x0, x1):
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(x0, 0, 0), X), r, x1 - x0).Shape()


def box(x0, y0, z0, x1, y1, z1):
    return BRepPrimAPI_MakeBox(gp_Pnt(x0, y0, z0), gp_Pnt(x1, y1, z1)).Shape()


def ball(r, x=0, y=0, z=0):
    return BRepPrimAPI_MakeSphere(gp_Pnt(x, y, z), r).Shape()


def torus(R, r, z=0):
    return BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, z), Z), R, r).Shape()


def cone(r0, r1, z0, z1):
    return BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(0, 0, z0), Z), r0, r1, z1 - z0).Shape()


def cut(a, *bs):
    for b in bs:
        a = BRepAlgoAPI_Cut(a, b).Shape()
    return a


def fuse(a, *bs):
    for b in bs:
        a = BRepAlgoAPI_Fuse(a, b).Shape()
    return a


def moved(shape, x=0, y=0, z=0):
    shift = gp_Trsf()
    shift.SetTranslation(gp_Vec(x, y, z))
    return BRepBuilderAPI_Transform(shape, shift, True).Shape()


def fillet(shape, r):
    made, edges = BRepFilletAPI_MakeFillet(shape), TopExp_Explorer(shape, TopAbs_EDGE)
    while edges.More():
        made.Add(r, TopoDS.Edge(edges.Current()))
        edges.Next()
    return made.Shape()


def prism(points, h, z0=0.0):
    border = BRepBuilderAPI_MakePolygon()
    for x, y in points:
        border.Add(gp_Pnt(x, y, z0))
    border.Close()
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(border.Wire()).Face(), gp_Vec(0, 0, h)).Shape()


def hexagon(width, z0, z1):
    r = width / math.sqrt(3)
    return prism([(r * math.cos(math.pi / 3 * k), r * math.sin(math.pi / 3 * k)) for k in range(6)], z1 - z0, z0)


def gear(teeth, pitch, add, bore, z0, z1, phase=0.0):
    points = []
    for k in range(teeth):
        for s, r in ((-0.36, -1.25), (-0.20, 0), (-0.1, 1), (0.1, 1), (0.20, 0), (0.36, -1.25)):
            w = (k + s + phase) / teeth * 2 * math.pi
            points.append(((pitch + add * r) * math.cos(w), (pitch + add * r) * math.sin(w)))
    return cut(prism(points, z1 - z0, z0), cyl(bore, z0 - 1, z1 + 1))


def flange(f, faults):
    """Two flanges, a gasket, a liner, bolts with washers and nuts of the bolt's own diameter."""
    R, n, P = 60, 6, 45

    def disc(z0, z1, bore, hole):
        d = cut(cyl(R, z0, z1), cyl(bore, z0 - 1, z1 + 1))
        for k in range(n):
            w = 2 * math.pi * k / n
            d = cut(d, cyl(hole, z0 - 1, z1 + 1, P * math.cos(w), P * math.sin(w)))
        return d
    parts = {}
    sx = f if "shift" in faults else 0
    parts["lower"] = fuse(disc(0, 14, 20, 4.5), cut(cyl(26, -40, 0), cyl(20, -41, 1)))
    parts["gasket"] = disc(14, 16, 20, 5.5)
    parts["upper"] = fuse(disc(16, 30, 20, 4.5), cut(cyl(26, 30, 70), cyl(20, 29, 71)))
    parts["liner"] = moved(cut(cyl(20, -40, 70), cyl(17, -41, 71)), sx)
    for k in range(n):
        w = 2 * math.pi * k / n
        x, y = P * math.cos(w), P * math.sin(w)
        bx = f + 0.5 if ("bolt" in faults and k == 2) else 0
        parts[f"bolt_{k}"] = moved(fuse(cyl(4, -14, 33), hexagon(13, 32, 38)), x + bx, y)
        parts[f"washer_{k}"] = cut(cyl(8, 30, 32, x, y), cyl(4.4 if not bx else 6.2, 29, 33, x, y))
        lift = f if ("nut" in faults and k == 4) else 0
        parts[f"nut_{k}"] = moved(cut(hexagon(13, -7, 0), cyl(4, -8, 1)), x, y, lift)
    return parts


def bearing(f, faults):
    """Rings with races, balls that touch both along circles, shaft and housing of the same diameters."""
    n, Rm, r = 9, 25, 5
    race = torus(Rm, r, 0)
    parts = {"inner": cut(cut(cyl(22, -8, 8), cyl(15, -9, 9)), race), "outer": cut(cut(cyl(35, -8, 8), cyl(28, -9, 9)), race)}
    for k in range(n):
        w = 2 * math.pi * k / n
        big = f if ("ball" in faults and k == 3) else 0
        parts[f"ball_{k}"] = ball(r + big, Rm * math.cos(w), Rm * math.sin(w))
    dx = f if "shaft" in faults else 0
    parts["shaft"] = cyl(15, -30, 40, dx)
    parts["housing"] = cut(fillet(box(-45, -45, -12, 45, 45, 8), 4), cyl(35, -8, 9), cyl(20, -13, 0))
    dz = f if "deep" in faults else 0
    if dz:
        parts["outer"] = moved(parts["outer"], 0, 0, -dz)
    return parts


def key(f, faults):
    """A shaft and a hub with a key between them, spacers beside the hub."""
    shaft = cut(cylx(12, -40, 40), box(-10, -4, 7.5, 10, 4, 14))
    hub = cut(cylx(24, -15, 15), cylx(12, -16, 16), box(-16, -4, 5, 16, 4, 15.5))
    high = f if "tall" in faults else 0
    wide = f if "wide" in faults else 0
    parts = {"shaft": shaft, "hub": hub, "key": box(-10, -4, 7.5, 10, 4 + wide, 15.3 + (high + 0.2 if high else 0))}
    for k, x0, x1 in ((0, -22, -15), (1, 15, 22)):
        push = f if ("spacer" in faults and k == 1) else 0
        parts[f"spacer_{k}"] = moved(cut(cylx(16, x0, x1), cylx(12, x0 - 1, x1 + 1)), -push)
    return parts


def valve(f, faults):
    """A poppet in its conical seat, its guide, and a ball in a socket."""
    body = cut(cyl(30, -20, 20), cone(8, 20, -10, 10), cyl(8, -21, -9), cyl(20, 9.9, 21))
    down = f * 2 if "press" in faults else 0
    parts = {"seat": body, "poppet": moved(fuse(cone(8, 20, -10, 10), cyl(5, 9, 33)), 0, 0, -down)}
    guide = cut(cyl(20, 12, 30), cyl(5, 11, 31))
    side = f if "guide" in faults else 0
    parts["guide"] = moved(guide, side)
    parts["joint"] = cut(box(-15, -15, 32, 15, 15, 60), ball(11, 0, 0, 46), box(-16, -16, 46, 16, 16, 61), cyl(5.5, 30, 50))
    parts["knob"] = fuse(ball(11 + (f if "knob" in faults else 0), 0, 0, 46), cyl(5, 46, 75))
    return parts


def seal(f, faults):
    """Filleted housing, lid with an O-ring of torus, whose groove holds it tangentially."""
    rr = 1.5 + (f / 2 if "ring" in faults else 0)
    groove = cut(cyl(30, -3, 1), cyl(24, -4, 2))
    house = cut(fillet(box(-40, -40, -30, 40, 40, 6), 6), box(-41, -41, 0, 41, 41, 7), groove, cyl(15, -31, 1))
    parts = {"house": house, "ring": torus(27, rr, -1.5)}
    parts["lid"] = cut(fillet(box(-40, -40, -6, 40, 40, 10), 5), box(-41, -41, -7, 41, 41, 0), cyl(15, -1, 11))
    plug = fuse(cyl(15, -20, 10), cyl(18, 10, 14))
    dz = f if "plug" in faults else 0
    parts["plug"] = moved(plug, 0, 0, -dz)
    for k, (x, y) in enumerate(((33, 33), (-33, 33), (33, -33), (-33, -33))):
        parts["house"] = cut(parts["house"], cyl(2.5, -12, 1, x, y))
        parts["lid"] = cut(parts["lid"], cyl(3, -1, 11, x, y))
        long = f if ("screw" in faults and k == 1) else 0
        parts[f"screw_{k}"] = fuse(cyl(2.5, -12 - long, 11, x, y), cyl(4.5, 10, 14, x, y))
    return parts


def pipe(f, faults):
    """A bent pipe, a swept body, in clamps and a saddle cut by its own outside."""

    def bend(r):
        e1 = BRepBuilderAPI_MakeEdge(gp_Pnt(-60, 0, 0), gp_Pnt(0, 0, 0)).Edge()
        c = gp_Circ(gp_Ax2(gp_Pnt(0, 30, 0), gp_Dir(0, 0, 1), gp_Dir(0, -1, 0)), 30)
        e2 = BRepBuilderAPI_MakeEdge(c, 0, math.pi / 2).Edge()
        e3 = BRepBuilderAPI_MakeEdge(gp_Pnt(30, 30, 0), gp_Pnt(30, 90, 0)).Edge()
        w = BRepBuilderAPI_MakeWire(e1, e2, e3).Wire()
        rim = BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp_Pnt(-60, 0, 0), X), r)).Edge()
        return BRepOffsetAPI_MakePipe(w, BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(rim).Wire()).Face()).Shape()

    solid = bend(8)
    parts = {"pipe": cut(solid, bend(6))}
    for k, b in enumerate(((-50, -14, -14, -30, 14, 0), (-50, -14, 0, -30, 14, 14), (16, 50, -14, 44, 70, 0), (16, 50, 0, 44, 70, 14))):
        parts[f"clamp_{k}"] = moved(cut(box(*b), solid), 0, 0, -f if "clamp" in faults and k == 1 else 0)
    parts["saddle"] = moved(cut(box(8, -8, -14, 40, 20, 0), solid), 0, 0, f if "elbow" in faults else 0)
    return parts


def gears(f, faults):
    """Two gears that mesh, on shafts, over a plate."""
    a = gear(18, 36, 2, 10, 0, 12)
    push = f + 0.9 if "mesh" in faults else 0
    b = moved(gear(24, 48, 2, 10, 0, 12, 0.5), 84.6 - push)
    wide = f if "cheek" in faults else 0
    parts = {"gear_a": a, "gear_b": b, "shaft_a": cyl(10, -20, 30), "shaft_b": cyl(10, -20, 30, 84.6 - push)}
    parts["plate"] = cut(box(-50, -60, -6, 150, 60, wide), cyl(10.5, -21, 31), cyl(10.5 + push, -21, 31, 84.6 - push))
    parts["collar"] = cut(cyl(16, 12, 18), cyl(10, 11, 19))
    if "collar" in faults:
        parts["collar"] = moved(parts["collar"], f)
    return parts


def loft(f, faults):
    """A lofted B-spline plug in its own mould, in halves."""
    t = BRepOffsetAPI_ThruSections(True, False)
    for z, (a, b) in zip((-30, -10, 10, 30), ((12, 18), (20, 14), (15, 22), (10, 12))):
        oval = BRepBuilderAPI_MakeEdge(gp_Elips(gp_Ax2(gp_Pnt(0, 0, z), Z, X), max(a, b), min(a, b))).Edge()
        t.AddWire(BRepBuilderAPI_MakeWire(oval).Wire())
    t.Build()
    plug = t.Shape()
    left = cut(box(-40, -40, -28, 40, 0, 28), plug)
    right = moved(cut(box(-40, 0, -28, 40, 40, 28), plug), 0, -f if "mould" in faults else 0)
    bored = cut(right, cyl(4, -34, 34, 33, 20 + f if "pin" in faults else 20))
    return {"plug": plug, "left": left, "right": bored, "pin": cyl(4, -34, 34, 33, 20)}


FAMILIES = {
    "flange": (flange, ["shift", "bolt", "nut"]), "bearing": (bearing, ["ball", "shaft", "deep"]), "key": (key, ["tall", "wide", "spacer"]),
    "valve": (valve, ["press", "guide", "knob"]), "seal": (seal, ["ring", "plug", "screw"]), "pipe": (pipe, ["clamp", "elbow"]),
    "gears": (gears, ["mesh", "cheek", "collar"]), "loft": (loft, ["mould", "pin"]),
}
