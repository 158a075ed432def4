//! Single parts of a scene.

use super::draft::Draft;
use super::{SceneError, corner, unit};
use kontakt_curved::{Curve, Edge, Frame, Loop, Surface};
use kontakt_math::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// From −half to half.
pub(super) fn cuboid(draft: &mut Draft, half: DVec3) -> Result<(), SceneError> {
    let ids: Vec<u32> = (0..8).map(|k| draft.vertex(corner(k, 1.0) * half)).collect();
    for k in 0..8_usize {
        for axis in (0..3).filter(|&axis| k >> axis & 1 == 0) {
            draft.line(ids[k], ids[k | 1 << axis]);
        }
    }
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for base in [0, 1 << axis] {
            let out = unit(axis) * if base == 0 { -1.0 } else { 1.0 };
            let round = [base, base | u, base | u | v, base | v].map(|k| ids[k]);
            draft.face(Surface::Plane(Frame::new(out * half, out, None)?), true, out, &round);
        }
    }
    Ok(())
}

fn circle(draft: &mut Draft, frame: Frame, radius: f64) -> u32 {
    let vertex = draft.vertex(frame.point(radius, 0.0, 0.0));
    draft.edge(Edge {
        curve: Curve::Ellipse { frame, radii: [radius; 2] },
        range: [0.0, TAU],
        ends: [vertex; 2],
    })
}

fn ring(edge: u32, forward: bool) -> Loop {
    Loop::Edges(vec![(edge, forward)])
}

/// A truncated cone, or a cylinder where both radii are equal.
pub(super) fn cone(
    draft: &mut Draft,
    foot: DVec3,
    axis: DVec3,
    [low, high]: [f64; 2],
    height: f64,
) -> Result<(), SceneError> {
    let bottom = Frame::new(foot, axis, None)?;
    let top = Frame { origin: bottom.point(0.0, 0.0, height), ..bottom };
    let (one, other) = (circle(draft, bottom, low), circle(draft, top, high));
    let side = if low == high {
        Surface::Cylinder { frame: bottom, radii: [low; 2] }
    } else {
        Surface::Cone { frame: bottom, radii: [low; 2], slope: (high - low) / height }
    };
    draft.bordered(side, true, vec![ring(one, true), ring(other, false)]);
    draft.bordered(Surface::Plane(bottom), false, vec![ring(one, false)]);
    draft.bordered(Surface::Plane(top), true, vec![ring(other, true)]);
    Ok(())
}

pub(super) fn ball(draft: &mut Draft, centre: DVec3, radius: f64) -> Result<(), SceneError> {
    let frame = Frame::new(centre, DVec3::Z, None)?;
    let pole = draft.vertex(frame.point(0.0, 0.0, radius));
    draft.bordered(Surface::Sphere { frame, radius }, true, vec![Loop::Vertex(pole)]);
    Ok(())
}

pub(super) fn torus(
    draft: &mut Draft,
    centre: DVec3,
    axis: DVec3,
    [major, minor]: [f64; 2],
) -> Result<(), SceneError> {
    let frame = Frame::new(centre, axis, None)?;
    let place = draft.vertex(frame.point(major + minor, 0.0, 0.0));
    draft.bordered(Surface::Torus { frame, major, minor }, true, vec![Loop::Vertex(place)]);
    Ok(())
}

/// A quarter of a torus about z, with discs at its ends.
pub(super) fn elbow(draft: &mut Draft, centre: DVec3, [major, minor]: [f64; 2]) -> Result<(), SceneError> {
    let frame = Frame::new(centre, DVec3::Z, Some(DVec3::X))?;
    let ends = [
        Frame::new(frame.point(major, 0.0, 0.0), DVec3::NEG_Y, Some(DVec3::X))?,
        Frame::new(frame.point(0.0, major, 0.0), DVec3::X, Some(DVec3::Y))?,
    ];
    let discs = ends.map(|end| circle(draft, end, minor));
    let outer = Curve::Ellipse { frame, radii: [major + minor; 2] };
    let from = draft.end(discs[0]);
    let to = draft.end(discs[1]);
    let seam = draft.edge(Edge { curve: outer, range: [0.0, FRAC_PI_2], ends: [from, to] });
    let uses = vec![(seam, true), (discs[1], true), (seam, false), (discs[0], false)];
    draft.bordered(Surface::Torus { frame, major, minor }, true, vec![Loop::Edges(uses)]);
    draft.bordered(Surface::Plane(ends[0]), true, vec![ring(discs[0], true)]);
    draft.bordered(Surface::Plane(ends[1]), false, vec![ring(discs[1], false)]);
    Ok(())
}
