//! The support map of a core, and how it curves: what the curved method needs of any convex set.

use crate::{Convex, Core};
use kontakt_math::{DVec3, U};

/// A piece number for a point that belongs to no smooth piece: it stands for itself.
pub(crate) const ALONE: u32 = u32::MAX;

/// Directions nearer (in radians) than this to the axis of a disc see its flat side: its rim is taken for single points.
const FLAT_SIDE: f64 = 1e-4;

/// A core as the curved method sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body<'a> {
    Points(&'a [DVec3]),
    Box(DVec3),
    Ellipsoid(DVec3),
    Cylinder { half_length: f64, radius: f64 },
    Cone { half_length: f64, radius: f64 },
    User(&'a dyn Convex),
}

/// A supporting point and the smooth piece of the support function that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) point: DVec3,
    pub(crate) piece: u32,
}

/// Second derivative of a smooth piece of the support function on the tangent plane of a unit direction n, and how fast
/// it may change. Pieces have the form |M·n| + (linear).
///
/// Nearby, at n + δ, the piece is at least value + point·δ + ½·β·δᵀ(second)δ with β of [`Bend::kept`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bend {
    pub(crate) xx: f64,
    pub(crate) xy: f64,
    pub(crate) yy: f64,
    /// |M·n|
    pub(crate) norm: f64,
    /// |Mᵀ·M·n|/|M·n|, the change of the norm by a small turn at most.
    pub(crate) slope: f64,
}

impl Bend {
    pub(crate) const NONE: Bend = Bend { xx: 0.0, xy: 0.0, yy: 0.0, norm: 1.0, slope: 0.0 };

    /// The part β of the second derivative that a quadratic minorant keeps for all |δ| ≤ r; 0 when nothing is known.
    ///
    /// Proof: with U = |Mn|, Mδ split into p along Mn and q across, |M(n+δ)| = √((U+p)² + q²) ≥ (U+p) + q²/(2(U+p)) −
    /// q⁴/(8(U+p)³), because √(1+x) ≥ 1 + x/2 − x²/8, as long as U + p > 0. U + p is value + slope·δ of the
    /// linear part; |p| ≤ slope·r; q² = U·δᵀ(second)δ ≤ U·trace·r². So the quadratic part is at least
    /// q²/(2U) · U/(U + slope·r) · (1 − U·trace·r²/(4(U − slope·r)²)).
    pub(crate) fn kept(&self, r: f64) -> f64 {
        let low = self.norm - self.slope * r;
        if low.is_nan() || low <= 0.0 {
            return 0.0;
        }
        let quartic = self.norm * (self.xx + self.yy) * r * r / (4.0 * low * low);
        (self.norm / (self.norm + self.slope * r) * (1.0 - quartic) * (1.0 - 16.0 * U)).max(0.0)
    }
}

impl<'a> Body<'a> {
    /// The core of a shape; none for half-spaces and unions, which have no support map.
    pub(crate) fn of(core: &'a Core) -> Option<Body<'a>> {
        const ORIGIN: &[DVec3] = &[DVec3::ZERO];
        Some(match core {
            Core::Point => Body::Points(ORIGIN),
            Core::Segment(ends) => Body::Points(ends),
            Core::Triangle(corners) => Body::Points(corners),
            Core::Box(half) => Body::Box(*half),
            Core::Hull(hull) => Body::Points(hull.vertices()),
            Core::Ellipsoid(radii) => Body::Ellipsoid(*radii),
            Core::Cylinder { half_length, radius } => {
                Body::Cylinder { half_length: *half_length, radius: *radius }
            }
            Core::Cone { half_length, radius } => Body::Cone { half_length: *half_length, radius: *radius },
            Core::User(set) => Body::User(set.as_ref()),
            Core::HalfSpace { .. } | Core::Union(_) => return None,
        })
    }

    /// **Never less** than the largest |x|₁ of its points.
    pub(crate) fn reach(&self) -> f64 {
        let plain = match self {
            Body::Points(points) => points.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max),
            Body::Box(half) | Body::Ellipsoid(half) => half.element_sum(),
            Body::Cylinder { half_length, radius } | Body::Cone { half_length, radius } => {
                half_length + 1.5 * radius
            }
            Body::User(set) => {
                let far =
                    |axis: DVec3| set.support(axis).dot(axis).abs().max(set.support(-axis).dot(axis).abs());
                far(DVec3::X) + far(DVec3::Y) + far(DVec3::Z) + 3.0 * set.support_error()
            }
        };
        plain * (1.0 + 8.0 * U)
    }

