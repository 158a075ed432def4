//! Half-spaces: the facets of a convex polytope, and the point nearest to the origin beyond several.

use kontakt_bounds::hull::convex_hull;
use kontakt_math::{DVec3, Dyadic, U};

/// All x with normal·x ≥ height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    /// A unit vector, to 4u.
    pub(super) normal: DVec3,
    pub(super) height: f64,
}

impl Wall {
    /// Whether a point is beyond it.
    fn holds(&self, point: DVec3) -> bool {
        self.normal.dot(point) >= self.height
    }

    /// A wall that holds all points within `longest` of the origin that this one or another holds, whose normal is nearly the same.
    pub(super) fn joined(self, other: Wall, longest: f64) -> Wall {
        let turned = self.normal.distance(other.normal) * longest * (1.0 + 8.0 * U);
        Wall { height: self.height.min(other.height - turned), ..self }
    }

    /// An order by normals that are rounded so far that those of the same facet are the same, but for the few near a limit.
    pub(super) fn compare(&self, other: &Wall) -> std::cmp::Ordering {
        let coarse = |x: DVec3| (x * 1e7 + 0.271_828).round();
        super::outline::compare(coarse(self.normal), coarse(other.normal))
    }
}

/// The facets of the hull of points as walls, heights to within 16u of the points' size; `None` for a flat hull.
///
/// Normals come from exact cross products of the points' doubles, so that a facet as thin as a rounding has a good one too.
pub(super) fn facets(points: &[DVec3]) -> Option<Vec<Wall>> {
    let hull = convex_hull(points).ok().filter(|hull| hull.dimension() == 3)?;
    let at = |k: u32| points[hull.vertices()[k as usize] as usize];
    let wall = |face: &[u32]| {
        let normal = exact_normal([at(face[0]), at(face[1]), at(face[2])]);
        Wall { normal, height: normal.dot(at(face[0])) }
    };
    Some(hull.faces().map(wall).collect())
}

/// The unit normal of three points in no line: each coordinate of the exact cross product rounded, then its length.
fn exact_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let exact = |x: f64| Dyadic::new(x).unwrap_or(Dyadic::ZERO);
    let edge = |p: DVec3| [0, 1, 2].map(|k: usize| &exact(p[k]) - &exact(a[k]));
    let (e, f) = (edge(b), edge(c));
    let normal = [(1, 2), (2, 0), (0, 1)].map(|(i, j): (usize, usize)| &(&e[i] * &f[j]) - &(&e[j] * &f[i]));
    let size = |x: &Dyadic| if x.sign() == kontakt_math::Sign::Negative { -x.clone() } else { x.clone() };
    let largest = normal.iter().map(size).max().unwrap_or(Dyadic::ZERO);
    DVec3::from_array(normal.each_ref().map(|x| x.quotient(&largest))).normalize_or_zero()
}

/// The nearest point to the origin beyond some walls, found by those it rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub(super) point: DVec3,
    /// **Never more** than the distance of any point beyond the walls from the origin, as far as their numbers are exact.
    pub(super) bound: f64,
}

impl Rest {
    pub(super) const ORIGIN: Rest = Rest { point: DVec3::ZERO, bound: 0.0 };

    /// The nearest point beyond all of `walls` and a new one, given that beyond the others alone. It rests on the new one where that is not
    /// beyond it, and on at most two more: in the plane of the new one, then in lines of that plane, walls are taken one after the
    /// other, and one that is not passed yet is rested on (Seidel).
    ///
    /// **Lower bound.** For weights λ ≥ 0 and any x beyond the walls, |x|·|Σλn| ≥ Σλ n·x ≥ Σλh. The best weights are those with
    /// Σλn the nearest point itself. Whatever rounding does to the search, the bound holds.
    pub(super) fn beyond(walls: &[Wall], new: Wall, before: Rest) -> Rest {
        if new.holds(before.point) {
            return before;
        }
        let alone = Rest::on([new]);
        let mut rest = alone;
        for (k, &wall) in walls.iter().enumerate() {
            if wall.holds(rest.point) {
                continue;
            }
            rest = Rest::on([new, wall]);
            for &third in &walls[..k] {
                if !third.holds(rest.point) {
                    rest = Rest::on([new, wall, third]);
                }
            }
        }
        let point = if rest.point.is_finite() { rest.point } else { alone.point };
        Rest { point, bound: rest.bound.max(alone.bound).max(before.bound) }
    }

    /// The point of the planes of up to three walls that is nearest to the origin. Walls that it does not press on count for nothing
    /// in the bound; planes in no general position have a point that is not finite and beyond nothing, and a bound of zero.
    fn on<const N: usize>(walls: [Wall; N]) -> Rest {
        let h = walls.map(|wall| wall.height);
        let mut weights = [0.0; N];
        match N {
            1 => weights[0] = h[0],
            2 => {
                let c = walls[0].normal.dot(walls[1].normal);
                let free = 1.0 - c * c;
                // Of opposite walls either none or all is beyond both: equal weights tell.
                let apart = if free < 4.0 * U {
                    [1.0; 2]
                } else {
                    [h[0] - c * h[1], h[1] - c * h[0]].map(|w| w / free)
                };
                (weights[0], weights[1]) = (apart[0], apart[1]);
            }
            _ => {
                let [p, q, r] = [0, 1, 2].map(|k: usize| walls[k].normal);
                let across = [q.cross(r), r.cross(p), p.cross(q)];
                let volume = p.dot(across[0]);
                let point = (across[0] * h[0] + across[1] * h[1] + across[2] * h[2]) / volume;
                // point = Σλn: the same again with the normals for unknowns.
                for k in 0..N {
                    weights[k] = point.dot(across[k]) / volume;
                }
            }
        }
        let (mut point, mut pressed) = (DVec3::ZERO, DVec3::ZERO);
        // Sums of up to three products: each errs by 4u of the sizes of its terms, the length by 4u more.
        let (mut gain, mut gained, mut pressure) = (0.0, 0.0, 0.0);
        for (wall, weight) in walls.iter().zip(weights) {
            point += wall.normal * weight;
            let weight = weight.max(0.0);
            pressed += wall.normal * weight;
            gain += weight * wall.height;
            gained += weight * wall.height.abs();
            pressure += weight;
        }
        let bound = (gain - 8.0 * U * gained) / (pressed.length() * (1.0 + 8.0 * U) + 8.0 * U * pressure);
        Rest { point, bound: if bound.is_finite() { bound * (1.0 - 4.0 * U) } else { 0.0 } }
    }
}
