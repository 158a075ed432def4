//! What is written for viewers: points, cells of them and fields on both.

use crate::write_error::WriteError;
use kontakt_math::DVec3;
use kontakt_shapes::FaceList;

/// A state of bodies as programs for simulations see it. Cells follow one another in the order given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snapshot<'a> {
    /// Where the points are.
    pub points: &'a [DVec3],
    /// What they make.
    pub cells: &'a [Cells<'a>],
    /// Values at the points.
    pub point_data: &'a [Field<'a>],
    /// Values of the cells.
    pub cell_data: &'a [Field<'a>],
}

/// Cells of one kind, by the numbers of their points.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// Every point is a cell of its own, so that viewers show points without anything between them.
    Points,
    /// Triangles.
    Triangles(&'a [[u32; 3]]),
    /// Triangles and polygons.
    Faces(&'a FaceList),
    /// Tetrahedra of positive volume.
    Tetrahedra(&'a [[u32; 4]]),
}

/// Named values, one for each point or cell.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Shown by viewers.
    pub name: &'a str,
    /// In the order of points or cells.
    pub values: Values<'a>,
}

/// Values of a field.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// One number each.
    Scalars(&'a [f64]),
    /// Three numbers each, as velocities.
    Vectors(&'a [DVec3]),
    /// One whole number each, as ids of bodies.
    Ids(&'a [u32]),
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Scalars(values) => values.len(),
            Values::Vectors(values) => values.len(),
            Values::Ids(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Snapshot<'_> {
    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        let count = |cells: &Cells<'_>| match cells {
            Cells::Points => self.points.len(),
            Cells::Triangles(triangles) => triangles.len(),
            Cells::Faces(faces) => faces.len(),
            Cells::Tetrahedra(tetrahedra) => tetrahedra.len(),
        };
        self.cells.iter().map(count).sum()
    }

    /// Calls with the code of VTK and the points of each cell.
    pub(crate) fn each_cell(&self, mut visit: impl FnMut(u8, &[u32])) {
        for cells in self.cells {
            match *cells {
                Cells::Points => (0..self.points.len() as u32).for_each(|point| visit(VERTEX, &[point])),
                Cells::Triangles(triangles) => triangles.iter().for_each(|corners| visit(TRIANGLE, corners)),
                Cells::Faces(faces) => (0..faces.len()).for_each(|face| match faces.face(face) {
                    corners @ [_, _, _] => visit(TRIANGLE, corners),
                    corners => visit(POLYGON, corners),
                }),
                Cells::Tetrahedra(tetrahedra) => {
                    for corners in tetrahedra {
                        visit(TETRAHEDRON, corners);
                    }
                }
            }
        }
    }

    /// Whether counts and indices fit together.
    pub(crate) fn validate(&self) -> Result<(), WriteError> {
        let points = self.points.len();
        if u32::try_from(points).is_err() {
            return Err(WriteError::TooMany { what: "points", count: points });
        }
        let (mut cell, mut wrong) = (0, None);
        self.each_cell(|_, corners| {
            let outside = corners.iter().find(|&&index| index as usize >= points);
            wrong = wrong.or(outside.map(|&index| (cell, index)));
            cell += 1;
        });
        if let Some((cell, index)) = wrong {
            return Err(WriteError::BadIndex { cell, index, points });
        }
        for (fields, count, of) in [(self.point_data, points, "points"), (self.cell_data, cell, "cells")] {
            if let Some(field) = fields.iter().find(|field| field.values.len() != count) {
                let (name, values) = (field.name.to_owned(), field.values.len());
                return Err(WriteError::FieldLength { name, values, count, of });
            }
        }
        Ok(())
    }
}

/// Kinds of cells as VTK numbers them.
pub(crate) const VERTEX: u8 = 1;
pub(crate) const TRIANGLE: u8 = 5;
pub(crate) const POLYGON: u8 = 7;
pub(crate) const TETRAHEDRON: u8 = 10;
