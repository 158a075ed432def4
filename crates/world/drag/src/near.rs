//! Two pieces of surface that are near each other: a face or convex set of the dragged body and one of an obstacle.

use crate::proxy::Proxy;
use crate::spot::Spot;
use kontakt_convex::{ConvexQuery, Core, Leaf, Shape, Want};
use kontakt_math::round::length_up;
use kontakt_math::{Between, Chain, DVec3, Pose, U};
use kontakt_mesh::face::distance;

/// Directions of unit length are so to within this, which all errors are multiplied with.
const UP: f64 = 1.0 + 1e-9;

/// A convex set of an obstacle, relative to the anchor.
#[derive(Debug)]
pub(crate) struct Other {
    pub(crate) leaf: Leaf,
    between: Between,
    /// A half-space is bounded along its normal alone: that, and **never less** than how high it reaches.
    wall: Option<(DVec3, f64)>,
}

impl Other {
    /// `far`: all points that are compared with it are within this of the anchor.
    pub(crate) fn new(leaf: Leaf, anchor: &Pose, far: f64) -> Other {
        let between = Between::of_chains(&Chain::new(*anchor), leaf.chain());
        let wall = wall_of(leaf.shape(), &between, far);
        Other { leaf, between, wall }
    }

    fn high(&self, n: DVec3) -> f64 {
        match self.wall {
            Some((normal, level)) if normal == n => level,
            Some(_) => f64::INFINITY,
            None => self.leaf.reach(&self.between, n),
        }
    }
}

/// The outward normal of a half-space and a level above it. With the exact unit normal n and the computed d, |d·x − n·x| ≤ |d − n|·|x|,
/// and |d − n| is at most the map's turn error and a few roundings; the level errs by as much of the lengths it is made of.
fn wall_of(shape: &Shape, between: &Between, far: f64) -> Option<(DVec3, f64)> {
    let &Core::HalfSpace { normal, offset } = shape.core() else { return None };
    let largest = normal.abs().max_element();
    let scaled = normal / largest;
    let (own, level) = (scaled.normalize(), offset / largest / scaled.length());
    let direction = between.turn() * own;
    let [round, margin] = shape.radii();
    let lengths = far + length_up(between.shift()) + level.abs() + round + margin;
    let error = (between.turn_error() + 32.0 * f64::EPSILON) * lengths + between.error_within(0.0);
    Some((direction, direction.dot(between.shift()) + level + round + margin + 2.0 * error))
}

/// What the two pieces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Faces,
    FaceAndLeaf,
    LeafAndFace,
    Leaves,
}

/// Two pieces near each other.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    pub(crate) kind: Kind,
    /// Which obstacle.
    pub(crate) obstacle: u32,
    /// Triangle or convex set of the dragged body.
    pub(crate) own: u32,
    /// Triangle of the obstacle, or the place of the convex set in the list of these.
    pub(crate) other: u32,
    /// Corners of the own triangle, in the body's frame.
    pub(crate) x: [DVec3; 3],
    /// Corners of the other triangle, relative to the anchor.
    pub(crate) y: [DVec3; 3],
    /// **Never too small**: how far these may be off, and how far triangles may be from the surfaces they stand for.
    pub(crate) error: f64,
    /// At least every coordinate of them.
    pub(crate) size: f64,
    /// The direction that last kept them apart, from the obstacle to the body.
    pub(crate) normal: DVec3,
    /// How high the other piece reaches along it, as `high` says.
    pub(crate) level: f64,
}

/// A plane between two pieces from one spot to another, across a direction that turns from `n[0]` to `n[1]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub(crate) n: [DVec3; 2],
    /// **Never more** than the gap along it at both ends, in units of length.
    pub(crate) gap: [f64; 2],
    /// Whether it is fixed to the dragged body; else it rests, or turns freely.
    pub(crate) carried: bool,
}

/// What pairs are looked at with.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) proxy: &'a Proxy,
    pub(crate) others: &'a [Other],
    pub(crate) from: &'a Spot,
    pub(crate) to: &'a Spot,
}

impl Near {
    /// What tells it from other pairs, gathered again too.
    pub(crate) fn key(&self) -> [u32; 3] {
        [self.obstacle, self.own, self.other]
    }

