//! Minkowski portal refinement (XenoCollide): a ray from inside the difference is followed through a triangle of support
//! points, the portal, which is moved out to the surface.
//!
//! Made for study: plain doubles, its own verdict, counted endings. The boolean answer is good; the depth is that
//! along one ray and in general not the least.

use crate::bodies::{Bodies, Sample};
use crate::contact::{Contact, Ending};
use kontakt_convex::Verdict;
use kontakt_convex::smooth::nearest_weights;
use kontakt_math::DVec3;

/// Where MPR looks for the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ray {
    /// From the middle of the difference through the origin; the ray is the normal.
    Centre,
    /// From the origin along a direction, such as the velocity of A relative to B; the ray is the normal.
    Along(DVec3),
    /// Like `Centre`, but the normal is that of the last portal.
    PortalNormal,
}

/// How MPR works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mpr {
    /// The portal is on the surface when a support point is beyond it by no more than this part of the bodies' size.
    pub relative: f64,
    /// Support points at most.
    pub steps: usize,
}

impl Default for Mpr {
    fn default() -> Self {
        Mpr { relative: 1e-14, steps: 1000 }
    }
}

/// A triangle of support points that the ray from `inside` along `ray` passes, seen counter-clockwise from outside.
struct Portal {
    inside: DVec3,
    ray: DVec3,
    corners: [Sample; 3],
}

/// What the search for a first portal ends with.
enum Discovery {
    Found(Portal),
    /// The ray itself ends at this support point.
    Straight(Sample),
    /// All of the difference is below the plane through the origin with this normal.
    Outside(DVec3),
    Failed,
}

impl Mpr {
    /// Whether the bodies meet, in its own opinion, and how it ended.
    pub fn intersect(&self, bodies: &impl Bodies) -> (Verdict, Ending) {
        let contact = self.refine(bodies, None);
        (contact.verdict, contact.ending)
    }

    /// The contact along a ray. The upper bound of `depth` is how far the difference reaches along the normal.
    pub fn contact(&self, bodies: &impl Bodies, ray: Ray) -> Contact {
        let first = self.refine(bodies, Some(Ray::Centre));
        match ray {
            Ray::Along(_) | Ray::PortalNormal if first.verdict == Verdict::Overlapping => {
                self.refine(bodies, Some(ray))
            }
            _ => first,
        }
    }

    /// Follows the ray; without one, stops as soon as the bodies are known to meet.
    fn refine(&self, bodies: &impl Bodies, want: Option<Ray>) -> Contact {
        let noise = self.relative * bodies.size();
        let (inside, ray) = if let Some(Ray::Along(direction)) = want {
            (DVec3::ZERO, direction)
        } else {
            let middle = bodies.middle().w();
            // Any ray will do from the very middle.
            if middle.length() > noise { (middle, -middle) } else { (DVec3::ZERO, DVec3::X) }
        };
        let mut steps = 0;
        let mut portal = match discover(bodies, inside, ray, self.steps, &mut steps) {
            Discovery::Found(portal) => portal,
            Discovery::Straight(sample) => return straight(bodies, ray, sample, noise, steps),
            Discovery::Outside(normal) => return apart(bodies, normal, steps),
            Discovery::Failed => return failed(bodies, ray, steps),
        };
        while steps < self.steps {
            let normal = portal.normal();
            let holds = normal.dot(portal.corners[0].w()) >= 0.0;
            if normal == DVec3::ZERO || (holds && !portal.holds_origin(noise)) {
                // A flat difference has no portals: what looks like one does not lie around the ray.
                return Contact { ending: Ending::NoFace, ..failed(bodies, ray, steps) };
            }
            if holds && want.is_none() {
                return portal.contact(bodies, normal, want, steps, Ending::Converged);
            }
            let sample = bodies.support(normal);
            steps += 1;
            if normal.dot(sample.w()) < 0.0 {
                return apart(bodies, normal, steps);
            }
            let beyond = normal.dot(sample.w() - portal.corners[0].w());
            if beyond.is_nan() || beyond <= noise || portal.corners.iter().any(|c| c.w() == sample.w()) {
                let mut contact = portal.contact(bodies, normal, want, steps, Ending::Converged);
                if !holds {
                    // The surface is no farther than the portal, and the portal is before the origin.
                    let reach = normal.dot(portal.corners[0].w());
                    contact.verdict = if reach < -noise { Verdict::Separate } else { Verdict::Touching };
                }
                return contact;
            }
            portal.narrow(sample);
        }
        failed(bodies, ray, steps)
    }
}

impl Portal {
    fn normal(&self) -> DVec3 {
        let [p, q, r] = self.corners.map(|c| c.w());
        (q - p).cross(r - p).normalize_or_zero()
    }

