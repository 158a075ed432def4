//! The greatest value over a piece of a surface that is turned about an axis.
//!
//! Pieces of tori and of surfaces of revolution are bounded over their parameters' box. Turned about an axis, a point's value depends on the
//! angle only by w, its wave about the axis, and on that linearly (the extent) or, squared, linearly (the distance): so it is greatest at
//! an end of w's range. Rings all of whose points are as good as the best one are then bounded exactly at once.

use crate::curve::Curve;
use crate::enclosing::wave::Wave;
use crate::extrema::Aim;
use crate::frame::Frame;
use crate::surface::Surface;

/// A bound and the parameters at which it is met, or nearly so.
pub(super) struct Turned {
    pub(super) upper: f64,
    pub(super) at: [f64; 2],
}

/// The greatest value over a box of parameters, to rounding. `None` for other surfaces.
pub(super) fn most_over(aim: &Aim, surface: &Surface, over: [[f64; 2]; 2]) -> Option<Turned> {
    match surface {
        Surface::Torus { frame, major, minor } => Some(on_torus(aim, frame, [*major, *minor], over)),
        Surface::Revolution { curve, frame } => Some(on_revolution(aim, frame, curve, over)),
        _ => None,
    }
}

/// With w the wave of the direction or place about the axis, ρ = R + r cos v and z = r sin v: the extent is ρ w + z d·n, the distance squared
/// |q|² + R² + r² + 2 R r cos v − 2 ρ w − 2 z q·n. For each end of w both are waves in v.
fn on_torus(aim: &Aim, frame: &Frame, [major, minor]: [f64; 2], [u, v]: [[f64; 2]; 2]) -> Turned {
    let local = match aim {
        Aim::Extent(way) => frame.turned_back(*way),
        Aim::Distance(from) => frame.local(*from),
    };
    let wave = Wave(local.x, local.y);
    let ends = [wave.most(u), lowest(wave, u)];
    let found = ends.map(|(w, angle)| match aim {
        Aim::Extent(way) => {
            let (most, at) = Wave(minor * w, minor * local.z).most(v);
            Turned { upper: way.dot(frame.origin) + major * w + most, at: [angle, at] }
        }
        Aim::Distance(_) => {
            let (most, at) = Wave(2.0 * minor * (major - w), -2.0 * minor * local.z).most(v);
            let rest = local.length_squared() + major * major + minor * minor - 2.0 * major * w;
            Turned { upper: (rest + most).max(0.0).sqrt(), at: [angle, at] }
        }
    });
    greater(found)
}

/// For each angle the value is greatest at an end of the profile's chord, up to the profile's distance from that chord.
fn on_revolution(aim: &Aim, frame: &Frame, curve: &Curve, [u, v]: [[f64; 2]; 2]) -> Turned {
    let found = v.map(|t| {
        let out = frame.local(curve.point(t));
        let (upper, angle) = match aim {
            Aim::Extent(way) => {
                let d = frame.turned_back(*way);
                let wave = Wave(d.x * out.x + d.y * out.y, d.y * out.x - d.x * out.y);
                let (most, angle) = wave.most(u);
                (way.dot(frame.origin) + d.z * out.z + most, angle)
            }
            Aim::Distance(from) => {
                let q = frame.local(*from);
                let wave = Wave(-(q.x * out.x + q.y * out.y), -(q.y * out.x - q.x * out.y));
                let (most, angle) = wave.most(u);
                let square = q.length_squared() + out.length_squared() - 2.0 * q.z * out.z + 2.0 * most;
                (square.max(0.0).sqrt(), angle)
            }
        };
        Turned { upper, at: [angle, t] }
    });
    let best = greater(found);
    Turned { upper: best.upper + aim.factor() * curve.sagitta(v[0], v[1]), ..best }
}

fn greater([one, other]: [Turned; 2]) -> Turned {
    if other.upper > one.upper { other } else { one }
}

fn lowest(wave: Wave, over: [f64; 2]) -> (f64, f64) {
    let (most, at) = Wave(-wave.0, -wave.1).most(over);
    (-most, at)
}
