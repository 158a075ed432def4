//! Where bodies touch, or come so near that they may in this step.

use super::body::Body;
use super::form::Form;
use super::near::{Near, Pair, margin, shift, spin_reach};
use super::seen::{Seen, Sight};
use super::settings::{Manifolds, Settings};
use kontakt_answers::{Contact, Feature};
use kontakt_convex::asker::ConvexPairs;
use kontakt_convex::{ConvexQuery, Manifold, PlacedShape};
use kontakt_math::{DVec3, Pose};
use kontakt_pair::{Body as Geometry, Placed, Query};
use rayon::prelude::*;

/// What touches on both bodies, as numbers in an order: by it a contact is known again in the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The leaves of unions.
    pub parts: [u32; 2],
    /// Vertex, edge or face of each.
    pub features: [u64; 2],
}

/// A contact point of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// By their slots, that of the smaller id first.
    pub(crate) pair: Pair,
    /// What touches.
    pub spot: Spot,
    /// In the middle between both surfaces.
    pub point: DVec3,
    /// Unit normal from the first body to the second.
    pub normal: DVec3,
    /// Negative for an overlap.
    pub gap: f64,
}

impl Touch {
    /// The two bodies' slots, that of the smaller id first.
    pub fn slots(&self) -> [usize; 2] {
        self.pair.slots.map(|slot| slot as usize)
    }
}

/// Points of one face, edge or corner that a side of a pair keeps.
const MOST: usize = 4;
/// Normals within this cosine are one side of a body.
const SAME_SIDE: f64 = 0.999;
/// Pairs that a thread asks about at a time.
const PORTION: usize = 128;

/// The bodies and how they are seen.
pub(crate) struct Scene<'s> {
    pub(crate) bodies: &'s [Body],
    pub(crate) forms: &'s [Form],
    pub(crate) settings: &'s Settings,
}

/// One who asks, with memory that no answer depends on.
#[derive(Default)]
struct Asker {
    convex: ConvexQuery,
    manifold: Manifold,
    found: Vec<(Contact, [u32; 2])>,
}

