//! First contact of bodies with curved faces, by their triangles. **Never late**.
//!
//! From a time at which the bodies are proven apart by a gap, they are so until their points can have travelled that far: so the proof
//! goes from distance to distance. Contact is proven where the triangles show at a later time that the insides meet.

use crate::body::{Body, Moving, Placed};
use crate::curved::with_faces;
use crate::query::{Query, of_mesh};
use crate::true_surface;
use kontakt_answers::{Contact, Impact, Initial, Range, Relation};
use kontakt_curved::{MovingFaces, apart_during};
use kontakt_math::DVec3;
use kontakt_math::round::add_up;
use kontakt_mesh::RelationOptions;
use kontakt_rigid_ccd::MotionOptions;

/// Most distances measured on the way.
const MOST: usize = 1000;
/// Times after the first contact of the triangles at which insides are looked at.
const LOOKS: i32 = 12;
/// Most pairs of patches for one stretch of time.
const SLIDING: usize = 2000;

impl Query {
    pub(crate) fn first_contact_of_curved(
        &mut self,
        a: Moving,
        b: Moving,
        options: &MotionOptions,
    ) -> Impact {
        let initial = self.start(a, b);
        if initial == Some(Initial::Overlapping) {
            return Impact::Contact { initial: Initial::Overlapping, time: Range::ZERO, contact: None };
        }
        let free_until = self.apart_until(a, b, options);
        if free_until >= 1.0 {
            return Impact::Free { initial: Initial::Separate };
        }
        let met = self.contact_after(a, b, options);
        match (initial, met) {
            (Some(initial), Some((by, contact))) if free_until <= by => {
                let time = Range::new(free_until, by).unwrap_or(Range::ZERO);
                Impact::Contact { initial, time, contact }
            }
            _ => Impact::Undecided { initial, free_until },
        }
    }

    /// How they start; `None` where the triangles leave it open.
    fn start(&mut self, a: Moving, b: Moving) -> Option<Initial> {
        match self.relation_at(a, b, 0.0) {
            Relation::Separate { .. } => Some(Initial::Separate),
            Relation::Touching => Some(Initial::Touching),
            Relation::Undecided { .. } => None,
            _ => Some(Initial::Overlapping),
        }
    }

    fn relation_at(&mut self, a: Moving, b: Moving, t: f64) -> Relation {
        let (a, b) = (at(a, t), at(b, t));
        self.relation(a, b, &RelationOptions::default()).exact
    }

    /// **Proven** apart before this time.
    fn apart_until(&mut self, a: Moving, b: Moving, options: &MotionOptions) -> f64 {
        let (Some(ball_a), Some(ball_b)) = (ball(a.body), ball(b.body)) else { return 0.0 };
        let least = options.tolerance.clamp(1e-12, 1.0);
        let mut t = 0.0;
        for _ in 0..MOST {
            if options.deadline.has_passed() {
                break;
            }
            let rounding = add_up(place_error(a, ball_a, t), place_error(b, ball_b, t));
            let gap = self.distance(at(a, t), at(b, t)).range.lo() - rounding;
            let way = |until: f64| {
                let [a, b] = [(a, ball_a), (b, ball_b)]
                    .map(|(body, (centre, radius))| body.motion.displacement_bound(centre, radius, t, until));
                add_up(a, b)
            };
            let mut step = 1.0 - t;
            while step >= least && way(t + step) >= gap && !slides(a, b, [ball_a, ball_b], t, t + step) {
                step *= 0.5;
            }
            if step < least {
                break;
            }
            t += step;
            if t >= 1.0 {
                return 1.0;
            }
        }
        t
    }

    /// A time by which insides meet for certain, and where triangles first did.
    fn contact_after(
        &mut self,
        a: Moving,
        b: Moving,
        options: &MotionOptions,
    ) -> Option<(f64, Option<Contact>)> {
        let (x, y) = (of_mesh(a.body.surface()?, a), of_mesh(b.body.surface()?, b));
        let (from, contact) = match self.motion.impact(x, y, options) {
            Impact::Free { .. } => return None,
            Impact::Contact { time, contact, .. } => (time.hi(), contact),
            Impact::Undecided { free_until, .. } => (free_until, None),
        };
        let contact = contact.map(|contact| with_faces(contact, a.body, b.body));
        for t in looks_after(from) {
            let relation = self.relation_at(a, b, t);
            if !matches!(
                relation,
                Relation::Separate { .. } | Relation::Touching | Relation::Undecided { .. }
            ) {
                return Some((t, contact));
            }
        }
        None
    }
}

/// Times from one on, denser at first: the first at which insides meet for certain is to be near.
fn looks_after(from: f64) -> impl Iterator<Item = f64> {
    (0..=LOOKS).rev().map(move |k| (from + (1.0 - from) * 0.5_f64.powi(k)).min(1.0))
}

/// Whether the true surfaces are proven apart from one time to another, though points travel farther than the gap: a piston in its bore.
fn slides(a: Moving, b: Moving, [ball_a, ball_b]: [(DVec3, f64); 2], from: f64, to: f64) -> bool {
    match (moving(a, ball_a), moving(b, ball_b)) {
        (Some(a), Some(b)) => apart_during(&a, &b, from, to, SLIDING),
        _ => false,
    }
}

fn moving(body: Moving<'_>, (centre, radius): (DVec3, f64)) -> Option<MovingFaces<'_>> {
    let faces = true_surface::faces(body.body)?;
    Some(MovingFaces { faces, motion: body.motion, centre, radius })
}

fn at(body: Moving<'_>, t: f64) -> Placed<'_> {
    Placed::new(body.body, body.motion.pose_at(t))
}

/// A ball around a body that has triangles, true surfaces included.
fn ball(body: &Body) -> Option<(DVec3, f64)> {
    let points = body.surface()?.faces().vertices();
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    let centre = 0.5 * low + 0.5 * high;
    let radius = points.iter().map(|x| x.distance(centre)).fold(0.0, f64::max);
    Some((centre, add_up(radius * (1.0 + 1e-12), body.deviation())))
}

/// More than rounding puts a body off its true place at a time.
fn place_error(body: Moving, (centre, radius): (DVec3, f64), t: f64) -> f64 {
    1e-12 * (centre.length() + radius + body.motion.pose_at(t).translation().length())
}
