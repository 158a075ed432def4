//! Features that meet where none should.

use std::fmt;

/// Two features of a state that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// Bodies of the two.
    pub bodies: [u32; 2],
    /// How.
    pub way: Way,
}

/// How two features meet; vertices by their numbers in the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A vertex lies in a face.
    VertexInFace(u32, [u32; 3]),
    /// Two edges touch.
    Edges([u32; 2], [u32; 2]),
    /// An edge goes through a face.
    EdgeThroughFace([u32; 2], [u32; 3]),
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.bodies;
        match self.way {
            Way::VertexInFace(v, face) => write!(f, "vertex {v} (body {a}) in face {face:?} (body {b})"),
            Way::Edges(e, g) => write!(f, "edges {e:?} (body {a}) and {g:?} (body {b})"),
            Way::EdgeThroughFace(e, face) => {
                write!(f, "edge {e:?} (body {a}) through face {face:?} (body {b})")
            }
        }
    }
}
