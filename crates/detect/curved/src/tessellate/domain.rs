//! How a face is parametrised for its triangles, and how far a triangle lies from it.
//!
//! **Why the bounds hold.** Over a triangle in the parameters' plane let L be the linear map that meets the surface S in its corners. For
//! a point p = Σ λᵢ xᵢ of it, Taylor's theorem about p gives S(xᵢ) = S(p) + S'(p)(xᵢ − p) + ½ (xᵢ − p)ᵀ S″ (xᵢ − p), and Σ λᵢ (xᵢ − p) = 0,
//! so |L(p) − S(p)| ≤ ½ Σ λᵢ (Muu aᵢ² + 2 Muv |aᵢ bᵢ| + Mvv bᵢ²) with (aᵢ, bᵢ) = xᵢ − p and bounds M of the second derivatives over the
//! triangle's box. Numbers within an interval of length h have a variance of at most h²/4, so Σ λᵢ aᵢ² ≤ h²/4 with h and k the sides of the box, likewise for b, and by
//! Cauchy and Schwarz Σ λᵢ |aᵢ bᵢ| ≤ h k / 4: the deviation is at most ⅛ (Muu h² + 2 Muv h k + Mvv k²).
//! The corners of the triangle in space may be off the surface (they lie on edges): the largest of these gaps is added.
//!
//! On a sphere of radius r the points of a triangle with its corners on it are within r − √(r² − c²), along the radius, where c is the radius
//! of the smallest circle about the triangle.

use crate::bound::SecondBounds;
use crate::curve::Curve;
use crate::frame::Frame;
use crate::jet::SurfaceJet;
use crate::surface::Surface;
use kontakt_math::{DVec3, IntervalVector};

/// The parameters of a face's triangles.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Those of the surface, unrolled: they go on beyond a period.
    Surface {
        /// What the face lies on.
        surface: Surface,
        /// After how much the surface repeats itself along u and v.
        periods: [Option<f64>; 2],
        /// Where a parameter with a period begins.
        starts: [f64; 2],
        /// **Never less** than how far the surface ends from where it begins, where it closes.
        seam: f64,
    },
    /// A sphere projected to a plane from the point of it on −z.
    Sphere {
        /// Its centre; z points away from the centre of projection.
        frame: Frame,
        /// Its radius.
        radius: f64,
    },
}

impl Domain {
    /// The parameters of a surface, with the periods that it has or closes with.
    pub(crate) fn of(surface: &Surface) -> Domain {
        let mut periods = surface.periods();
        let mut starts = [0.0; 2];
        let mut seam: f64 = 0.0;
        let mut close = |gap: Option<f64>, at: usize, [from, to]: [f64; 2]| {
            if let Some(gap) = gap {
                (periods[at], starts[at]) = (Some(to - from), from);
                seam = seam.max(gap);
            }
        };
        match surface {
            Surface::Nurbs(nurbs) => {
                for (at, gap) in nurbs.seams().into_iter().enumerate() {
                    close(gap, at, nurbs.domain()[at]);
                }
            }
            Surface::Extrusion { curve, .. } => close(curve.seam(), 0, curve.domain()),
            Surface::Revolution { curve, .. } => close(curve.seam(), 1, curve.domain()),
            _ => {}
        }
        Domain::Surface { surface: surface.clone(), periods, starts, seam }
    }

    /// The point at parameters.
    pub fn point(&self, [u, v]: [f64; 2]) -> DVec3 {
        match self {
            Domain::Surface { surface, .. } => {
                let [u, v] = self.wrapped([u, v]);
                surface.point(u, v)
            }
            Domain::Sphere { frame, radius } => {
                // The line from −z through (u, v, 0) meets the unit sphere again at (2u, 2v, 1 − q) / (1 + q), q = u² + v².
                let q = u * u + v * v;
                let scale = radius / (1.0 + q);
                frame.point(2.0 * u * scale, 2.0 * v * scale, (1.0 - q) * scale)
            }
        }
    }

    /// The point at parameters, with derivatives.
    pub(crate) fn jet(&self, [u, v]: [f64; 2]) -> SurfaceJet {
        match self {
            Domain::Surface { surface, .. } => {
                let [u, v] = self.wrapped([u, v]);
                surface.jet(u, v)
            }
            Domain::Sphere { frame, radius } => {
                // (us, vs, s − 1) with s = 2 / (1 + q), whose slopes are −us² and −vs².
                let s = 2.0 / (1.0 + u * u + v * v);
                let (square, cube) = (s * s, s * s * s);
                let (su, sv) = (-u * square, -v * square);
                let (suu, suv, svv) =
                    (2.0 * u * u * cube - square, 2.0 * u * v * cube, 2.0 * v * v * cube - square);
                let turned = |x: f64, y: f64, z: f64| (frame.x * x + frame.y * y + frame.z * z) * *radius;
                SurfaceJet {
                    point: frame.origin + turned(u * s, v * s, s - 1.0),
                    du: turned(s + u * su, v * su, su),
                    dv: turned(u * sv, s + v * sv, sv),
                    duu: turned(2.0 * su + u * suu, v * suu, suu),
                    duv: turned(sv + u * suv, su + v * suv, suv),
                    dvv: turned(u * svv, 2.0 * sv + v * svv, svv),
                }
            }
        }
    }

