//! Axes of a patch: its mean normal, and in the plane the direction of its spread or of its parent's cuts.

use super::axes::{frame, principal_axes};
use super::vector::Vector;
use kontakt_math::DVec3;

/// Sums over the triangles of a set.
pub(crate) struct Sums {
    shift: Vector,
    count: f32,
    first: Vector,
    second: [Vector; 3],
    normal: Vector,
    /// Sum of the lengths of the normals.
    area: f32,
}

impl Sums {
    #[inline(always)]
    pub(crate) fn of(corners: &[[Vector; 3]], items: &[u32]) -> Sums {
        let shift = corners[items[0] as usize][0];
        let mut sums = Sums {
            shift,
            count: 3.0 * items.len() as f32,
            first: Vector::ZERO,
            second: [Vector::ZERO; 3],
            normal: Vector::ZERO,
            area: 0.0,
        };
        for &i in items {
            let [a, b, c] = &corners[i as usize];
            let [a, b, c] = [*a - shift, *b - shift, *c - shift];
            let normal = (b - a).cross(c - a);
            sums.normal = sums.normal + normal;
            sums.area += normal.length();
            sums.first = sums.first + (a + b + c);
            for p in [a, b, c] {
                for k in 0..3 {
                    sums.second[k] = sums.second[k] + p * p.0[k];
                }
            }
        }
        sums
    }

    /// Mean of the corners.
    #[inline(always)]
    pub(crate) fn mean(&self) -> Vector {
        self.shift + self.first * (1.0 / self.count)
    }

    fn covariance(&self) -> [[f64; 3]; 3] {
        let mean = self.first * (1.0 / self.count);
        std::array::from_fn(|j| {
            let row = self.second[j] - self.first * mean.0[j];
            row.xyz().map(f64::from)
        })
    }
}

/// A patch is flat when its normals add up to this part of their lengths.
const FLAT: f32 = 0.7;
/// A patch is long when its spread in the plane differs by this part of the sum.
const LONG: f64 = 0.3;

/// Axes (rows) for a set, and whether it is flat: for flat ones the third is the mean normal, the first the longest direction
/// or, if the patch is about square, `guide` turned into its plane. For others they are the principal axes.
#[inline(always)]
pub(crate) fn orient(sums: &Sums, guide: Vector) -> ([[f32; 3]; 3], bool) {
    let c = sums.covariance();
    let length = sums.normal.length();
    if length > FLAT * sums.area && length > f32::MIN_POSITIVE {
        let wide = |v: Vector| DVec3::from_array(v.xyz().map(f64::from));
        let normal = wide(sums.normal) / f64::from(length);
        let mut first = wide(guide);
        first -= normal * normal.dot(first);
        if first.length_squared() < 0.25 {
            first = normal.any_orthogonal_vector();
        }
        let first = first.normalize_or_zero();
        let second = normal.cross(first);
        let spread = |u: DVec3, v: DVec3| {
            let turned = DVec3::from_array(c.map(|row| DVec3::from_array(row).dot(v)));
            u.dot(turned)
        };
        let (xx, xy, yy) = (spread(first, first), spread(first, second), spread(second, second));
        let (difference, mixed) = (0.5 * (xx - yy), xy);
        let long = (difference * difference + mixed * mixed).sqrt();
        let chosen = if long > LONG * 0.5 * (xx + yy) {
            // The half angle of (difference, mixed), without trigonometry.
            let half = if difference >= 0.0 {
                (long + difference, mixed)
            } else {
                (mixed.abs(), (long - difference).copysign(mixed))
            };
            first * half.0 + second * half.1
        } else {
            first
        };
        if let Some(axes) = frame(chosen, normal) {
            return (axes, true);
        }
    }
    (principal_axes([c[0][0], c[1][1], c[2][2], c[0][1], c[0][2], c[1][2]]), false)
}