    /// **Never less** than the distance of `look(d).point` from a point of the exact set, and than |exact maximum − computed|
    /// along a unit direction, in units of `reach`; plus what a user's map claims.
    ///
    /// Ellipsoid: each coordinate is r·(r·d)/|(r·d)|: 8u relative. Cylinder and cone: the rim r·d/|d| by 5u, other coordinates
    /// exact; the choice of the cone's piece costs 4u of its two values. Points and boxes are exact; the choice of the
    /// farthest point errs by 3u.
    pub(crate) fn blur(&self, reach: f64) -> f64 {
        let own = if let Body::User(set) = self { set.support_error() } else { 0.0 };
        own + 8.0 * U * reach
    }

    /// A point of it.
    pub(crate) fn middle(&self) -> DVec3 {
        match self {
            Body::Points(points) => points.iter().sum::<DVec3>() / points.len() as f64,
            Body::User(set) => 0.5 * (set.support(DVec3::X) + set.support(-DVec3::X)),
            _ => DVec3::ZERO,
        }
    }

    /// **Never more** than the radius of a ball about a point inside of it, up to its blur; 0 when there is none, or none is known.
    ///
    /// Ellipsoid: with s = |x/r| x lies in s·E, and x + (1 − s)·E ⊆ s·E + (1 − s)·E = E, which holds the ball of (1 − s) times the least
    /// radius. s errs by 4u.
    /// Cone: the distance of the mantle is that across its slope.
    pub(crate) fn room_about(&self, x: DVec3) -> f64 {
        let across = x.truncate().length();
        let room = match *self {
            Body::Points(_) | Body::User(_) => 0.0,
            Body::Box(half) => (half - x.abs()).min_element(),
            Body::Ellipsoid(radii) => (1.0 - (x / radii).length() * (1.0 + 8.0 * U)) * radii.min_element(),
            Body::Cylinder { half_length, radius } => (half_length - x.z.abs()).min(radius - across),
            Body::Cone { half_length, radius } => {
                let slope = radius.hypot(2.0 * half_length);
                let mantle = (radius * (half_length - x.z) - 2.0 * half_length * across) / slope;
                mantle.min(half_length + x.z)
            }
        };
        // Written so that NaN is none too.
        if room > 0.0 { room } else { 0.0 }
    }

    /// Whether the support function has one smooth piece everywhere: an ellipsoid with volume, or a point.
    pub(crate) fn is_smooth(&self) -> bool {
        match self {
            Body::Ellipsoid(radii) => radii.min_element() > 0.0,
            Body::Points(points) => points.len() == 1,
            _ => false,
        }
    }

    /// The point farthest along d (nearly unit).
    #[inline]
    pub(crate) fn look(&self, d: DVec3) -> Spot {
        match self {
            Body::Points(points) => farthest(points, d),
            Body::Box(half) => {
                let piece = u32::from(d.x < 0.0) | u32::from(d.y < 0.0) << 1 | u32::from(d.z < 0.0) << 2;
                Spot { point: box_corner(*half, piece), piece }
            }
            Body::Ellipsoid(radii) => {
                let scaled = *radii * d;
                let norm = scaled.length();
                let point = if norm > 0.0 { *radii * scaled / norm } else { DVec3::ZERO };
                // Nearly across a flat ellipsoid.
                let flat = radii.min_element() == 0.0 && norm <= FLAT_SIDE * radii.max_element();
                Spot { point, piece: if flat { ALONE } else { 0 } }
            }
            Body::Cylinder { half_length, radius } => {
                let top = d.z >= 0.0;
                disc(d, *radius, if top { *half_length } else { -half_length }, u32::from(top))
            }
            Body::Cone { half_length, radius } => {
                let across = (d.x * d.x + d.y * d.y).sqrt();
                if 2.0 * half_length * d.z >= radius * across {
                    Spot { point: DVec3::Z * *half_length, piece: 1 }
                } else {
                    disc(d, *radius, -half_length, 0)
                }
            }
            Body::User(set) => Spot { point: set.support(d), piece: ALONE },
        }
    }

    /// The point of one piece farthest along d; none for a piece that stands alone.
    #[inline]
    pub(crate) fn look_at(&self, piece: u32, d: DVec3) -> Option<DVec3> {
        if piece == ALONE {
            return None;
        }
        Some(match self {
            Body::Points(points) => *points.get(piece as usize)?,
            Body::Box(half) => box_corner(*half, piece),
            Body::Ellipsoid(_) => self.look(d).point,
            Body::Cylinder { half_length, radius } => {
                disc(d, *radius, if piece == 1 { *half_length } else { -half_length }, piece).point
            }
            Body::Cone { half_length, .. } if piece == 1 => DVec3::Z * *half_length,
            Body::Cone { half_length, radius } => disc(d, *radius, -half_length, 0).point,
            Body::User(_) => return None,
        })
    }

