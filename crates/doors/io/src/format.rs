//! Which format a file is in.

use std::path::Path;

/// A format of meshes or of bodies with curved faces. Text and binary variants are told apart by the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary.
    Ply,
    /// Object File Format of Geomview.
    Off,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
    /// A saved hierarchy with its mesh.
    Kh,
    /// Gmsh's MSH 2.2 or 4.1, text or binary: triangles, or tetrahedra seen as their surface.
    Msh,
    /// Legacy VTK, text or binary: unstructured grids and polygons.
    Vtk,
    /// VTU, VTK's XML of unstructured grids.
    Vtu,
    /// STEP Part 21, with curved faces.
    Step,
    /// ACIS as text, with curved faces.
    Sat,
}

impl Format {
    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Obj => "OBJ",
            Format::Stl => "STL",
            Format::Ply => "PLY",
            Format::Off => "OFF",
            Format::Gltf => "glTF",
            Format::Kh => "a saved hierarchy",
            Format::Msh => "Gmsh MSH",
            Format::Vtk => "legacy VTK",
            Format::Vtu => "VTU",
            Format::Step => "STEP",
            Format::Sat => "ACIS SAT",
        }
    }

    /// How names of such files end.
    pub fn endings(self) -> &'static str {
        match self {
            Format::Obj => ".obj",
            Format::Stl => ".stl",
            Format::Ply => ".ply",
            Format::Off => ".off",
            Format::Gltf => ".glb or .gltf",
            Format::Kh => ".kh",
            Format::Msh => ".msh",
            Format::Vtk => ".vtk",
            Format::Vtu => ".vtu",
            Format::Step => ".step or .stp",
            Format::Sat => ".sat",
        }
    }

    /// Whether the numbers of such a file are in single precision; `None` where that differs from file to file.
    pub fn is_single(self) -> Option<bool> {
        match self {
            Format::Stl | Format::Gltf => Some(true),
            Format::Obj | Format::Off | Format::Msh | Format::Step | Format::Sat => Some(false),
            Format::Ply | Format::Kh | Format::Vtk | Format::Vtu => None,
        }
    }

    /// Whether its bodies have curved faces, which have to be tessellated before they are meshes.
    pub fn is_curved(self) -> bool {
        matches!(self, Format::Step | Format::Sat)
    }

    /// By the ending of the name, upper or lower case.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "obj" => Some(Format::Obj),
            "stl" => Some(Format::Stl),
            "ply" => Some(Format::Ply),
            "off" => Some(Format::Off),
            "gltf" | "glb" => Some(Format::Gltf),
            "kh" => Some(Format::Kh),
            "msh" => Some(Format::Msh),
            "vtk" => Some(Format::Vtk),
            "vtu" => Some(Format::Vtu),
            "step" | "stp" | "p21" => Some(Format::Step),
            "sat" => Some(Format::Sat),
            _ => None,
        }
    }
}
