//! Which way two bodies meet: the normal of a first contact.
//!
//! At the time until which a motion is proven free the bodies are apart, or touch without overlap. The normal n, from A to B, is a
//! direction for which at that time
//! - a plane across n is between what there is of A and of B *around the place of contact* (up to their gap and to rounding);
//! - the bodies do not part along it: B's point there comes nearer along n, or slides.
//!
//! Of several such directions it is the one along which they come nearer fastest. Faces of both bodies that happen to lie in one plane
//! have a common normal too, but it is no such direction: the faces beside them are on the same side of that plane.
//! Found in doubles, to rounding; where there is none (a peg that meets two walls of a groove at once) it is the
//! direction that is least wrong.

use crate::search::corners;
use crate::slab::ball_around;
use kontakt_hierarchy::packed::Child;
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_mesh::face::distance;

/// Most triangles of a body that are looked at.
const MOST_FACES: usize = 32;
/// Most of the directions from the place to corners that are combined.
const MOST_RAYS: usize = 16;
/// How far a direction may be on the wrong side, as an angle, beside what the place itself may be off.
pub(crate) const SLACK: f64 = 1e-7;

/// A direction from the place of contact to a corner, and how far it may be off.
#[derive(Clone, Copy, Debug)]
struct Ray {
    unit: DVec3,
    slack: f64,
}

/// What there is of a body around the place of contact, all in one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    rays: Vec<Ray>,
    normals: Vec<DVec3>,
}

impl Around {
    /// Of triangles that are within `reach` of a point.
    ///
    /// A triangle that holds the point is, near it, the cone of the directions to its corners: a plane through the point that has
    /// all of these on one side has the triangle there.
    pub(crate) fn of(place: DVec3, reach: f64, triangles: impl Iterator<Item = [DVec3; 3]>) -> Around {
        let mut around = Around::default();
        for corners in triangles {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            if normal != DVec3::ZERO && !around.normals.iter().any(|n| n.cross(normal).length() < 1e-12) {
                around.normals.push(normal);
            }
            for corner in corners {
                let (ray, length) = (corner - place, corner.distance(place));
                if length <= 4.0 * reach || length.is_nan() {
                    continue;
                }
                let (unit, slack) = (ray / length, SLACK + 2.0 * reach / length);
                if !around.rays.iter().any(|known| (known.unit - unit).length() < 1e-9) {
                    around.rays.push(Ray { unit, slack });
                }
            }
        }
        around
    }

    /// The normals of the faces.
    pub(crate) fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// How far the worst direction is above the plane across n.
    pub(crate) fn above(&self, n: DVec3) -> f64 {
        self.rays.iter().fold(f64::NEG_INFINITY, |worst, ray| worst.max(n.dot(ray.unit) - ray.slack))
    }
}

/// Both bodies around the place of contact.
pub(crate) struct Site<'s> {
    /// How far A, or the worst direction of it, is above the plane across a unit vector, and B below.
    pub(crate) above: &'s dyn Fn(DVec3) -> f64,
    pub(crate) below: &'s dyn Fn(DVec3) -> f64,
    /// B's point at the place moves so against A's.
    pub(crate) velocity: DVec3,
}

impl Site<'_> {
    /// The best of some directions, either way round.
    pub(crate) fn best(&self, candidates: impl Iterator<Item = DVec3>) -> Option<DVec3> {
        let noise = 1e-9 * self.velocity.length();
        let mut valid: Option<(f64, DVec3)> = None;
        let mut nearly: Option<(f64, DVec3)> = None;
        for candidate in candidates {
            let unit = candidate.normalize_or_zero();
            if unit == DVec3::ZERO || unit.is_nan() {
                continue;
            }
            for n in [unit, -unit] {
                let closing = -self.velocity.dot(n);
                if closing < -noise {
                    continue;
                }
                let wrong = (self.above)(n).max((self.below)(n));
                if wrong <= 0.0 && valid.is_none_or(|best| closing > best.0 + noise) {
                    valid = Some((closing, n));
                }
                if nearly.is_none_or(|best| wrong < best.0) {
                    nearly = Some((wrong, n));
                }
            }
        }
        valid.or(nearly).map(|best| best.1)
    }
}

/// The normal where both bodies are meshes; `gap` is the way between their nearest points.
pub(crate) fn between(a: &Around, b: &Around, gap: DVec3, velocity: DVec3) -> Option<DVec3> {
    let (above, below) = (|n: DVec3| a.above(n), |n: DVec3| b.above(-n));
    let faces = a.normals.iter().chain(&b.normals).copied();
    let rays = |side: &Around| side.rays.iter().take(MOST_RAYS).map(|ray| ray.unit).collect::<Vec<_>>();
    let (own, others) = (rays(a), rays(b));
    let across = own.iter().flat_map(|x| others.iter().map(move |y| x.cross(*y)));
    // Of nearly parallel directions the product tells nothing.
    let across = across.filter(|n| n.length_squared() > 1e-12);
    Site { above: &above, below: &below, velocity }.best(std::iter::once(gap).chain(faces).chain(across))
}

/// Slots of the triangles of a mesh within `reach` of a point of its frame, `first` before all others.
pub(crate) fn slots_near(mesh: &Mesh, place: DVec3, reach: f64, first: u32) -> Vec<u32> {
    let mut found = vec![first];
    let mut open = vec![Child::Inner(0)];
    while let Some(child) = open.pop() {
        match child {
            Child::Inner(node) => {
                let Some(wide) = mesh.tree().nodes().get(node as usize) else { continue };
                for lane in 0..wide.children().count() {
                    let (centre, radius) = ball_around(mesh.tree(), wide, lane);
                    if centre.distance(place) <= radius + reach {
                        open.push(Child::decode(wide.child[lane]));
                    }
                }
            }
            Child::Leaf { first: start, count } => {
                for slot in (start..start + count).filter(|&slot| slot != first) {
                    let near = distance(corners(mesh, slot), [place; 3]);
                    if near.squared <= reach * reach && found.len() < MOST_FACES {
                        found.push(slot);
                    }
                }
            }
            Child::Empty => {}
        }
    }
    found
}
