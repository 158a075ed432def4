//! The ways to search.

/// How boxes are searched. All methods find the same pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Rows of a grid, a grid for each octave of sizes, each row sorted.
    #[default]
    Cells,
    /// One row: sort along an axis and sweep, to compare with.
    Sweep,
}
