//! The methods made for study: right where they should be, and always at an end.

mod depth_help;

use depth_help::{pose, shape};
use kontakt_convex::depth::penetration;
use kontakt_convex::{Shape, Verdict, Warm};
use kontakt_lab_convex::bodies::{Bodies, Posed};
use kontakt_lab_convex::chung_wang::ChungWang;
use kontakt_lab_convex::contact::Tally;
use kontakt_lab_convex::epa::Epa;
use kontakt_lab_convex::libccd::LibccdEpa;
use kontakt_lab_convex::mpr::{Mpr, Ray};
use kontakt_lab_convex::v_clip::VClip;
use kontakt_math::{Between, DQuat, DVec3, Pose};
use testkit::generate::Generator;

#[test]
fn epa_finds_the_depth_of_polytopes() {
    let mut generator = Generator::free(11);
    let (mut tally, mut deep) = (Tally::default(), 0);
    for k in 0..4000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 0.4), pose(&mut generator, 0.4));
        let exact = penetration(&a, &b, &between, &mut Warm::default()).expect("polytopes");
        let contact =
            Epa { relative: 1e-12, ..Epa::default() }.contact(&a, &b, &between).expect("finite bodies");
        if !contact.ending.is_failure() {
            let depth = exact.depth();
            let wrong = match exact.verdict {
                Verdict::Separate => contact.verdict == Verdict::Overlapping,
                _ => (contact.depth[1].max(0.0) - depth.hi()).abs() > 1e-9,
            };
            assert!(!wrong, "{k}: {contact:?} against {exact:?}");
            deep += usize::from(exact.verdict == Verdict::Overlapping);
        }
        tally.count(contact.ending);
    }
    assert!(deep > 1000, "{deep}");
    assert!(tally.failures() * 100 < tally.runs, "{tally:?}");
}

#[test]
fn epa_and_portals_end_on_degenerate_pairs() {
    let mut generator = Generator::grid(12);
    for k in 0..6_000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 1.0), pose(&mut generator, 1.0));
        let bodies = Posed::new(&a, &b, &between, 0.0).expect("finite bodies");
        let epa = Epa::default().run(&bodies);
        assert!(!epa.depth[1].is_nan());
        // Flat differences, planes through the origin that only miss the bodies: apart is apart.
        let exact = penetration(&a, &b, &between, &mut Warm::default()).expect("polytopes");
        let clear = exact.separation.lo().abs().min(exact.separation.hi().abs()) > 1e-9;
        for verdict in [epa.verdict, Mpr::default().intersect(&bodies).0] {
            let same = (verdict == Verdict::Separate) == (exact.verdict == Verdict::Separate);
            assert!(!clear || same || verdict == Verdict::Undecided, "{k}: {verdict:?} against {exact:?}");
        }
        assert!(!LibccdEpa::default().run(&bodies).depth[1].is_nan());
        for ray in [Ray::Centre, Ray::PortalNormal, Ray::Along(DVec3::Y)] {
            assert!(!Mpr::default().contact(&bodies, ray).depth[1].is_nan());
        }
    }
}

#[test]
fn epa_on_round_bodies() {
    let mut generator = Generator::free(13);
    let between = |shift: DVec3| {
        Between::new(Pose::IDENTITY, Pose::from_axis_angle(DVec3::ONE, 0.4, shift).expect("axis"))
    };
    for _ in 0..200 {
        let direction = DVec3::from_array(generator.point()).normalize();
        let (r, s) = (0.5 + generator.unit(), 0.5 + generator.unit());
        let depth = 0.3 * generator.unit();
        let (a, b) = (Shape::sphere(r).expect("radius"), Shape::sphere(s).expect("radius"));
        let contact = Epa::default().contact(&a, &b, &between(direction * (r + s - depth))).expect("spheres");
        assert!((contact.depth[1] - depth).abs() < 1e-10, "{contact:?} against {depth}");
        assert!(contact.normal.angle_between(direction) < 1e-7, "{contact:?}");
        // Ellipsoids have no sphere to find; the bounds must still close.
        let radii = DVec3::new(r, 1.2 * r, 0.8 * r);
        let c = Shape::ellipsoid(radii).expect("radii");
        let contact = Epa::default().contact(&c, &b, &between(direction * (0.9 * r))).expect("bodies");
        assert!(
            contact.ending.is_failure() || contact.depth[1] - contact.depth[0] <= 2e-7 * contact.depth[1]
        );
        // A margin changes nothing but the way.
        let grown = Epa { margin: 0.01, ..Epa::default() }
            .contact(&c, &b, &between(direction * (0.9 * r)))
            .expect("bodies");
        assert!((grown.depth[1] - contact.depth[1]).abs() < 1e-6 * r, "{grown:?} {contact:?}");
    }
}

#[test]
fn portals_tell_whether_bodies_meet() {
    let mut generator = Generator::free(14);
    let (mut meeting, mut failures) = (0, 0);
    for k in 0..4000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 0.4), pose(&mut generator, 0.4));
        let exact = penetration(&a, &b, &between, &mut Warm::default()).expect("polytopes");
        let bodies = Posed::new(&a, &b, &between, 0.0).expect("finite bodies");
        let (verdict, ending) = Mpr::default().intersect(&bodies);
        failures += usize::from(ending.is_failure());
        if ending.is_failure() {
            continue;
        }
        assert_eq!(
            verdict == Verdict::Separate,
            exact.verdict == Verdict::Separate,
            "{k}: {exact:?} {:?}\n{a:?}\n{b:?}",
            Mpr::default().contact(&bodies, Ray::Centre)
        );
        if exact.verdict == Verdict::Overlapping {
            meeting += 1;
            for ray in [Ray::Centre, Ray::PortalNormal, Ray::Along(DVec3::from_array(generator.point()))] {
                let contact = Mpr::default().contact(&bodies, ray);
                assert!(
                    contact.ending.is_failure() || contact.depth[1] >= exact.depth().lo() - 1e-12,
                    "{k} {ray:?}"
                );
                let foot = bodies.support(contact.normal).w().dot(contact.normal);
                assert!((foot - contact.depth[1]).abs() < 1e-12);
            }
        }
    }
    assert!(meeting > 1000 && failures < 400, "{meeting} {failures}");
}

