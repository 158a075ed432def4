//! What the last simplex of GJK proves: bounds of the distance, and how far normal and points may be off.
//!
//! Symbols: D the exact difference, p its exact point nearest to the origin, n the unit vector along the computed v, Y the
//! simplex, y the part of a vector across n. All x in D have n·x ≥ `lo`, and |p| ≤ `hi`.

use super::simplex::Simplex;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot};
use kontakt_math::DVec3;

/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// Certified numbers about cores that are apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Certificate {
    /// **Never more** than the cores' distance.
    pub(super) lo: f64,
    /// **Never less** than the cores' distance.
    pub(super) hi: f64,
    /// **Never less** than the angle between v and p.
    pub(super) angle: f64,
    /// **Never less** than the distance of each of the points from that of the nearest exact pair.
    pub(super) shift: f64,
}

/// How far the computed numbers of a pair may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    /// Of v: the vertices', and the roundings of the mean.
    pub(super) nearest: f64,
    /// Of the least n·x over D when taken at the computed support vertex.
    pub(super) plane: f64,
    /// Of n·x for a computed vertex, and twice that for the difference of two.
    pub(super) along: f64,
}

impl Errors {
    /// Of a pair.
    ///
    /// `nearest`: the mean of exact vertices with the computed weights (whose sum is 1 ± 4u) is off by the vertices' error and by
    /// 6u·size + 4u·size of rounding. `plane`: the chosen vertex of A loses 2·3u|a|₁ against the best one; that of B the
    /// same and twice the error of the direction turned back, at most the error of turning |b|; then the vertex's own error and 4u·size
    /// for the product and the quotient by |v|.
    #[inline]
    pub(super) fn new<A: Corners, B: Corners>(pair: &Pair<'_, A, B>) -> Errors {
        let (vertex, size) = (pair.error(), pair.size());
        let turn = pair.between.error_within(pair.b.reach()) - pair.between.error_within(0.0);
        let rounding = U * size;
        Errors {
            nearest: vertex + 10.0 * rounding,
            plane: vertex + 2.1 * turn + 14.0 * rounding,
            along: vertex + 4.0 * rounding,
        }
    }
}

/// Bounds of the distance from v and the vertex of D farthest against it.
#[inline]
pub(super) fn bounds(errors: &Errors, nearest: DVec3, length: f64, lowest: &Spot) -> [f64; 2] {
    let plane = nearest.dot(lowest.w) / length;
    [plane - errors.plane, length * (1.0 + 4.0 * U) + errors.nearest]
}

/// The whole certificate for bounds with 0 < lo.
///
/// Whatever the simplex: |p − lo·n|² = |p|² − 2lo·n·p + lo² ≤ hi² − lo², an error like the root of the bounds' gap. Errors that
/// grow only with the gap itself come from the two lemmas below; the least wins.
pub(super) fn certificate<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    errors: &Errors,
    simplex: &Simplex,
    nearest: DVec3,
    [lo, hi]: [f64; 2],
) -> Certificate {
    let normal = nearest / nearest.length();
    let gap = hi - lo;
    let root = ((hi + lo) * gap).sqrt();
    let local = Local { pair, errors, simplex, normal, gap: gap + errors.along };
    let (across, shift) = local.spread(hi);
    let across = if across < root { across } else { root };
    let farthest = 2.0 * pair.size();
    Certificate {
        lo,
        hi,
        angle: (across / lo).min(std::f64::consts::PI) + 4.0 * U,
        shift: if shift < farthest { shift } else { farthest },
    }
}

/// The neighbourhood of the simplex.
struct Local<'a, A, B> {
    pair: &'a Pair<'a, A, B>,
    errors: &'a Errors,
    simplex: &'a Simplex,
    normal: DVec3,
    /// How far a vertex of Y or the point p may lie beyond the plane n·x = lo.
    gap: f64,
}