impl Scene<'_> {
    /// The contacts of the pairs, in their order and within a pair by what touches. `gap` limits those of a pair.
    pub(crate) fn touches(&self, pairs: &[Pair], gap: impl Fn(&Pair) -> f64 + Sync) -> Vec<Touch> {
        let portion = |pairs: &[Pair]| {
            let mut asker = Asker::default();
            let mut touches = Vec::new();
            for pair in pairs {
                self.ask(pair, gap(pair), &mut asker, &mut touches);
            }
            touches
        };
        if pairs.len() <= PORTION {
            return portion(pairs);
        }
        let portions: Vec<Vec<Touch>> = pairs.par_chunks(PORTION).map(portion).collect();
        portions.concat()
    }

    /// The contacts of the pairs within their horizons, as [`touches`](Scene::touches) has them; of pairs that hardly moved since they were
    /// `seen`, those seen. And what to remember.
    pub(crate) fn touches_again(&self, pairs: &[Pair], seen: &[Seen]) -> (Vec<Touch>, Vec<Seen>) {
        let portion = |pairs: &[Pair]| {
            let mut asker = Asker::default();
            let (mut touches, mut kept) = (Vec::new(), Vec::new());
            let first = pairs.first().map(|pair| pair.slots.map(|slot| self.bodies[slot as usize].id));
            let mut left = &seen[first.map_or(0, |ids| seen.partition_point(|entry| entry.ids < ids))..];
            for pair in pairs {
                let sight = Sight::of(self, pair);
                let known = sight.as_ref().map_or(&[][..], |sight| sight.take(&mut left));
                if let (Some(sight), Some(first)) = (&sight, known.first())
                    && sight.is_still(first, self.settings)
                {
                    touches.extend(known.iter().filter_map(|entry| sight.touch(pair, entry)));
                    kept.extend_from_slice(known);
                    continue;
                }
                let first = touches.len();
                self.ask(pair, self.horizon(pair), &mut asker, &mut touches);
                if let Some(sight) = &sight {
                    sight.remember(&touches[first..], &mut kept);
                }
            }
            (touches, kept)
        };
        if pairs.len() <= PORTION {
            return portion(pairs);
        }
        let portions: Vec<(Vec<Touch>, Vec<Seen>)> = pairs.par_chunks(PORTION).map(portion).collect();
        let (touches, kept): (Vec<Vec<Touch>>, Vec<Vec<Seen>>) = portions.into_iter().unzip();
        (touches.concat(), kept.concat())
    }

    /// How near two bodies must be to touch within a substep.
    pub(crate) fn horizon(&self, pair: &Pair) -> f64 {
        let [(a, form_a), (b, form_b)] = pair.slots.map(|slot| {
            let body = &self.bodies[slot as usize];
            (body, &self.forms[body.form as usize])
        });
        let margins = margin(a, form_a, self.settings) + margin(b, form_b, self.settings);
        let falls = if a.is_free() && b.is_free() {
            0.0
        } else {
            self.settings.gravity.length() * self.settings.part()
        };
        let speed =
            (b.velocity - a.velocity).length() + spin_reach(a, form_a) + spin_reach(b, form_b) + falls;
        margins + speed * self.settings.part()
    }

    /// Centre of mass of a body of a pair, or where its form's frame is, and its form.
    fn middle(&self, pair: &Pair, k: usize) -> (DVec3, &Form) {
        let body = &self.bodies[pair.slots[k] as usize];
        (body.place - shift(pair.images[k], self.settings.periodic), &self.forms[body.form as usize])
    }

    fn pose(&self, pair: &Pair, k: usize) -> Option<(&Geometry, Pose)> {
        let (place, form) = self.middle(pair, k);
        Some((form.geometry(), form.pose(place, self.bodies[pair.slots[k] as usize].turn)?))
    }

    fn ask(&self, pair: &Pair, gap: f64, asker: &mut Asker, touches: &mut Vec<Touch>) {
        let [(middle_a, form_a), (middle_b, form_b)] = [0, 1].map(|k| self.middle(pair, k));
        let offset = middle_b - middle_a;
        let within = form_a.radius() + form_b.radius() + gap;
        if offset.length_squared() > within * within * (1.0 + 1e-12) {
            return;
        }
        if form_a.is_ball() && form_b.is_ball() && offset != DVec3::ZERO {
            touches.extend(balls(pair, middle_a, offset, [form_a.ball_radius(), form_b.ball_radius()], gap));
            return;
        }
        let (Some((a, pose_a)), Some((b, pose_b))) = (self.pose(pair, 0), self.pose(pair, 1)) else { return };
        asker.found.clear();
        if let (Geometry::Convex(shape_a), Geometry::Convex(shape_b)) = (a, b) {
            // Answers lie within their bounds whatever was asked before, but not on the same bits.
            asker.convex.forget();
            let memory = std::mem::take(&mut asker.manifold);
            let (a, b) =
                (PlacedShape::new(shape_a.shape(), pose_a), PlacedShape::new(shape_b.shape(), pose_b));
            asker.manifold = asker.convex.manifold_in(a, b, gap, memory);
            let Manifold { contacts, parts, .. } = &asker.manifold;
            asker.found.extend(contacts.iter().copied().zip(parts.iter().copied()));
        } else {
            let contacts = Query::new().contacts(Placed::new(a, pose_a), Placed::new(b, pose_b), gap);
            asker.found.extend(contacts.into_iter().map(|contact| (contact, [0, 0])));
        }
        asker.found.retain(|(contact, _)| is_sound(contact) && gap_of(contact) <= gap);
        let most = if self.settings.manifolds == Manifolds::Single { 1 } else { MOST };
        thin_out(&mut asker.found, most, self.settings.manifolds == Manifolds::Single);
        let first = touches.len();
        touches.extend(asker.found.iter().map(|(contact, parts)| Touch {
            pair: *pair,
            spot: spot(contact, *parts),
            point: (contact.point_a + contact.point_b) * 0.5,
            normal: contact.normal,
            gap: gap_of(contact),
        }));
        touches[first..].sort_by_key(|touch| touch.spot);
    }
}

