//! The answers from doubles against those in exact numbers.

use super::*;
use kontakt_math::{DQuat, Pose};
use testkit::generate::Generator;

/// Both answers, where both are given: from doubles and exact.
struct Both(Radii);

impl Task for Both {
    type Output = Option<(Answer, Answer)>;

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Self::Output {
        let errors = Errors::new(pair);
        let mut walk = Walk::start(pair, &Warm::default());
        if walk.descend(pair, &errors, |_| false) != End::Bounded {
            return None;
        }
        let doubles = certified(pair, &errors, &self.0, &walk, NORMAL_ERROR)?;
        match exactly(pair, &self.0, &walk.simplex, &mut Warm::default()) {
            Cut::Apart(exact) => Some((doubles, exact)),
            _ => panic!("doubles proved the cores apart"),
        }
    }

    fn not_polytopal(self) -> Self::Output {
        None
    }
}

fn shape(random: &mut Generator, stretch: DVec3) -> Shape {
    let mut point = || DVec3::from_array(random.point()) * stretch;
    let points: Vec<DVec3> = (0..40).map(|_| point()).collect();
    match random.index(6) {
        0 => Shape::point(),
        1 => Shape::segment([points[0], points[1]]).expect("finite"),
        2 => Shape::triangle([points[0], points[1], points[2]]).expect("finite"),
        3 => Shape::cuboid(points[0].abs()).expect("finite"),
        _ => Shape::hull(&points[..=random.index(40)]).expect("finite"),
    }
}

fn pose(random: &mut Generator, scale: f64) -> Pose {
    let at = DVec3::from_array(random.point()) * scale;
    Pose::new(DQuat::from_array(random.quaternion()), at).expect("a pose")
}

#[test]
fn doubles_claim_no_more_than_exact_numbers_confirm() {
    let (mut compared, mut tight, mut all) = (0, 0, 0);
    for seed in 0..3000 {
        let mut random = Generator::free(seed);
        let scale = [1.0, 1e-9, 1e9][random.index(3)];
        let thin = [DVec3::ONE, DVec3::new(1.0, 1.0, 1e-6), DVec3::new(1e-6, 1.0, 1e-6)][random.index(3)];
        let round = 0.1 * scale * random.unit();
        let a = shape(&mut random, thin * scale).with_margin(round).expect("a margin");
        let b = shape(&mut random, DVec3::splat(scale));
        let between = Between::new(pose(&mut random, 2.0 * scale), pose(&mut random, 2.0 * scale));
        all += 1;
        let Some((doubles, exact)) = with_pair(a.core(), b.core(), &between, Both(Radii::of(&a, &b))) else {
            continue;
        };
        compared += 1;
        assert_eq!(doubles.verdict, exact.verdict, "seed {seed}");
        assert!(doubles.separation.lo() <= exact.separation.hi(), "seed {seed}: {doubles:?} {exact:?}");
        assert!(doubles.separation.hi() >= exact.separation.lo(), "seed {seed}: {doubles:?} {exact:?}");
        let angle = doubles.normal.cross(exact.normal).length();
        assert!(angle <= doubles.normal_error + exact.normal_error, "seed {seed}: {doubles:?} {exact:?}");
        let off = (doubles.point_a - exact.point_a).length().max((doubles.point_b - exact.point_b).length());
        assert!(off <= doubles.point_error + exact.point_error, "seed {seed}: {doubles:?} {exact:?}");
        tight += usize::from(doubles.point_error < 1e-9 * scale && doubles.normal_error < 1e-9);
    }
    assert!(compared * 10 > all * 6 && tight * 10 > compared * 9, "{tight} of {compared} of {all}");
}
