//! The exact verdict on a half-space and a polytopal core.

use crate::{Core, Verdict};
use kontakt_math::{Between, DVec3, Dyadic, Sign};

/// normal · x ≤ offset, as given.
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

fn exact(x: f64) -> Dyadic {
    Dyadic::new(x).unwrap_or(Dyadic::ZERO)
}

/// Whether the body stays above the plane by more than the radii, exactly that, or less; none for curved cores.
pub(super) fn verdict(plane: &Plane, core: &Core, radii: [f64; 4], between: &Between) -> Option<Verdict> {
    let corners: Vec<DVec3>;
    let points: &[DVec3] = match core {
        Core::Point => &[DVec3::ZERO],
        Core::Segment(ends) => ends,
        Core::Triangle(corners) => corners,
        Core::Hull(hull) => hull.vertices(),
        Core::Box(half) => {
            corners = (0..8)
                .map(|i| {
                    let pick = |bit: u32, x: f64| if i >> bit & 1 == 1 { -x } else { x };
                    DVec3::new(pick(0, half.x), pick(1, half.y), pick(2, half.z))
                })
                .collect();
            &corners
        }
        _ => return None,
    };
    let near = nearly_lowest(plane, points, between);
    let sign = near.map(|x| sign_above(plane, x, radii, between)).min_by_key(|sign| rank(*sign))?;
    Some(match sign {
        Sign::Positive => Verdict::Separate,
        Sign::Zero => Verdict::Touching,
        Sign::Negative => Verdict::Overlapping,
    })
}

fn rank(sign: Sign) -> i8 {
    match sign {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

/// The points that may be lowest, by doubles with a generous error; all of them where something overflows.
fn nearly_lowest<'a>(
    plane: &'a Plane,
    points: &'a [DVec3],
    between: &'a Between,
) -> impl Iterator<Item = DVec3> + 'a {
    let largest = plane.normal.abs().max_element();
    let normal = plane.normal / largest;
    let height = move |x: DVec3| {
        let point = between.b_in_a(x);
        (normal.dot(point), 4.0 * between.error_at(x) + 1e-14 * point.abs().element_sum())
    };
    let top = points.iter().map(|x| height(*x)).map(|(h, e)| h + e).fold(f64::INFINITY, f64::min);
    points.iter().copied().filter(move |x| {
        let (h, e) = height(*x);
        (h - e).is_nan() || h - e <= top || top.is_nan()
    })
}

/// Sign of normal·x − offset − (sum of radii)·|normal|.
///
/// With x = (p/w) exact, D = normal·p − offset·w has the sign of the height over the plane; where D > 0, D² is compared with
/// (sum of radii)²·|normal|²·w².
fn sign_above(plane: &Plane, x: DVec3, radii: [f64; 4], between: &Between) -> Sign {
    let [px, py, pz, w] = between.exact_b(x);
    let n = plane.normal.to_array().map(exact);
    let along = &(&(&n[0] * &px) + &(&n[1] * &py)) + &(&n[2] * &pz);
    let height = &along - &(&exact(plane.offset) * &w);
    let grown = radii.iter().fold(Dyadic::ZERO, |sum, r| &sum + &exact(*r));
    compare_with_ball(&height, &grown, &n, &w)
}

/// Sign of height − radius·|normal|·weight, for weight > 0.
pub(super) fn compare_with_ball(
    height: &Dyadic,
    radius: &Dyadic,
    normal: &[Dyadic; 3],
    weight: &Dyadic,
) -> Sign {
    if radius.is_zero() {
        return height.sign();
    }
    if height.sign() != Sign::Positive {
        return Sign::Negative;
    }
    let squared = &(&(&normal[0] * &normal[0]) + &(&normal[1] * &normal[1])) + &(&normal[2] * &normal[2]);
    let limit = radius * weight;
    (&(height * height) - &(&(&limit * &limit) * &squared)).sign()
}
