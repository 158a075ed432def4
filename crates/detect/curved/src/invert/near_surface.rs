//! The parameters of the nearest point of a surface, in plain doubles: nothing here is certified.

use super::descent::{Found, nearer, on_surface, over_cells};
use super::near::{between, near_angle, nearest, on_ellipse};
use crate::curve::Curve;
use crate::frame::Frame;
use crate::jet::CurveJet;
use crate::nurbs::NurbsSurface;
use crate::surface::Surface;
use kontakt_math::DVec3;
use std::f64::consts::PI;

const EVERYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Surface {
    /// The parameters of a point of the surface nearest to a point, to rounding but **not certified**: of a B-spline they may be those of a
    /// local minimum. With a guess the answer is near it, where the surface repeats itself, is singular or is a B-spline; else in one
    /// period from zero.
    pub fn invert_near(&self, point: DVec3, guess: Option<[f64; 2]>) -> Option<[f64; 2]> {
        let found = match self {
            Surface::Plane(frame) => {
                let local = frame.local(point);
                [local.x, local.y]
            }
            Surface::Sphere { frame, .. } => self.nearest_of(round(frame, 0.0, point, guess), point, guess),
            Surface::Torus { frame, major, .. } => {
                self.nearest_of(round(frame, *major, point, guess), point, guess)
            }
            Surface::Cylinder { frame, radii } => {
                let local = frame.local(point);
                [on_ellipse([local.x, local.y], *radii, guess.map(|guess| guess[0])), local.z]
            }
            Surface::Cone { frame, radii, slope } => {
                let starts = on_cone(frame.local(point), *radii, *slope, guess);
                if radii[0] == radii[1] {
                    self.nearest_of(starts, point, guess)
                } else {
                    let descend = |start| on_surface(|u, v| self.jet(u, v), point, start, [EVERYWHERE; 2]);
                    starts.into_iter().map(descend).fold(None, nearer)?.at
                }
            }
            Surface::Extrusion { curve, direction } => on_extrusion(curve, *direction, point, guess)?,
            Surface::Revolution { curve, frame } => self.on_revolution(curve, frame, point, guess)?,
            Surface::Nurbs(surface) => surface.nearest(point, guess)?,
        };
        let periods = self.periods();
        let placed = |i: usize| {
            let guess = guess.map(|guess| guess[i]);
            if periods[i].is_some() { near_angle(found[i], guess) } else { found[i] }
        };
        let placed = [placed(0), placed(1)];
        placed.iter().all(|x| x.is_finite()).then_some(placed)
    }

    /// The nearest of two places; of places equally near, as about an apex, the one nearer to the guess.
    fn nearest_of(&self, places: [[f64; 2]; 2], point: DVec3, guess: Option<[f64; 2]>) -> [f64; 2] {
        let [one, other] = places;
        let gap = |at: [f64; 2]| (self.point(at[0], at[1]) - point).length();
        let size = point.length() + self.point(one[0], one[1]).length();
        let (first, second) = (gap(one), gap(other));
        if (first - second).abs() > 1e-12 * size {
            return if second < first { other } else { one };
        }
        let off = |at: [f64; 2], guess: [f64; 2]| (near_angle(at[0], Some(guess[0])) - guess[0]).abs();
        if guess.is_some_and(|guess| off(other, guess) < off(one, guess)) { other } else { one }
    }

    fn on_revolution(
        &self,
        curve: &Curve,
        frame: &Frame,
        point: DVec3,
        guess: Option<[f64; 2]>,
    ) -> Option<[f64; 2]> {
        let along = match curve {
            Curve::Nurbs(curve) => curve.smooth_parts(),
            Curve::Line { .. } | Curve::Ellipse { .. } => vec![curve.domain()],
        };
        let parts = [vec![EVERYWHERE], along];
        let descend = |start| over_cells(|u, v| self.jet(u, v), point, start, &parts);
        if let Some(guess) = guess {
            return descend(guess).map(|found| found.at);
        }
        // How far round from the curve's point the given one is, and the gap that is left after that turn.
        let split = |x: DVec3| {
            let out = x - frame.origin;
            let height = out.dot(frame.z);
            (out - frame.z * height, height)
        };
        let (across, height) = split(point);
        let turned = |v: f64| {
            let (from, at) = split(curve.point(v));
            let angle = from.cross(across).dot(frame.z).atan2(from.dot(across));
            (angle, (from.length() - across.length()).hypot(at - height))
        };
        let grid = match curve {
            Curve::Line { origin, direction } => {
                line_starts([split(*origin), split(*direction + frame.origin)], [across.length(), height])
            }
            Curve::Ellipse { .. } | Curve::Nurbs(_) => curve.grid(),
        };
        let mut starts: Vec<(f64, [f64; 2])> = grid
            .into_iter()
            .map(|v| {
                let (angle, gap) = turned(v);
                (gap, [angle, v])
            })
            .collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Curves that cross the axis are nearest half a turn round as well.
        let tries = starts.iter().take(4).flat_map(|&(_, [u, v])| [[u, v], [u + PI, v]]);
        tries.map(descend).fold(None, nearer).map(|found| found.at)
    }
}

