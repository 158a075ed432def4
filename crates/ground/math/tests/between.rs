//! The map from B's frame to A's against rationals: its error is never too small, nor absurdly large.

use kontakt_math::{Between, DQuat, DVec3, Pose};
use testkit::rational::{Rational, Vector, dot, exact, scale, sub, vector};
use testkit::{Generator, rigid};

type PoseNumbers = ([f64; 4], [f64; 3]);

fn pose((q, t): PoseNumbers) -> Pose {
    Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap()
}

/// The exact place in A's frame: to the world, and back by the conjugate quaternion.
fn truth(a: PoseNumbers, b: PoseNumbers, x: [f64; 3]) -> Vector {
    let world = rigid::apply(b.0, b.1, x);
    let [qx, qy, qz, qw] = a.0.map(exact);
    rigid::rotate(&[-qx, -qy, -qz, qw], &sub(&world, &vector(a.1)))
}

/// |rounded − exact|² and the square of the claimed error.
fn compare(a: PoseNumbers, b: PoseNumbers, x: [f64; 3]) -> (Rational, Rational) {
    let between = Between::new(pose(a), pose(b));
    let at = DVec3::from_array(x);
    let offset = sub(&vector(between.b_in_a(at).to_array()), &truth(a, b, x));
    let claimed = exact(between.error_at(at));
    assert!(between.error_at(at) <= between.error_within(at.abs().element_sum()));
    (dot(&offset, &offset), &claimed * &claimed)
}

#[test]
fn generic_poses_are_within_their_error() {
    let mut source = Generator::free(51);
    let mut close = 0;
    for _ in 0..1500 {
        let far = 10.0_f64.powf(6.0 * source.unit() - 3.0);
        let mut next = || (source.quaternion(), source.point().map(|x| far * x));
        let (a, b) = (next(), next());
        let b = if source.index(8) == 0 { (a.0, b.1) } else { b };
        let reach = 10.0_f64.powf(6.0 * source.unit() - 3.0);
        let x = source.point().map(|x| reach * x);
        let (squared, claimed) = compare(a, b, x);
        assert!(squared <= claimed, "{a:?} {b:?} {x:?}");
        close += usize::from(scale(&exact(256.0), &[squared, exact(0.0), exact(0.0)])[0] > claimed);
    }
    // Within a factor of 16 of what happens: a bound a sixteenth of this size would be caught.
    assert!(close > 3, "{close}");
}

/// Quarter turns and short numbers: exact, and known to be.
#[test]
fn quarter_turns_are_exact() {
    let mut source = Generator::grid(52);
    for _ in 0..300 {
        let mut next = || (source.quaternion(), source.point().map(|x| 0.125 * x));
        let (a, b) = (next(), next());
        let x = source.point();
        let (squared, claimed) = compare(a, b, x);
        assert_eq!((&squared, &claimed), (&exact(0.0), &exact(0.0)), "{a:?} {b:?} {x:?}");
        // A long number rounds in the last sum, which the error knows.
        let long = [x[0] + 0.1, x[1], x[2] + 1e-20];
        let far = (b.0, [1e6 + 0.3, b.1[1], b.1[2]]);
        let (squared, claimed) = compare(a, far, long);
        assert!(squared <= claimed);
    }
}

/// Equal generic poses: the identity.
#[test]
fn equal_poses_are_exact() {
    let mut source = Generator::free(53);
    for _ in 0..100 {
        let a = (source.quaternion(), source.point());
        let opposite = (a.0.map(|x| -x), a.1);
        for b in [a, opposite] {
            let (squared, claimed) = compare(a, b, source.point());
            assert_eq!((squared, claimed), (exact(0.0), exact(0.0)));
        }
    }
}
