//! Meetings of triangles against clipping in rationals.

use kontakt_answers::Visits;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, Meeting, meeting};
use std::collections::HashMap;
use testkit::rational::{Vector, vector};
use testkit::triangle_meeting::{TriangleMeeting, triangle_meeting};
use testkit::{Generator, rotation};

type Triangle = [[f64; 3]; 3];
type PoseNumbers = ([f64; 4], [f64; 3]);

const AT_REST: PoseNumbers = ([0.0, 0.0, 0.0, 1.0], [0.0; 3]);

fn pose((q, t): PoseNumbers) -> Pose {
    Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap()
}

fn ours(poses: [PoseNumbers; 2], a: Triangle, b: Triangle) -> Meeting {
    let between = Between::new(pose(poses[0]), pose(poses[1]));
    meeting(&between, a.map(DVec3::from_array), b.map(DVec3::from_array), &mut Visits::default())
}

fn truth(poses: [PoseNumbers; 2], a: Triangle, b: Triangle) -> Meeting {
    let place = |(q, t): PoseNumbers, x: Triangle| -> [Vector; 3] {
        x.map(|corner| rotation::moved(q, t, &vector(corner)))
    };
    match triangle_meeting(&place(poses[0], a), &place(poses[1], b)) {
        TriangleMeeting::Apart => Meeting::Apart,
        TriangleMeeting::Touching => Meeting::Touching,
        TriangleMeeting::Crossing => Meeting::Crossing,
        TriangleMeeting::Coplanar => Meeting::Coplanar,
    }
}

/// Compares with the truth and, in every order of corners and bodies, with itself.
fn check(poses: [PoseNumbers; 2], a: Triangle, b: Triangle) -> Meeting {
    let answer = ours(poses, a, b);
    assert_eq!(answer, truth(poses, a, b), "{poses:?} {a:?} {b:?}");
    for order in [[0, 2, 1], [1, 0, 2], [2, 0, 1]] {
        let (p, q) = (order.map(|i| a[i]), order.map(|i| b[i]));
        assert_eq!(answer, ours(poses, p, b));
        assert_eq!(answer, ours(poses, a, q));
        assert_eq!(answer, ours([poses[1], poses[0]], q, p));
    }
    answer
}

/// Small triangles that meet often; some of them degenerate.
fn triangle(source: &mut Generator) -> Triangle {
    let mut corners: Triangle = std::array::from_fn(|_| source.point());
    match source.index(8) {
        0 => corners[2] = corners[0],
        1 => corners[2] = std::array::from_fn(|i| 2.0 * corners[1][i] - corners[0][i]),
        2 if source.index(3) == 0 => corners = [corners[0]; 3],
        // Into a plane of the axes.
        3 | 4 => corners.iter_mut().for_each(|corner| corner[source.index(1) + 2] = 0.0),
        _ => {}
    }
    corners
}

fn tally(pairs: usize, mut next: impl FnMut() -> Meeting) -> HashMap<Meeting, usize> {
    let mut counts = HashMap::new();
    for _ in 0..pairs {
        *counts.entry(next()).or_insert(0) += 1;
    }
    counts
}

/// Asserts that at least the given numbers of (apart, touching, crossing, coplanar) arose.
fn assert_counts(counts: &HashMap<Meeting, usize>, least: [usize; 4]) {
    let classes = [Meeting::Apart, Meeting::Touching, Meeting::Crossing, Meeting::Coplanar];
    for (class, least) in classes.into_iter().zip(least) {
        assert!(counts.get(&class).copied().unwrap_or(0) >= least, "{class:?}: {counts:?}");
    }
}

#[test]
fn at_rest_on_the_grid() {
    let mut source = Generator::grid(1);
    let counts = tally(1500, || {
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check([AT_REST, AT_REST], a, b)
    });
    assert_counts(&counts, [300, 50, 100, 30]);
}

