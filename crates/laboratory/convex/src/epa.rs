//! The expanding polytope algorithm as the thesis improved it: silhouette, relative stop, start by Algorithm 2, margin, and
//! the sphere shell where it is proven.
//!
//! Made for study. It speaks in plain doubles, returns its own verdict, and counts how it ended.

mod shell;

use crate::bodies::{Bodies, Posed, Sample};
use crate::contact::{Contact, Ending};
use crate::tetrahedron::{Search, search};
use kontakt_convex::Spot;
use kontakt_convex::depth::surface::{Added, Surface};
use kontakt_convex::{Shape, Verdict};
use kontakt_math::{Between, DVec3};

/// How EPA works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epa {
    /// Stops when the bounds differ by no more than this part of the lower one.
    pub relative: f64,
    /// Or by no more than this part of the bodies' size: the relative rule never holds at depth zero.
    pub floor: f64,
    /// Each body is grown by this for the computation, which is taken off the depth again.
    pub margin: f64,
    /// Whether to try a sphere through the nearest face and its support point.
    pub shell: bool,
    /// Support points at most.
    pub steps: usize,
}

impl Default for Epa {
    fn default() -> Self {
        Epa { relative: 1e-7, floor: 1e-15, margin: 0.0, shell: true, steps: 4096 }
    }
}

impl Epa {
    /// Runs it on two shapes; `None` if one of them has no support map.
    pub fn contact(&self, a: &Shape, b: &Shape, between: &Between) -> Option<Contact> {
        Some(self.run(&Posed::new(a, b, between, self.margin)?))
    }

    /// Runs it on any two sets, already grown by the margin.
    pub fn run(&self, bodies: &impl Bodies) -> Contact {
        let corners = match search(bodies, self.steps) {
            Search::Holds(corners) => corners,
            Search::Touching(normal) => return self.finished(bodies, normal, Ending::Start, None),
            Search::Outside(normal) => {
                let points = bodies.support(normal);
                let height = normal.dot(points.w()) - 2.0 * self.margin;
                let (verdict, depth) = (Verdict::Separate, [f64::NEG_INFINITY, height]);
                return Contact { verdict, depth, normal, points, steps: 0, ending: Ending::Start };
            }
            Search::Failed => {
                let failed = self.finished(bodies, DVec3::X, Ending::TooLong, None);
                return Contact {
                    verdict: Verdict::Undecided,
                    depth: [f64::NEG_INFINITY, f64::INFINITY],
                    ..failed
                };
            }
        };
        let mut state = State::new(corners);
        let floor = self.floor * bodies.size();
        for _ in 0..self.steps {
            if let Some(ending) = state.step(self, bodies, floor) {
                return self.ended(bodies, &state, ending);
            }
        }
        self.ended(bodies, &state, Ending::TooLong)
    }

    fn ended(&self, bodies: &impl Bodies, state: &State, ending: Ending) -> Contact {
        let found = state.points();
        let mut contact = self.finished(bodies, state.normal, ending, Some(found));
        contact.steps = state.samples.len();
        contact.depth = [state.lower, state.upper].map(|depth| depth - 2.0 * self.margin);
        // Contact is denied only when the upper bound says so: the lower one would lose shallow contacts.
        contact.verdict = match contact.depth {
            [_, upper] if upper < 0.0 => Verdict::Separate,
            [lower, _] if lower > 0.0 => Verdict::Overlapping,
            _ => Verdict::Touching,
        };
        contact
    }

    /// A contact along a normal whose depth is what the sets reach along it.
    fn finished(
        &self,
        bodies: &impl Bodies,
        normal: DVec3,
        ending: Ending,
        points: Option<Sample>,
    ) -> Contact {
        let sample = bodies.support(normal);
        let reach = normal.dot(sample.w()).max(0.0) - 2.0 * self.margin;
        let grown = points.unwrap_or(sample);
        let points = Sample { a: grown.a - normal * self.margin, b: grown.b + normal * self.margin };
        let verdict = if reach < 0.0 { Verdict::Separate } else { Verdict::Touching };
        Contact { verdict, depth: [-2.0 * self.margin, reach], normal, points, steps: 0, ending }
    }
}

/// The polytope while it grows.
struct State {
    surface: Surface,
    samples: Vec<Sample>,
    /// Running maximum of the nearest face's distance.
    lower: f64,
    /// Running minimum of the reach along the directions tried.
    upper: f64,
    /// Direction of `upper`.
    normal: DVec3,
    /// Corners of the face it came from.
    face: [Spot; 3],
}

impl State {
    fn new(corners: [Sample; 4]) -> State {
        let spots = [0, 1, 2, 3].map(|k| Spot { w: corners[k as usize].w(), a: k, b: 0 });
        let mut surface = Surface::default();
        surface.reset(spots);
        let face = [spots[0], spots[1], spots[2]];
        State { surface, samples: corners.to_vec(), lower: 0.0, upper: f64::INFINITY, normal: DVec3::X, face }
    }

    /// Expands the face nearest to the origin; the ending when that is all.
    fn step(&mut self, options: &Epa, bodies: &impl Bodies, floor: f64) -> Option<Ending> {
        let Some((face, near)) = self.surface.nearest() else { return Some(Ending::NoFace) };
        if near > self.upper + floor {
            return Some(Ending::NoFace);
        }
        if near < self.lower * (1.0 - 1e-6) - floor {
            return Some(Ending::NotConvex);
        }
        self.lower = self.lower.max(near.min(self.upper));
        // A face through the origin still has its normal to go along.
        let normal = self.surface.normal(face);
        let sample = bodies.support(normal);
        let reach = normal.dot(sample.w());
        if reach < self.upper {
            (self.upper, self.normal, self.face) = (reach, normal, self.surface.corners(face));
        }
        if self.upper - self.lower <= (options.relative * self.lower).max(floor) {
            return Some(Ending::Converged);
        }
        if options.shell && self.try_shell(bodies, face, &sample, floor) {
            return Some(Ending::Shell);
        }
        let spot = Spot { w: sample.w(), a: self.samples.len() as u32, b: 0 };
        if self.surface.has_place(spot.w) {
            return Some(Ending::NoFace);
        }
        self.samples.push(sample);
        match self.surface.add(spot, face, 0.0) {
            Added::Yes => None,
            Added::Known | Added::Full => Some(Ending::TooLong),
        }
    }

    /// The pair of points behind the foot of the origin in the best face.
    fn points(&self) -> Sample {
        let foot = self.normal * self.upper;
        let [p, q, r] = self.face.map(|spot| spot.w);
        let (u, v, x) = (q - p, r - p, foot - p);
        let n = u.cross(v);
        let squared = n.length_squared();
        let mut weights = DVec3::X;
        if squared > 0.0 {
            let (s, t) = (x.cross(v).dot(n) / squared, u.cross(x).dot(n) / squared);
            let cut = DVec3::new(1.0 - s - t, s, t).max(DVec3::ZERO);
            weights = cut / cut.element_sum();
        }
        let [p, q, r] = self.face.map(|spot| self.samples[spot.a as usize]);
        let mix = |p: DVec3, q: DVec3, r: DVec3| p * weights.x + q * weights.y + r * weights.z;
        Sample { a: mix(p.a, q.a, r.a), b: mix(p.b, q.b, r.b) }
    }
}
