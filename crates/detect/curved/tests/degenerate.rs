//! Nonsense in, no panic out: sizes of zero, numbers that are not finite, points on axes and centres.

mod random;
mod thesis;

use kontakt_curved::{Aim, Curve, Frame, Surface};
use kontakt_math::DVec3;
use random::{nurbs_curve, surfaces};

fn points() -> Vec<DVec3> {
    let mut all =
        vec![DVec3::ZERO, DVec3::Z, DVec3::X, DVec3::ONE, DVec3::splat(1e300), DVec3::splat(1e-300)];
    all.extend([DVec3::NAN, DVec3::INFINITY, DVec3::new(f64::NAN, 0.0, 0.0)]);
    all
}

fn odd_surfaces() -> Vec<Surface> {
    let frame = Frame::IDENTITY;
    let line = |origin: DVec3, direction: DVec3| Box::new(Curve::Line { origin, direction });
    let circle = Box::new(Curve::Ellipse { frame, radii: [1.0, 1.0] });
    let mut all = vec![
        Surface::Plane(frame),
        Surface::Sphere { frame, radius: 1.0 },
        Surface::Sphere { frame, radius: 0.0 },
        Surface::Cylinder { frame, radii: [1.0, 1.0] },
        Surface::Cylinder { frame, radii: [1.0, 1e-300] },
        Surface::Cone { frame, radii: [1.0, 1.0], slope: 1.0 },
        Surface::Cone { frame, radii: [1.0, 2.0], slope: 0.0 },
        Surface::Torus { frame, major: 1.0, minor: 1.0 },
        Surface::Torus { frame, major: 1.0, minor: 2.0 },
        Surface::Torus { frame, major: 0.0, minor: 0.0 },
        Surface::Extrusion { curve: line(DVec3::ZERO, DVec3::X), direction: DVec3::X },
        Surface::Extrusion { curve: line(DVec3::ZERO, DVec3::ZERO), direction: DVec3::ZERO },
        Surface::Extrusion { curve: circle.clone(), direction: DVec3::X },
        Surface::Revolution { curve: line(DVec3::ZERO, DVec3::Z), frame },
        Surface::Revolution { curve: line(DVec3::X, DVec3::Z), frame },
        Surface::Revolution { curve: circle, frame },
    ];
    all.extend(thesis::table().map(|(_, spline)| Surface::Nurbs(spline)));
    all
}

#[test]
fn nothing_panics() {
    let mut rng = fastrand::Rng::with_seed(71);
    let mut all = odd_surfaces();
    all.extend(surfaces(&mut rng));
    for surface in all {
        for point in points() {
            let _ = surface.invert_near(point, None);
            let _ = surface.invert_near(point, Some([0.1, 0.2]));
            let _ = surface.invert_near(point, Some([f64::NAN, 0.2]));
            for distance in [0.0, 1e-6] {
                let _ = surface.invert(point, distance);
            }
            let _ = surface.extrema(Aim::Distance(point));
            let _ = surface.extrema(Aim::Extent(point));
        }
        for range in
            [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1e300, 1e300], [f64::NAN, 1.0], [0.0, f64::INFINITY]]
        {
            let bounds = surface.second_bounds(range, [0.2, 0.3]);
            assert!(
                !bounds.uu.is_nan() && !bounds.uv.is_nan() && !bounds.vv.is_nan(),
                "{surface:?} {range:?}"
            );
            let _ = surface.second_bounds([0.2, 0.3], range);
        }
    }
    for _ in 0..10 {
        let curve = Curve::Nurbs(nurbs_curve(&mut rng));
        for point in points() {
            let _ = curve.invert_near(point, Some(f64::NAN));
            let _ = curve.invert(point, 1e-9);
            let _ = curve.extrema(Aim::Distance(point));
            let _ = curve.extrema(Aim::Extent(point));
        }
    }
}
