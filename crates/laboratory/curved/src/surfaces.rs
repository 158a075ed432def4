//! The surfaces of the thesis' Table 2.1 as B-splines.

use kontakt_curved::{NurbsError, NurbsSurface};
use kontakt_math::DVec3;
use std::f64::consts::FRAC_1_SQRT_2;

/// Homogeneous points of a circle about z in four quadratic arcs: direction and weight.
fn circle() -> [([f64; 2], f64); 9] {
    let (e, w) = (1.0, FRAC_1_SQRT_2);
    [
        ([e, 0.0], 1.0),
        ([e, e], w),
        ([0.0, e], 1.0),
        ([-e, e], w),
        ([-e, 0.0], 1.0),
        ([-e, -e], w),
        ([0.0, -e], 1.0),
        ([e, -e], w),
        ([e, 0.0], 1.0),
    ]
}

fn circle_knots() -> Vec<f64> {
    vec![0.0, 0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0, 1.0]
}

/// A profile of (radius, height, weight) turned about z.
fn turned(degree: usize, knots: Vec<f64>, profile: &[[f64; 3]]) -> Result<NurbsSurface, NurbsError> {
    let points: Vec<Vec<DVec3>> = circle()
        .iter()
        .map(|([x, y], _)| profile.iter().map(|[r, z, _]| DVec3::new(r * x, r * y, *z)).collect())
        .collect();
    let weights: Vec<Vec<f64>> =
        circle().iter().map(|(_, w)| profile.iter().map(|[_, _, v]| w * v).collect()).collect();
    NurbsSurface::new([2, degree], [circle_knots(), knots], &points, Some(&weights))
}

/// Of radius one, in eight pieces of degree 2 × 2, with poles.
pub fn sphere() -> Result<NurbsSurface, NurbsError> {
    let w = FRAC_1_SQRT_2;
    let profile = [[0.0, -1.0, 1.0], [1.0, -1.0, w], [1.0, 0.0, 1.0], [1.0, 1.0, w], [0.0, 1.0, 1.0]];
    turned(2, vec![0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0], &profile)
}

/// Of radius one and height two, in four pieces of degree 2 × 1.
pub fn cylinder() -> Result<NurbsSurface, NurbsError> {
    turned(1, vec![0.0, 0.0, 1.0, 1.0], &[[1.0, 0.0, 1.0], [1.0, 2.0, 1.0]])
}

/// Of radius one and height two up to its apex, in four pieces of degree 2 × 1.
pub fn cone() -> Result<NurbsSurface, NurbsError> {
    turned(1, vec![0.0, 0.0, 1.0, 1.0], &[[1.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
}

/// Of radii three and one, in sixteen pieces of degree 2 × 2.
pub fn torus() -> Result<NurbsSurface, NurbsError> {
    let profile: Vec<[f64; 3]> = circle().iter().map(|([x, y], w)| [3.0 + x, *y, *w]).collect();
    turned(2, circle_knots(), &profile)
}

/// Two waves across each other, in nine pieces of degree 3 × 3. The thesis' own control points are lost; its knots are these.
pub fn wave() -> Result<NurbsSurface, NurbsError> {
    let knots = || vec![0.0, 0.0, 0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0, 1.0, 1.0];
    let height = [0.0, 1.0, -1.0, 1.0, -1.0, 0.0];
    let points: Vec<Vec<DVec3>> = (0..6)
        .map(|i| (0..6).map(|j| DVec3::new(i as f64, j as f64, height[i] + height[j])).collect())
        .collect();
    NurbsSurface::new([3, 3], [knots(), knots()], &points, None)
}

/// All five, with their names.
pub fn table() -> Result<[(&'static str, NurbsSurface); 5], NurbsError> {
    Ok([
        ("sphere", sphere()?),
        ("cylinder", cylinder()?),
        ("cone", cone()?),
        ("torus", torus()?),
        ("wave", wave()?),
    ])
}