#[test]
fn at_rest_with_free_coordinates() {
    let mut source = Generator::free(2);
    let counts = tally(300, || {
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check([AT_REST, AT_REST], a, b)
    });
    assert_counts(&counts, [100, 0, 20, 1]);
}

/// Quarter turns and integer translations: rotated faces touch exactly.
#[test]
fn quarter_turns_on_the_grid() {
    let mut source = Generator::grid(3);
    let counts = tally(1200, || {
        let pose = |source: &mut Generator| (source.quaternion(), source.point());
        let poses = [pose(&mut source), pose(&mut source)];
        let poses = [poses[0], (poses[1].0, poses[0].1)];
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check(poses, a, b)
    });
    assert_counts(&counts, [200, 50, 80, 12]);
}

/// Both bodies at one generic pose: the relative map is the identity, but no placed coordinate is a double.
#[test]
fn equal_turns_touch_as_at_rest() {
    let mut source = Generator::grid(4);
    let mut free = Generator::free(4);
    let counts = tally(400, || {
        let turn = free.quaternion();
        let pose = (turn, source.point());
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check([pose, pose], a, b)
    });
    assert_counts(&counts, [80, 12, 20, 5]);
}

/// Two generic turns about the same axis through a common corner or edge: touching that only exact numbers see.
#[test]
fn turned_about_a_common_corner_or_edge() {
    let mut source = Generator::grid(5);
    let mut free = Generator::free(5);
    let counts = tally(150, || {
        let (mut a, mut b) = (triangle(&mut source), triangle(&mut source));
        // A corner at the origin stays there; an edge on the z axis stays there under turns about z.
        a[0] = [0.0; 3];
        b[0] = [0.0; 3];
        let q = if source.index(2) == 0 {
            a[1] = [0.0, 0.0, source.coordinate()];
            b[1] = [0.0, 0.0, source.coordinate()];
            let angle = free.unit() * 6.0;
            [0.0, 0.0, angle.sin(), angle.cos()]
        } else {
            free.quaternion()
        };
        check([AT_REST, (q, [0.0; 3])], a, b)
    });
    assert_counts(&counts, [0, 60, 2, 0]);
}

/// Generic poses, also of bodies far from the origin.
#[test]
fn generic_poses() {
    let mut source = Generator::free(6);
    let counts = tally(250, || {
        let poses = [0, 1].map(|_| (source.quaternion(), source.point().map(|x| 0.25 * x)));
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check(poses, a, b)
    });
    assert_counts(&counts, [80, 0, 20, 0]);
}

/// Shifted by 2²³ and scaled by 2⁻²⁰ every class stays.
#[test]
fn shift_and_scale_change_nothing() {
    let mut source = Generator::grid(7);
    let (shift, scale) = (f64::from(1 << 23), 1.0 / f64::from(1 << 20));
    for _ in 0..2000 {
        let poses = [AT_REST, (source.quaternion(), source.point())];
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        let here = ours(poses, a, b);
        let moved = poses.map(|(q, t)| (q, t.map(|x| x * scale + shift)));
        let small = |t: Triangle| t.map(|corner| corner.map(|x| x * scale));
        assert_eq!(here, ours(moved, small(a), small(b)));
        // The bodies' own coordinates far away.
        let far = |t: Triangle| t.map(|corner| [corner[0] + shift, corner[1], corner[2] - shift]);
        assert_eq!(ours([AT_REST; 2], a, b), ours([AT_REST; 2], far(a), far(b)));
    }
}

/// In two factors: one could leave the range of doubles.
fn power_of_two(exponent: i32) -> f64 {
    2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2)
}

