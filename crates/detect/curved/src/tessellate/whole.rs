//! Closed surfaces: whole ones, and spheres with holes, projected from a point in a hole.

use super::Limits;
use super::border::Corner;
use super::chains::Chains;
use super::domain::Domain;
use super::face::{FaceMesh, FaceTriangle, Trouble};
use super::lattice::Lattice;
use crate::brep::{Brep, Face, Loop};
use crate::frame::Frame;
use crate::surface::Surface;
use kontakt_math::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A whole sphere or torus; `None` for other surfaces.
pub(super) fn mesh(face: &Face, limits: Limits) -> Option<Result<FaceMesh, Trouble>> {
    let Limits { deviation, most, .. } = limits;
    let (domain, turns) = match &face.surface {
        Surface::Sphere { frame, radius } => (
            Domain::Sphere { frame: *frame, radius: *radius },
            [sphere_steps(*radius, TAU, deviation), sphere_steps(*radius, PI, deviation)],
        ),
        Surface::Torus { major, minor, .. } => {
            let turns = [steps(major + minor, TAU, deviation), steps(*minor, TAU, deviation)];
            (Domain::of(&face.surface), turns)
        }
        Surface::Nurbs(_) | Surface::Revolution { .. } if is_bare(face) => {
            return Some(Lattice::over(&face.surface)?.fine(limits).map(|made| made.mesh(face)));
        }
        _ => return None,
    };
    if turns[0].saturating_mul(turns[1]).saturating_mul(2) > most {
        return Some(Err(Trouble::TooMany));
    }
    Some(Ok(grid(face, domain, turns)))
}

/// Whether no edge borders a face, not even a seam.
fn is_bare(face: &Face) -> bool {
    face.loops.iter().all(|border| matches!(border, Loop::Vertex(_)))
}

/// Into how many equal steps a turn on a circle is cut, so that a third of the deviation is left for each of u, v and both at once.
fn steps(radius: f64, turn: f64, deviation: f64) -> usize {
    let step = (8.0 / 3.0 * deviation / radius).sqrt().min(0.5);
    ((turn / step).ceil() as usize).max(6)
}

/// The same on a sphere: the half diagonal of a cell with sides s is s / √2, and the sagitta of a circle that wide s² / 4r, of less than s² / 3.9r
/// where s is at most half of the radius.
fn sphere_steps(radius: f64, turn: f64, deviation: f64) -> usize {
    let step = (3.9 * deviation / radius).sqrt().min(0.5);
    ((turn / step).ceil() as usize).max(6)
}

fn grid(face: &Face, domain: Domain, [across, along]: [usize; 2]) -> FaceMesh {
    let sphere = matches!(domain, Domain::Sphere { .. });
    let rows = if sphere { along + 1 } else { along };
    let at = |i: usize, j: usize| {
        let u = TAU * i as f64 / across as f64;
        let v = if sphere { PI * j as f64 / along as f64 - FRAC_PI_2 } else { TAU * j as f64 / along as f64 };
        [u, v]
    };
    let mut corners = Vec::with_capacity(across * rows);
    for j in 0..rows {
        for i in 0..across {
            let at = at(i, j);
            corners.push(Corner { id: None, position: face.surface.point(at[0], at[1]), at });
        }
    }
    let corner = |i: usize, j: usize| match j {
        // All corners of a pole are one.
        j if sphere && (j == 0 || j == along) => j * across,
        j => (j % rows) * across + i % across,
    };
    let mut triangles = Vec::new();
    for j in 0..along {
        for i in 0..across {
            for steps in [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]] {
                let indices = steps.map(|[a, b]| corner(i + a, j + b));
                let mut parameters = steps.map(|[a, b]| at(i + a, j + b));
                let mut ends = indices;
                let positions = indices.map(|index| corners[index].position);
                let deviation = domain.sagitta(&parameters, &positions);
                if !face.outward {
                    ends.swap(1, 2);
                    parameters.swap(1, 2);
                }
                if ends[0] != ends[1] && ends[1] != ends[2] && ends[2] != ends[0] {
                    triangles.push(FaceTriangle { corners: ends, parameters, deviation });
                }
            }
        }
    }
    FaceMesh { domain, corners, triangles, gap: 0.0, gap_at: DVec3::ZERO }
}

/// A sphere with holes: projected from a point well outside of the face.
pub(super) fn projection(
    brep: &Brep,
    face: &Face,
    seams: &[u32],
    chains: &Chains,
    centre: DVec3,
    radius: f64,
) -> Option<Domain> {
    let border = border_arcs(brep, face, seams, chains, centre);
    let best = candidates(&border).filter_map(|point| {
        let nearest = border.iter().min_by(|a, b| a.distance(point).total_cmp(&b.distance(point)))?;
        // Seen from outside of the body the face is to the left; from inside of the sphere, for a hollow one, that is to the right.
        let left = nearest.normal().dot(point) > 0.0;
        (left != face.outward).then_some((nearest.distance(point), point))
    });
    let (_, away) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let frame = Frame::new(centre, -away, None).ok()?;
    Some(Domain::Sphere { frame, radius })
}

/// A piece of a border, as directions from the sphere's centre.
struct Arc {
    from: DVec3,
    to: DVec3,
}

impl Arc {
    /// Points to the left of the arc, seen from outside of the sphere.
    fn normal(&self) -> DVec3 {
        self.from.cross(self.to)
    }

    fn distance(&self, point: DVec3) -> f64 {
        let way = self.to - self.from;
        let share =
            ((point - self.from).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (self.from + way * share - point).length()
    }
}

fn border_arcs(brep: &Brep, face: &Face, seams: &[u32], chains: &Chains, centre: DVec3) -> Vec<Arc> {
    let mut arcs = Vec::new();
    let _ = brep;
    for border in &face.loops {
        let Loop::Edges(uses) = border else { continue };
        for &(edge, forward) in uses.iter().filter(|(edge, _)| !seams.contains(edge)) {
            for pair in chains.chain(edge).points.windows(2) {
                let [a, b] = [pair[0], pair[1]]
                    .map(|id| (chains.positions()[id as usize] - centre).normalize_or_zero());
                arcs.push(if forward { Arc { from: a, to: b } } else { Arc { from: b, to: a } });
            }
        }
    }
    arcs
}

/// Directions all over the sphere, and some beside the border for holes that are small.
fn candidates(border: &[Arc]) -> impl Iterator<Item = DVec3> + '_ {
    const ALL: usize = 400;
    let spread = (0..ALL).map(|k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / ALL as f64;
        let angle = k as f64 * PI * (3.0 - 5.0_f64.sqrt());
        let out = (1.0 - z * z).sqrt();
        DVec3::new(out * angle.cos(), out * angle.sin(), z)
    });
    let beside = border.iter().flat_map(|arc| {
        let middle = 0.5 * (arc.from + arc.to);
        let aside = arc.normal().normalize_or_zero() * (arc.to - arc.from).length();
        [aside, -aside].map(|aside| (middle + aside).normalize_or_zero())
    });
    spread.chain(beside)
}
