//! The bodies of a file.

use super::report::CurvedReport;
use kontakt_curved::Brep;
use kontakt_math::Pose;
use std::sync::Arc;

/// Bodies of a file, placed, and what was found on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvedFile {
    /// At least one, in the order of the assembly.
    pub bodies: Vec<CurvedBody>,
    /// Units, counts, losses, repairs.
    pub report: CurvedReport,
}

/// Whether a body has an inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Bounded by closed shells.
    Solid,
    /// An open shell.
    Sheet,
}

/// A solid or a sheet where its assembly puts it.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvedBody {
    /// `file:product`; each name is given once.
    pub name: String,
    /// Names of the products around it, the outermost first, its own product last.
    pub path: Vec<String>,
    /// Names of the uses that lead to it, one for each product of the path but the first: `bolt_3`, where the product is `bolt`.
    pub uses: Vec<String>,
    /// Solid or sheet.
    pub kind: BodyKind,
    /// Its boundary in its own axes, in millimetres; instances share it.
    pub brep: Arc<Brep>,
    /// Numbers of the entities of the faces, in the order of the boundary's.
    pub face_ids: Arc<[u64]>,
    /// How many of its faces could not be read; the losses name them. Without them the boundary is not whole.
    pub lost_faces: u64,
    /// Where it stands. Scaling and mirroring transforms are already in the boundary.
    pub pose: Pose,
    /// Red, green, blue from 0 to 1, where the file colours the whole body.
    pub colour: Option<[f32; 3]>,
    /// Number of the entity of the solid.
    pub id: u64,
}
