//! The thesis' four scenes, built anew: its files are lost, of one of them also the numbers.

mod draft;
mod primitive;

use draft::Draft;
use kontakt_curved::{Brep, BrepError, Frame, FrameError, Surface};
use kontakt_math::DVec3;

/// Why a scene is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// No axes.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// No body.
    #[error(transparent)]
    Brep(#[from] BrepError),
}

/// A scene with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// As the thesis calls it, without the ending.
    pub name: &'static str,
    /// Its boundary.
    pub brep: Brep,
}

/// All four.
pub fn scenes() -> Result<[Scene; 4], SceneError> {
    Ok([
        Scene { name: "sphere6", brep: six_balls()? },
        Scene { name: "smoothcube", brep: smooth_cube(1.0, 0.25)? },
        Scene { name: "misc", brep: misc()? },
        Scene { name: "rolladen", brep: shutter()? },
    ])
}

fn unit(axis: usize) -> DVec3 {
    [DVec3::X, DVec3::Y, DVec3::Z][axis]
}

fn corner(k: u32, half: f64) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { half } else { -half }))
}

/// Six unit balls about ±1 on the coordinate axes: three of them meet at (±⅔, ±⅔, ±⅔).
pub fn six_balls() -> Result<Brep, SceneError> {
    let mut draft = Draft::new((0..8).map(|k| corner(k, 2.0 / 3.0)).collect());
    for k in 0..8_u32 {
        for axis in 0..3 {
            let other = k | 1 << axis;
            if other != k {
                let mut out = draft.place(k);
                out[axis] = 0.0;
                draft.arc(out * 0.75, out, k, other)?;
            }
        }
    }
    for axis in 0..3_usize {
        for side in [0_u32, 1] {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let base = side << axis;
            let out = unit(axis) * (2.0 * f64::from(side) - 1.0);
            let frame = Frame::new(out, out, Some(unit((axis + 1) % 3)))?;
            let round = [base, base | u, base | u | v, base | v];
            draft.face(Surface::Sphere { frame, radius: 1.0 }, true, out, &round);
        }
    }
    draft.brep()
}

/// A cube from −half to half with edges and corners of a radius.
pub fn smooth_cube(half: f64, radius: f64) -> Result<Brep, SceneError> {
    let flat = half - radius;
    let side = |k: u32, axis: usize| unit(axis) * corner(k, 1.0)[axis];
    let id = |k: u32, axis: usize| 3 * k + axis as u32;
    let vertices = (0..24_u32).map(|n| corner(n / 3, flat) + side(n / 3, n as usize % 3) * radius);
    let mut draft = Draft::new(vertices.collect());
    for k in 0..8_u32 {
        for axis in 0..3 {
            for along in (0..3).filter(|&along| along != axis && k >> along & 1 == 0) {
                draft.line(id(k, axis), id(k | 1 << along, axis));
            }
            let next = (axis + 1) % 3;
            draft.arc(corner(k, flat), side(k, axis) + side(k, next), id(k, axis), id(k, next))?;
        }
        let frame = Frame::new(corner(k, flat), side(k, 2), Some(side(k, 0)))?;
        let round = [id(k, 0), id(k, 1), id(k, 2)];
        draft.face(Surface::Sphere { frame, radius }, true, corner(k, flat), &round);
    }
    for axis in 0..3_usize {
        let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
        let (u, v) = (1_u32 << one, 1_u32 << two);
        for base in [0, 1_u32 << axis] {
            let out = side(base, axis);
            let round = [base, base | u, base | u | v, base | v].map(|k| id(k, axis));
            draft.face(Surface::Plane(Frame::new(out * half, out, Some(unit(one)))?), true, out, &round);
        }
        for k in [0, u, v, u | v] {
            let (far, out) = (k | 1 << axis, side(k, one) + side(k, two));
            let frame = Frame::new(corner(k, flat), unit(axis), Some(side(k, one)))?;
            let round = [id(k, one), id(far, one), id(far, two), id(k, two)];
            draft.face(Surface::Cylinder { frame, radii: [radius; 2] }, true, out, &round);
        }
    }
    draft.brep()
}

