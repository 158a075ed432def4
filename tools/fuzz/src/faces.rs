//! Two triangles at two poses: how they meet against the rational oracle, and everything else against how they meet.

use crate::case::Case;
use kontakt_answers::{Range, Visits};
use kontakt_bounds::batch::Isa;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{
    Between, Common, Gaps, Meeting, Octet, common_points, distance_range, gap_batch, meet_batch, meeting,
};
use testkit::rational::vector;
use testkit::rotation::moved;
use testkit::triangle_meeting::{TriangleMeeting, triangle_meeting};

/// Poses and six corners from bytes.
pub fn of_points(bytes: &[u8]) {
    let case = Case::of(bytes);
    let corner = |i: usize| case.points.get(i).copied().unwrap_or(DVec3::ZERO);
    let (a, b) = ([corner(0), corner(1), corner(2)], [corner(3), corner(4), corner(5)]);
    let poses = poses(&case);
    let between = Between::new(poses[0], poses[1]);
    let mut visits = Visits::default();
    let met = meeting(&between, a, b, &mut visits);
    let (again, common) = common_points(&between, a, b, &mut visits);
    let (range, found) = distance_range(&between, a, b, &mut visits);
    if !a.iter().chain(&b).all(|x| x.is_finite()) {
        return;
    }
    assert_eq!(met, again);
    assert_eq!(met == Meeting::Apart, common == Common::None);
    assert_eq!(met == Meeting::Apart, range != Range::ZERO, "{range:?} {found:?} {a:?} {b:?} {poses:?}");
    let back = Between::new(poses[1], poses[0]);
    let turned = [b[1], b[2], b[0]];
    assert_eq!(met, meeting(&back, turned, [a[0], a[2], a[1]], &mut visits), "{a:?} {b:?} {poses:?}");
    batches(&between, a, b, met, &range);
    // Long numbers take the oracle long.
    let short = |x: f64| x == 0.0 || (1e-30..1e30).contains(&x.abs());
    let all = a.iter().chain(&b).flat_map(|x| x.to_array());
    if all.chain(poses[1].translation().to_array()).all(short) {
        let truth = oracle(poses, a, b);
        assert_eq!(met, truth, "{a:?} {b:?} {poses:?}");
    }
}

/// B's pose is the case's; A's is at rest, the same, or one that takes axes to axes.
fn poses(case: &Case) -> [Pose; 2] {
    let at = |q: [f64; 4]| {
        Pose::new(DQuat::from_array(q), case.pose.translation()).unwrap_or(Pose::IDENTITY)
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose_a = match case.choice % 6 {
        0 => Pose::IDENTITY,
        1 => case.pose,
        2 => at([0.5, -0.5, 0.5, 0.5]),
        3 => at([0.0, half, 0.0, -half]),
        4 => at([0.0, 1.0, 0.0, 0.0]),
        _ => case.pose.inverse(),
    };
    let pose_b = if case.choice & 64 == 0 { case.pose } else { at([half, half, 0.0, 0.0]) };
    [pose_a, pose_b]
}

fn batches(between: &Between, a: [DVec3; 3], b: [DVec3; 3], met: Meeting, range: &Range) {
    let (mut octet_a, mut octet_b, mut gaps) = (Octet::default(), Octet::default(), Gaps::default());
    octet_a.fill_a(&a, &[[0, 1, 2], [1, 2, 0], [2, 1, 0]]);
    octet_b.fill_b(between, &b, &[[0, 1, 2], [2, 0, 1]]);
    for isa in Isa::available() {
        let verdicts = meet_batch(isa, &octet_a, &octet_b);
        gap_batch(isa, &octet_a, &octet_b, &mut gaps);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            assert!(!verdicts.is_apart(i, j) || met == Meeting::Apart, "{isa:?} {a:?} {b:?} {between:?}");
            assert!(!verdicts.is_crossing(i, j) || met == Meeting::Crossing, "{isa:?} {a:?} {b:?} {between:?}");
            assert!(gaps.lower(i, j) <= range.hi(), "{isa:?} {a:?} {b:?} {between:?}");
            assert!(!gaps.estimate(i, j).is_nan());
        }
    }
}

fn oracle(poses: [Pose; 2], a: [DVec3; 3], b: [DVec3; 3]) -> Meeting {
    let place = |pose: &Pose, t: [DVec3; 3]| {
        let (q, shift) = (pose.given_rotation().to_array(), pose.translation().to_array());
        t.map(|x| moved(q, shift, &vector(x.to_array())))
    };
    match triangle_meeting(&place(&poses[0], a), &place(&poses[1], b)) {
        TriangleMeeting::Apart => Meeting::Apart,
        TriangleMeeting::Touching => Meeting::Touching,
        TriangleMeeting::Crossing => Meeting::Crossing,
        TriangleMeeting::Coplanar => Meeting::Coplanar,
    }
}
