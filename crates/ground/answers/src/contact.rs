//! Where and how two bodies meet.

use crate::Range;
use kontakt_math::DVec3;
use serde::{Deserialize, Serialize};

/// A part of a body's boundary; ids are 0-based in the file's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// A vertex by its index.
    Vertex(u32),
    /// An edge by its two vertices, the smaller index first.
    Edge(u32, u32),
    /// A face by its index.
    Face(u32),
}

impl Feature {
    /// The edge between two vertices, whichever way it was walked.
    pub fn edge(a: u32, b: u32) -> Feature {
        Feature::Edge(a.min(b), a.max(b))
    }
}

/// One contact of bodies A and B, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The point on A.
    #[serde(with = "as_array")]
    pub point_a: DVec3,
    /// The point on B.
    #[serde(with = "as_array")]
    pub point_b: DVec3,
    /// Unit normal from A to B.
    #[serde(with = "as_array")]
    pub normal: DVec3,
    /// Certified depth along the normal; negative means a gap.
    pub depth: Range,
    /// What meets on A, where that is known.
    pub feature_a: Option<Feature>,
    /// What meets on B, where that is known.
    pub feature_b: Option<Feature>,
}

impl Contact {
    /// The same contact seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Contact {
        Contact {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            depth: self.depth,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

/// A vector as `[x, y, z]`.
mod as_array {
    use kontakt_math::DVec3;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(v: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
        v.to_array().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DVec3, D::Error> {
        <[f64; 3]>::deserialize(deserializer).map(DVec3::from_array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_has_one_name() {
        assert_eq!(Feature::edge(7, 3), Feature::edge(3, 7));
        assert_eq!(serde_json::to_string(&Feature::edge(7, 3)).unwrap(), r#"{"edge":[3,7]}"#);
    }

    #[test]
    fn swapping_turns_the_normal_and_survives_json() {
        let contact = Contact {
            point_a: DVec3::X,
            point_b: DVec3::Y,
            normal: DVec3::Z,
            depth: Range::ZERO,
            feature_a: Some(Feature::Vertex(1)),
            feature_b: None,
        };
        let swapped = contact.swapped();
        assert_eq!(swapped.normal, DVec3::NEG_Z);
        assert_eq!(swapped.feature_b, Some(Feature::Vertex(1)));
        let json = serde_json::to_string(&swapped.swapped()).unwrap();
        assert_eq!(serde_json::from_str::<Contact>(&json).unwrap(), contact);
    }
}
