//! A sign that two solids overlap, however little: a point of the one's surface inside the other.

use crate::body::Body;
use crate::distance::SurfaceDistance;
use crate::patch::Patch;
use crate::tessellate::Domain;
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};

/// A point over the one body's faces, as the nearest edges tell, that is inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonPoint {
    /// In A's frame.
    pub point: DVec3,
    /// How far it is from the other's surface, with certified ends: if the point belongs to its face, the local interference is not less.
    pub depth: Range,
}

/// Steps of the search, each half as long as the one before.
const SCALES: i32 = 40;

/// Most faces of a body that are tried.
const MOST_FACES: usize = 6;
/// How often a depth is asked for anew, each time ten times as narrow.
const ROUNDS: usize = 12;

/// Looks for a point of one solid's surface inside the other, near where their surfaces meet. The depth is bounded on the true surfaces; that
/// the point belongs to its face is told by the nearest edge, which was wrong once (two spheres that meet in a sharp rim): so `pair` does
/// not build on it yet.
///
/// From the place given the point climbs over a face of its own body, down below the other's faces there; where that ends it is tried. Below
/// all of them at once is right where they meet in a convex edge, below one of them in a concave one. So many ways are tried from each
/// body.
pub fn common_point(
    a: &Body,
    b: &Body,
    between: &Between,
    met: &SurfaceDistance,
    most_climbs: usize,
) -> Option<CommonPoint> {
    let back = between.swapped();
    let on_b = back.b_in_a(met.point_b);
    let (near_a, near_b) = (faces_near(a, met.point_a, met.face_a), faces_near(b, on_b, met.face_b));
    let to_b = |x: DVec3| (back.b_in_a(x), back.error_at(x));
    let to_a = |x: DVec3| (between.b_in_a(x), between.error_at(x));
    let from_a = || {
        climbs(a, &near_a, b, &near_b).take(most_climbs).find_map(|climb| climb.proven(met.point_a, &to_b))
    };
    let from_b =
        || climbs(b, &near_b, a, &near_a).take(most_climbs).find_map(|climb| climb.proven(on_b, &to_a));
    let found_a = from_a().map(|(point, _, depth)| CommonPoint { point, depth });
    found_a.or_else(|| from_b().map(|(_, point, depth)| CommonPoint { point, depth }))
}

/// Faces that come near a point, the one that is known first.
fn faces_near(body: &Body, point: DVec3, known: u32) -> Vec<u32> {
    let made = body.carrier();
    let mut faces = vec![known];
    for k in 0..made.triangles.len() {
        let (face, [a, b, c]) = (made.faces[k], made.corners(k));
        let reach = made.deviations[k] + made.chord_deviation;
        let (low, high) = (a.min(b).min(c) - reach, a.max(b).max(c) + reach);
        let is_near = point.cmpge(low).all() && point.cmple(high).all();
        if is_near && !faces.contains(&face) && faces.len() < MOST_FACES {
            faces.push(face);
        }
    }
    faces
}

/// The ways to climb: each face of the body, below all faces of the other, then below each.
fn climbs<'a>(
    body: &'a Body,
    own: &'a [u32],
    other: &'a Body,
    below: &'a [u32],
) -> impl Iterator<Item = Climb<'a>> {
    let single = if below.len() > 1 { below } else { &[] };
    own.iter().flat_map(move |&face| {
        let sets = std::iter::once(below).chain(single.chunks(1));
        sets.map(move |below| Climb { body, face, other, below })
    })
}

/// How deep a point is inside a body, if that is proven for every point within `error` of it.
fn proven(body: &Body, point: DVec3, error: f64) -> Option<Range> {
    let mut guess = body.mesh().nearest(point)?.distance.hi() + body.deviation();
    for _ in 0..ROUNDS {
        let depth = body.distance_to(point, 0.02 * guess)?;
        if depth.lo() > 0.9 * depth.hi() {
            let lower = depth.lo() - error;
            let inside = lower > 0.0 && body.contains(point) == Some(true);
            return inside.then(|| Range::new(lower, depth.hi() + error).ok()).flatten();
        }
        guess = depth.hi().min(0.1 * guess);
    }
    None
}

