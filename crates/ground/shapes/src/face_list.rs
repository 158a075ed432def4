//! Faces as a file lists them: corner indices, not yet checked against any vertices.

use crate::error::FaceSetError;
use crate::memory::{OutOfMemory, reserve};

/// A growing list of polygons that costs nothing extra while every face is a triangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceList {
    store: Store,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Store {
    Triangles(Vec<[u32; 3]>),
    /// Face `i` has the corners `corners[starts[i]..starts[i + 1]]`.
    Polygons {
        starts: Vec<u32>,
        corners: Vec<u32>,
    },
}

/// The list taken apart, for whoever consumes it.
pub(crate) enum Parts {
    Triangles(Vec<[u32; 3]>),
    Polygons { starts: Vec<u32>, corners: Vec<u32> },
}

impl Default for FaceList {
    fn default() -> Self {
        FaceList { store: Store::Triangles(Vec::new()) }
    }
}

impl From<Vec<[u32; 3]>> for FaceList {
    fn from(triangles: Vec<[u32; 3]>) -> Self {
        FaceList { store: Store::Triangles(triangles) }
    }
}

impl FaceList {
    /// An empty list with room for so many triangles.
    pub fn with_capacity(triangles: usize) -> Result<Self, OutOfMemory> {
        let mut list = Vec::new();
        reserve(&mut list, triangles)?;
        Ok(FaceList { store: Store::Triangles(list) })
    }

    /// How many faces.
    pub fn len(&self) -> usize {
        match &self.store {
            Store::Triangles(triangles) => triangles.len(),
            Store::Polygons { starts, .. } => starts.len() - 1,
        }
    }

    /// Whether there is no face.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Corner indices of face `i`; empty when there is no such face.
    pub fn face(&self, i: usize) -> &[u32] {
        match &self.store {
            Store::Triangles(triangles) => triangles.get(i).map_or(&[], <[u32; 3]>::as_slice),
            Store::Polygons { starts, corners } => match (starts.get(i), starts.get(i + 1)) {
                (Some(&from), Some(&to)) => &corners[from as usize..to as usize],
                _ => &[],
            },
        }
    }

    /// Adds a triangle.
    #[inline]
    pub fn push_triangle(&mut self, triangle: [u32; 3]) -> Result<(), FaceSetError> {
        match &mut self.store {
            Store::Triangles(triangles) => {
                reserve(triangles, 1)?;
                triangles.push(triangle);
                Ok(())
            }
            Store::Polygons { .. } => self.push(&triangle),
        }
    }

    /// Adds a face of one or more corners. One or two corners make a degenerate triangle (the last corner repeated):
    /// kept and reported, not refused.
    #[inline]
    pub fn push(&mut self, face: &[u32]) -> Result<(), FaceSetError> {
        match (face, &mut self.store) {
            (&[], _) => Err(FaceSetError::NoCorners { face: self.len() }),
            (&[a], _) => self.push(&[a, a, a]),
            (&[a, b], _) => self.push(&[a, b, b]),
            (&[a, b, c], Store::Triangles(triangles)) => {
                reserve(triangles, 1)?;
                triangles.push([a, b, c]);
                Ok(())
            }
            (_, Store::Triangles(_)) => {
                self.become_polygons()?;
                self.push(face)
            }
            (_, Store::Polygons { starts, corners }) => {
                reserve(corners, face.len())?;
                reserve(starts, 1)?;
                corners.extend_from_slice(face);
                starts.push(small("corners", corners.len())?);
                Ok(())
            }
        }
    }

    /// Gives back memory that was reserved for growth.
    pub fn shrink_to_fit(&mut self) {
        match &mut self.store {
            Store::Triangles(triangles) => triangles.shrink_to_fit(),
            Store::Polygons { starts, corners } => {
                starts.shrink_to_fit();
                corners.shrink_to_fit();
            }
        }
    }

    pub(crate) fn into_parts(self) -> Parts {
        match self.store {
            Store::Triangles(triangles) => Parts::Triangles(triangles),
            Store::Polygons { starts, corners } => Parts::Polygons { starts, corners },
        }
    }

    fn become_polygons(&mut self) -> Result<(), FaceSetError> {
        if let Store::Triangles(triangles) = &mut self.store {
            let end = small("corners", 3 * triangles.len())?;
            let mut starts = Vec::new();
            reserve(&mut starts, triangles.len() + 2)?;
            starts.extend((0..=end).step_by(3));
            let corners = std::mem::take(triangles).into_flattened();
            self.store = Store::Polygons { starts, corners };
        }
        Ok(())
    }
}

/// `count` as an id, or the error that there are too many.
pub(crate) fn small(what: &'static str, count: usize) -> Result<u32, FaceSetError> {
    match u32::try_from(count) {
        Ok(count) if count < u32::MAX => Ok(count),
        _ => Err(FaceSetError::TooMany { what, count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_into_polygons_on_the_first_face_that_is_none() {
        let mut list = FaceList::default();
        list.push(&[0, 1, 2]).unwrap();
        list.push(&[2, 1, 3]).unwrap();
        list.push(&[0, 1, 2, 3]).unwrap();
        list.push_triangle([3, 2, 1]).unwrap();
        assert_eq!(list.len(), 4);
        let faces: Vec<&[u32]> = (0..5).map(|i| list.face(i)).collect();
        assert_eq!(faces, [&[0, 1, 2][..], &[2, 1, 3], &[0, 1, 2, 3], &[3, 2, 1], &[]]);
    }

    #[test]
    fn points_and_lines_become_degenerate_triangles() {
        let mut list = FaceList::default();
        list.push(&[7]).unwrap();
        list.push(&[7, 8]).unwrap();
        assert_eq!(list.push(&[]), Err(FaceSetError::NoCorners { face: 2 }));
        assert_eq!([list.face(0), list.face(1)], [&[7, 7, 7], &[7, 8, 8]]);
    }
}
