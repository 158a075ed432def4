//! The triangles of one face.

use super::border::{Border, Corner, seams};
use super::chains::{Chains, Piece};
use super::chart::Chart;
use super::domain::Domain;
use super::flood::{Planar, Plane, Sides};
use super::{FaceProblem, Limits};
use super::{refine, whole};
use crate::brep::{Brep, Face, Loop};
use crate::surface::Surface;
use kontakt_math::DVec3;
use kontakt_schedule::{Deadline, Expired};
use spade::handles::FixedVertexHandle;
use spade::{Point2, Triangulation};

/// A triangle of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceTriangle {
    /// Indices into the face's corners.
    pub(super) corners: [usize; 3],
    pub(super) parameters: [[f64; 2]; 3],
    pub(super) deviation: f64,
}

/// The triangles of one face, anticlockwise seen from outside of the body.
#[derive(Debug)]
pub(super) struct FaceMesh {
    pub(super) domain: Domain,
    pub(super) corners: Vec<Corner>,
    pub(super) triangles: Vec<FaceTriangle>,
    /// The largest distance of a border's point from the surface, and that point.
    pub(super) gap: f64,
    pub(super) gap_at: DVec3,
}

/// Why there are no triangles yet.
#[derive(Debug)]
pub(super) enum Trouble {
    /// These pieces of edges are too long.
    Finer(Vec<Piece>),
    /// These pieces of edges cross.
    Crossing(Vec<Piece>),
    Problem(FaceProblem),
    TooMany,
    Expired(Expired),
}

impl From<Expired> for Trouble {
    fn from(expired: Expired) -> Trouble {
        Trouble::Expired(expired)
    }
}

impl From<FaceProblem> for Trouble {
    fn from(problem: FaceProblem) -> Trouble {
        Trouble::Problem(problem)
    }
}

impl FaceMesh {
    /// Triangulates a face so that triangles are within the deviation of its surface, beyond the gaps of its borders.
    pub(super) fn new(
        brep: &Brep,
        index: usize,
        chains: &Chains,
        limits: Limits,
    ) -> Result<FaceMesh, Trouble> {
        let deviation = limits.deviation;
        let face = &brep.faces()[index];
        let seams = seams(&face.loops);
        let open = face.loops.iter().any(|border| match border {
            Loop::Edges(uses) => uses.iter().any(|(edge, _)| !seams.contains(edge)),
            Loop::Vertex(_) => false,
        });
        if !open && let Some(mesh) = whole::mesh(face, limits) {
            return mesh;
        }
        let domain = match &face.surface {
            Surface::Sphere { frame, radius } => {
                whole::projection(brep, face, &seams, chains, frame.origin, *radius)
                    .ok_or(FaceProblem::Unbounded)?
            }
            surface => Domain::of(surface),
        };
        let mut borders = Vec::new();
        for border in &face.loops {
            if let Loop::Edges(uses) = border {
                borders.push(Border::new(brep, &from_side(uses, &seams), chains, &domain, face.outward)?);
            }
        }
        let finer = long_pieces(&domain, &borders, deviation);
        if !finer.is_empty() {
            return Err(Trouble::Finer(finer));
        }
        let chart = Chart::new(&domain, &mut borders, face.outward)?;
        let mut sheet = Sheet::new(domain, chart, &borders, face, brep, limits.deadline)?;
        let triangles = refine::refine(&mut sheet, limits)?;
        sheet.finish(triangles, face.outward)
    }
}

/// A loop from an edge that has the face on one side only: on a seam, or in a pole, it could begin on either side of it.
fn from_side(uses: &[(u32, bool)], seams: &[u32]) -> Vec<(u32, bool)> {
    let begin = uses.iter().position(|(edge, _)| !seams.contains(edge)).unwrap_or(0);
    [&uses[begin..], &uses[..begin]].concat()
}

/// Pieces of borders over which the surface turns too far.
fn long_pieces(domain: &Domain, borders: &[Border], deviation: f64) -> Vec<Piece> {
    let mut long = Vec::new();
    for border in borders {
        let count = border.corners.len();
        for (k, piece) in border.pieces.iter().enumerate() {
            let (a, b) = (&border.corners[k], &border.corners[(k + 1) % count]);
            let there = if k + 1 == count { domain.near(b.at, a.at) } else { b.at };
            let sagitta = domain.chord_sagitta(a.at, there, [a.position, b.position]);
            if sagitta > deviation
                && let Some(piece) = piece
            {
                long.push(*piece);
            }
        }
    }
    long
}