    /// Square to the surface there, along its own du × dv.
    pub(crate) fn normal(&self, at: [f64; 2]) -> DVec3 {
        match self {
            Domain::Surface { surface, .. } => {
                let [u, v] = self.wrapped(at);
                surface.jet(u, v).normal()
            }
            Domain::Sphere { frame, .. } => self.point(at) - frame.origin,
        }
    }

    /// Parameters of a point on or near the surface, near a guess if there is one.
    pub(crate) fn invert(&self, point: DVec3, guess: Option<[f64; 2]>) -> Option<[f64; 2]> {
        match self {
            Domain::Surface { surface, .. } => {
                let Some(guess) = guess else { return surface.invert_near(point, None) };
                let found = self.descended(surface, point, guess);
                Some(self.near(found?, guess))
            }
            Domain::Sphere { frame, .. } => {
                let local = frame.local(point);
                let direction = local / local.length();
                let scale = 1.0 / (1.0 + direction.z);
                let found = [direction.x * scale, direction.y * scale];
                found.iter().all(|x| x.is_finite()).then_some(found)
            }
        }
    }

    /// Goes down from a guess to the nearest point. That may end at a seam, or in a valley of its own: what is still far from the point,
    /// against the step made, is looked for anew.
    fn descended(&self, surface: &Surface, point: DVec3, guess: [f64; 2]) -> Option<[f64; 2]> {
        let start = self.wrapped(guess);
        let off = |at: &[f64; 2]| (surface.point(at[0], at[1]) - point).length();
        let found = surface.invert_near(point, Some(start));
        if found.is_some_and(|found| off(&found) <= 0.05 * off(&start)) {
            return found;
        }
        let anew = surface.invert_near(point, None);
        match (found, anew) {
            (Some(found), Some(anew)) => Some(if off(&anew) < 0.5 * off(&found) { anew } else { found }),
            (found, anew) => found.or(anew),
        }
    }

    /// The parameter along which the surface stays one point at a place, as it does not at another one nearby: the place is a pole.
    pub(super) fn stays_along(&self, at: [f64; 2], beside: [f64; 2]) -> Option<usize> {
        const SMALL: f64 = 1e-5;
        let Domain::Surface { surface, .. } = self else { return None };
        let slopes = |at: [f64; 2]| {
            let [u, v] = self.wrapped(at);
            let jet = surface.jet(u, v);
            [jet.du.length(), jet.dv.length()]
        };
        let (here, there) = (slopes(at), slopes(beside));
        (0..2).find(|&k| there[k] > 0.0 && here[k] <= SMALL * there[k])
    }