/// The one contact of two balls whose centres differ.
fn balls(pair: &Pair, middle: DVec3, offset: DVec3, radii: [f64; 2], most: f64) -> Option<Touch> {
    let length = offset.length();
    let normal = offset / length;
    let gap = length - (radii[0] + radii[1]);
    let point = middle + normal * (radii[0] + 0.5 * gap);
    let sound = gap <= most && normal.is_finite();
    sound.then_some(Touch { pair: *pair, spot: Spot::default(), point, normal, gap })
}

/// Contacts of the bodies as they are, whatever their motion; none beyond `gap`.
pub(crate) fn at_rest(scene: &Scene, near: &mut Near, gap: impl Fn(&Pair) -> f64 + Sync) -> Vec<Touch> {
    let pairs = near.pairs(scene.bodies, scene.forms, scene.settings).unwrap_or_default();
    scene.touches(&pairs, gap)
}

fn gap_of(contact: &Contact) -> f64 {
    -(0.5 * contact.depth.lo() + 0.5 * contact.depth.hi())
}

fn is_sound(contact: &Contact) -> bool {
    let points = contact.point_a + contact.point_b;
    points.is_finite() && gap_of(contact).is_finite() && (contact.normal.length_squared() - 1.0).abs() < 1e-6
}

/// Keeps at most so many contacts of each side: the deepest, then again and again the one farthest from those kept.
fn thin_out(found: &mut Vec<(Contact, [u32; 2])>, most: usize, one_side: bool) {
    if found.len() <= most {
        return;
    }
    let mut kept: Vec<usize> = Vec::new();
    let mut taken = vec![false; found.len()];
    while let Some(first) = (0..found.len()).find(|&k| !taken[k]) {
        let normal = found[first].0.normal;
        let same = |k: &usize| one_side || found[*k].0.normal.dot(normal) > SAME_SIDE;
        let side: Vec<usize> = (first..found.len()).filter(|&k| !taken[k]).filter(same).collect();
        for &k in &side {
            taken[k] = true;
        }
        choose(found, &side, most, &mut kept);
    }
    kept.sort_unstable();
    let chosen: Vec<(Contact, [u32; 2])> = kept.into_iter().map(|k| found[k]).collect();
    *found = chosen;
}

fn choose(found: &[(Contact, [u32; 2])], side: &[usize], most: usize, kept: &mut Vec<usize>) {
    let place = |k: usize| found[k].0.point_a;
    let mut merit: Vec<f64> = side.iter().map(|&k| -gap_of(&found[k].0)).collect();
    let mut left: Vec<usize> = (0..side.len()).collect();
    for turn in 0..most.min(side.len()) {
        let best = left.iter().copied().max_by(|&p, &q| merit[p].total_cmp(&merit[q]).then(q.cmp(&p)));
        let Some(best) = best else { return };
        kept.push(side[best]);
        left.retain(|&k| k != best);
        for &k in &left {
            let apart = place(side[k]).distance(place(side[best]));
            merit[k] = if turn == 0 { apart } else { merit[k].min(apart) };
        }
    }
}

fn spot(contact: &Contact, parts: [u32; 2]) -> Spot {
    Spot { parts, features: [contact.feature_a, contact.feature_b].map(number) }
}

/// Different features of a body have different numbers.
fn number(feature: Option<Feature>) -> u64 {
    match feature {
        None => 0,
        Some(Feature::Vertex(k)) => 1 << 62 | u64::from(k),
        Some(Feature::Edge(a, b)) => 2 << 62 | u64::from(a) << 31 ^ u64::from(b),
        Some(Feature::Face(k)) => 3 << 62 | u64::from(k),
    }
}
