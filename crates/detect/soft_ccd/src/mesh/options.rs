//! How contacts of a step are searched.

/// Which pairs are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Among {
    /// All.
    #[default]
    Everything,
    /// Pairs of different bodies.
    Bodies,
    /// Pairs within one body.
    Selves,
}

/// Which cells of the thesis's spatial hash a moved face is looked up in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FaceCells {
    /// Those that the box around the face's start and end meets.
    #[default]
    Box,
    /// Of these, those that the tube around the way of the centroid may meet.
    Tube,
    /// Of these, those that the tubes around the ways of all three corners may meet.
    ThreeTubes,
}

/// How candidates are found. All ways lead to the same contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Sorted rows of a grid.
    #[default]
    Cells,
    /// One sorted axis, to compare with.
    Sweep,
    /// Every pair, no boxes: for small meshes, to compare with.
    AllPairs,
    /// The thesis's spatial hash: moved points entered by voxel traversal, moved faces and edges by their boxes or tubes.
    Hash {
        /// Sides of the cells; `None` takes the mean width of the moved faces' boxes. Cells are doubled until the table fits into
        /// the memory, so that small ones are slow but not fatal.
        cell: Option<f64>,
        /// Slots of the table; `None` takes one for each entry.
        table: Option<usize>,
        /// Where faces are looked up.
        faces: FaceCells,
    },
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How candidates are found.
    pub method: Method,
    /// Which pairs are looked at.
    pub among: Among,
    /// Greatest width of the bounds of a time of contact; NaN and negative ones count as 0.
    pub width: f64,
    /// Minimum separation: pairs that come within this distance are contacts, at the first time they do. What is not named is
    /// proven to stay farther apart; a gap up to a millionth of the distance more may be named, see
    /// [`super::MeshContact::excess`]. 0 asks for touches alone, exactly. NaN and negative ones count as 0.
    pub separation: f64,
    /// Bytes for candidates and contacts on their way, over all threads. Beyond it a search needs about 64 bytes a vertex, 40 an
    /// edge and face and, for the spatial hash, a table of at most as many bytes.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::Cells,
            among: Among::Everything,
            width: 1e-9,
            separation: 0.0,
            memory: 256 << 20,
        }
    }
}

impl Options {
    /// The separation as a finite number of at least 0.
    pub(crate) fn distance(&self) -> f64 {
        if self.separation > 0.0 { self.separation.min(f64::MAX) } else { 0.0 }
    }
}
