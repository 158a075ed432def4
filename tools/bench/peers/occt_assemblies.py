"""`kontakt check` on assemblies that OCCT made, tessellated and exported, against OCCT's common volumes.

    python tools/bench/peers/occt_assemblies.py target/release/kontakt [--folder DIR] [--seed N] [FAMILY …]

Each family of `occt_parts` is made without faults, with each of its faults and with all, in three tessellations, at a random place and turn:
as an STL file a part, and as one GLB whose parts have frames of their own. Faults are deeper than both tessellations may be off. The pairs
that `kontakt check --deviation auto` forbids must be those whose common volume OCCT finds.
"""

import argparse
import itertools
import json
import math
import random
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.Bnd import Bnd_Box
from OCP.collections import IndexedDataMap_TCollection_AsciiString_TCollection_AsciiString
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.Message import Message_ProgressRange
from OCP.RWGltf import RWGltf_CafWriter
from OCP.StlAPI import StlAPI_Writer
from OCP.TCollection import TCollection_AsciiString, TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from occt_parts import FAMILIES

# Linear deflection in millimetres, angular in radians.
TESSELLATIONS = ((0.2, 0.5), (0.05, 0.3), (0.01, 0.12))
# Common volumes below this are roundings of OCCT, in cubic millimetres.
NOTHING = 1e-6


def bounds(shape):
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    return np.array([[p.X(), p.Y(), p.Z()] for p in (box.CornerMin(), box.CornerMax())])


def common(a, b):
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(BRepAlgoAPI_Common(a, b).Shape(), found)
    return found.Mass()


def clashes(parts):
    """The pairs with a common volume, by OCCT."""
    boxes = {name: bounds(shape) for name, shape in parts.items()}
    found = {}
    for a, b in itertools.combinations(parts, 2):
        if (np.maximum(boxes[a][0], boxes[b][0]) <= np.minimum(boxes[a][1], boxes[b][1])).all():
            volume = common(parts[a], parts[b])
            if volume > NOTHING:
                found[frozenset((a, b))] = volume
    return found


def motion(dice, axis, angle, shift):
    turn, move = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), axis), angle)
    move.SetTranslation(gp_Vec(*[dice.uniform(-shift, shift) for _ in range(3)]))
    return move.Multiplied(turn)


def anywhere(dice):
    return gp_Dir(*[dice.uniform(-1, 1) for _ in range(3)])


def export(parts, folder, place, dice):
    """An STL file a part, and all in one GLB, each part in a frame of its own: turned by quarters, by some angle, or not."""
    app = XCAFApp_Application.GetApplication_s()
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    app.InitDocument(document)
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    for name, shape in parts.items():
        stl = StlAPI_Writer()
        stl.ASCIIMode = dice.random() < 0.3
        stl.Write(shape.Moved(TopLoc_Location(place)), str(folder / f"{name}.stl"))
        quarter = dice.choice([gp_Dir(1, 0, 0), gp_Dir(0, 1, 0), gp_Dir(0, 0, 1)]), dice.randrange(1, 4) * math.pi / 2
        axis, angle = dice.choice([quarter, (anywhere(dice), dice.uniform(0, 6)), (gp_Dir(0, 0, 1), 0.0)])
        frame = motion(dice, axis, angle, 50)
        own = shape.Moved(TopLoc_Location(frame.Inverted()))
        label = tool.AddShape(own.Moved(TopLoc_Location(place.Multiplied(frame))), False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
    about = IndexedDataMap_TCollection_AsciiString_TCollection_AsciiString()
    RWGltf_CafWriter(TCollection_AsciiString(str(folder / "all.glb")), True).Perform(document, about, Message_ProgressRange())


def checked(kontakt, files):
    """The report of a check, and its seconds."""
    start = time.perf_counter()
    words = [kontakt, "check", *map(str, files), "--deviation", "auto", "--threads", "1", "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{words}: {done.stderr}")
    return json.loads(done.stdout), time.perf_counter() - start


def short(name):
    """The name of a part, from `FILE:NAME` or `NAME.stl`."""
    return name.rsplit(":", 1)[-1].rsplit("/", 1)[-1].removesuffix(".stl")


def compare(kontakt, folder, truth, title):
    """How many checks, clashes missed, false ones and groups out of order, and the seconds."""
    tally = np.zeros(5)
    for files in (sorted(folder.glob("*.stl")), [folder / "all.glb"]):
        report, seconds = checked(kontakt, files)
        said = {frozenset((short(pair["a"]), short(pair["b"]))): pair for pair in report["pairs"]}
        forbidden = {pair for pair, about in said.items() if about["forbidden"]}
        for word, pairs in (("missed", truth.keys() - forbidden), ("false", forbidden - truth.keys())):
            for pair in pairs:
                about = {key: said[pair].get(key) for key in ("relation", "interference", "volume")}
                print(f"  {title}, {files[0].suffix}: {word} {sorted(pair)}, OCCT {truth.get(pair, 0):.4g}, {about}", flush=True)
        first = [group["forbidden"] for group in report["groups"]]
        tally += [1, len(truth.keys() - forbidden), len(forbidden - truth.keys()), first != sorted(first, reverse=True), seconds]
    return tally


def told(tally):
    checks, missed, false, order, seconds = tally
    return f"{checks:.0f} checks, {missed:.0f} clashes missed, {false:.0f} false, {order:.0f} out of order, {seconds:.1f} s"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("kontakt", help="the program")
    options.add_argument("families", nargs="*", metavar="FAMILY", help=f"of {', '.join(FAMILIES)}; all by default")
    options.add_argument("--folder", help="where the files go; by default they are deleted")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    dice, total, clash_count = random.Random(asked.seed), np.zeros(5), 0
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(asked.folder or temporary)
        for family in asked.families or FAMILIES:
            make, faults = FAMILIES[family]
            tally = np.zeros(5)
            for planted in [[], *([one] for one in faults), faults]:
                for linear, angular in TESSELLATIONS:
                    parts = make(max(0.3, 4.5 * linear) * dice.uniform(1, 1.6), planted)
                    truth = clashes(parts)
                    title = f"{family}-{'_'.join(planted) or 'none'}-{linear}"
                    folder = root / title
                    folder.mkdir(parents=True, exist_ok=True)
                    for shape in parts.values():
                        BRepTools.Clean_s(shape)
                        BRepMesh_IncrementalMesh(shape, linear, False, angular, False)
                    export(parts, folder, motion(dice, anywhere(dice), dice.choice([0, dice.uniform(0, 6)]), 300), dice)
                    tally += compare(asked.kontakt, folder, truth, title)
                    clash_count += 2 * len(truth)
            print(f"{family}: {told(tally)}", flush=True)
            total += tally
    print(f"all, with {clash_count} clashes: {told(total)}")
    return int(total[1:4].any())


if __name__ == "__main__":
    raise SystemExit(main())
