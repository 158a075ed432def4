//! Chains of poses against rationals: the composed pose is within its deviation, the exact map is exact.

use kontakt_math::{Between, Chain, DQuat, DVec3, Pose};
use num_traits::ToPrimitive;
use testkit::rational::{Vector, add, dot, exact, sub, vector};
use testkit::{Generator, rigid};

type PoseNumbers = ([f64; 4], [f64; 3]);

fn pose((q, t): PoseNumbers) -> Pose {
    Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap()
}

/// Poses outermost first.
fn chain(poses: &[PoseNumbers]) -> Chain {
    let (last, outer) = poses.split_last().unwrap();
    outer.iter().rev().fold(Chain::new(pose(*last)), |chain, numbers| chain.within(pose(*numbers)))
}

fn to_world(poses: &[PoseNumbers], x: [f64; 3]) -> Vector {
    let place = |x: Vector, (q, t): &PoseNumbers| add(&rigid::rotate(&q.map(exact), &x), &vector(*t));
    poses.iter().rev().fold(vector(x), place)
}

fn to_frame(poses: &[PoseNumbers], world: Vector) -> Vector {
    let back = |x: Vector, (q, t): &PoseNumbers| {
        let [qx, qy, qz, qw] = q.map(exact);
        rigid::rotate(&[-qx, -qy, -qz, qw], &sub(&x, &vector(*t)))
    };
    poses.iter().fold(world, back)
}

fn check(a: &[PoseNumbers], b: &[PoseNumbers], x: [f64; 3]) -> f64 {
    let (chain_a, chain_b) = (chain(a), chain(b));
    let between = Between::of_chains(&chain_a, &chain_b);
    let at = DVec3::from_array(x);
    let truth = to_frame(a, to_world(b, x));
    let offset = sub(&vector(between.b_in_a(at).to_array()), &truth);
    let claimed = exact(between.error_at(at));
    let squared = dot(&offset, &offset);
    assert!(squared <= &claimed * &claimed, "{a:?} {b:?} {x:?}");
    let [px, py, pz, w] = between.exact_b(at);
    for (found, exact) in [px, py, pz].iter().zip(&truth) {
        let (found, exact) = (found.quotient(&w), exact.to_f64().unwrap());
        assert!(
            (found - exact).abs() <= 4.0 * f64::EPSILON * exact.abs() + f64::MIN_POSITIVE,
            "{found} {exact}"
        );
    }
    // The composed pose alone: the world place.
    let place = vector(chain_b.composed().apply(at).to_array());
    let offset = sub(&place, &to_world(b, x));
    let allowed = chain_b.deviation(at.length() * (1.0 + 1e-12)) + chain_b.composed().apply_error(at);
    assert!(dot(&offset, &offset) <= &exact(allowed) * &exact(allowed), "{b:?} {x:?}");
    squared.to_f64().unwrap().sqrt() / between.error_at(at)
}

#[test]
fn rounded_and_exact_maps_of_chains() {
    let mut source = Generator::free(61);
    let mut worst: f64 = 0.0;
    for _ in 0..400 {
        let far = 10.0_f64.powf(4.0 * source.unit() - 2.0);
        let mut next = |most: usize| -> Vec<PoseNumbers> {
            let count = 1 + source.index(most);
            (0..count).map(|_| (source.quaternion(), source.point().map(|x| far * x))).collect()
        };
        let (a, b) = (next(3), next(4));
        worst = worst.max(check(&a, &b, source.point()));
    }
    // Within a factor of 32 of what happens.
    assert!(worst > 1.0 / 32.0, "{worst}");
}

#[test]
fn square_poses_combine_exactly() {
    let mut source = Generator::grid(62);
    for _ in 0..300 {
        let mut next =
            || -> Vec<PoseNumbers> { (0..4).map(|_| (source.quaternion(), source.point())).collect() };
        let (a, b) = (next(), next());
        assert!(chain(&a).is_exact() && chain(&b).is_exact());
        check(&a, &b, [1.0, 2.0, -3.0]);
        let x = DVec3::new(1.0, 2.0, -3.0);
        assert_eq!(Between::of_chains(&chain(&a), &chain(&b)).error_at(x), 0.0);
    }
}

#[test]
fn long_chains_are_made_and_dropped_without_recursion() {
    let step = Pose::from_axis_angle(DVec3::Z, 1e-3, DVec3::X).unwrap();
    let chain = (0..200_000).fold(Chain::new(step), |chain, _| chain.within(step));
    assert_eq!(chain.poses().count(), 200_001);
    assert!(chain.deviation(1.0) < 1e-3, "{}", chain.deviation(1.0));
    let shift = Pose::new(DQuat::IDENTITY, DVec3::X).unwrap();
    let chain = (0..10_000).fold(Chain::new(shift), |chain, _| chain.within(shift));
    assert!(chain.is_exact() && chain.composed().translation() == DVec3::X * 10_001.0);
}