/// A search for the point of one face that lies deepest below another.
struct Climb<'a> {
    body: &'a Body,
    face: u32,
    other: &'a Body,
    below: &'a [u32],
}

impl Climb<'_> {
    /// A point of the face, the same in the other body's frame, and how deep that is in the other body.
    fn proven(
        &self,
        start: DVec3,
        to_other: &dyn Fn(DVec3) -> (DVec3, f64),
    ) -> Option<(DVec3, DVec3, Range)> {
        let (point, off) = self.deepest(start, &|x| to_other(x).0)?;
        let (there, error) = to_other(point);
        Some((point, there, proven(self.other, there, error + off)?))
    }

    /// Goes from a place of the face to deeper ones, in steps along its parameters; `to_other` maps into the other body's frame. The point, and
    /// **never less** than how far it may be from the face.
    fn deepest(&self, start: DVec3, to_other: &dyn Fn(DVec3) -> DVec3) -> Option<(DVec3, f64)> {
        let domain = &self.body.carrier().domains[self.face as usize];
        let mut at = domain.invert(start, None)?;
        let mut best = self.depth(to_other(domain.point(at)))?;
        let reach = self.steps();
        for scale in 0..SCALES {
            let step = reach.map(|reach| reach * 0.5_f64.powi(scale + 1));
            for _ in 0..8 {
                let tries = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
                let next = tries.map(|[u, v]| [at[0] + u * step[0], at[1] + v * step[1]]);
                let deeper = next.into_iter().filter_map(|at| {
                    self.triangle(domain, at)?;
                    Some((self.depth(to_other(domain.point(at)))?, at))
                });
                match deeper.max_by(|a, b| a.0.total_cmp(&b.0)) {
                    Some((depth, there)) if depth > best => (best, at) = (depth, there),
                    _ => break,
                }
            }
        }
        let off = self.off_face(domain, at, 0.01 * best)?;
        (best > off).then(|| (domain.point(at), off))
    }

    /// The extent of the face's parameters.
    fn steps(&self) -> [f64; 2] {
        let made = self.body.carrier();
        let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for (_, parameters) in made.faces.iter().zip(&made.parameters).filter(|(face, _)| **face == self.face)
        {
            for at in parameters {
                for k in 0..2 {
                    range[k] = [range[k][0].min(at[k]), range[k][1].max(at[k])];
                }
            }
        }
        range.map(|[low, high]| (high - low).max(0.0))
    }

    /// The triangle that parameters are in, if there is one.
    fn triangle(&self, domain: &Domain, at: [f64; 2]) -> Option<usize> {
        let made = self.body.carrier();
        let point = domain.point(at);
        let of_face = |k: &usize| made.faces[*k] == self.face;
        let covers = |k: &usize| domain.covers(&made.parameters[*k], &made.corners(*k), at, point);
        (0..made.faces.len()).filter(of_face).find(covers)
    }

    /// **Never less** than how far the point at parameters may be from the face; `None` where they are in no triangle of it.
    ///
    /// What is in a triangle's parameters is in the face, unless it is between an edge and its chord: then the triangle is halved until
    /// that is little, or the point is in none of its parts.
    fn off_face(&self, domain: &Domain, at: [f64; 2], little: f64) -> Option<f64> {
        let mut patch = Patch::of(self.body.on(), self.triangle(domain, at)?);
        let point = domain.point(at);
        let rounding = 16.0 * f64::EPSILON * point.abs().max_element();
        for _ in 0..SCALES {
            if self.body.off_face(&patch, point) <= little {
                break;
            }
            patch = patch
                .halves(self.body.on())
                .into_iter()
                .find(|half| half.covers(self.body.on(), at, point))?;
        }
        Some(self.body.off_face(&patch, point) + rounding)
    }

    /// How far a point is below the other's faces, to rounding; negative above one.
    fn depth(&self, point: DVec3) -> Option<f64> {
        let depths = self.below.iter().map(|&face| {
            let domain = &self.other.carrier().domains[face as usize];
            let at = domain.invert(point, None)?;
            let normal = domain.normal(at).try_normalize()? * self.other.outward_sign(face);
            Some(-(point - domain.point(at)).dot(normal))
        });
        depths.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
    }
}