    /// How the piece that `spot` belongs to curves at the unit direction d, on the tangent vectors e, f.
    #[inline]
    pub(crate) fn bend(&self, spot: Spot, d: DVec3, e: DVec3, f: DVec3) -> Bend {
        let point = spot.point;
        match self {
            _ if spot.piece == ALONE => Bend::NONE,
            Body::Points(_) | Body::Box(_) | Body::User(_) => Bend::NONE,
            Body::Ellipsoid(radii) => {
                // |Dd|'' = (D² − ppᵀ)/|Dd| with p = D²d/|Dd|.
                let norm = (*radii * d).length();
                if norm == 0.0 {
                    return Bend::NONE;
                }
                let (re, rf) = (*radii * e, *radii * f);
                // Across Dd, lest the difference of the two terms cancel.
                let along = *radii * d / norm;
                let (re, rf) = (re - along * along.dot(re), rf - along * along.dot(rf));
                let (xx, xy, yy) = (re.dot(re) / norm, re.dot(rf) / norm, rf.dot(rf) / norm);
                Bend { xx, xy, yy, norm, slope: point.length() }
            }
            Body::Cone { .. } if spot.piece == 1 => Bend::NONE,
            Body::Cylinder { radius, .. } | Body::Cone { radius, .. } => rim_bend(*radius, d, e, f),
        }
    }
}

fn box_corner(half: DVec3, signs: u32) -> DVec3 {
    let pick = |bit: u32, length: f64| if signs >> bit & 1 == 1 { -length } else { length };
    DVec3::new(pick(0, half.x), pick(1, half.y), pick(2, half.z))
}

/// The point of the horizontal disc at `height` farthest along d: its centre for a vertical d.
#[inline]
fn disc(d: DVec3, radius: f64, height: f64, piece: u32) -> Spot {
    let across = (d.x * d.x + d.y * d.y).sqrt();
    if across == 0.0 {
        return Spot { point: DVec3::new(0.0, 0.0, height), piece: ALONE };
    }
    let scale = radius / across;
    let piece = if across <= FLAT_SIDE { ALONE } else { piece };
    Spot { point: DVec3::new(d.x * scale, d.y * scale, height), piece }
}

/// Of r·|(x, y)|: its second derivative is r/|(x, y)| along the rim.
#[inline]
fn rim_bend(radius: f64, d: DVec3, e: DVec3, f: DVec3) -> Bend {
    let across = (d.x * d.x + d.y * d.y).sqrt();
    if across == 0.0 {
        return Bend::NONE;
    }
    let (x, y) = (-d.y / across, d.x / across);
    let (along_e, along_f) = (e.x * x + e.y * y, f.x * x + f.y * y);
    let bend = radius / across;
    Bend {
        xx: bend * along_e * along_e,
        xy: bend * along_e * along_f,
        yy: bend * along_f * along_f,
        norm: radius * across,
        slope: radius,
    }
}

/// The first of the points farthest along d.
fn farthest(points: &[DVec3], d: DVec3) -> Spot {
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, p) in points.iter().enumerate() {
        let along = p.dot(d);
        if along > best.0 {
            best = (along, i);
        }
    }
    Spot { point: points[best.1], piece: best.1 as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of radius ρ about x lies in a convex set if n·x + ρ is nowhere more than its support.
    #[test]
    fn the_room_about_a_point_is_inside() {
        let bodies = [
            Body::Box(DVec3::new(0.5, 1.0, 2.0)),
            Body::Ellipsoid(DVec3::new(0.5, 1.0, 2.0)),
            Body::Cylinder { half_length: 1.5, radius: 0.7 },
            Body::Cone { half_length: 1.5, radius: 0.7 },
        ];
        let mut random = fastrand::Rng::with_seed(3);
        let mut point =
            |scale: f64| DVec3::from_array(std::array::from_fn(|_| scale * (2.0 * random.f64() - 1.0)));
        let directions: Vec<DVec3> = (0..4000).map(|_| point(1.0).normalize()).collect();
        let mut inside = 0;
        for body in bodies {
            for _ in 0..400 {
                let x = point(1.5);
                let least = directions.iter().map(|n| body.look(*n).point.dot(*n) - x.dot(*n));
                let least = least.fold(f64::INFINITY, f64::min);
                let room = body.room_about(x);
                assert!(room <= least.max(0.0) + 1e-12, "{body:?} {x}: {room} of {least}");
                inside += usize::from(room > 0.0);
            }
        }
        assert!(inside > 150, "{inside}");
    }
}