    /// Whether the body's piece is a triangle of it.
    pub(crate) fn own_is_face(&self) -> bool {
        matches!(self.kind, Kind::Faces | Kind::FaceAndLeaf)
    }

    /// Whether the obstacle's piece is a triangle of it.
    pub(crate) fn other_is_face(&self) -> bool {
        matches!(self.kind, Kind::Faces | Kind::LeafAndFace)
    }

    /// Keeps a direction, and how high the other piece reaches along it: that does not change.
    pub(crate) fn keep(&mut self, others: &[Other], n: DVec3) {
        if n != self.normal {
            (self.level, self.normal) = (self.high(others, n), n);
        }
    }

    /// About the gap along the direction kept: a quick look at a triangle of the body, in its own frame.
    #[inline]
    pub(crate) fn glance(&self, sight: &Sight, spot: &Spot) -> f64 {
        if self.own_is_face() {
            spot.lowest(self.normal, &self.x) - self.level - self.doubt(spot)
        } else {
            self.gap(sight, spot, self.normal)
        }
    }

    /// **Never more** than how low the own piece reaches along n.
    #[inline]
    fn low(&self, sight: &Sight, spot: &Spot, n: DVec3) -> f64 {
        if matches!(self.kind, Kind::LeafAndFace | Kind::Leaves) {
            return -sight.proxy.leaves[self.own as usize].reach(spot.leaf(self.own), -n);
        }
        let [a, b, c] = spot.place(self.x).map(|x| n.dot(x));
        a.min(b).min(c)
    }

    /// **Never less** than how high the other piece reaches along n.
    #[inline]
    fn high(&self, others: &[Other], n: DVec3) -> f64 {
        if matches!(self.kind, Kind::FaceAndLeaf | Kind::Leaves) {
            return others[self.other as usize].high(n);
        }
        let [a, b, c] = self.y.map(|y| n.dot(y));
        a.max(b).max(c)
    }

    /// What rounding and deviations may amount to.
    ///
    /// Dot products of a unit vector (|n|₁ < 1.74) with coordinates up to S err by 3u·1.74·S; two of them and their difference stay below
    /// 16u·S for either S. Here 32u.
    fn doubt(&self, spot: &Spot) -> f64 {
        (spot.error + self.error + 32.0 * U * (self.size + spot.size)) * UP
    }

    /// **Never more** than the distance of the pieces at a spot, by the gap along n; negative where it does not keep them apart.
    #[inline]
    pub(crate) fn gap(&self, sight: &Sight, spot: &Spot, n: DVec3) -> f64 {
        let high = if n == self.normal { self.level } else { self.high(sight.others, n) };
        let gap = self.low(sight, spot, n) - high - self.doubt(spot);
        // Also where something is NaN or infinite.
        if gap > 0.0 && gap < f64::INFINITY { gap * (1.0 - 1e-9) } else { gap.min(0.0) }
    }

    /// The plane across directions.
    fn plane(&self, sight: &Sight, n: [DVec3; 2], carried: bool) -> Plane {
        let gap = [self.gap(sight, sight.from, n[0]), self.gap(sight, sight.to, n[1])];
        Plane { n, gap, carried }
    }

    /// The nearest points of both pieces at a spot, rounded: for directions, not for proofs.
    pub(crate) fn nearest(
        &self,
        sight: &Sight,
        spot: &Spot,
        asker: &mut ConvexQuery,
        want: Want,
    ) -> [DVec3; 2] {
        if self.kind == Kind::Faces {
            let found = distance(spot.place(self.x), self.y);
            return [found.point_a, found.point_b];
        }
        let Some(answer) = self.ask(sight, spot, asker, want) else { return [DVec3::ZERO; 2] };
        let anchored = |x: DVec3| x - sight_anchor(sight, spot);
        [anchored(answer.point_a), anchored(answer.point_b)]
    }