impl<A: Corners, B: Corners> Local<'_, A, B> {
    /// How far p may be from n's ray, and each of the points from an exact one; infinite or NaN when unknown.
    ///
    /// p and v: see `within` and `steepness`. Points: the one made of a single vertex stays within `steepness · gap` of it; the
    /// other one differs from it by p.
    fn spread(&self, hi: f64) -> (f64, f64) {
        match *self.simplex.spots() {
            [w] => {
                let steepness = self.steepness_a(w.a, w.a).max(self.steepness_b(w.b, w.b));
                // Written so that no edges at all (two points) leave nothing loose.
                let loose = if steepness == 0.0 { 0.0 } else { steepness * self.gap };
                (loose + self.errors.nearest, loose)
            }
            [w, x] => {
                let steepness = self.steepness_a(w.a, x.a).max(self.steepness_b(w.b, x.b));
                let loose = self.loose(steepness, x.w - w.w);
                let across = self.within(hi) + loose + self.errors.nearest;
                // With two vertices on both sides the pair could slide.
                let single = w.a == x.a || w.b == x.b;
                (across, if single { across + self.gap + loose } else { f64::INFINITY })
            }
            [w, x, y] => {
                let across = self.within(hi) + self.errors.nearest;
                (across, self.points_of_triangle([w, x, y], across + self.gap))
            }
            _ => (f64::INFINITY, f64::INFINITY),
        }
    }

    /// Lemma 1: along the directions that Y spans, p is within hi·gap/ρ of n's ray, where ρ is v's distance from the
    /// boundary of Y.
    ///
    /// Let p = αn + q. No point of D lies before the plane across p, so p·(w − p) ≥ 0 for w = cn + y in Y, that is
    /// q·y ≥ q² − α(c − α) ≥ −hi·gap. Some y of Y has q·y ≤ −ρ|q′| for the part q′ of q that Y spans.
    fn within(&self, hi: f64) -> f64 {
        let weights = self.simplex.weights();
        let rho = match *self.simplex.spots() {
            [w, x] => weights[0].min(weights[1]) * (x.w - w.w).length(),
            [w, x, y] => {
                let (e, f, g) = (x.w - w.w, y.w - x.w, w.w - y.w);
                let area = e.cross(g).length();
                (weights[0] / f.length()).min(weights[1] / g.length()).min(weights[2] / e.length()) * area
            }
            _ => 0.0,
        };
        // The vertices' errors, and 1 % for the roundings of ρ.
        let rho = 0.99 * rho - 4.0 * self.errors.nearest;
        if rho > 0.0 { hi * self.gap / rho } else { f64::INFINITY }
    }

    /// Lemma 2: a polytope lies in the cone of its edges E from a vertex, so a point that rises by r against n is at most
    /// `steepness`·r away, where `steepness` is the greatest |E|/(n·E). The edge to `spared` does not count.
    fn steepness_a(&self, from: u32, spared: u32) -> f64 {
        let start = self.pair.a.corner(from);
        let mut most = 0.0_f64;
        self.pair.a.neighbours(from, |to| {
            if to != spared {
                most = most.max(self.steepness(self.pair.a.corner(to) - start));
            }
        });
        most
    }

    /// The same for B, whose edges rise along −n.
    fn steepness_b(&self, from: u32, spared: u32) -> f64 {
        let start = self.pair.b.corner(from);
        let mut most = 0.0_f64;
        self.pair.b.neighbours(from, |to| {
            if to != spared {
                most = most.max(self.steepness(self.pair.between.turn() * (start - self.pair.b.corner(to))));
            }
        });
        most
    }

    /// |E|/(n·E), or infinite when E does not surely rise.
    fn steepness(&self, edge: DVec3) -> f64 {
        let rise = self.normal.dot(edge) - 2.0 * self.errors.along;
        let length = edge.length();
        if rise > 0.0 {
            1.01 * length / rise
        } else if length == 0.0 {
            0.0
        } else {
            f64::INFINITY
        }
    }

    /// How far p may be from the line of an edge E of Y when all other edges rise with this steepness s.
    ///
    /// With p = w + cE + Σ cⱼEⱼ and G = Σ cⱼ n·Eⱼ: G ≤ gap + cδ with δ = |n·E|, and c|E| ≤ 2·size + sG. So
    /// G(1 − sδ/|E|) ≤ gap + 2·size·δ/|E|; with sδ/|E| ≤ 1/2 the distance sG is at most 2s(gap + 2·size·δ/|E|).
    fn loose(&self, steepness: f64, edge: DVec3) -> f64 {
        if steepness == 0.0 {
            return 0.0;
        }
        let tilt = (self.normal.dot(edge).abs() + 2.0 * self.errors.along) / edge.length();
        if steepness * tilt <= 0.49 {
            2.0 * steepness * (self.gap + 2.0 * self.pair.size() * tilt)
        } else {
            f64::INFINITY
        }
    }

    /// How far the points may be off when Y is a triangle and p within `off` of v: a vertex against a face, or two edges.
    fn points_of_triangle(&self, [w, x, y]: [Spot; 3], off: f64) -> f64 {
        let (one_a, one_b) = (w.a == x.a && x.a == y.a, w.b == x.b && x.b == y.b);
        if one_b {
            return off + self.steepness_b(w.b, w.b) * self.gap;
        }
        if one_a {
            return off + self.steepness_a(w.a, w.a) * self.gap;
        }
        let other = |own: u32, one: u32, two: u32| if one == own { two } else { one };
        let (a, b) = (other(w.a, x.a, y.a), other(w.b, x.b, y.b));
        let is_edges = [x, y].iter().all(|s| (s.a == w.a || s.a == a) && (s.b == w.b || s.b == b));
        if !is_edges {
            return f64::INFINITY;
        }
        let edge_a = self.pair.a.corner(a) - self.pair.a.corner(w.a);
        let edge_b = self.pair.between.turn() * (self.pair.b.corner(b) - self.pair.b.corner(w.b));
        let loose =
            self.loose(self.steepness_a(w.a, a), edge_a) + self.loose(self.steepness_b(w.b, b), edge_b);
        // Both points are near their lines; what is left of p moves them apart at the angle of the lines.
        let sine = edge_a.cross(edge_b).length() / (edge_a.length() * edge_b.length());
        loose + 1.01 * (off + loose) / (sine - 64.0 * U).max(0.0)
    }
}
