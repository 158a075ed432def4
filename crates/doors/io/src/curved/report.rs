//! What a reader found besides the bodies.

use super::loss::Loss;
use std::collections::BTreeMap;

/// A unit of length that a file uses.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthUnit {
    /// As the file or the standard calls it.
    pub name: String,
    /// How long it is.
    pub millimetres: f64,
}

/// A distance that should be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// In millimetres, measured and rounded: a hint, no bound.
    pub distance: f64,
    /// Number of the entity.
    pub id: u64,
}

/// What a file says and what became of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvedReport {
    /// STEP: the schema; ACIS: the version.
    pub schema: String,
    /// The program that wrote the file.
    pub writer: String,
    /// Names of all products.
    pub products: Vec<String>,
    /// Units of length in the file; bodies are in millimetres.
    pub length_units: Vec<LengthUnit>,
    /// The largest accuracy the file claims for its lengths, in millimetres.
    pub uncertainty: Option<f64>,
    /// Different solids read, each counted once however often it is placed.
    pub solids: u64,
    /// Different sheets read.
    pub sheets: u64,
    /// Faces read, by the kind of their surface.
    pub faces: BTreeMap<&'static str, u64>,
    /// The largest distance of a vertex from the end of its edge.
    pub vertex_gap: Gap,
    /// What could not be read, in the order of finding.
    pub losses: Vec<Loss>,
    /// What was read otherwise than written.
    pub repairs: Vec<Loss>,
}

impl CurvedReport {
    /// All faces read.
    pub fn face_count(&self) -> u64 {
        self.faces.values().sum()
    }

    /// Losses by type of entity and reason, with the number of each.
    pub fn losses_by_kind(&self) -> BTreeMap<(String, String), u64> {
        let mut kinds = BTreeMap::new();
        for loss in &self.losses {
            *kinds.entry((loss.entity.clone(), loss.why.to_string())).or_default() += 1;
        }
        kinds
    }
}