    /// What the convex kernel says of the pieces, in the world.
    fn ask(
        &self,
        sight: &Sight,
        spot: &Spot,
        asker: &mut ConvexQuery,
        want: Want,
    ) -> Option<kontakt_convex::Answer> {
        let own_face;
        let (own, own_chain) = match self.kind {
            Kind::Faces | Kind::FaceAndLeaf => {
                own_face = Shape::triangle(self.x).ok()?;
                (&own_face, Chain::new(spot.pose))
            }
            Kind::LeafAndFace | Kind::Leaves => {
                let leaf = &sight.proxy.leaves[self.own as usize];
                (leaf.shape(), leaf.chain().within(spot.pose))
            }
        };
        let other_face;
        let (other, other_chain) = match self.kind {
            Kind::Faces | Kind::LeafAndFace => {
                let anchor = sight_anchor(sight, spot);
                other_face = Shape::triangle(self.y).ok()?;
                (&other_face, Chain::new(Pose::new(kontakt_math::DQuat::IDENTITY, anchor).ok()?))
            }
            Kind::FaceAndLeaf | Kind::Leaves => {
                let leaf = &sight.others[self.other as usize].leaf;
                (leaf.shape(), leaf.chain().clone())
            }
        };
        Some(asker.convex(own, other, &Between::of_chains(&own_chain, &other_chain), want))
    }

    /// Planes that may keep the pieces apart from the one spot to the other, the likeliest first, until one is good enough; else the one
    /// that leaves most room at the end, among those at rest or carried that keep the pieces apart at the beginning.
    pub(crate) fn search(
        &self,
        sight: &Sight,
        asker: &mut ConvexQuery,
        enough: impl Fn(&Near, &Plane) -> bool,
    ) -> (bool, Plane) {
        // No direction is known yet where it is zero.
        let gap = if self.normal == DVec3::ZERO {
            [f64::NEG_INFINITY; 2]
        } else {
            [self.gap(sight, sight.from, self.normal), self.gap(sight, sight.to, self.normal)]
        };
        let mut best = Plane { n: [self.normal; 2], gap, carried: false };
        if best.gap[0] > 0.0 && enough(self, &best) {
            return (true, best);
        }
        let mut found = false;
        let mut consider = |n: [DVec3; 2], carried: bool| {
            let plane = self.plane(sight, n, carried);
            if plane.gap[0] > 0.0 && enough(self, &plane) {
                (found, best) = (true, plane);
            } else if (carried || n[0] == n[1]) && better(&plane, &best) {
                best = plane;
            }
            found
        };
        if let Some(wall) = self.wall(sight) {
            consider([wall; 2], false);
            return (found, best);
        }
        let spin = sight.to.turn() * sight.from.turn().transpose();
        let [p, q] = self.nearest(sight, sight.from, asker, Want::Distance);
        let across = p - q;
        for n in self.directions(sight, across).into_iter().flatten() {
            if consider([n; 2], false) || consider([n, (spin * n).normalize_or(n)], true) {
                return (found, best);
            }
        }
        let [p, q] = self.nearest(sight, sight.to, asker, Want::Distance);
        if let (Some(first), Some(last)) = (across.try_normalize(), (p - q).try_normalize()) {
            let _ = consider([last; 2], false) || consider([first, last], false);
        }
        (found, best)
    }

    /// The normal of a half-space.
    fn wall(&self, sight: &Sight) -> Option<DVec3> {
        let has_wall = matches!(self.kind, Kind::FaceAndLeaf | Kind::Leaves);
        has_wall.then(|| sight.others[self.other as usize].wall.map(|wall| wall.0)).flatten()
    }