/// Two segments, whose difference is flat; a box and a segment for which the first portal lies beside the ray.
#[test]
fn portals_beside_the_ray_are_no_overlap() {
    let segment = |p: [f64; 3], q: [f64; 3]| Shape::segment([p, q].map(DVec3::from_array)).unwrap();
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let flat = (segment([-3.0, 1.0, 2.0], [-1.0, 3.0, -3.0]), segment([0.0, 0.0, -2.0], [0.0, 0.0, 2.0]));
    let beside =
        (Shape::cuboid(DVec3::new(1.0, 2.0, 1.0)).unwrap(), segment([1.0, -3.0, -2.0], [-1.0, 2.0, 0.0]));
    let upside_down = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let cases = [
        (flat, [(turn, [0.0; 3]), (turn, [1.0, 0.0, 4.0])]),
        (beside, [(upside_down, [0.0, -2.0, -2.0]), (DQuat::IDENTITY, [1.0, 2.0, -2.0])]),
    ];
    for ((a, b), poses) in cases {
        let [first, second] = poses.map(|(turn, at)| Pose::new(turn, DVec3::from_array(at)).unwrap());
        let between = Between::new(first, second);
        let bodies = Posed::new(&a, &b, &between, 0.0).unwrap();
        let (verdict, ending) = Mpr::default().intersect(&bodies);
        assert!(verdict == Verdict::Separate || ending.is_failure(), "{verdict:?} {ending:?}");
    }
}

#[test]
fn libccd_is_near_on_deep_pairs() {
    let mut generator = Generator::free(15);
    let (mut good, mut all) = (0, 0);
    for _ in 0..500 {
        let a = Shape::cuboid(DVec3::new(1.0, 0.8, 0.6)).expect("box");
        let b = Shape::sphere(0.5).expect("sphere");
        let between = Between::new(pose(&mut generator, 0.0), pose(&mut generator, 0.7));
        let bodies = Posed::new(&a, &b, &between, 0.0).expect("finite bodies");
        let contact = LibccdEpa::default().run(&bodies);
        let better = Epa::default().run(&bodies);
        if better.verdict == Verdict::Overlapping && contact.verdict == Verdict::Overlapping {
            all += 1;
            good += usize::from((contact.depth[0] - better.depth[1]).abs() < 1e-2);
        }
    }
    assert!(all > 200 && good * 2 > all, "{good} of {all}");
}

#[test]
fn chung_and_wang_find_axes() {
    let mut generator = Generator::free(16);
    let (mut sides, mut failures) = ([0; 2], 0);
    for k in 0..4000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 0.8), pose(&mut generator, 0.8));
        let exact = penetration(&a, &b, &between, &mut Warm::default()).expect("polytopes");
        let bodies = Posed::new(&a, &b, &between, 0.0).expect("finite bodies");
        let finding = ChungWang::default().run(&bodies);
        if finding.ending.is_failure() {
            failures += 1;
            continue;
        }
        let apart = exact.verdict == Verdict::Separate;
        assert_eq!(finding.verdict == Verdict::Separate, apart, "{k}: {finding:?} {exact:?}");
        sides[usize::from(apart)] += 1;
        if apart {
            assert!(finding.axis.dot(bodies.support(finding.axis).w()) < 0.0);
        }
    }
    assert!(sides[0] > 500 && sides[1] > 500 && failures == 0, "{sides:?} {failures}");
}

#[test]
fn v_clip_walks_to_the_nearest_features() {
    let mut generator = Generator::free(17);
    let (mut sides, mut failures) = ([0; 2], 0);
    while sides[0] + sides[1] < 4000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 1.0), pose(&mut generator, 1.0));
        let Some(walk) = VClip::default().run(&a, &b, &between, None) else { continue };
        let exact = penetration(&a, &b, &between, &mut Warm::default()).expect("polytopes");
        let apart = exact.verdict == Verdict::Separate;
        sides[usize::from(apart)] += 1;
        let distance = exact.distance().hi();
        let right = (walk.verdict == Verdict::Separate) == apart && (walk.distance - distance).abs() < 1e-9;
        if walk.ending.is_failure() {
            failures += 1;
        } else {
            assert!(right, "{walk:?} {exact:?}");
        }
        // From the nearest features it stays there.
        if apart && right {
            let again = VClip::default().run(&a, &b, &between, Some(walk.features)).expect("polyhedra");
            assert_eq!(again.steps, 1);
        }
    }
    assert!(sides[0] > 500 && sides[1] > 500 && failures < 200, "{sides:?} {failures}");
}

#[test]
fn walks_end_on_degenerate_pairs() {
    let mut generator = Generator::grid(18);
    for _ in 0..2000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let between = Between::new(pose(&mut generator, 1.0), pose(&mut generator, 1.0));
        let bodies = Posed::new(&a, &b, &between, 0.0).expect("finite bodies");
        assert!(ChungWang::default().run(&bodies).steps <= 4096);
        if let Some(walk) = VClip::default().run(&a, &b, &between, None) {
            assert!(walk.steps <= 800 && walk.distance.is_finite());
        }
    }
}
