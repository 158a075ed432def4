//! A body's hull and its convex parts, as they are kept; `depth` finds them.

use kontakt_convex::{Core, Polytope, Shape};
use kontakt_math::DVec3;

/// The hull of a body's faces.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// Vertices in lexicographic order: the same for any numbering of the body's.
    pub(crate) hull: Shape,
    /// The body is all of it, but for faces without area: **exact**.
    pub(crate) convex: bool,
}

impl Outline {
    /// The vertices of the hull, in lexicographic order.
    pub(crate) fn vertices(&self) -> &[DVec3] {
        self.polytope().map_or(&[], Polytope::vertices)
    }

    pub(crate) fn polytope(&self) -> Option<&Polytope> {
        match self.hull.core() {
            Core::Hull(polytope) => Some(polytope),
            _ => None,
        }
    }
}

/// A convex set in a body.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The set is their hull, but for `inset`.
    pub(crate) points: Vec<DVec3>,
    /// The hull with all facets moved in by this much is **proven** to be inside the body.
    pub(crate) inset: f64,
}
