//! Half-spaces: the facets of a convex polytope, and the point nearest to the origin beyond several.

use kontakt_bounds::hull::convex_hull;
use kontakt_math::{DVec3, Dyadic};

const U: f64 = f64::EPSILON / 2.0;

/// All x with normal·x ≥ height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// A unit vector, to 4u.
    pub(super) normal: DVec3,
    pub(super) height: f64,
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

    /// The nearest point beyond all of `walls` and a new one, which the nearest beyond the others alone, `before`, is not. It rests on
    /// the new one and at most two more.
    ///
    /// **Lower bound.** For weights λ ≥ 0 and any x beyond the walls, |x|·|Σλn| ≥ Σλ n·x ≥ Σλh. The best weights are those with
    /// Σλn the nearest point itself; all sets of up to three walls are tried, and the best bound taken.
    pub(super) fn beyond(walls: &[Wall], new: Wall, before: Rest) -> Rest {
        if new.normal.dot(before.point) >= new.height {
            return before;
        }
        let mut best = before;
        let mut offer = |rest: Option<Rest>| {
            if let Some(rest) = rest.filter(|rest| rest.bound > best.bound) {
                best = rest;
            }
        };
        offer(Rest::on([new]));
        for (k, &wall) in walls.iter().enumerate() {
            offer(Rest::on([new, wall]));
            for &third in &walls[..k] {
                offer(Rest::on([new, wall, third]));
            }
        }
        best
    }

    /// The point of the planes of up to three walls that is nearest to the origin, when it presses on all of them.
    fn on<const N: usize>(walls: [Wall; N]) -> Option<Rest> {
        let gram = |i: usize, j: usize| walls[i].normal.dot(walls[j].normal);
        let h = walls.map(|wall| wall.height);
        let mut weights = [0.0; N];
        match N {
            1 => weights[0] = h[0],
            2 => {
                let c = gram(0, 1);
                let free = 1.0 - c * c;
                (weights[0], weights[1]) = ((h[0] - c * h[1]) / free, (h[1] - c * h[0]) / free);
            }
            _ => {
                let [p, q, r] = [0, 1, 2].map(|k: usize| walls[k].normal);
                let volume = p.dot(q.cross(r));
                let point = (q.cross(r) * h[0] + r.cross(p) * h[1] + p.cross(q) * h[2]) / volume;
                // point = Σλn: the same again with the normals for unknowns.
                for (k, across) in [q.cross(r), r.cross(p), p.cross(q)].into_iter().enumerate() {
                    weights[k] = point.dot(across) / volume;
                }
            }
        }
        if !weights.iter().all(|&w| w >= 0.0 && w.is_finite()) {
            return None;
        }
        let sum = |f: &dyn Fn(usize) -> f64| (0..N).map(f).sum::<f64>();
        let point: DVec3 = (0..N).map(|k| walls[k].normal * weights[k]).sum();
        // Sums of up to three products: each errs by 4u of its size, the length by 4u more.
        let gain = sum(&|k| weights[k] * h[k]) - 8.0 * U * sum(&|k| (weights[k] * h[k]).abs());
        let size = point.length() * (1.0 + 8.0 * U) + 8.0 * U * sum(&|k| weights[k]);
        let bound = gain / size * (1.0 - 4.0 * U);
        bound.is_finite().then_some(Rest { point, bound })
    }
}
