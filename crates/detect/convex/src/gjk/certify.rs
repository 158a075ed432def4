//! What the last simplex of GJK proves: bounds of the distance, and how far normal and points may be off.
//!
//! Symbols: D the exact difference, p its exact point nearest to the origin, n the unit vector along the computed v, Y the
//! simplex, y the part of a vector across n. All x in D have n·x ≥ `lo`, and |p| ≤ `hi`.

use super::descent::Walk;
use super::errors::Errors;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot};
use kontakt_math::{DVec3, U};
use std::f64::consts::PI;

/// How far normal and points of cores that are apart may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Certificate {
    /// **Never less** than the angle between v and p.
    pub(super) angle: f64,
    /// **Never less** than the distance of each of the points from that of the nearest exact pair.
    pub(super) shift: f64,
}

/// The certificate of a walk whose lower bound is positive; `normal` is its v over |v|. An angle above `coarse` is worth some
/// more work.
///
/// Whatever the simplex: |p − lo·n|² = |p|² − 2lo·n·p + lo² ≤ hi² − lo², an error like the root of the bounds' gap. Errors that
/// grow only with the gap itself come from the two lemmas below; the least wins.
#[inline(always)]
pub(super) fn certificate<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    errors: &Errors,
    walk: &Walk,
    normal: DVec3,
    coarse: f64,
) -> Certificate {
    let [lo, hi] = walk.bounds;
    let root = ((hi + lo) * (hi - lo)).sqrt();
    let back = pair.in_frame_of_b(-normal);
    let local = Local { pair, errors, walk, normal, back, gap: hi - lo + errors.nearest, root };
    let (mut across, shift) = local.spread();
    if across.min(root) > lo * coarse {
        across = across.min(local.across_face());
    }
    let farthest = 2.0 * errors.size;
    Certificate {
        angle: (across.min(root) / lo).min(PI) + 4.0 * U,
        // Written so that NaN is unknown too.
        shift: if shift < farthest { shift } else { farthest },
    }
}

/// The neighbourhood of the simplex.
struct Local<'a, A, B> {
    pair: &'a Pair<'a, A, B>,
    errors: &'a Errors,
    walk: &'a Walk,
    normal: DVec3,
    /// −n in B's frame.
    back: DVec3,
    /// How far a vertex of Y or the point p may lie beyond the plane n·x = lo.
    gap: f64,
    /// How far p may be from v at worst.
    root: f64,
}

