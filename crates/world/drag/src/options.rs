//! How a body is dragged.

/// How a body is dragged. Lengths that are not given are taken from the dragged body's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragOptions {
    /// How near the body comes to what it touches, about: it stops at half of this and sees contacts from there on. By default 1e-3 of
    /// its size, and at least four times the deviation of triangles from curved faces.
    pub skin: Option<f64>,
    /// Whether the body turns: with the hand, and where contact forces turn it. If not, it keeps its orientation.
    pub turning: bool,
    /// Force a unit of length by which the hand is ahead: what contact forces are measured in.
    pub stiffness: f64,
    /// Most pieces of motion a sample.
    pub most_pieces: u32,
    /// Most times a sample that all pairs nearby are gathered: what takes longest.
    pub most_looks: u32,
    /// Most pairs of faces looked at together. Where more are near, the body goes in shorter pieces.
    pub most_pairs: usize,
}

impl Default for DragOptions {
    fn default() -> DragOptions {
        DragOptions {
            skin: None,
            turning: true,
            stiffness: 1.0,
            most_pieces: 24,
            most_looks: 6,
            most_pairs: 6_000,
        }
    }
}
