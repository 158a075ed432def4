//! Which format a file is in.

use std::path::Path;

/// A mesh format. Text and binary variants are told apart by the content.
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
        }
    }

    /// Whether the numbers of such a file are in single precision; `None` where that differs from file to file.
    pub fn is_single(self) -> Option<bool> {
        match self {
            Format::Stl | Format::Gltf => Some(true),
            Format::Obj | Format::Off => Some(false),
            Format::Ply | Format::Kh => None,
        }
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
            _ => None,
        }
    }
}
