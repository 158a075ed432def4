//! The batch's verdicts against exact meetings, on every instruction set the processor has.

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, Meeting, Octet, meet_batch, meeting};
use testkit::Generator;

/// Triangles as corner lists.
fn soup(triangles: &[[DVec3; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let vertices = triangles.iter().flatten().copied().collect();
    (vertices, (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
}

#[derive(Default, Debug)]
struct Tally {
    apart: usize,
    crossing: usize,
    undecided: usize,
}

fn check(between: &Between, a: &[[DVec3; 3]], b: &[[DVec3; 3]], tally: &mut Tally) {
    let ((va, ta), (vb, tb)) = (soup(a), soup(b));
    let (mut octet_a, mut octet_b) = (Octet::default(), Octet::default());
    octet_a.fill_a(&va, &ta);
    octet_b.fill_b(between, &vb, &tb);
    for isa in Isa::available() {
        let verdicts = meet_batch(isa, &octet_a, &octet_b);
        let undecided: Vec<_> = verdicts.undecided().collect();
        let crossing: Vec<_> = verdicts.crossing().collect();
        assert_eq!(verdicts.all_apart(), undecided.is_empty() && crossing.is_empty());
        for (i, &p) in a.iter().enumerate() {
            for (j, &q) in b.iter().enumerate() {
                let truth = meeting(between, p, q, &mut Visits::default());
                if verdicts.is_apart(i, j) {
                    assert_eq!(truth, Meeting::Apart, "{isa:?} {between:?} {p:?} {q:?}");
                    tally.apart += 1;
                } else if verdicts.is_crossing(i, j) {
                    assert_eq!(truth, Meeting::Crossing, "{isa:?} {between:?} {p:?} {q:?}");
                    assert!(crossing.contains(&(i, j)));
                    tally.crossing += 1;
                } else {
                    assert!(undecided.contains(&(i, j)));
                    tally.undecided += 1;
                }
            }
        }
    }
}

fn pose(source: &mut Generator) -> Pose {
    Pose::new(DQuat::from_array(source.quaternion()), 0.3 * DVec3::from_array(source.point())).unwrap()
}

fn triangles(source: &mut Generator, count: usize) -> Vec<[DVec3; 3]> {
    (0..count).map(|_| [0, 1, 2].map(|_| DVec3::from_array(source.point()))).collect()
}

#[test]
fn free_triangles_are_nearly_always_decided() {
    let mut source = Generator::free(31);
    let mut tally = Tally::default();
    for _ in 0..150 {
        let (n, m) = (1 + source.index(8), 1 + source.index(8));
        let (a, b) = (triangles(&mut source, n), triangles(&mut source, m));
        check(&Between::new(pose(&mut source), pose(&mut source)), &a, &b, &mut tally);
    }
    assert!(tally.apart > 1000 && tally.crossing > 500, "{tally:?}");
    assert!(tally.undecided * 100 < tally.apart + tally.crossing, "{tally:?}");
}

/// Integers: what touches must stay undecided.
#[test]
fn grid_triangles_are_never_decided_wrongly() {
    let mut source = Generator::grid(32);
    let mut tally = Tally::default();
    for _ in 0..150 {
        let (n, m) = (1 + source.index(8), 1 + source.index(8));
        let (a, b) = (triangles(&mut source, n), triangles(&mut source, m));
        check(&Between::new(pose(&mut source), pose(&mut source)), &a, &b, &mut tally);
    }
    assert!(tally.apart > 1000 && tally.crossing > 100 && tally.undecided > 200, "{tally:?}");
}

/// Gaps and overlaps of the size of single-precision rounding: bounds that are too small would be caught here. Corner on face,
/// edge on edge and edge beside face in turn.
#[test]
fn gaps_of_rounding_size() {
    let mut source = Generator::free(33);
    let mut tally = Tally::default();
    for round in 0..20_000 {
        let between = Between::new(pose(&mut source), Pose::IDENTITY);
        let back = |x: DVec3| {
            // Into B's frame.
            between.turn().transpose() * (x - between.shift())
        };
        let a = triangles(&mut source, 1)[0];
        // Half of them where the bounds just decide, half where only rounding is left.
        let size = if round % 2 == 0 { -3.0 - 2.0 * source.unit() } else { -6.5 - 2.0 * source.unit() };
        let gap = 10.0_f64.powf(size) * (source.unit() - 0.5).signum();
        let (s, t) = (source.unit(), source.unit());
        let on_edge = a[0].lerp(a[1], s);
        let inside = a[2].lerp(on_edge, t);
        let normal = (a[1] - a[0]).cross(a[2] - a[0]).normalize();
        let free = triangles(&mut source, 1)[0];
        let b = match round % 3 {
            // A corner at a small height over a face; the others on the upper side.
            0 => [inside + gap * normal, free[0] + 2.0 * normal, free[1] + 2.0 * normal],
            // An edge passing an edge.
            1 => {
                let out = (a[1] - a[0]).cross(normal).normalize();
                let middle = on_edge + gap * out;
                [middle + free[0], middle - free[0], middle + 2.0 * out + free[1]]
            }
            // A triangle nearly in the plane, beside.
            _ => {
                let out = (a[1] - a[0]).cross(normal).normalize();
                let tilt = 1e-6 * free[0].x * normal;
                [on_edge + gap * out + tilt, a[1] + out - tilt, a[0] + out * 2.0 + tilt]
            }
        };
        check(&between, &[a], &[b.map(back)], &mut tally);
    }
    assert!(tally.apart > 300 && tally.crossing > 100 && tally.undecided > 300, "{tally:?}");
}

/// Sizes beyond single precision and overflowing places leave everything undecided or right.
#[test]
fn huge_tiny_far_and_mixed() {
    let mut source = Generator::grid(34);
    let mut tally = Tally::default();
    for size in [1e300, 1e-300, 1e30, 1e-30, 1e150] {
        let (a, b) = (triangles(&mut source, 7), triangles(&mut source, 5));
        let scaled = |t: &[[DVec3; 3]], size: f64| -> Vec<[DVec3; 3]> {
            t.iter().map(|corners| corners.map(|x| x * size)).collect()
        };
        let between = Between::new(pose(&mut source), pose(&mut source));
        check(&between, &scaled(&a, size), &scaled(&b, size), &mut tally);
        check(&between, &a, &scaled(&b, size), &mut tally);
        let far = Pose::new(DQuat::from_xyzw(0.6, 0.0, 0.8, 0.0), DVec3::new(size, -size, 1.7e308)).unwrap();
        check(&Between::new(pose(&mut source), far), &a, &b, &mut tally);
        let huge = scaled(&b, 1.7e308 / 3.0);
        check(&Between::new(pose(&mut source), far), &a, &huge, &mut tally);
    }
    assert!(tally.apart > 100, "{tally:?}");
}