    /// Whether parameters, and the point there, belong to a triangle.
    pub(crate) fn covers(
        &self,
        triangle: &[[f64; 2]; 3],
        corners: &[DVec3; 3],
        at: [f64; 2],
        point: DVec3,
    ) -> bool {
        match self {
            Domain::Surface { .. } => {
                let at = self.near(at, triangle[0]);
                let side = |a: [f64; 2], b: [f64; 2]| {
                    (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])
                };
                let [a, b, c] = *triangle;
                let sides = [side(a, b), side(b, c), side(c, a)];
                sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
            }
            // The ray from the centre passes through the flat triangle.
            Domain::Sphere { frame, .. } => {
                let [a, b, c] = corners.map(|x| x - frame.origin);
                let ray = point - frame.origin;
                let sides = [a.cross(b).dot(ray), b.cross(c).dot(ray), c.cross(a).dot(ray)];
                sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
            }
        }
    }

    /// The direction along which flat triangles do not deviate from the surface: a plane's normal, the direction of rulings that are
    /// all parallel; else zero.
    pub(crate) fn straight(&self) -> DVec3 {
        match self {
            Domain::Surface { surface: Surface::Plane(frame) | Surface::Cylinder { frame, .. }, .. } => {
                frame.z
            }
            _ => DVec3::ZERO,
        }
    }

    /// How far a point is from the surface's point at parameters.
    pub(crate) fn gap(&self, at: [f64; 2], point: DVec3) -> f64 {
        match self {
            Domain::Surface { .. } => (self.point(at) - point).length(),
            Domain::Sphere { frame, radius } => ((point - frame.origin).length() - radius).abs(),
        }
    }

    pub(super) fn periods(&self) -> [Option<f64>; 2] {
        match self {
            Domain::Surface { periods, .. } => *periods,
            Domain::Sphere { .. } => [None, None],
        }
    }

    /// How far each parameter can go: a period, a B-spline's domain, or without end.
    pub(super) fn widths(&self) -> [f64; 2] {
        let Domain::Surface { surface, periods, .. } = self else {
            return [f64::INFINITY; 2];
        };
        let width = |[from, to]: [f64; 2]| to - from;
        let own = match surface {
            Surface::Nurbs(nurbs) => nurbs.domain().map(width),
            Surface::Extrusion { curve, .. } => [width(curve.domain()), f64::INFINITY],
            Surface::Revolution { curve, .. } => [f64::INFINITY, width(curve.domain())],
            _ => [f64::INFINITY; 2],
        };
        std::array::from_fn(|k| periods[k].unwrap_or(own[k]))
    }

    /// Parameters of the same point that are nearest to others.
    pub(crate) fn near(&self, at: [f64; 2], other: [f64; 2]) -> [f64; 2] {
        let periods = self.periods();
        std::array::from_fn(|k| match periods[k] {
            Some(period) => at[k] + ((other[k] - at[k]) / period).round() * period,
            None => at[k],
        })
    }

    /// Parameters of the same point within the first period.
    fn wrapped(&self, at: [f64; 2]) -> [f64; 2] {
        let Domain::Surface { periods, starts, .. } = self else {
            return at;
        };
        std::array::from_fn(|k| match periods[k] {
            Some(period) if !(starts[k] <= at[k] && at[k] <= starts[k] + period) => {
                starts[k] + (at[k] - starts[k]).rem_euclid(period)
            }
            _ => at[k],
        })
    }

    /// **Never less** than the distance of the surface over a triangle of parameters from the flat triangle with corners on it, point by
    /// point.
    pub fn sagitta(&self, at: &[[f64; 2]; 3], corners: &[DVec3; 3]) -> f64 {
        match self {
            Domain::Surface { .. } => {
                let range = |k: usize| {
                    let values = at.map(|at| at[k]);
                    [
                        values.iter().copied().fold(f64::INFINITY, f64::min),
                        values.into_iter().fold(f64::NEG_INFINITY, f64::max),
                    ]
                };
                self.box_sagitta([range(0), range(1)])
            }
            Domain::Sphere { radius, .. } => sphere_sagitta(*radius, corners),
        }
    }

    /// The same for a straight stretch of parameters.
    pub(crate) fn chord_sagitta(&self, from: [f64; 2], to: [f64; 2], ends: [DVec3; 2]) -> f64 {
        match self {
            Domain::Surface { .. } => {
                let range = |k: usize| [from[k].min(to[k]), from[k].max(to[k])];
                self.box_sagitta([range(0), range(1)])
            }
            Domain::Sphere { radius, .. } => circle_sagitta(*radius, 0.5 * (ends[1] - ends[0]).length()),
        }
    }

    pub(super) fn box_sagitta(&self, [u, v]: [[f64; 2]; 2]) -> f64 {
        let [h, k] = [u[1] - u[0], v[1] - v[0]];
        // What begins and ends on either side of a seam is as far apart there.
        let seam = if let Domain::Surface { seam, .. } = self { *seam } else { 0.0 };
        if let Some([along_u, along_v]) = self.kink(u, v) {
            return (0.5 * (along_u * h + along_v * k) + seam) * (1.0 + 1e-12);
        }
        let bounds = self.bounds_over(u, v);
        let bent = (bounds.uu * h * h + 2.0 * bounds.uv * h * k + bounds.vv * k * k) / 8.0;
        (bent + seam) * (1.0 + 1e-12)
    }

    /// Bounds of second derivatives over a box of parameters.
    pub(super) fn bounds_over(&self, u: [f64; 2], v: [f64; 2]) -> SecondBounds {
        let mut most = SecondBounds { uu: 0.0, uv: 0.0, vv: 0.0 };
        let Domain::Surface { surface, .. } = self else { return most };
        for u in self.within_periods(0, u) {
            for v in self.within_periods(1, v) {
                let bounds = surface.second_bounds(u, v);
                most.uu = most.uu.max(bounds.uu);
                most.uv = most.uv.max(bounds.uv);
                most.vv = most.vv.max(bounds.vv);
            }
        }
        most
    }

    /// Whether a first derivative jumps within a box of parameters.
    pub(crate) fn has_kink(&self, u: [f64; 2], v: [f64; 2]) -> bool {
        self.kink(u, v).is_some()
    }

    /// Where a first derivative jumps within a box: half of the widths r and s of the ranges of Su and Sv.
    ///
    /// With G₀ the middle of the derivatives' ranges, S(xᵢ) − S(p) − G₀(xᵢ − p) is at most r |aᵢ| + s |bᵢ|, and Σ λᵢ |aᵢ| ≤ h / 2: the
    /// deviation is at most ½ (r h + s k).
    fn kink(&self, u: [f64; 2], v: [f64; 2]) -> Option<[f64; 2]> {
        let Domain::Surface { surface, .. } = self else { return None };
        let radius = |range: &IntervalVector| {
            let half = DVec3::new(range.x.width(), range.y.width(), range.z.width()) * 0.5;
            half.length() * (1.0 + 1e-12)
        };
        let [one, other] = [self.within_periods(0, u), self.within_periods(1, v)];
        match surface {
            Surface::Nurbs(nurbs) => {
                let [parts_u, parts_v] = nurbs.smooth_parts();
                let seam = one.len() > 1 || other.len() > 1;
                if !seam && !jumps(&parts_u, one[0]) && !jumps(&parts_v, other[0]) {
                    return None;
                }
                let ranges = one.iter().flat_map(|&u| other.iter().map(move |&v| nurbs.range_over(u, v)));
                let all = ranges.reduce(|a, b| [a[0].hull(b[0]), a[1].hull(b[1]), a[2].hull(b[2])])?;
                Some([radius(&all[1]), radius(&all[2])])
            }
            Surface::Extrusion { curve, .. } => {
                let along = kinked(curve, &one)?;
                Some([radius(&along), 0.0])
            }
            Surface::Revolution { curve, frame } => {
                let along = kinked(curve, &other)?;
                let reach = other.iter().map(|&v| curve.range_over(v)[0].farthest_from(frame.origin));
                Some([reach.fold(0.0, f64::max), along.farthest_from(DVec3::ZERO)])
            }
            _ => None,
        }
    }

    /// A range of parameters as ranges within the first period.
    fn within_periods(&self, axis: usize, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
        let Domain::Surface { surface, periods, starts, .. } = self else {
            return vec![[from, to]];
        };
        let Some(period) = periods[axis] else {
            return vec![[from, to]];
        };
        // Sines and cosines go on by themselves; only a B-spline ends with its domain.
        if surface.periods()[axis].is_some() {
            return vec![[from, to]];
        }
        let shift = ((from - starts[axis]) / period).floor() * period;
        let (from, to) = (from - shift, to - shift);
        let end = starts[axis] + period;
        if to <= end {
            vec![[from, to]]
        } else if to - from >= period {
            vec![[starts[axis], end]]
        } else {
            vec![[from, end], [starts[axis], (to - period).min(end)]]
        }
    }
}

