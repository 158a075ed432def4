//! The parts of a saved body.

/// A part of a saved body. A body's sections follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Name, UTF-8.
    Name,
    /// Positions, three doubles each.
    Vertices,
    /// Three vertices each.
    Triangles,
    /// Faces that are no triangles; absent where all are.
    Polygons,
    /// Frame of the packed tree and which mesh it belongs to.
    Tree,
    /// Wide nodes.
    Nodes,
    /// Triangle of each slot.
    Slots,
    /// How the hierarchy was built, and its measures.
    Facts,
}

impl Section {
    const ALL: [(Section, [u8; 4], &'static str); 8] = [
        (Section::Name, *b"NAME", "the name"),
        (Section::Vertices, *b"VERT", "the vertices"),
        (Section::Triangles, *b"TRIA", "the triangles"),
        (Section::Polygons, *b"POLY", "the polygons"),
        (Section::Tree, *b"TREE", "the tree's frame"),
        (Section::Nodes, *b"NODE", "the nodes"),
        (Section::Slots, *b"SLOT", "the slots"),
        (Section::Facts, *b"FACT", "the build facts"),
    ];

    /// Four letters in the table.
    pub(super) fn tag(self) -> [u8; 4] {
        Self::ALL[self as usize].1
    }

    /// In messages.
    pub(super) fn title(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// The section with these letters.
    pub(super) fn tagged(tag: [u8; 4]) -> Option<Section> {
        Self::ALL.iter().find(|(_, known, _)| *known == tag).map(|(section, ..)| *section)
    }
}
