//! EPA as libccd had it when the thesis measured it (Figure 13): absolute stop, no silhouette, and for the contact point the
//! mean over the nearer half of the support points. Its errors are the point.

use crate::bodies::{Bodies, Sample};
use crate::contact::{Contact, Ending};
use crate::tetrahedron::{Search, search};
use kontakt_convex::Verdict;
use kontakt_math::DVec3;

/// How it works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LibccdEpa {
    /// Stops when the nearest point's length times what the new support point adds to it, or the square of that point's distance
    /// from the face, is less than this: libccd compares squares, so shallow contacts stop at once.
    pub absolute: f64,
    /// Support points at most.
    pub steps: usize,
}

impl Default for LibccdEpa {
    fn default() -> Self {
        LibccdEpa { absolute: 1e-4, steps: 400 }
    }
}

/// The point of a triangle nearest to the origin, and between which corners it lies: a bit for each with a share.
fn nearest([p, q, r]: [DVec3; 3]) -> (DVec3, u8) {
    let normal = (q - p).cross(r - p);
    // On an edge, to rounding, is not inside: both faces at that edge must be split, or the surface tears.
    let least = 1e-12 * normal.length_squared();
    let inside = |from: DVec3, to: DVec3| (to - from).cross(-from).dot(normal) > least;
    if normal != DVec3::ZERO && inside(p, q) && inside(q, r) && inside(r, p) {
        return (normal * (normal.dot(p) / normal.length_squared()), 0b111);
    }
    let mut best = (p, 0b001);
    for (from, to, bits) in [(p, q, [0b001, 0b010]), (q, r, [0b010, 0b100]), (r, p, [0b100, 0b001])] {
        let along = to - from;
        let squared = along.length_squared();
        let t = if squared > 0.0 { (-from.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
        let point = from + along * t;
        let ends = if t == 0.0 {
            bits[0]
        } else if t == 1.0 {
            bits[1]
        } else {
            bits[0] | bits[1]
        };
        if point.length_squared() < best.0.length_squared() {
            best = (point, ends);
        }
    }
    best
}

impl LibccdEpa {
    /// Runs it.
    pub fn run(&self, bodies: &impl Bodies) -> Contact {
        let corners = match search(bodies, self.steps) {
            Search::Holds(corners) => corners,
            // libccd gave up on these: no contact.
            Search::Touching(normal) | Search::Outside(normal) => {
                return ended(bodies, normal, [f64::NEG_INFINITY, 0.0], Verdict::Separate, Ending::Start);
            }
            Search::Failed => {
                let bounds = [f64::NEG_INFINITY, f64::INFINITY];
                return ended(bodies, DVec3::X, bounds, Verdict::Undecided, Ending::TooLong);
            }
        };
        let mut samples = corners.to_vec();
        let mut faces = vec![[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
        let mut last = (DVec3::X, [0.0, f64::INFINITY]);
        for _ in 0..self.steps {
            let place = |face: &[usize; 3]| nearest(face.map(|k| samples[k].w()));
            let length = |face: &[usize; 3]| place(face).0.length_squared();
            let Some(face) = faces.iter().copied().min_by(|f, g| length(f).total_cmp(&length(g))) else {
                break;
            };
            let (point, ends) = place(&face);
            let [p, q, r] = face.map(|k| samples[k].w());
            // The origin on a face, to rounding: libccd looks along the face's own normal then.
            let on_face = point.length() <= 1e-12 * p.length().max(q.length()).max(r.length());
            let direction = if on_face { (q - p).cross(r - p) } else { point };
            let Some(normal) = direction.try_normalize() else { break };
            let sample = bodies.support(normal);
            last = (normal, [point.length(), normal.dot(sample.w())]);
            let [lower, upper] = last.1;
            let away = nearest([p, q, r].map(|corner| corner - sample.w())).0;
            let still = lower * (upper - lower) < self.absolute || away.length_squared() < self.absolute;
            if (still || ends.is_power_of_two()) && !on_face {
                return mean(&samples, last, Ending::Converged);
            }
            samples.push(sample);
            split(&mut faces, face, ends, samples.len() - 1);
        }
        mean(&samples, last, Ending::TooLong)
    }
}

/// Cuts the face, or the faces at the edge that the nearest point is on, towards the new corner.
fn split(faces: &mut Vec<[usize; 3]>, face: [usize; 3], ends: u8, corner: usize) {
    let edge: Vec<usize> = (0..3).filter(|k| ends >> k & 1 == 1).map(|k| face[k]).collect();
    let touched = |f: &[usize; 3]| *f == face || (edge.len() == 2 && edge.iter().all(|e| f.contains(e)));
    let (cut, kept): (Vec<_>, Vec<_>) = faces.drain(..).partition(touched);
    *faces = kept;
    for f in cut {
        for k in 0..3 {
            let (from, to) = (f[k], f[(k + 1) % 3]);
            let on_edge = edge.len() == 2 && edge.contains(&from) && edge.contains(&to);
            if !on_edge {
                faces.push([from, to, corner]);
            }
        }
    }
}

/// The contact with the mean of the samples behind the nearer half of the support points.
fn mean(samples: &[Sample], (normal, depth): (DVec3, [f64; 2]), ending: Ending) -> Contact {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|x, y| x.w().length_squared().total_cmp(&y.w().length_squared()));
    sorted.truncate(samples.len().div_ceil(2));
    let share = 1.0 / sorted.len() as f64;
    let total = |pick: fn(&Sample) -> DVec3| sorted.iter().map(pick).sum::<DVec3>() * share;
    let points = Sample { a: total(|s| s.a), b: total(|s| s.b) };
    Contact { verdict: Verdict::Overlapping, depth, normal, points, steps: samples.len(), ending }
}

fn ended(bodies: &impl Bodies, normal: DVec3, depth: [f64; 2], verdict: Verdict, ending: Ending) -> Contact {
    Contact { verdict, depth, normal, points: bodies.support(normal), steps: 0, ending }
}
