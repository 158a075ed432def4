//! Poses: conversions give the rotation back, special cases included, and rounding errors stay within their bound.

use kontakt_math::rotation::{
    axis_angle_of, fixed_angles_of, quaternion_from_axis_angle, quaternion_from_fixed_angles,
    quaternion_from_matrix,
};
use kontakt_math::{DMat3, DQuat, DVec3, FixedAngles, Pose, PoseError};
use std::f64::consts::{FRAC_PI_2, PI};
use testkit::rational::{Rational, exact};
use testkit::{Generator, rigid};

fn same_rotation(p: DQuat, q: DQuat) -> bool {
    (p.dot(q).abs() - 1.0).abs() < 1e-14 && DMat3::from_quat(p).abs_diff_eq(DMat3::from_quat(q), 1e-14)
}

#[test]
fn conversions_give_the_rotation_back() {
    for mut data in [Generator::free(41), Generator::grid(42)] {
        for _ in 0..2000 {
            let q = DQuat::from_array(data.quaternion()).normalize();
            let (axis, angle) = axis_angle_of(q);
            assert!((0.0..=PI).contains(&angle) && (axis.length() - 1.0).abs() < 1e-15);
            assert!(same_rotation(quaternion_from_axis_angle(axis * 7.0, angle).expect("axis"), q));
            assert!(same_rotation(quaternion_from_fixed_angles(fixed_angles_of(q)).expect("finite"), q));
            assert!(same_rotation(quaternion_from_matrix(DMat3::from_quat(q)).expect("rotation"), q));
        }
    }
}

/// R = Rz(α)·Ry(β)·Rx(γ), not the other way round; checked on quarter turns, which are exact by hand.
#[test]
fn fixed_angles_turn_about_x_first() {
    let angles = FixedAngles { alpha: FRAC_PI_2, beta: 0.0, gamma: FRAC_PI_2 };
    let pose = Pose::from_fixed_angles(angles, DVec3::ZERO).expect("finite");
    // x first: y → z; z stays under the turn about z. And x → y by the turn about z.
    assert!(pose.apply(DVec3::Y).abs_diff_eq(DVec3::Z, 1e-15));
    assert!(pose.apply(DVec3::X).abs_diff_eq(DVec3::Y, 1e-15));
}

#[test]
fn the_degenerate_angles_are_handled() {
    let mut data = Generator::free(43);
    for beta in [FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2 - 1e-9, 1e-300, -FRAC_PI_2 + 1e-15] {
        for _ in 0..200 {
            let angles = FixedAngles { alpha: data.coordinate() * 3.0, beta, gamma: data.coordinate() * 3.0 };
            let q = quaternion_from_fixed_angles(angles).expect("finite");
            let back = fixed_angles_of(q);
            assert!(same_rotation(quaternion_from_fixed_angles(back).expect("finite"), q), "{angles:?}");
        }
    }
    // Half turns: the matrix has trace −1, the textbook divides by sin π and by q0 = 0.
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, -0.8, 0.0), DVec3::new(2.0, -3.0, 6.0) / 7.0] {
        let pose = Pose::from_axis_angle(axis, PI, DVec3::ONE).expect("axis");
        let (found, angle) = Pose::from_matrix(pose.matrix(), DVec3::ONE).expect("rotation").axis_angle();
        assert!((angle - PI).abs() < 1e-15 && found.cross(axis).length() < 1e-15, "{axis} {found}");
    }
    let (axis, angle) = Pose::IDENTITY.axis_angle();
    assert_eq!((axis, angle), (DVec3::X, 0.0));
    let tiny = Pose::from_axis_angle(DVec3::new(0.0, 1e-320, 0.0), 1e-200, DVec3::ZERO).expect("axis");
    assert_eq!(tiny.axis_angle(), (DVec3::Y, 1e-200));
}

#[test]
fn bad_rotations_are_named() {
    let nan = DVec3::new(f64::NAN, 0.0, 0.0);
    let matrix = |m: DMat3| Pose::from_matrix(m, DVec3::ZERO).err();
    assert!(matches!(matrix(DMat3::IDENTITY * 1.1), Some(PoseError::NotOrthonormal { .. })));
    assert!(matches!(matrix(DMat3::IDENTITY * 1e300), Some(PoseError::NotOrthonormal { .. })));
    assert!(matches!(matrix(DMat3::ZERO), Some(PoseError::NotOrthonormal { .. })));
    assert_eq!(matrix(DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0))), Some(PoseError::Mirrors));
    assert_eq!(matrix(DMat3::from_cols(nan, nan, nan)), Some(PoseError::NotFinite));
    assert_eq!(matrix(DMat3::IDENTITY * (1.0 + 1e-5)), None);
    assert_eq!(Pose::from_axis_angle(DVec3::ZERO, 1.0, DVec3::ZERO).err(), Some(PoseError::ZeroAxis));
    assert_eq!(Pose::from_axis_angle(nan, 1.0, DVec3::ZERO).err(), Some(PoseError::NotFinite));
    assert_eq!(Pose::new(DQuat::IDENTITY, nan).err(), Some(PoseError::NotFinite));
    let long = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 1.01), DVec3::ZERO);
    assert!(matches!(long.err(), Some(PoseError::NotUnit { .. })));
}

#[test]
fn images_are_within_their_certified_error() {
    let mut worst = 0.0_f64;
    for mut data in [Generator::free(44), Generator::grid(45)] {
        for _ in 0..800 {
            let scale = [1.0, 1e-150, 1e150, 1e-310][data.index(4)];
            let shift = DVec3::from_array(data.point()) * [0.0, 1.0, 1e3][data.index(3)] * scale;
            let pose = Pose::new(DQuat::from_array(data.quaternion()), shift).expect("unit");
            let x = DVec3::from_array(data.point()) * scale;
            let truth = rigid::apply(pose.rotation().to_array(), pose.translation().to_array(), x.to_array());
            let (image, range) = (pose.apply(x).to_array(), pose.apply_interval(x));
            let error: Rational = (0..3).map(|i| (exact(image[i]) - &truth[i]).pow(2)).sum();
            let bound = pose.apply_error(x);
            assert!(error <= exact(bound).pow(2), "{bound} for {x}");
            for (side, value) in [range.x, range.y, range.z].iter().zip(&truth) {
                assert!(exact(side.lo()) <= *value && *value <= exact(side.hi()));
            }
            if scale == 1.0 && shift == DVec3::ZERO && x != DVec3::ZERO {
                worst = worst.max(range.farthest_from(pose.apply(x)) / x.length());
            }
        }
    }
    assert!(worst < 40.0 * f64::EPSILON, "enclosure is {worst} wide");
}

#[test]
fn inverse_and_composition_undo_each_other() {
    let mut data = Generator::free(46);
    for _ in 0..500 {
        let mut pose = || {
            Pose::new(DQuat::from_array(data.quaternion()), DVec3::from_array(data.point())).expect("unit")
        };
        let (a_from_b, b_from_c) = (pose(), pose());
        let x = DVec3::new(0.3, -0.2, 0.9);
        let a_from_c = a_from_b.then_from(&b_from_c);
        assert!(a_from_c.apply(x).abs_diff_eq(a_from_b.apply(b_from_c.apply(x)), 1e-14));
        assert!(a_from_c.inverse().apply(a_from_c.apply(x)).abs_diff_eq(x, 1e-14));
    }
}
