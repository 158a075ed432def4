//! What a reader found.

use kontakt_shapes::Body;

/// Bodies of a file, in its order, and remarks.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// At least one.
    pub bodies: Vec<Body>,
    /// What was skipped or changed on the way.
    pub report: ReadReport,
}

/// Everything a reader passed over or changed; all zero for a plain file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// OBJ: lines with a keyword that is not known.
    pub unknown_keywords: u64,
    /// OBJ: the first few of these keywords.
    pub unknown_examples: Vec<String>,
    /// OBJ: lines before the first keyword that are no OBJ at all.
    pub junk_lines: u64,
    /// OBJ: the first of these and of the lines with unknown keywords, counted from 1; 0 where there is none.
    pub first_odd_line: u64,
    /// STL: corners that were found to be a vertex seen before.
    pub welded_corners: u64,
    /// Polygons that are not exactly planar and convex and became triangles.
    pub triangulated_polygons: u64,
    /// Of these, polygons that cross themselves or have no area, cut as well as may be.
    pub rough_polygons: u64,
    /// Objects, solids or nodes whose name another one has; they are bodies of their own, numbered `#2`, `#3`, …
    pub repeated_names: u64,
    /// Objects, solids or nodes without faces, passed over.
    pub empty_objects: u64,
    /// Points, lines and other elements that are no faces.
    pub ignored_elements: u64,
    /// Vertices of a file with several objects that none of them uses.
    pub unused_vertices: u64,
    /// Faces listed beside tetrahedra whose faces they are, passed over: they are part of the tetrahedra's surface or lie within.
    pub faces_of_tetrahedra: u64,
    /// glTF: rotations of nodes that single precision had rounded, taken as the turn nearby that maps the axes to one another: quarter,
    /// half and third turns. They place a body without rounding.
    pub exact_quarter_turns: u64,
    /// glTF: the same for turns by eighths and twelfths about an axis, taken as near as doubles allow.
    pub exact_finer_turns: u64,
    /// glTF: skins, not applied.
    pub skins: u64,
    /// glTF: morph targets, not applied.
    pub morph_targets: u64,
}