/// A face laid out in the plane, while it is being triangulated.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) domain: Domain,
    pub(super) chart: Chart,
    pub(super) corners: Vec<Corner>,
    pub(super) plane: Plane,
    pub(super) sides: Sides,
}

impl Sheet {
    fn new(
        domain: Domain,
        chart: Chart,
        borders: &[Border],
        face: &Face,
        brep: &Brep,
        deadline: Deadline,
    ) -> Result<Sheet, Trouble> {
        let mut pacer = deadline.pacer();
        let mut sheet =
            Sheet { domain, chart, corners: Vec::new(), plane: Plane::new(), sides: Sides::default() };
        let mut placed = Vec::new();
        for border in borders {
            let mut insert = |corner: &Corner| {
                pacer.tick()?;
                sheet.insert(*corner)
            };
            let handles: Result<Vec<_>, Trouble> = border.corners.iter().map(&mut insert).collect();
            placed.push(handles?);
        }
        let mut finer = Vec::new();
        let mut pieces_of = std::collections::HashMap::new();
        for (border, handles) in borders.iter().zip(&placed) {
            for (k, piece) in border.pieces.iter().enumerate() {
                pacer.tick()?;
                let (from, to) = (handles[k], handles[(k + 1) % handles.len()]);
                if from == to {
                    continue;
                }
                let crossed: Vec<_> = sheet
                    .plane
                    .get_conflicting_edges_between_vertices(from, to)
                    .map(|edge| (edge.from().fix().index(), edge.to().fix().index()))
                    .collect();
                if !crossed.is_empty() {
                    finer.extend(piece);
                    finer.extend(
                        crossed
                            .iter()
                            .filter_map(|&(a, b)| pieces_of.get(&(a.min(b), a.max(b))).copied().flatten()),
                    );
                    continue;
                }
                sheet.plane.add_constraint(from, to);
                // A corner of another piece on this one: the chord is cut in two there, which no other face would know of.
                if sheet.plane.get_edge_from_neighbors(from, to).is_none() {
                    finer.extend(piece);
                    continue;
                }
                let (a, b) = (from.index(), to.index());
                pieces_of.insert((a.min(b), a.max(b)), *piece);
                sheet.sides.count(from, to);
            }
        }
        if !finer.is_empty() {
            return Err(Trouble::Crossing(finer));
        }
        sheet.insert_pole(face, brep)?;
        Ok(sheet)
    }

    pub(super) fn insert(&mut self, corner: Corner) -> Result<FixedVertexHandle, Trouble> {
        let [x, y] = self.chart.position(corner.at).map(|x| if x.abs() < 1e-40 { 0.0 } else { x });
        let place = Point2::new(x, y);
        // Points that coincide are one: seams of a ring, ends of edges.
        if let Some(known) = self.plane.locate_vertex(place) {
            return Ok(known.fix());
        }
        self.corners.push(corner);
        let planar = Planar { place, corner: self.corners.len() - 1 };
        self.plane.insert(planar).map_err(|_| Trouble::Problem(FaceProblem::Numbers))
    }

    /// Whether a side runs along a pole: a border with one point at both ends.
    pub(super) fn is_pole_side(&self, a: FixedVertexHandle, b: FixedVertexHandle) -> bool {
        let id = |handle: FixedVertexHandle| self.corners[self.plane.vertex(handle).data().corner].id;
        self.sides.is_border(a, b) && id(a).is_some() && id(a) == id(b)
    }

    /// Whether the side after corner k of a triangle is at least as wide, as the chart has it, as the triangle is high above it.
    pub(super) fn is_wide(&self, corners: [usize; 3], k: usize) -> bool {
        let [a, b, c] =
            [k, (k + 1) % 3, (k + 2) % 3].map(|k| self.chart.position(self.corners[corners[k]].at));
        let [along, up] = [0, 1].map(|i| b[i] - a[i]);
        let area = along * (c[1] - a[1]) - up * (c[0] - a[0]);
        area.abs() <= along * along + up * up
    }

    /// Halves a side along a pole.
    pub(super) fn cut_pole(&mut self, a: FixedVertexHandle, b: FixedVertexHandle) -> Result<(), Trouble> {
        let [one, other] = [a, b].map(|handle| self.corners[self.plane.vertex(handle).data().corner]);
        // Two triangles may ask for it, as one may have cut it already.
        if !self.sides.is_border(a, b) {
            return Ok(());
        }
        let at = std::array::from_fn(|k| 0.5 * (one.at[k] + other.at[k]));
        let middle = self.insert(Corner { at, ..one })?;
        self.sides.cut(a, middle, b);
        Ok(())
    }