/// One of each kind of face: the parts that the thesis names, side by side instead of united. Volumes about them are the same.
fn misc() -> Result<Brep, SceneError> {
    let mut draft = Draft::new(Vec::new());
    primitive::cuboid(&mut draft, DVec3::splat(1.0))?;
    primitive::cone(&mut draft, DVec3::new(0.0, 0.0, 1.0), DVec3::Z, [0.5, 0.5], 1.0)?;
    primitive::cone(&mut draft, DVec3::new(1.0, 0.2, 0.0), DVec3::X, [0.3, 0.3], 1.5)?;
    primitive::cone(&mut draft, DVec3::new(0.1, -1.0, 0.3), DVec3::NEG_Y, [0.6, 0.3], 1.2)?;
    primitive::ball(&mut draft, DVec3::new(1.0, 1.0, 1.0), 0.4)?;
    primitive::torus(&mut draft, DVec3::new(-1.2, 0.3, 0.0), DVec3::new(1.0, 0.3, 0.2), [0.7, 0.2])?;
    primitive::elbow(&mut draft, DVec3::new(0.4, 1.0, -0.3), [0.6, 0.15])?;
    draft.brep()
}

/// The slat of a shutter: two arcs in 48 and 47 pieces with flat ends, 97 sides and two caps. The thesis' own is lost.
fn shutter() -> Result<Brep, SceneError> {
    const OUTER: u32 = 48;
    const INNER: u32 = 47;
    let at = |radius: f64, share: f64| {
        let (sin, cos) = (0.9 - 1.8 * share).sin_cos();
        DVec3::new(radius * sin, radius * cos, 0.0)
    };
    let outer = (0..=OUTER).map(|k| at(40.0, f64::from(k) / f64::from(OUTER)));
    let inner = (0..=INNER).map(|k| at(37.0, 1.0 - f64::from(k) / f64::from(INNER)));
    let low: Vec<DVec3> = outer.chain(inner).collect();
    let count = low.len() as u32;
    let high = low.iter().map(|x| *x + DVec3::Z * 100.0);
    let mut draft = Draft::new(low.iter().copied().chain(high).collect());
    for k in 0..count {
        draft.line(k, count + k);
    }
    for k in 0..count {
        let next = (k + 1) % count;
        let (a, b) = (draft.place(k), draft.place(next));
        let is_flat = k == OUTER || next == 0;
        for (level, base) in [(0.0, 0), (100.0, count)] {
            if is_flat {
                draft.line(base + k, base + next);
            } else {
                draft.arc(DVec3::Z * level, a + b, base + k, base + next)?;
            }
        }
        let round = [k, next, count + next, count + k];
        let middle = 0.5 * (a + b);
        if is_flat {
            let out = if k == OUTER { DVec3::NEG_X } else { DVec3::X };
            let normal = (b - a).cross(DVec3::Z).normalize();
            let normal = if normal.dot(out) < 0.0 { -normal } else { normal };
            draft.face(Surface::Plane(Frame::new(a, normal, None)?), true, normal, &round);
        } else {
            let (radius, outward) = if k < OUTER { (40.0, true) } else { (37.0, false) };
            let frame = Frame::new(DVec3::ZERO, DVec3::Z, Some(middle))?;
            let out = if outward { middle } else { -middle };
            draft.face(Surface::Cylinder { frame, radii: [radius; 2] }, outward, out, &round);
        }
    }
    let ring: Vec<u32> = (0..count).collect();
    draft.face(Surface::Plane(Frame::new(DVec3::ZERO, DVec3::NEG_Z, None)?), true, DVec3::NEG_Z, &ring);
    let ring: Vec<u32> = (count..2 * count).collect();
    draft.face(Surface::Plane(Frame::new(DVec3::Z * 100.0, DVec3::Z, None)?), true, DVec3::Z, &ring);
    draft.brep()
}