    /// Whether the origin lies between the inner point and the portal, up to `noise`.
    fn holds_origin(&self, noise: f64) -> bool {
        let [p, q, r] = self.corners.map(|c| c.w());
        let points = [self.inside, p, q, r];
        let (weights, enclosed) = nearest_weights(&points);
        let nearest =
            points.iter().zip(weights).fold(DVec3::ZERO, |sum, (point, weight)| sum + *point * weight);
        enclosed > 0.0 || nearest.length() <= noise
    }

    /// Replaces a corner by a point beyond the portal so that the ray still passes.
    fn narrow(&mut self, sample: Sample) {
        let side = (sample.w() - self.inside).cross(self.ray);
        let [p, q, r] = self.corners.map(|c| side.dot(c.w() - self.inside) < 0.0);
        let place = match (p, q, r) {
            (true, false, _) => 2,
            (false, _, true) => 1,
            (true, true, _) | (false, _, false) => 0,
        };
        self.corners[place] = sample;
    }

    fn contact(
        &self,
        bodies: &impl Bodies,
        normal: DVec3,
        want: Option<Ray>,
        steps: usize,
        ending: Ending,
    ) -> Contact {
        let [p, q, r] = self.corners.map(|c| c.w());
        // Where the ray passes the portal, as shares of the corners.
        let along = |x: DVec3, y: DVec3| (x - self.inside).cross(y - self.inside).dot(self.ray);
        let shares = DVec3::new(along(q, r), along(r, p), along(p, q)).max(DVec3::ZERO);
        let total = shares.element_sum();
        let shares = if total > 0.0 { shares / total } else { DVec3::X };
        let mix = |pick: fn(&Sample) -> DVec3| {
            let [p, q, r] = self.corners;
            pick(&p) * shares.x + pick(&q) * shares.y + pick(&r) * shares.z
        };
        let points = Sample { a: mix(|c| c.a), b: mix(|c| c.b) };
        let normal = match want {
            Some(Ray::Centre | Ray::Along(_)) => self.ray.normalize_or_zero(),
            _ => normal,
        };
        let reach = normal.dot(bodies.support(normal).w());
        Contact { verdict: Verdict::Overlapping, depth: [0.0, reach], normal, points, steps, ending }
    }
}

/// Finds a first portal around the ray.
fn discover(bodies: &impl Bodies, inside: DVec3, ray: DVec3, most: usize, steps: &mut usize) -> Discovery {
    let turned = |x: &Sample, y: &Sample| (x.w() - inside).cross(y.w() - inside);
    let below = |n: DVec3, sample: &Sample| n.dot(sample.w()) < 0.0;
    let mut first = bodies.support(ray);
    *steps += 1;
    if below(ray, &first) {
        return Discovery::Outside(ray.normalize_or_zero());
    }
    let across = (first.w() - inside).cross(ray);
    if across.length_squared() <= 1e-30 * (first.w() - inside).length_squared() * ray.length_squared() {
        return Discovery::Straight(first);
    }
    let mut second = bodies.support(-across);
    *steps += 1;
    if below(-across, &second) {
        return Discovery::Outside(-across.normalize_or_zero());
    }
    let mut normal = turned(&first, &second);
    if normal.dot(ray) < 0.0 {
        std::mem::swap(&mut first, &mut second);
        normal = -normal;
    }
    while *steps < most {
        let third = bodies.support(normal);
        *steps += 1;
        if below(normal, &third) {
            return Discovery::Outside(normal.normalize_or_zero());
        }
        if turned(&first, &third).dot(ray) > 0.0 {
            second = third;
            normal = turned(&first, &third);
        } else if turned(&third, &second).dot(ray) > 0.0 {
            first = third;
            normal = turned(&third, &second);
        } else {
            let mut portal = Portal { inside, ray, corners: [first, second, third] };
            if portal.normal().dot(ray) < 0.0 {
                portal.corners.swap(1, 2);
            }
            return Discovery::Found(portal);
        }
    }
    Discovery::Failed
}

/// The ray ends at a support point.
fn straight(bodies: &impl Bodies, ray: DVec3, points: Sample, noise: f64, steps: usize) -> Contact {
    let normal = ray.normalize_or_zero();
    let reach = normal.dot(bodies.support(normal).w());
    let verdict = if reach > noise { Verdict::Overlapping } else { Verdict::Touching };
    Contact { verdict, depth: [0.0, reach], normal, points, steps, ending: Ending::Converged }
}

fn apart(bodies: &impl Bodies, normal: DVec3, steps: usize) -> Contact {
    let points = bodies.support(normal);
    let depth = [f64::NEG_INFINITY, normal.dot(points.w())];
    Contact { verdict: Verdict::Separate, depth, normal, points, steps, ending: Ending::Start }
}

fn failed(bodies: &impl Bodies, ray: DVec3, steps: usize) -> Contact {
    let normal = ray.normalize_or_zero();
    let points = bodies.support(normal);
    let depth = [f64::NEG_INFINITY, normal.dot(points.w())];
    Contact { verdict: Verdict::Undecided, depth, normal, points, steps, ending: Ending::TooLong }
}