/// Where a line passes the axis, and where it is as high, and where as far out, as a point.
fn line_starts([(from, low), (way, rise)]: [(DVec3, f64); 2], [reach, height]: [f64; 2]) -> Vec<f64> {
    let square = way.length_squared();
    let pass = -from.dot(way) / square;
    let half = ((reach * reach - (from + way * pass).length_squared()) / square).max(0.0).sqrt();
    let all = [pass, (height - low) / rise, pass - half, pass + half, 0.0];
    all.into_iter().filter(|t| t.is_finite()).collect()
}

/// Sphere (R = 0) and torus: towards the circle of centres on this side of the axis, and on the other.
fn round(frame: &Frame, major: f64, point: DVec3, guess: Option<[f64; 2]>) -> [[f64; 2]; 2] {
    let local = frame.local(point);
    let across = local.x.hypot(local.y);
    let u = if across == 0.0 { guess.map_or(0.0, |guess| guess[0]) } else { local.y.atan2(local.x) };
    let v = |out: f64| {
        if out == 0.0 && local.z == 0.0 { guess.map_or(0.0, |guess| guess[1]) } else { local.z.atan2(out) }
    };
    if major == 0.0 { [[u, v(across)]; 2] } else { [[u, v(across - major)], [u + PI, v(-across - major)]] }
}

/// On the line of the cone's nearest to the point on its side of the axis, and on the other side; of an elliptic cone about there.
fn on_cone(local: DVec3, radii: [f64; 2], slope: f64, guess: Option<[f64; 2]>) -> [[f64; 2]; 2] {
    let guess = guess.map(|guess| guess[0]);
    [1.0, -1.0].map(|side: f64| {
        let u = on_ellipse([side * local.x, side * local.y], radii, guess);
        let (sin, cos) = u.sin_cos();
        // S = out + v·line with out = (a cos u, b sin u, 0) and line = out·slope/a + z.
        let out = DVec3::new(radii[0] * cos, radii[1] * sin, 0.0);
        let line = out * (slope / radii[0]) + DVec3::Z;
        [u, (local - out).dot(line) / line.length_squared()]
    })
}

/// Seen along the direction an extrusion is its curve.
fn on_extrusion(curve: &Curve, direction: DVec3, point: DVec3, guess: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let along = |x: DVec3| x.dot(direction) / direction.length_squared();
    let seen = |x: DVec3| x - direction * along(x);
    let map = |jet: CurveJet| CurveJet { point: seen(jet.point), d1: seen(jet.d1), d2: seen(jet.d2) };
    let guess = guess.map(|guess| guess[0]);
    let u = if let Curve::Ellipse { frame, radii: [a, b] } = curve {
        on_conjugate([seen(frame.x * *a), seen(frame.y * *b)], seen(point - frame.origin), guess)
    } else {
        nearest(curve, map, seen(point), guess)?.at
    };
    Some([u, along(point - curve.point(u))])
}

