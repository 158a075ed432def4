//! On which side of a body's faces a point is, in exact arithmetic.

use super::spot::{Space, Spot};
use crate::solo::Solo;
use kontakt_answers::Side;
use kontakt_math::{DVec3, Sign};

/// How a body's faces lie about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parity {
    /// Whether a ray from the point crosses an odd number of faces that do not contain the point.
    pub(crate) odd: bool,
    /// How many faces contain the point inside their rims.
    pub(crate) covering: u32,
}

/// Directions to try: short, deterministic, in no common plane with anything for long.
pub(crate) struct Directions {
    state: u64,
}

impl Directions {
    pub(crate) fn new() -> Directions {
        Directions { state: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Integers up to ±1000, not all zero.
    pub(crate) fn next(&mut self) -> DVec3 {
        let mut draw = || {
            // An ordinary 64-bit linear congruential generator (Knuth's constants).
            self.state =
                self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((self.state >> 33) as u32 % 2001) - 1000.0
        };
        let direction = DVec3::new(draw(), draw(), draw());
        if direction == DVec3::ZERO { DVec3::X } else { direction }
    }
}

/// Whether a point off all faces with an area is inside a closed body: **exact**.
pub(crate) fn is_odd(space: &Space, side: Side, spot: &Spot) -> bool {
    let mut directions = Directions::new();
    loop {
        if let Some(found) = along(space, side, spot, directions.next()) {
            return found.odd;
        }
    }
}

/// Counts along the ray from `spot` in `direction` (A's frame); `None` when the ray meets a rim or runs along a face, so that
/// another direction is needed. The sides of the plane in which `direction` lies: `odd` is the parity just off the covering
/// faces on the side the direction points to.
pub(crate) fn along(space: &Space, side: Side, spot: &Spot, direction: DVec3) -> Option<Parity> {
    let mut found = Parity { odd: false, covering: 0 };
    let mut clear = true;
    hits(space, side, spot, direction, |_, hit| {
        match hit {
            Hit::Beside => {}
            Hit::Ahead => found.odd = !found.odd,
            Hit::Covers => found.covering += 1,
            Hit::Rim => clear = false,
        }
        clear
    });
    clear.then_some(found)
}

/// How the ray from `spot` in `direction` (A's frame) passes each face that comes near it, until `take` answers false.
pub(crate) fn hits(
    space: &Space,
    side: Side,
    spot: &Spot,
    direction: DVec3,
    mut take: impl FnMut(u32, Hit) -> bool,
) {
    let mesh = space.mesh(side);
    let (origin, error) = spot.rounded();
    let (start, heading, slack) = match side {
        Side::A => (origin, direction, error),
        Side::B => {
            let (start, off) = space.to_b(origin).unwrap_or((origin, f64::INFINITY));
            (start, space.between.turn().transpose() * direction, error + off)
        }
    };
    let vertices = mesh.faces().vertices();
    Solo::new(mesh.tree()).along_ray(start, heading, f64::INFINITY, slack, |slot| {
        let corners = mesh.tree().corners()[slot as usize].map(|v| space.spot(side, vertices[v as usize]));
        space.goes_on() && take(mesh.tree().order()[slot as usize], pass(space, spot, direction, &corners))
    });
}

/// How a ray passes a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// Not at all.
    Beside,
    /// It goes through its inside.
    Ahead,
    /// It starts inside it.
    Covers,
    /// It meets its rim or runs along it.
    Rim,
}

/// How the ray passes one triangle. The three determinants d·((v−o)×(w−o)) over its edges tell whether the line goes through
/// it (all of one sign), and their sum is d·normal; (v₀−o)·normal is `orient`.
fn pass(space: &Space, o: &Spot, direction: DVec3, [a, b, c]: &[Spot; 3]) -> Hit {
    let sides = [(a, b), (b, c), (c, a)].map(|(v, w)| space.line_side(direction, o, v, w));
    let (left, right) = (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative));
    if left && right {
        return Hit::Beside;
    }
    if sides.contains(&Sign::Zero) {
        // A triangle without area changes no parity and has no inside, whichever way the ray meets it.
        let has_area = (0..3).any(|axis| space.turn(axis, a, b, c) != Sign::Zero);
        return if has_area { Hit::Rim } else { Hit::Beside };
    }
    let facing = if left { Sign::Positive } else { Sign::Negative };
    match space.orient(a, b, c, o).times(facing) {
        Sign::Positive => Hit::Ahead,
        Sign::Zero => Hit::Covers,
        Sign::Negative => Hit::Beside,
    }
}

/// Whether a point is on the closed faces of a body, exactly.
pub(crate) fn on_faces(space: &Space, side: Side, spot: &Spot) -> bool {
    let mesh = space.mesh(side);
    let (origin, error) = spot.rounded();
    let (start, slack) = match side {
        Side::A => (origin, error),
        Side::B => {
            let (start, off) = space.to_b(origin).unwrap_or((origin, f64::INFINITY));
            (start, error + off)
        }
    };
    let around = DVec3::splat(slack);
    let vertices = mesh.faces().vertices();
    let mut found = false;
    Solo::new(mesh.tree()).in_box(start - around, start + around, |slot| {
        if !found {
            let corners =
                mesh.tree().corners()[slot as usize].map(|v| space.spot(side, vertices[v as usize]));
            found = on_face(space, spot, &corners);
        }
    });
    found
}

/// Whether a point is on a closed triangle: in its plane and inside in all three views along the axes; see
/// `inside::crossing`.
pub(crate) fn on_face(space: &Space, spot: &Spot, corners: &[Spot; 3]) -> bool {
    let [a, b, c] = corners;
    space.orient(a, b, c, spot) == Sign::Zero && (0..3).all(|axis| in_view(space, axis, spot, corners))
}

pub(crate) fn in_view(space: &Space, axis: usize, spot: &Spot, corners: &[Spot; 3]) -> bool {
    let [a, b, c] = corners;
    let sides = [(a, b), (b, c), (c, a)].map(|(v, w)| space.turn(axis, v, w, spot));
    let (left, right) = (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative));
    if left || right {
        return left != right;
    }
    [(axis + 1) % 3, (axis + 2) % 3].into_iter().all(|k| {
        let compared = [a, b, c].map(|v| space.compare(k, v, spot));
        compared.iter().any(|o| o.is_le()) && compared.iter().any(|o| o.is_ge())
    })
}
