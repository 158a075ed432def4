//! Elements of a file of a simulation, and the meshes they are.

use crate::error::{Fault, Place, Problem};
use crate::input::Parsed;
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;
use kontakt_shapes::tetrahedra::{Tetrahedra, TetrahedraError};
use kontakt_shapes::{FaceList, FaceSet};

/// What a reader collects, points by their place in the file.
#[derive(Default)]
pub(crate) struct Elements {
    pub(crate) points: Vec<DVec3>,
    pub(crate) tetrahedra: Vec<[u32; 4]>,
    /// The file's number of each tetrahedron, for messages.
    pub(crate) numbers: Vec<u64>,
    /// Triangles and polygons.
    pub(crate) faces: FaceList,
    /// Points and lines, passed over.
    pub(crate) ignored: u64,
}

impl Elements {
    pub(crate) fn push_tetrahedron(&mut self, number: u64, corners: [u32; 4]) -> Result<(), Fault> {
        reserve(&mut self.tetrahedra, 1)?;
        reserve(&mut self.numbers, 1)?;
        self.tetrahedra.push(corners);
        self.numbers.push(number);
        Ok(())
    }

    /// How many elements there are so far.
    pub(crate) fn count(&self) -> u64 {
        (self.tetrahedra.len() + self.faces.len()) as u64 + self.ignored
    }

    /// The body of all tetrahedra, with the points they use in the file's order; how many they leave.
    pub(crate) fn body(&self) -> Result<(Tetrahedra, u64), Fault> {
        let (points, names) = used(&self.points, self.tetrahedra.as_flattened())?;
        let corners = self.tetrahedra.iter().map(|corners| corners.map(|v| names[v as usize])).collect();
        let left = self.points.len() - points.len();
        let body = Tetrahedra::new(points, corners).map_err(|error| self.fault(error))?;
        Ok((body, left as u64))
    }

    /// The tetrahedra's surface, faces in the order of the tetrahedra behind them; or the faces where there are no tetrahedra. Faces
    /// beside tetrahedra that are faces of these are passed over and counted, others are an object of their own.
    pub(crate) fn parsed(self) -> Result<Parsed, Fault> {
        let mut parsed = Parsed::default();
        parsed.report.ignored_elements = self.ignored;
        if self.tetrahedra.is_empty() {
            if self.faces.is_empty() {
                return Err(Problem::NoFaces.into());
            }
            parsed.objects.push((None, FaceSet::new(self.points, self.faces)?));
            return Ok(parsed);
        }
        let (body, left) = self.body()?;
        let (points, names) = used(body.vertices(), body.surface().as_flattened())?;
        let triangles = body.surface().iter().map(|corners| corners.map(|v| names[v as usize])).collect();
        parsed.objects.push((None, FaceSet::from_triangles(points, triangles)?));
        parsed.report.unused_vertices = left;
        let sheet = self.apart()?;
        parsed.report.faces_of_tetrahedra = (self.faces.len() - sheet.len()) as u64;
        if !sheet.is_empty() {
            parsed.objects.push((Some("faces".into()), FaceSet::new(self.points, sheet)?));
        }
        Ok(parsed)
    }

    /// Faces that are not faces of tetrahedra.
    fn apart(&self) -> Result<FaceList, Fault> {
        let mut sides: Vec<[u32; 3]> = Vec::new();
        reserve(&mut sides, self.tetrahedra.len().saturating_mul(4))?;
        for &[a, b, c, d] in &self.tetrahedra {
            sides.extend([[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(sorted));
        }
        sides.sort_unstable();
        let mut apart = FaceList::default();
        for face in (0..self.faces.len()).map(|face| self.faces.face(face)) {
            let is_side = <[u32; 3]>::try_from(face).is_ok_and(|f| sides.binary_search(&sorted(f)).is_ok());
            if !is_side {
                apart.push(face)?;
            }
        }
        Ok(apart)
    }

    /// What is wrong with the body, by the file's numbers.
    fn fault(&self, error: TetrahedraError) -> Fault {
        let tetrahedron = match error {
            TetrahedraError::Flat { tetrahedron } | TetrahedraError::Inverted { tetrahedron } => tetrahedron,
            TetrahedraError::Overlapping { first, .. } => first,
            _ => return Problem::malformed(error.to_string()).at(Place::Whole),
        };
        let number = self.numbers.get(tetrahedron).copied().unwrap_or(tetrahedron as u64);
        Problem::malformed(error.to_string()).at(Place::Element("element", number))
    }
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// The points that corners use, in order, and their new names. Corners are within the points.
fn used(points: &[DVec3], corners: &[u32]) -> Result<(Vec<DVec3>, Vec<u32>), Fault> {
    let mut names = Vec::new();
    reserve(&mut names, points.len())?;
    names.resize(points.len(), u32::MAX);
    for &corner in corners {
        names[corner as usize] = 0;
    }
    let mut kept = Vec::new();
    for (point, name) in points.iter().zip(&mut names).filter(|(_, name)| **name == 0) {
        *name = kept.len() as u32;
        reserve(&mut kept, 1)?;
        kept.push(*point);
    }
    Ok((kept, names))
}
