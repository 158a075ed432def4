//! Cylinders, cones and segments whose axes are parallel: the plane through both axes shows all, and there both are polygons.
//!
//! Cut by a plane through its axis, such a body is a polygon with the axis as mirror. For a direction n the gap depends on n's part
//! along the axis and its part ρ across, and grows with the cosine between that part and the shift: so the largest gap lies in the
//! plane of both axes. There it is the signed separation of two polygons.

use super::Cores;
use super::ascent::Stand;
use super::body::Body;
use super::doubt::Sight;
use super::pair::Pair;
use kontakt_math::{DVec2, DVec3, U};
use std::f64::consts::PI;

/// What a body shows in a plane through its axis: corners (distance from the axis, height) on one side of it, or on it.
struct Profile {
    corners: [DVec2; 2],
}

impl Profile {
    /// None for other bodies than those about z.
    fn of(body: &Body) -> Option<Profile> {
        let corners = match *body {
            Body::Cylinder { half_length, radius } => {
                [DVec2::new(radius, half_length), DVec2::new(radius, -half_length)]
            }
            Body::Cone { half_length, radius } => {
                [DVec2::new(0.0, half_length), DVec2::new(radius, -half_length)]
            }
            Body::Points(&[point]) if point.x == 0.0 && point.y == 0.0 => [DVec2::new(0.0, point.z); 2],
            Body::Points(&[p, q]) if [p.x, p.y, q.x, q.y] == [0.0; 4] => {
                [DVec2::new(0.0, p.z), DVec2::new(0.0, q.z)]
            }
            _ => return None,
        };
        Some(Profile { corners })
    }

    /// The normals of its sides, with ρ ≥ 0: up, down and that of the mantle.
    fn normals(&self) -> [DVec2; 3] {
        let [p, q] = self.corners;
        let side = DVec2::new((p.y - q.y).abs(), (q.x - p.x) * (p.y - q.y).signum());
        [DVec2::Y, -DVec2::Y, side.normalize_or(DVec2::X)]
    }

    /// The ends, along a direction, of what of the polygon is farthest along n, up to a slack: all corners and their images in the mirror.
    fn farthest(&self, n: DVec2, along: DVec2, slack: f64) -> [f64; 2] {
        let [p, q] = self.corners;
        let mirrored = |p: DVec2| DVec2::new(-p.x, p.y);
        let corners = [p, q, mirrored(p), mirrored(q)];
        let most = corners.map(|c| c.dot(n)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for corner in corners.into_iter().filter(|c| c.dot(n) >= most - slack) {
            let place = corner.dot(along);
            ends = [ends[0].min(place), ends[1].max(place)];
        }
        ends
    }
}

/// Two bodies in the plane of their axes.
struct Plane<'p> {
    pair: &'p Pair<'p>,
    profiles: [Profile; 2],
    /// From A's axis towards B's.
    side: DVec3,
    /// How far apart the axes are, and how much higher B's middle is.
    place: DVec2,
    /// B's heights along A's axis: −1 where B stands on its head.
    up: f64,
    /// **Never less** than what a gap along any direction differs by from that of bodies that are exactly parallel: noise, and how far
    /// points move when B is turned to be so, each several times over.
    error: f64,
}

/// A side's normal, from A to B.
#[derive(Clone, Copy)]
struct Facing {
    normal: DVec2,
    stand: Stand,
    /// How far the foot of the perpendicular is inside of the side of the difference, from either end: what the gap falls by when
    /// the normal turns towards the tangent, and away from it.
    inside: [f64; 2],
    /// Middle of what both sides share, along the tangent.
    middle: f64,
}

/// What corners may miss to be counted to a side, in errors.
const SLACK: f64 = 8.0;

impl<'p> Plane<'p> {
    /// None for other bodies and other axes.
    fn new(pair: &'p Pair<'p>) -> Option<Plane<'p>> {
        let profiles = [Profile::of(&pair.a)?, Profile::of(&pair.b)?];
        let own = pair.in_a(DVec3::Z);
        let off = own.cross(DVec3::Z).length() * pair.b.reach() * (1.0 + 16.0 * U);
        if off.is_nan() || off > 16.0 * pair.noise {
            return None;
        }
        let across = pair.shift().with_z(0.0);
        let away = across.length();
        let side = if away > 0.0 { across / away } else { DVec3::X };
        let place = DVec2::new(away, pair.shift().z);
        let up = if own.z < 0.0 { -1.0 } else { 1.0 };
        Some(Plane { pair, profiles, side, place, up, error: 2.0 * off + 4.0 * pair.noise })
    }

    /// A direction of the plane in B's own profile.
    fn to_b(&self, v: DVec2) -> DVec2 {
        DVec2::new(v.x, v.y * self.up)
    }

    fn in_space(&self, v: DVec2) -> DVec3 {
        self.side * v.x + DVec3::Z * v.y
    }

    fn facing(&self, normal: DVec2) -> Option<Facing> {
        let stand = Stand::new(self.pair, self.in_space(normal))?;
        let along = tangent(normal);
        let slack = SLACK * self.error;
        let [a_low, a_high] = self.profiles[0].farthest(normal, along, slack);
        let of_b = self.profiles[1].farthest(self.to_b(-normal), self.to_b(along), slack);
        let [b_low, b_high] = of_b.map(|end| end + self.place.dot(along));
        let inside = [a_high - b_low - slack, b_high - a_low - slack];
        let middle = 0.5 * (a_low.max(b_low) + a_high.min(b_high));
        Some(Facing { normal, stand, inside, middle })
    }

    /// All sides, A's and B's.
    fn facings(&self) -> impl Iterator<Item = Facing> {
        let of_a = self.profiles[0].normals();
        let of_b = self.profiles[1].normals().map(|n| self.to_b(DVec2::new(n.x, -n.y)));
        of_a.into_iter().chain(of_b).filter_map(|normal| self.facing(normal))
    }

    /// How far the normal may turn beyond a side's own in one sense; none where the side does not tell.
    fn play(&self, facing: &Facing, sense: usize) -> Option<f64> {
        let inside = facing.inside[sense];
        let play = (SLACK + 8.0) * self.error / inside;
        (inside > 0.0 && play < 0.01 && facing.stand.gap.abs() * play <= 0.5 * inside).then_some(play)
    }

    /// How far it may turn about the axis; nothing for a normal along it.
    fn around(&self, normal: DVec2) -> f64 {
        match normal.x * self.place.x {
            _ if normal.x <= 1e-3 => 4.0 * normal.x,
            lever if lever > 64.0 * self.error => 16.0 * self.error / lever,
            _ => PI,
        }
    }
}