/// How far a flat triangle with corners on a sphere about o is below it.
///
/// For p = Σ λᵢ xᵢ with |xᵢ − o| = r, r² − |p − o|² = Σ λᵢ λⱼ |xᵢ − xⱼ|² over i < j, and the largest of these sums is the squared radius of
/// the smallest circle about the triangle (they are each other's dual): half of the longest side where an angle is not acute, else
/// the circumradius, which then is at most the longest side over √3 (Jung).
fn sphere_sagitta(radius: f64, [a, b, c]: &[DVec3; 3]) -> f64 {
    let [p, q, s] = [*b - *a, *c - *b, *a - *c].map(DVec3::length);
    let longest = p.max(q).max(s);
    let area2 = (*b - *a).cross(*c - *a).length();
    let acute = 2.0 * longest * longest < p * p + q * q + s * s;
    let most = longest / 3.0_f64.sqrt();
    let circle = if acute { (p * q * s / (2.0 * area2)).min(most) } else { 0.5 * longest };
    circle_sagitta(radius, circle * (1.0 + 1e-9))
}

/// How far the plane of a circle on a sphere is below it.
fn circle_sagitta(radius: f64, circle: f64) -> f64 {
    if circle >= radius {
        return radius * (1.0 + 1e-12);
    }
    let depth = circle * circle / (radius + ((radius - circle) * (radius + circle)).sqrt());
    depth * (1.0 + 1e-12)
}

/// Whether a range goes on from one smooth part to the next.
fn jumps(parts: &[[f64; 2]], [from, to]: [f64; 2]) -> bool {
    parts.windows(2).any(|pair| from < pair[1][0] && pair[1][0] < to)
}

/// The range of a curve's first derivative over ranges of parameters, where it jumps in them.
fn kinked(curve: &Curve, ranges: &[[f64; 2]]) -> Option<IntervalVector> {
    let Curve::Nurbs(nurbs) = curve else { return None };
    if ranges.len() == 1 && !jumps(&nurbs.smooth_parts(), ranges[0]) {
        return None;
    }
    ranges.iter().map(|&range| curve.range_over(range)[1]).reduce(|a, b| a.hull(b))
}
