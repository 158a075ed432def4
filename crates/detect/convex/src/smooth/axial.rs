//! Two bodies that turn about one axis: one half-circle of directions stands for all.

use super::ascent::{Stand, unit};
use super::body::Body;
use super::model::Model;
use super::pair::{Pair, tangents};
use kontakt_math::{DVec3, U};

/// Which line through the origin a body is symmetric about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// Every line: the origin alone.
    Any,
    /// This one (a unit vector), up to a deviation: an exactly symmetric set is no farther (Hausdorff distance).
    Line(DVec3, f64),
}

/// The symmetry of a core, if it has any.
pub(super) fn axis_of(body: &Body) -> Option<Axis> {
    match body {
        Body::Cylinder { .. } | Body::Cone { .. } => Some(Axis::Line(DVec3::Z, 0.0)),
        Body::Ellipsoid(r) => {
            // Two radii made equal move no point by more than their difference.
            let options = [(DVec3::X, r.y - r.z), (DVec3::Y, r.z - r.x), (DVec3::Z, r.x - r.y)];
            let best = options.into_iter().min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            best.map(|(axis, difference)| Axis::Line(axis, difference.abs()))
        }
        Body::Points(points) if points.len() <= 2 => {
            let longest = points.iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
            let Some(axis) = unit(*longest) else { return Some(Axis::Any) };
            let off = points.iter().map(|p| p.cross(axis).length()).fold(0.0, f64::max);
            Some(Axis::Line(axis, off * (1.0 + 8.0 * U) + 4.0 * U * longest.length()))
        }
        _ => None,
    }
}

/// The common axis of a pair, in A's frame, and how far from it symmetric sets are at most: A's and B's together.
pub(super) fn common_axis(pair: &Pair) -> Option<(DVec3, f64)> {
    let (own, mut off) = match axis_of(&pair.a)? {
        Axis::Any => (None, 0.0),
        Axis::Line(axis, off) => (Some(axis), off),
    };
    let other = match axis_of(&pair.b)? {
        Axis::Any => None,
        Axis::Line(axis, more) => {
            off += more;
            Some(pair.in_a(axis))
        }
    };
    let axis = own.or(other).or_else(|| unit(pair.shift()))?;
    if let Some(other) = other {
        off += other.cross(axis).length() * pair.b.reach();
    }
    off += pair.shift().cross(axis).length();
    Some((axis, off * (1.0 + 16.0 * U) + pair.noise))
}

/// The largest gap along a half-circle of directions from one end of the axis to the other: the best stand, and a bound of all
/// (computed; noise not added).
///
/// For the whole sphere: symmetric sets within `off` (both together) have gaps that differ by `off` at most, and theirs do
/// not change about the axis. So no gap anywhere exceeds the bound by more than 2·off.
pub(super) fn highest_on_meridian(pair: &Pair, axis: DVec3) -> Option<(Stand, f64)> {
    let (side, _) = tangents(axis);
    let towards = |angle: f64| axis * angle.cos() + side * angle.sin();
    let mut best = Stand::new(pair, towards(0.0))?;
    let mut ceiling = best.gap;
    let half = std::f64::consts::PI / 16.0;
    let mut arcs: Vec<(f64, f64)> = (0..8).map(|i| (f64::from(2 * i + 1) * half, half)).collect();
    while let Some((angle, half)) = arcs.pop() {
        let stand = Stand::new(pair, towards(angle))?;
        if stand.gap > best.gap {
            best = stand;
        }
        let across = axis * -angle.sin() + side * angle.cos();
        let (bound, top) = highest_on_arc(pair, &stand, across, half * (1.0 + 16.0 * U) + 16.0 * U);
        let summit = Stand::new(pair, towards(angle + top.clamp(-half, half)))?;
        if summit.gap > best.gap {
            best = summit;
        }
        if bound <= best.gap + pair.noise || half < 1e-12 {
            ceiling = ceiling.max(bound);
        } else {
            arcs.push((angle - 0.5 * half, 0.5 * half));
            arcs.push((angle + 0.5 * half, 0.5 * half));
        }
    }
    Some((best, ceiling.max(best.gap)))
}

/// **Never less** than the gap at directions of the meridian within r of the stand's; and where about it is highest.
fn highest_on_arc(pair: &Pair, stand: &Stand, across: DVec3, r: f64) -> (f64, f64) {
    let (n, frame) = (stand.n, (across, stand.n.cross(across)));
    let highest = |model: &Model| {
        let (slope, curve) = (model.slope.0.abs(), model.curve.xx);
        let reach = if curve * r > slope { slope / curve } else { r };
        let bound = model.gap + slope * reach - 0.5 * curve * reach * reach;
        (bound + pair.noise * reach, reach.copysign(model.slope.0))
    };
    let model = Model::new(pair, &stand.view, n, frame, r);
    let (bound, top) = highest(&model);
    // On a kink the piece beyond it holds the gap down.
    let beyond = pair.look((n + across * r.copysign(model.slope.0)).normalize());
    let flat = |m: Model| Model { slope: (m.slope.0, 0.0), ..m };
    let (model, other) = (flat(model), flat(Model::new(pair, &pair.look_again(&beyond, n), n, frame, r)));
    let Some(t) = model.evener(&other) else { return (bound, top) };
    let (lower, _) = highest(&model.blend(&other, t));
    // Both pieces are equally far where their lines cross.
    let crossing = (other.gap - model.gap) / (model.slope.0 - other.slope.0);
    if lower < bound { (lower, crossing) } else { (bound, top) }
}