fn tangent(normal: DVec2) -> DVec2 {
    DVec2::new(-normal.y, normal.x)
}

/// The signed separation of two bodies with parallel axes where it is that of two sides that lie side by side; none for other
/// bodies, other axes, and where corners are nearest.
///
/// Bounds. Let B* be B turned to be exactly parallel. In the plane of the axes the separation from B* is the gap along a side's normal, if the
/// sides that face each other there overlap lengthwise (the foot of the perpendicular is within the side of the polygons' difference).
/// So it is at most the largest of the gaps computed along the normals, and it is at least that gap; noise, and how far B's points are
/// from B*, are what the true one differs by.
///
/// Normal, as the angle θ in the plane. Away from a side's normal the gap is g·cos δ − s·sin δ, where s is how far the foot is
/// from the end of the side, up to the slack with which corners are counted to it. The exact maximum has a gap of at least g − 2η in this
/// formula, η bounding all errors of gaps, so at δ = (slack + 8η)/s, where the formula gives less, it cannot be, as long as |g|δ is at
/// most s/2; nor can it be farther, where the gap of overlapping bodies is a piece of −cos, convex, and no higher than at its ends: normals
/// of sides again, which are compared. (Of bodies apart the gap has one maximum only.) Out of the plane, by an angle φ: the exact
/// gap's derivative by φ is −ρt·sin φ for the length t of the shift across the axis, but for the shift's error, and the tilt of B, which moves
/// B's farthest points sideways by no more than twice as far as B's points are from B*, as long as ρ is not tiny. At a maximum it is zero.
pub(super) fn separation(pair: &Pair) -> Option<Cores> {
    let plane = Plane::new(pair)?;
    let facings: Vec<Facing> = plane.facings().collect();
    let best = facings.iter().max_by(|x, y| x.stand.gap.total_cmp(&y.stand.gap))?;
    let (gap, stand) = (best.stand.gap, best.stand);
    let play = plane.play(best, 0)?.max(plane.play(best, 1)?);
    let rivals = facings
        .iter()
        .filter(|other| other.stand.gap >= gap - 4.0 * plane.error && other.normal != best.normal);
    let turned = |other: &Facing| (other.normal - best.normal).length() * 1.6 + plane.around(other.normal);
    let normal_error =
        rivals.map(turned).fold(2.0 * play + plane.around(best.normal), |sum, more| sum + more).min(PI);
    let level = 0.5 * (stand.view.a.point + stand.view.b_in_a).dot(stand.n);
    let foot = |height: f64| stand.n * height + plane.in_space(tangent(best.normal)) * best.middle;
    let points = (foot(level - 0.5 * gap), foot(level + 0.5 * gap));
    let (lo, hi) = (gap - pair.noise, gap + plane.error);
    let point_error = Sight::new(pair, &stand).points(points, normal_error, lo, hi);
    Some(Cores { lo, hi, normal: stand.n, normal_error, points, point_error })
}

/// A normal of bodies with parallel axes that touch at corners of their profiles (rim on rim), and how far it may be off; none for others.
///
/// Every direction between the normals of the sides that meet at the corner is one of a largest gap, up to errors; beyond the first and the
/// last of them the gap falls as told at [`separation`]. Out of the plane, too.
pub(super) fn corner_normal(pair: &Pair) -> Option<(DVec3, f64)> {
    let plane = Plane::new(pair)?;
    let touching = plane.facings().filter(|facing| facing.stand.gap.abs() <= SLACK * plane.error);
    let angle = |facing: &Facing| facing.normal.to_angle();
    let touching: Vec<Facing> = touching.collect();
    let first = touching.iter().min_by(|x, y| angle(x).total_cmp(&angle(y)))?;
    let last = touching.iter().max_by(|x, y| angle(x).total_cmp(&angle(y)))?;
    let highest = plane.facings().map(|facing| facing.stand.gap).fold(f64::NEG_INFINITY, f64::max);
    if highest > SLACK * plane.error || plane.place.x <= 64.0 * plane.error {
        return None;
    }
    let play = plane.play(first, 1)?.max(plane.play(last, 0)?);
    let middle = 0.5 * (angle(first) + angle(last));
    let half = 0.5 * (angle(last) - angle(first));
    // Next to the axis any direction about it may do.
    let is_near_axis = first.normal.x.min(last.normal.x) <= 2e-3;
    let around = 16.0 * plane.error / plane.place.x + if is_near_axis { 4e-3 } else { 0.0 };
    Some((plane.in_space(DVec2::from_angle(middle)), (1.01 * half + 2.0 * play + around).min(PI)))
}
