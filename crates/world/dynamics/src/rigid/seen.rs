//! Contacts of pairs that hardly moved on each other since they were looked up: they go with the bodies.
//!
//! Convex bodies that rest have the same contacts from step to step. Each is a point on either body and a normal, all given in the bodies'
//! frames; as long as the bodies have moved relative to each other by no more than [`Settings::coherence`] of their size since, the
//! points' places tell its gap: off by no more than twice what the surfaces moved on each other, since neither the true nor the recalled
//! least gap changes by more than that; mostly by its square, but where an edge ends at the rim of a face that it slopes to. What
//! was farther apart then than the margin of contacts is apart still: so no contact is missed. Pairs that may have come nearer by
//! more than that, with what they move in this step, are looked at again.

use super::body::Body;
use super::contact::{Scene, Spot, Touch};
use super::form::Form;
use super::near::{Pair, margin, shift};
use super::settings::Settings;
use kontakt_math::{DQuat, DVec3};
use kontakt_pair::Body as Geometry;

/// A contact as it was when its pair was looked at, or that it had none: plain data, part of a world's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The bodies' ids, the smaller first.
    pub ids: [u64; 2],
    /// Across which borders of a periodic world.
    pub images: [u8; 2],
    /// What touches.
    pub spot: Spot,
    /// On either body, in its frame about its centre of mass.
    pub points: [DVec3; 2],
    /// From the first body to the second, in the first one's frame; zero where the pair had no contact.
    pub normal: DVec3,
    /// Where the second body was, in the first one's frame.
    pub place: DVec3,
    /// How it was turned there.
    pub turn: DQuat,
}

impl Seen {
    /// Sorted by this, those of a pair are together.
    pub(crate) fn key(&self) -> ([u64; 2], [u8; 2], Spot) {
        (self.ids, self.images, self.spot)
    }
}

/// A pair of bodies as the memory of contacts sees it.
pub(crate) struct Sight<'s> {
    bodies: [&'s Body; 2],
    forms: [&'s Form; 2],
    images: [u8; 2],
    middles: [DVec3; 2],
}

impl<'s> Sight<'s> {
    /// None for pairs whose contacts are looked up in every step: balls, which is quick, and meshes, which tell nothing of what is near.
    pub(crate) fn of(scene: &Scene<'s>, pair: &Pair) -> Option<Sight<'s>> {
        let bodies = pair.slots.map(|slot| &scene.bodies[slot as usize]);
        let forms = bodies.map(|body| &scene.forms[body.form as usize]);
        let convex = |form: &Form| matches!(form.geometry(), Geometry::Convex(_));
        let balls = forms.iter().all(|form| form.is_ball());
        if balls || !forms.iter().all(|form| convex(form)) || scene.settings.coherence == 0.0 {
            return None;
        }
        let middle = |k: usize| bodies[k].place - shift(pair.images[k], scene.settings.periodic);
        Some(Sight { bodies, forms, images: pair.images, middles: [middle(0), middle(1)] })
    }

    fn ids(&self) -> [u64; 2] {
        self.bodies.map(|body| body.id)
    }

    /// Those of this pair, from a sorted list of which those of earlier pairs, and then these, are taken off.
    pub(crate) fn take<'l>(&self, seen: &mut &'l [Seen]) -> &'l [Seen] {
        let key = (self.ids(), self.images);
        let earlier = seen.iter().take_while(|entry| (entry.ids, entry.images) < key).count();
        let rest = &seen[earlier..];
        let count = rest.iter().take_while(|entry| (entry.ids, entry.images) == key).count();
        let (own, rest) = rest.split_at(count);
        *seen = rest;
        own
    }

    /// Whether the bodies are as they were seen, but for so little that the contacts are the same, and will be in this step.
    ///
    /// The second body's surface has moved, in the first one's frame, by no more than its centre has and twice the sine of half the angle times
    /// its radius.
    pub(crate) fn is_still(&self, seen: &Seen, settings: &Settings) -> bool {
        let size = |k: usize| if self.bodies[k].is_free() { self.forms[k].size() } else { f64::INFINITY };
        let most = settings.coherence * size(0).min(size(1));
        let (place, turn) = self.relative();
        let moved = place.distance(seen.place);
        let turned = seen.turn.conjugate() * turn;
        let turned = 2.0 * turned.xyz().length();
        let radius = self.forms[1].radius();
        let by_turn = if turned == 0.0 { 0.0 } else { turned * radius };
        let speed = |k: usize| {
            let spin = self.bodies[k].spin.length();
            let by_spin = if spin == 0.0 { 0.0 } else { spin * self.forms[k].radius() };
            by_spin + self.bodies[k].velocity.length()
        };
        let margins =
            margin(self.bodies[0], self.forms[0], settings) + margin(self.bodies[1], self.forms[1], settings);
        let moved = moved + by_turn;
        moved <= most && moved + (speed(0) + speed(1)) * settings.part() <= margins
    }

    /// Where the second body is in the first one's frame.
    fn relative(&self) -> (DVec3, DQuat) {
        let back = self.bodies[0].turn.conjugate();
        (back * (self.middles[1] - self.middles[0]), back * self.bodies[1].turn)
    }

    /// A contact as it is now.
    pub(crate) fn touch(&self, pair: &Pair, seen: &Seen) -> Option<Touch> {
        if seen.normal == DVec3::ZERO {
            return None;
        }
        let at = |k: usize| self.middles[k] + self.bodies[k].turn * seen.points[k];
        let (a, b, normal) = (at(0), at(1), self.bodies[0].turn * seen.normal);
        let gap = (b - a).dot(normal);
        Some(Touch { pair: *pair, spot: seen.spot, point: (a + b) * 0.5, normal, gap })
    }

    /// What was looked up now.
    pub(crate) fn remember(&self, touches: &[Touch], into: &mut Vec<Seen>) {
        let (place, turn) = self.relative();
        let none = Seen {
            ids: self.ids(),
            images: self.images,
            spot: Spot::default(),
            points: [DVec3::ZERO; 2],
            normal: DVec3::ZERO,
            place,
            turn,
        };
        if touches.is_empty() {
            into.push(none);
        }
        let back = |k: usize, x: DVec3| self.bodies[k].turn.conjugate() * (x - self.middles[k]);
        into.extend(touches.iter().map(|touch| {
            let half = touch.normal * (0.5 * touch.gap);
            Seen {
                spot: touch.spot,
                points: [back(0, touch.point - half), back(1, touch.point + half)],
                normal: self.bodies[0].turn.conjugate() * touch.normal,
                ..none
            }
        }));
    }
}