    /// The middle of a ring, where it is a pole of the face.
    fn insert_pole(&mut self, face: &Face, brep: &Brep) -> Result<(), Trouble> {
        let Some(at) = self.chart.pole() else { return Ok(()) };
        let position = self.domain.point(at);
        let named = face.loops.iter().find_map(|border| match border {
            Loop::Vertex(vertex) => Some(*vertex),
            Loop::Edges(_) => None,
        });
        let position = named.map_or(position, |vertex| brep.vertices()[vertex as usize]);
        self.insert(Corner { id: named, position, at }).map(|_| ())
    }

    /// Parameters of a triangle's corners, each near the others.
    pub(super) fn parameters(&self, corners: [usize; 3]) -> [[f64; 2]; 3] {
        let mut at = corners.map(|corner| self.corners[corner].at);
        if !self.chart.is_ring() {
            return at;
        }
        // A pole has any angle: it takes that of the corner before it.
        if let Some(k) = self.pole_among(corners) {
            let (p, q) = ((k + 1) % 3, (k + 2) % 3);
            at[q] = self.domain.near(at[q], at[p]);
            let Chart::Ring { around, .. } = self.chart else { return at };
            at[k][around] = at[q][around];
        } else {
            at[1] = self.domain.near(at[1], at[0]);
            at[2] = self.domain.near(at[2], at[0]);
        }
        at
    }

    /// Which corner of a triangle is the pole of a ring.
    fn pole_among(&self, corners: [usize; 3]) -> Option<usize> {
        self.chart.pole()?;
        (0..3).find(|&k| self.chart.position(self.corners[corners[k]].at) == [0.0, 0.0])
    }

    /// What the parameters of a triangle at a pole leave to the next one: the pole at the angles of both other corners, and the corner
    /// after it. In space it has no area. With these pieces the parameters of a face are covered without a gap.
    pub(super) fn beside_pole(
        &self,
        corners: [usize; 3],
        at: &[[f64; 2]; 3],
    ) -> Option<([usize; 3], [[f64; 2]; 3])> {
        let k = self.pole_among(corners)?;
        let Chart::Ring { around, .. } = self.chart else { return None };
        let p = (k + 1) % 3;
        let mut at_p = at[k];
        at_p[around] = at[p][around];
        Some(([corners[p], corners[k], corners[k]], [at[p], at[k], at_p]))
    }

    /// How far a corner is off the surface.
    fn gap(&self, corner: usize) -> f64 {
        let Corner { position, at, id } = self.corners[corner];
        if id.is_some() { (self.domain.point(at) - position).length() } else { 0.0 }
    }

    fn finish(self, triangles: Vec<[usize; 3]>, outward: bool) -> Result<FaceMesh, Trouble> {
        if triangles.is_empty() {
            return Err(FaceProblem::Empty.into());
        }
        let gaps: Vec<f64> = (0..self.corners.len()).map(|corner| self.gap(corner)).collect();
        // The plane may show the face from behind: one sum over all triangles tells.
        let mut agreement = 0.0;
        let mut done = Vec::with_capacity(triangles.len());
        for corners in triangles {
            let parameters = self.parameters(corners);
            let beside = self.beside_pole(corners, &parameters);
            let [a, b, c] = corners.map(|corner| self.corners[corner].position);
            let middle: [f64; 2] =
                std::array::from_fn(|k| (parameters[0][k] + parameters[1][k] + parameters[2][k]) / 3.0);
            agreement += (b - a).cross(c - a).dot(self.domain.normal(middle).normalize_or_zero());
            let off = corners.iter().map(|&corner| gaps[corner]).fold(0.0, f64::max);
            for (corners, parameters) in std::iter::once((corners, parameters)).chain(beside) {
                let positions = corners.map(|corner| self.corners[corner].position);
                let deviation = self.domain.sagitta(&parameters, &positions) + off * (1.0 + 1e-12);
                done.push(FaceTriangle { corners, parameters, deviation });
            }
        }
        if (agreement > 0.0) != outward {
            for triangle in &mut done {
                triangle.corners.swap(1, 2);
                triangle.parameters.swap(1, 2);
            }
        }
        let widest = (0..gaps.len()).max_by(|&a, &b| gaps[a].total_cmp(&gaps[b])).unwrap_or(0);
        let (gap, gap_at) = (gaps[widest], self.corners[widest].position);
        Ok(FaceMesh { domain: self.domain, corners: self.corners, triangles: done, gap, gap_at })
    }
}