/// The parameter of the nearest point of p cos t + q sin t, which is an ellipse about the origin for any p and q.
///
/// Begun φ later, with tan 2φ = 2p·q/(p² − q²), the two vectors are its axes.
fn on_conjugate([p, q]: [DVec3; 2], point: DVec3, guess: Option<f64>) -> f64 {
    let begin = 0.5 * (2.0 * p.dot(q)).atan2(p.length_squared() - q.length_squared());
    let (sin, cos) = begin.sin_cos();
    let (long, short) = (p * cos + q * sin, q * cos - p * sin);
    let [a, b] = [long.length(), short.length()];
    let x = point.dot(long) / a;
    if b <= 1e-14 * a {
        // Seen edge-on; both halves are equally near.
        return begin + (x / a).clamp(-1.0, 1.0).acos();
    }
    begin + on_ellipse([x, point.dot(short) / b], [a, b], guess.map(|guess| guess - begin))
}

impl NurbsSurface {
    fn nearest(&self, point: DVec3, guess: Option<[f64; 2]>) -> Option<[f64; 2]> {
        let found = match guess {
            Some(guess) => self.descend(point, guess),
            None => self.starts(point).into_iter().map(|start| self.descend(point, start)).fold(None, nearer),
        };
        found.map(|found| found.at)
    }

    /// Downhill, and where the surface closes on itself across its seam as well.
    pub(super) fn descend(&self, point: DVec3, start: [f64; 2]) -> Option<Found<[f64; 2]>> {
        let (domain, parts) = (self.domain(), self.smooth_parts());
        let from = |start| over_cells(|u, v| self.jet(u, v), point, start, &parts);
        let mut best = from(start);
        for (i, closes) in self.closes().into_iter().enumerate() {
            let [lo, hi] = domain[i];
            let Some(at) = best.map(|best| best.at) else { break };
            if closes && (at[i] == lo || at[i] == hi) {
                let mut over = at;
                over[i] = if at[i] == lo { hi } else { lo };
                best = nearer(best, from(over));
            }
        }
        best
    }

    /// The nearest places of a grid over all pieces, of those that no neighbour is nearer than.
    fn starts(&self, point: DVec3) -> Vec<[f64; 2]> {
        let ([u, v], degrees) = (self.breaks(), self.degrees());
        let [us, vs] = [between(u, degrees[0].min(2)), between(v, degrees[1].min(2))];
        let places: Vec<DVec3> =
            us.iter().flat_map(|&u| vs.iter().map(move |&v| self.jet(u, v).point)).collect();
        let size = places.iter().map(|x| (*x - places[0]).abs().max_element()).fold(0.0, f64::max);
        // In a pole downhill sees one way only, that of its own parameter, and all of its places are equally near: the row beside it is
        // begun with instead.
        let stays = |at: usize, other: usize| {
            places.get(other).is_some_and(|x| (*x - places[at]).abs().max_element() <= 1e-9 * size)
        };
        let (rows, across) = (us.len(), vs.len());
        let in_pole = |at: usize| {
            let (i, j) = (at / across, at % across);
            let next_u = if i + 1 < rows { at + across } else { at - across };
            let next_v = if j + 1 < across { at + 1 } else { at - 1 };
            stays(at, next_u) || stays(at, next_v)
        };
        let gaps: Vec<f64> = (0..places.len())
            .map(|at| if in_pole(at) { f64::INFINITY } else { (places[at] - point).length_squared() })
            .collect();
        let gap = |i: usize, j: usize| {
            if i < us.len() && j < vs.len() { gaps[i * vs.len() + j] } else { f64::INFINITY }
        };
        let least = |i: usize, j: usize| {
            let near = |k: usize| [k.wrapping_sub(1), k, k + 1];
            near(i).into_iter().all(|a| near(j).into_iter().all(|b| gap(i, j) <= gap(a, b)))
        };
        let mut lows: Vec<[usize; 2]> = (0..us.len())
            .flat_map(|i| (0..vs.len()).map(move |j| [i, j]))
            .filter(|&[i, j]| least(i, j))
            .collect();
        lows.sort_by(|a, b| gap(a[0], a[1]).total_cmp(&gap(b[0], b[1])));
        lows.into_iter().take(4).map(|[i, j]| [us[i], vs[j]]).collect()
    }
}