    /// Directions at the first spot: that of the nearest points, and the normals of both faces on that side. Where the pieces are as
    /// near as rounding, that side is the one that the faces look to.
    fn directions(&self, sight: &Sight, across: DVec3) -> [Option<DVec3>; 3] {
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).try_normalize();
        let touches = across.length() <= 4.0 * self.doubt(sight.from);
        let towards = |n: DVec3, outward: f64| {
            let flip = if touches { outward < 0.0 } else { n.dot(across) < 0.0 };
            if flip { -n } else { n }
        };
        let own = if self.own_is_face() { normal(sight.from.place(self.x)) } else { None };
        let other = if self.other_is_face() { normal(self.y) } else { None };
        [across.try_normalize(), other.map(|n| towards(n, 1.0)), own.map(|n| towards(n, -1.0))]
    }

    /// A direction that shows a gap at the first spot, and that gap, which is **never more** than the distance: that of the nearest
    /// points, or, where these are as near as rounding, another one.
    pub(crate) fn measured(&self, sight: &Sight, asker: &mut ConvexQuery) -> (DVec3, f64) {
        if self.wall(sight).is_none() {
            let [p, q] = self.nearest(sight, sight.from, asker, Want::Distance);
            if let Some(n) = (p - q).try_normalize() {
                let gap = self.gap(sight, sight.from, n);
                if gap > 0.0 {
                    return (n, gap);
                }
            }
        }
        let (_, plane) = self.search(sight, asker, |_, plane| plane.gap[0] > 0.0);
        (plane.n[0], plane.gap[0])
    }

    /// Whether a plane **proves** that the pieces have no common point from the one spot to the other, if points of the body are
    /// accelerated by no more than `acceleration` (for times from 0 to 1) and none moves farther than `travel`.
    ///
    /// Proof. Let n = (1−λ)n₀ + λn₁ and h = (1−λ)h₀ + λh₁ at the time λ, where h₀, h₁ are the heights of the obstacle's piece along n₀
    /// and n₁: it is below h along n. A point of the body's piece is at x = (1−λ)x₀ + λx₁ + w with |w| ≤ λ(1−λ)·a/2 (the error of linear
    /// interpolation). Multiplied out, n·x − h = (1−λ)(n₀·x₀ − h₀) + λ(n₁·x₁ − h₁) − λ(1−λ)(n₁−n₀)·(x₁−x₀) + n·w. The first two
    /// brackets are at least the gaps g₀ and g₁, which hold the deviations too. So it is at least
    /// (1−λ)g₀ + λg₁ − λ(1−λ)q with q ≥ (n₁−n₀)·(x₁−x₀) + a/2, which is positive for all λ if g₀ and g₁ are and
    /// √q < √g₀ + √g₁ (its least value is at the λ where it is q(λ−λ₀)² + …; or q ≤ 0).
    pub(crate) fn proves(&self, sight: &Sight, plane: &Plane, acceleration: f64, travel: f64) -> bool {
        let [g0, g1] = plane.gap;
        if !(g0 > 0.0 && g1 > 0.0) {
            return false;
        }
        let turned = plane.n[1] - plane.n[0];
        let q = self.swing(sight, turned, travel) + 0.5 * acceleration * UP;
        q <= 0.0 || (q * (1.0 + 1e-9)).sqrt() < (g0.sqrt() + g1.sqrt()) * (1.0 - 1e-9)
    }

    /// **Never less** than (n₁−n₀)·(x₁−x₀) for any point of the own piece; the difference of two directions is rounded by 2u.
    fn swing(&self, sight: &Sight, turned: DVec3, travel: f64) -> f64 {
        if turned == DVec3::ZERO {
            return 0.0;
        }
        let length = length_up(turned) * UP + 4.0 * U;
        if matches!(self.kind, Kind::LeafAndFace | Kind::Leaves) {
            return length * travel * UP;
        }
        let (first, last) = (sight.from.place(self.x), sight.to.place(self.x));
        let most = (0..3).map(|k| turned.dot(last[k] - first[k])).fold(f64::NEG_INFINITY, f64::max);
        let errors = sight.from.error + sight.to.error + 16.0 * U * (sight.from.size + sight.to.size);
        // The rounding of the direction counts with the whole way.
        most + length * errors * UP + 8.0 * U * travel
    }
}

/// The anchor in the world, rounded.
fn sight_anchor(sight: &Sight, spot: &Spot) -> DVec3 {
    spot.pose.apply(sight.proxy.centre) - spot.centre
}

/// More room at the end, among planes that keep the pieces apart at the beginning.
fn better(plane: &Plane, than: &Plane) -> bool {
    match (plane.gap[0] > 0.0, than.gap[0] > 0.0) {
        (true, true) => plane.gap[1] > than.gap[1],
        (true, false) => true,
        (false, true) => false,
        (false, false) => plane.gap[0] > than.gap[0],
    }
}
