//! Face set: vertices and planar convex faces, triangles as the fast case.

mod joined;
mod parts;

pub use crate::error::FaceSetError;
pub use parts::PolygonParts;

use crate::face_list::{FaceList, Parts, small};
use crate::memory::{probe, reserve};
use crate::polygon::{Shape, Triangulator};
use kontakt_math::DVec3;
use std::ops::Range;

/// Vertices and faces. Every face is a triangle or an exactly planar, convex polygon; polygons of the source that are
/// neither were cut into triangles, which remember their source face. All coordinates are finite, all indices valid.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceSet {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// `None` when face = triangle = source face throughout, the fast case.
    polygons: Option<Box<Polygons>>,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Polygons {
    /// Face `f` has the corners `corners[starts[f]..starts[f + 1]]`.
    starts: Vec<u32>,
    corners: Vec<u32>,
    /// Face `f` is made of `triangles[triangle_starts[f]..triangle_starts[f + 1]]`.
    triangle_starts: Vec<u32>,
    /// Face of the file that face `f` comes from.
    sources: Vec<u32>,
    source_count: u32,
    triangulated: u32,
    rough: u32,
    /// See [`FaceSet::apart_faces`].
    apart: Vec<Range<u32>>,
}

impl FaceSet {
    /// Checks and takes over a list of faces. Corners repeated in a row are dropped from polygons; exactly planar convex
    /// polygons stay whole, other polygons become triangles.
    pub fn new(vertices: Vec<DVec3>, faces: FaceList) -> Result<FaceSet, FaceSetError> {
        small("vertices", vertices.len())?;
        if faces.is_empty() {
            return Err(FaceSetError::NoFaces);
        }
        if !all_finite(&vertices)
            && let Some(vertex) = vertices.iter().position(|v| !v.is_finite())
        {
            return Err(FaceSetError::NotFinite { vertex });
        }
        match faces.into_parts() {
            Parts::Triangles(triangles) => {
                small("triangles", triangles.len().saturating_mul(3))?;
                check_triangles(&triangles, vertices.len())?;
                Ok(FaceSet { vertices, triangles, polygons: None })
            }
            Parts::Polygons { starts, corners } => Self::from_polygons(vertices, &starts, &corners),
        }
    }

    /// Checks and takes over triangles.
    pub fn from_triangles(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<FaceSet, FaceSetError> {
        Self::new(vertices, FaceList::from(triangles))
    }

    fn from_polygons(vertices: Vec<DVec3>, starts: &[u32], corners: &[u32]) -> Result<FaceSet, FaceSetError> {
        let mut triangles = Vec::new();
        reserve(&mut triangles, corners.len().saturating_sub(2 * (starts.len() - 1)))?;
        probe(16 * starts.len() + 4 * corners.len())?;
        let mut kept = Polygons::with_capacity(starts.len(), corners.len());
        let mut triangulator = Triangulator::default();
        for (source, ends) in starts.windows(2).enumerate() {
            let face = &corners[ends[0] as usize..ends[1] as usize];
            if let Some(&index) = face.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(FaceSetError::IndexOutOfRange { face: source, index, vertices: vertices.len() });
            }
            let shape = triangulator.cut(&vertices, face);
            let cut = triangulator.triangles();
            triangles.extend_from_slice(cut);
            small("triangles", triangles.len().saturating_mul(3))?;
            match shape {
                Shape::Convex => {
                    kept.push_face(triangulator.corners(), cut.len(), source);
                }
                Shape::Other(cover) => {
                    kept.triangulated += 1;
                    kept.rough += u32::from(cover.rough);
                    let first = (kept.sources.len() + cover.loose) as u32;
                    for triangle in cut {
                        kept.push_face(triangle, 1, source);
                    }
                    let apart = first..kept.sources.len() as u32;
                    kept.apart.extend((apart.len() > 1).then_some(apart));
                }
            }
        }
        kept.source_count = (starts.len() - 1) as u32;
        let plain = triangles.len() == starts.len() - 1 && kept.sources.len() == triangles.len();
        let polygons = if plain && kept.triangulated == 0 { None } else { Some(Box::new(kept)) };
        Ok(FaceSet { vertices, triangles, polygons })
    }