impl<A: Corners, B: Corners> Local<'_, A, B> {
    /// How far p may be from n's ray, and each of the points from an exact one; infinite or NaN when unknown.
    ///
    /// p and v: see `within` and `steepness`. Points: the one made of a single vertex stays within `steepness · gap` of it; the
    /// other one differs from it by p.
    #[inline(always)]
    fn spread(&self) -> (f64, f64) {
        match *self.walk.simplex.spots() {
            [w] => {
                let steepness = self.steepness_a(w.a, w.a).max(self.steepness_b(w.b, w.b));
                // Written so that no edges at all (two points) leave nothing loose.
                let loose = if steepness == 0.0 { 0.0 } else { steepness * self.gap };
                (loose + self.errors.nearest, loose)
            }
            [w, x] => {
                let steepness = self.steepness_a(w.a, x.a).max(self.steepness_b(w.b, x.b));
                let loose = self.loose(steepness, x.w - w.w);
                let across = self.within() + loose + self.errors.nearest;
                // With two vertices on both sides the pair could slide.
                let single = w.a == x.a || w.b == x.b;
                (across, if single { across + self.gap + loose } else { f64::INFINITY })
            }
            [w, x, y] => {
                let across = self.within() + self.errors.nearest;
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
    #[inline(always)]
    fn within(&self) -> f64 {
        let (simplex, [_, hi]) = (&self.walk.simplex, self.walk.bounds);
        let weights = simplex.weights();
        let rho_squared = match *simplex.spots() {
            [w, x] => weights[0].min(weights[1]).powi(2) * (x.w - w.w).length_squared(),
            [w, x, y] => {
                let (e, f, g) = (x.w - w.w, y.w - x.w, w.w - y.w);
                // Heights over the edges are 2·area over the edge; v is as far from them as its weights say.
                let height = |weight: f64, edge: DVec3| weight * weight / edge.length_squared();
                let (p, q, r) = (height(weights[0], f), height(weights[1], g), height(weights[2], e));
                p.min(q).min(r) * e.cross(g).length_squared()
            }
            _ => 0.0,
        };
        let rho = rho_squared.sqrt();
        // The vertices' errors, and 1 % for the roundings of ρ.
        let rho = 0.99 * rho - 4.0 * self.errors.nearest;
        if rho > 0.0 { hi * self.gap / rho } else { f64::INFINITY }
    }

    /// Lemma 1 once more for faces that are parallel, where Y may be but a corner of the common face: with the four
    /// vertices farthest against n when that is tilted a little each way.
    #[cold]
    fn across_face(&self) -> f64 {
        let (s, t) = self.normal.any_orthonormal_pair();
        let tilts = [s + t, t - s, -s - t, s - t].map(|tilt| 1e-3 * tilt - self.normal);
        let corners = tilts.map(|direction| self.pair.support(direction).w);
        let [lo, hi] = self.walk.bounds;
        let highest = corners.iter().map(|w| self.normal.dot(*w)).fold(f64::NEG_INFINITY, f64::max);
        let gap = highest - lo + self.errors.nearest;
        let flat = corners.map(|w| [s.dot(w), t.dot(w)]);
        let mut rho = f64::INFINITY;
        for (i, p) in flat.iter().enumerate() {
            let q = flat[(i + 1) % 4];
            let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
            rho = rho.min((p[0] * q[1] - p[1] * q[0]) / (dx * dx + dy * dy).sqrt());
        }
        // Infinite when all four are one vertex.
        let rho = 0.99 * rho - 4.0 * self.errors.nearest;
        if rho > 0.0 && rho.is_finite() { hi * gap / rho } else { f64::INFINITY }
    }

    /// Lemma 2: a polytope lies in the cone of its edges E from a vertex, so a point that rises by r against n is at most
    /// `steepness`·r away, where `steepness` is the greatest |E|/(n·E). The edge to `spared` does not count.
    #[inline(always)]
    fn steepness_a(&self, from: u32, spared: u32) -> f64 {
        self.pair.a.steepness([from, spared], self.normal, self.errors.edge)
    }

    /// The same for B, whose edges rise along −n.
    #[inline(always)]
    fn steepness_b(&self, from: u32, spared: u32) -> f64 {
        self.pair.b.steepness([from, spared], self.back, self.errors.edge)
    }

    /// How far p may be from the line of an edge E of Y when all other edges rise with this steepness s.
    ///
    /// Let p = w + cE + Σ cⱼEⱼ, G = Σ cⱼ n·Eⱼ and δ = |n·E|. Then G ≤ gap + cδ, and c|E| ≤ |p − w| + sG, where |p − w| ≤
    /// |E| + root, since v lies on the edge. So G(1 − sδ/|E|) ≤ gap + δ(1 + root/|E|); with sδ/|E| ≤ 1/2 the distance sG is at
    /// most twice s times the right side.
    #[inline(always)]
    fn loose(&self, steepness: f64, edge: DVec3) -> f64 {
        if steepness == 0.0 {
            return 0.0;
        }
        let length = edge.length();
        let tilt = self.normal.dot(edge).abs() / length + self.errors.edge;
        if steepness * tilt <= 0.49 {
            2.0 * steepness * (self.gap + 1.01 * tilt * (length + self.root))
        } else {
            f64::INFINITY
        }
    }

    /// How far the points may be off when Y is a triangle and p within `off` of v: a vertex against a face, or two edges.
    #[inline(always)]
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