/// Sizes at the ends of the range of doubles: filters over- and underflow, exact numbers do not.
#[test]
fn huge_and_tiny() {
    let mut source = Generator::grid(8);
    let mut free = Generator::free(8);
    for size in [1000, -1000, -1021, -1074, 540, -540].map(power_of_two) {
        let q = free.quaternion();
        for turn in [[0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, 0.5], q] {
            let poses = [AT_REST, (turn, [0.0; 3])];
            for _ in 0..20 {
                let (a, b) = (triangle(&mut source), triangle(&mut source));
                let scaled = |t: Triangle| t.map(|corner| corner.map(|x| x * size));
                assert_eq!(
                    ours(poses, a, b),
                    ours(poses, scaled(a), scaled(b)),
                    "{size} {poses:?} {a:?} {b:?}"
                );
            }
        }
    }
    // Translations that overflow together.
    let far = [([0.0, 0.0, 0.0, 1.0], [1.5e308, 0.0, 0.0]), ([0.0, 0.0, 0.0, 1.0], [-1.5e308, 0.0, 0.0])];
    let unit = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(ours(far, unit, unit), Meeting::Apart);
}

/// A gap of one unit in the last place under a generic turn is seen: a filter with too small a bound would guess.
#[test]
fn nearly_touching_under_a_generic_turn() {
    let mut free = Generator::free(9);
    let mut seen = HashMap::new();
    for _ in 0..150 {
        let (q, t) = (free.quaternion(), free.point());
        let b = [free.point(), free.point(), free.point()];
        // A corner of A at the rounded image of a corner of B, the rest beyond the opposite side.
        let map = pose((q, t));
        let image = |x: [f64; 3]| map.apply(DVec3::from_array(x));
        let (corner, middle) = (image(b[0]), 0.5 * (image(b[1]) + image(b[2])));
        let out = corner + (corner - middle);
        let side = DVec3::from_array(free.point()) * 0.1;
        let a = [corner, out + side, out - side].map(|x| x.to_array());
        *seen.entry(check([AT_REST, (q, t)], a, b)).or_insert(0) += 1;
        // In the plane of B, to rounding.
        let flat = [image(b[0]), image(b[1]), 2.0 * image(b[1]) - middle].map(|x| x.to_array());
        *seen.entry(check([AT_REST, (q, t)], flat, b)).or_insert(0) += 1;
        // The body's own coordinates far away: placing errs by much more than determinants do.
        let away = DVec3::from_array(free.point()) * 1e6;
        let remote = b.map(|x| (DVec3::from_array(x) + away).to_array());
        let t_remote = (DVec3::from_array(t) - map.rotate(away)).to_array();
        let remote_map = pose((q, t_remote));
        let image = |x: [f64; 3]| remote_map.apply(DVec3::from_array(x));
        let inside = (image(remote[0]) + image(remote[1]) + image(remote[2])) / 3.0;
        let tips = [inside, inside + side + out, inside - side + out].map(|x| x.to_array());
        *seen.entry(check([AT_REST, (q, t_remote)], tips, remote)).or_insert(0) += 1;
    }
    assert_counts(&seen, [50, 0, 10, 0]);
}

/// The same at rest: corners rounded into a face's plane, or onto an edge, where only the determinants' own rounding counts.
#[test]
fn nearly_touching_at_rest() {
    let mut free = Generator::free(10);
    let mut seen = HashMap::new();
    for _ in 0..250 {
        let a: Triangle = std::array::from_fn(|_| free.point());
        let corners = a.map(DVec3::from_array);
        let (s, t) = (free.unit(), free.unit());
        let edge = corners[0].lerp(corners[1], s);
        let inside = corners[2].lerp(edge, t);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let side = DVec3::from_array(free.point());
        let beside = 2.0 * edge - corners[2];
        // A corner in the face; an edge over an edge; all in one plane.
        for b in [
            [inside, inside + normal + side, inside + normal - 0.5 * side],
            [edge + side, edge - side, beside + 0.3 * normal],
            [inside, beside, 2.0 * corners[1] - corners[0]],
        ] {
            *seen.entry(check([AT_REST; 2], a, b.map(|x| x.to_array()))).or_insert(0) += 1;
        }
    }
    assert_counts(&seen, [100, 0, 100, 0]);
}