    /// Positions, in the order of the source.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// All triangles; those of one face are consecutive and together cover it.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The three points of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle, as indexing a slice does.
    #[inline]
    pub fn triangle_points(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|i| self.vertices[i as usize])
    }

    /// How many planar convex faces.
    pub fn face_count(&self) -> usize {
        self.polygons.as_ref().map_or(self.triangles.len(), |p| p.sources.len())
    }

    /// How many faces the source listed.
    pub fn source_count(&self) -> usize {
        self.polygons.as_ref().map_or(self.triangles.len(), |p| p.source_count as usize)
    }

    /// How many polygons of the source were not exactly planar and convex and became triangles.
    pub fn triangulated_count(&self) -> usize {
        self.polygons.as_ref().map_or(0, |p| p.triangulated as usize)
    }

    /// How many of these had no proper triangulation (they cross or touch themselves or are degenerate): their triangles have the
    /// right boundary but may overlap.
    pub fn rough_count(&self) -> usize {
        self.polygons.as_ref().map_or(0, |p| p.rough as usize)
    }

    /// Faces that come from one face of the source and are proven to meet each other in common corners and edges only, corners at one
    /// place being one; ascending. Only those of long source faces are listed, for those who would compare all of their triangles.
    pub fn apart_faces(&self) -> &[Range<u32>] {
        self.polygons.as_ref().map_or(&[], |p| &p.apart)
    }

    /// Whether every face is a triangle and its own source.
    pub fn is_plain_triangles(&self) -> bool {
        self.polygons.is_none()
    }

    /// Corner indices of all faces, one face after the other; see [`FaceSet::corner_range`].
    pub fn corners(&self) -> &[u32] {
        match &self.polygons {
            Some(polygons) => &polygons.corners,
            None => self.triangles.as_flattened(),
        }
    }

    /// Where the corners of a face are in [`FaceSet::corners`].
    ///
    /// # Panics
    /// If there is no such face, as indexing a slice does; likewise the lookups below.
    #[inline]
    pub fn corner_range(&self, face: usize) -> Range<usize> {
        match &self.polygons {
            Some(polygons) => polygons.starts[face] as usize..polygons.starts[face + 1] as usize,
            None => 3 * face..3 * face + 3,
        }
    }

    /// Corner indices of a face, counter-clockwise seen from outside.
    #[inline]
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corners()[self.corner_range(face)]
    }

    /// The face that a corner (position in [`FaceSet::corners`]) belongs to.
    pub fn face_of_corner(&self, corner: usize) -> usize {
        match &self.polygons {
            Some(polygons) => polygons.starts.partition_point(|&start| start as usize <= corner) - 1,
            None => corner / 3,
        }
    }

    /// The triangles that cover a face.
    pub fn triangles_of_face(&self, face: usize) -> Range<usize> {
        match &self.polygons {
            Some(polygons) => {
                polygons.triangle_starts[face] as usize..polygons.triangle_starts[face + 1] as usize
            }
            None => face..face + 1,
        }
    }

    /// The face that a triangle is part of.
    pub fn face_of_triangle(&self, triangle: usize) -> usize {
        match &self.polygons {
            Some(polygons) => {
                polygons.triangle_starts.partition_point(|&start| start as usize <= triangle) - 1
            }
            None => triangle,
        }
    }

    /// The face of the source, 0-based in its order, that a face comes from.
    pub fn source_of_face(&self, face: usize) -> usize {
        self.polygons.as_ref().map_or(face, |p| p.sources[face] as usize)
    }

    /// The face of the source, 0-based in its order, that a triangle comes from: how reports name it.
    pub fn source_of_triangle(&self, triangle: usize) -> usize {
        self.source_of_face(self.face_of_triangle(triangle))
    }

    /// Bytes held on the heap, reserved room included.
    pub fn heap_bytes(&self) -> usize {
        let polygons = self.polygons.as_ref().map_or(0, |p| {
            4 * (p.starts.capacity()
                + p.corners.capacity()
                + p.triangle_starts.capacity()
                + p.sources.capacity()
                + 2 * p.apart.capacity())
        });
        24 * self.vertices.capacity() + 12 * self.triangles.capacity() + polygons
    }
}

impl Polygons {
    fn with_capacity(faces: usize, corners: usize) -> Self {
        let starting_at_zero = || {
            let mut starts = Vec::with_capacity(faces + 1);
            starts.push(0);
            starts
        };
        Polygons {
            starts: starting_at_zero(),
            corners: Vec::with_capacity(corners),
            triangle_starts: starting_at_zero(),
            sources: Vec::with_capacity(faces),
            ..Polygons::default()
        }
    }

    /// The caller has checked that three times the number of triangles fits an id, and a face has no more corners than that.
    fn push_face(&mut self, corners: &[u32], triangles: usize, source: usize) {
        let first = self.triangle_starts.last().copied().unwrap_or(0);
        self.corners.extend_from_slice(corners);
        self.starts.push(self.corners.len() as u32);
        self.triangle_starts.push(first + triangles as u32);
        self.sources.push(source as u32);
    }
}

/// One pass without branches: x·0 is 0 for every finite x and NaN for all others, and NaN stays in a sum. Four sums side by
/// side do not wait for each other.
fn all_finite(vertices: &[DVec3]) -> bool {
    let (fours, rest) = vertices.as_chunks::<4>();
    let mut sums = [DVec3::ZERO; 4];
    for four in fours {
        for (sum, vertex) in sums.iter_mut().zip(four) {
            *sum += *vertex * 0.0;
        }
    }
    sums.iter().chain(rest).all(|v| v.is_finite())
}

fn check_triangles(triangles: &[[u32; 3]], vertices: usize) -> Result<(), FaceSetError> {
    let outside = |t: &[u32; 3]| t[0].max(t[1]).max(t[2]) as usize >= vertices;
    // One pass that vectorises; the culprit is looked for only when there is one.
    let largest = triangles.iter().fold(0, |m, t| t[0].max(t[1]).max(t[2]).max(m));
    if (largest as usize) < vertices {
        return Ok(());
    }
    let face = triangles.iter().position(outside).unwrap_or(0);
    let culprit = triangles.get(face).and_then(|t| t.iter().find(|&&i| i as usize >= vertices));
    Err(FaceSetError::IndexOutOfRange { face, index: culprit.copied().unwrap_or(largest), vertices })
}
