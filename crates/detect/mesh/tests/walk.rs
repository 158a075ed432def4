//! Questions between two bodies against brute force over all pairs of their faces, which the face tests check against rationals.

use kontakt_answers::{Range, Visits};
use kontakt_bounds::batch::Isa;
use kontakt_math::round::length_up;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, distance_range, meeting};
use kontakt_mesh::{FacePair, Mesh, MeshQuery, PlacedMesh};
use kontakt_shapes::{FaceSet, make};
use testkit::Generator;

/// Triangles of the given size about random places; on the grid all corners are integers and some triangles degenerate.
fn soup(source: &mut Generator, count: usize, size: f64) -> FaceSet {
    let mut points = Vec::new();
    for _ in 0..count {
        let centre = DVec3::from_array(source.point());
        let corners: [DVec3; 3] = std::array::from_fn(|_| {
            let way = DVec3::from_array(source.point());
            centre + if size == 1.0 { (way * 0.5).round() } else { way * size }
        });
        points.extend(corners);
    }
    let triangles = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    FaceSet::from_triangles(points, triangles).unwrap()
}

fn pose(source: &mut Generator, spread: f64) -> Pose {
    let q = DQuat::from_array(source.quaternion());
    Pose::new(q, DVec3::from_array(source.point()) * spread).unwrap()
}

fn corners(body: PlacedMesh, face: u32) -> [DVec3; 3] {
    body.mesh.faces().triangles()[face as usize].map(|v| body.mesh.faces().vertices()[v as usize])
}

/// All pairs that meet, and bounds of the distance.
fn brute_force(a: PlacedMesh, b: PlacedMesh) -> (Vec<FacePair>, f64, f64) {
    let between = Between::new(a.pose, b.pose);
    let (mut pairs, mut lo, mut hi) = (Vec::new(), f64::INFINITY, f64::INFINITY);
    for i in 0..a.mesh.faces().triangles().len() as u32 {
        for j in 0..b.mesh.faces().triangles().len() as u32 {
            let (p, q) = (corners(a, i), corners(b, j));
            if meeting(&between, p, q, &mut Visits::default()).meets() {
                pairs.push(FacePair { a: i, b: j });
            }
            let (range, _) = distance_range(&between, p, q, &mut Visits::default());
            (lo, hi) = (lo.min(range.lo()), hi.min(range.hi()));
        }
    }
    (pairs, lo, hi)
}

/// How large bodies and their distance are, for tolerances.
fn scale(a: PlacedMesh, b: PlacedMesh, distance: f64) -> f64 {
    let size =
        |body: PlacedMesh| body.mesh.faces().vertices().iter().fold(0.0, |s: f64, v| s.max(v.length()));
    size(a) + size(b) + distance
}

/// Asks everything in both orders and on every instruction set, and compares with brute force. Returns whether they meet.
fn check(a: PlacedMesh, b: PlacedMesh) -> bool {
    let (pairs, lo, hi) = brute_force(a, b);
    for isa in Isa::available() {
        let mut asker = MeshQuery::with_isa(isa);
        assert_eq!(asker.all_pairs(a, b), pairs, "{isa:?}");
        let mut turned: Vec<FacePair> = asker.all_pairs(b, a).iter().map(|pair| pair.swapped()).collect();
        turned.sort_unstable();
        assert_eq!(turned, pairs, "{isa:?}");

        let contact = asker.any_contact(a, b);
        assert_eq!(contact.is_some(), !pairs.is_empty(), "{isa:?}");
        assert!(contact.is_none_or(|pair| pairs.contains(&pair)), "{isa:?}");
        assert_eq!(asker.any_contact(b, a).map(FacePair::swapped), contact, "{isa:?}");

        let distance = asker.distance(a, b);
        assert_eq!(asker.distance(b, a).swapped(), distance, "{isa:?}");
        let range = distance.range;
        assert_eq!(range == Range::ZERO, !pairs.is_empty(), "{isa:?}: {range:?}");
        assert!(range.lo() <= hi && lo <= range.hi(), "{isa:?}: {range:?} and [{lo}, {hi}]");
        let room = 1e-12 * scale(a, b, hi);
        assert!(range.width() <= room, "{isa:?}: {range:?} is wider than {room}");
        let points = length_up(distance.point_a - distance.point_b);
        assert!((points - range.lo()).abs() <= room, "{isa:?}: points {points} apart, {range:?}");

        assert_eq!(asker.within(a, b, 0.0).closer, Some(!pairs.is_empty()));
        assert_eq!(asker.within(a, b, f64::NAN).closer, Some(!pairs.is_empty()));
        if pairs.is_empty() {
            for (clearance, closer) in
                [(0.5 * lo, false), (0.999 * lo, false), (1.001 * hi, true), (3.0 * hi, true)]
            {
                let within = asker.within(a, b, clearance);
                assert_eq!(within.closer, Some(closer), "{isa:?}: {clearance} and [{lo}, {hi}]");
                assert!(within.distance.lo() <= hi && lo <= within.distance.hi());
                assert_eq!(asker.within(b, a, clearance).pair.map(FacePair::swapped), within.pair);
            }
            let within = asker.within(a, b, hi);
            assert!(within.closer != Some(false) || within.distance.lo() <= hi);
        }
    }
    !pairs.is_empty()
}

fn hits(mut source: Generator, rounds: usize, counts: [usize; 2], size: f64, spread: f64) -> usize {
    (0..rounds)
        .filter(|_| {
            let [a, b] = counts.map(|count| Mesh::with_threads(soup(&mut source, count, size), 1).unwrap());
            let (pose_a, pose_b) = (pose(&mut source, spread), pose(&mut source, spread));
            check(PlacedMesh::new(&a, pose_a), PlacedMesh::new(&b, pose_b))
        })
        .count()
}

#[test]
fn free_soups() {
    assert!((8..=32).contains(&hits(Generator::free(1), 40, [30, 50], 0.2, 1.5)));
    assert!((1..=16).contains(&hits(Generator::free(2), 16, [150, 9], 0.2, 0.6)));
    assert!((1..=39).contains(&hits(Generator::free(3), 40, [1, 20], 0.4, 0.7)));
}

#[test]
fn soups_on_the_grid_touch() {
    assert!((5..=30).contains(&hits(Generator::grid(4), 30, [12, 12], 1.0, 2.0)));
    assert!((1..=30).contains(&hits(Generator::grid(5), 30, [6, 12], 1.0, 1.0)));
}

/// The same bodies written down at another place and scale.
fn moved(faces: &FaceSet, shift: DVec3, scale: f64) -> FaceSet {
    let points = faces.vertices().iter().map(|&v| (v + shift) * scale).collect();
    FaceSet::from_triangles(points, faces.triangles().to_vec()).unwrap()
}

#[test]
fn place_and_scale_do_not_matter() {
    let mut source = Generator::grid(6);
    let mut met = 0;
    for _ in 0..12 {
        let [a, b] = [0; 2].map(|_| soup(&mut source, 10, 1.0));
        let t = DVec3::from_array(source.point()) * 2.0;
        let shift = DVec3::new(2.0_f64.powi(23), -(2.0_f64.powi(23)), 2.0_f64.powi(23));
        let mut all = Vec::new();
        for (from, scale) in
            [(DVec3::ZERO, 1.0), (shift, 1.0), (DVec3::ZERO, 2.0_f64.powi(-20)), (shift, 0.5)]
        {
            let [a, b] = [&a, &b].map(|body| Mesh::with_threads(moved(body, from, scale), 1).unwrap());
            let b = PlacedMesh::new(&b, Pose::new(DQuat::IDENTITY, t * scale).unwrap());
            met += usize::from(check(PlacedMesh::at_rest(&a), b));
            all.push(MeshQuery::new().all_pairs(PlacedMesh::at_rest(&a), b).to_vec());
        }
        assert!(all.iter().all(|pairs| *pairs == all[0]));
    }
    assert!((4..48).contains(&met), "{met}");
}

#[test]
fn far_apart_and_of_very_different_sizes() {
    let mut source = Generator::free(7);
    let [a, b] = [40, 40].map(|count| soup(&mut source, count, 0.2));
    let mesh = |faces: &FaceSet, scale: f64| Mesh::with_threads(moved(faces, DVec3::ZERO, scale), 1).unwrap();
    let unit = mesh(&a, 1.0);
    for far in [1e2, 1e4, 1e8, 1e12, 1e16, 1e100, 1e200] {
        let pose =
            Pose::new(DQuat::from_array(source.quaternion()), DVec3::new(1.0, -0.3, 0.7) * far).unwrap();
        assert!(!check(PlacedMesh::at_rest(&unit), PlacedMesh::new(&mesh(&b, 1.0), pose)));
    }
    for size in [1e-3_f64, 1e-9, 1e-20, 1e-100, 1e-200, 1e9, 1e100] {
        let at = DVec3::from_array(source.point()) * (0.7 * size.max(1.0));
        let pose = Pose::new(DQuat::from_array(source.quaternion()), at).unwrap();
        check(PlacedMesh::at_rest(&unit), PlacedMesh::new(&mesh(&b, size), pose));
    }
}

#[test]
fn the_same_body_twice_meets_itself_everywhere() {
    let ball = Mesh::with_threads(make::bumpy_ball(3, 0.2).unwrap(), 1).unwrap();
    for pose in [Pose::IDENTITY, Pose::from_axis_angle(DVec3::Z, 1e-9, DVec3::ZERO).unwrap()] {
        assert!(check(PlacedMesh::at_rest(&ball), PlacedMesh::new(&ball, pose)));
    }
    let equal = FaceSet::from_triangles(vec![DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2]; 40]).unwrap();
    let equal = Mesh::with_threads(equal, 1).unwrap();
    assert!(check(PlacedMesh::at_rest(&equal), PlacedMesh::at_rest(&equal)));
}

/// Work, not time: the same on every machine. Fails when a change makes the walk visit notably more.
#[test]
fn little_work_for_large_bodies() {
    let [a, b] = [(40, 0.2), (36, 0.1)]
        .map(|(frequency, bump)| Mesh::new(make::bumpy_ball(frequency, bump).unwrap()).unwrap());
    let mut asker = MeshQuery::new();
    let mut work = |x: f64, ask: fn(&mut MeshQuery, PlacedMesh, PlacedMesh)| {
        asker.visits = Visits::default();
        let pose = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 0.7, DVec3::new(x, 0.3, 0.2)).unwrap();
        ask(&mut asker, PlacedMesh::at_rest(&a), PlacedMesh::new(&b, pose));
        asker.visits
    };
    let any: fn(&mut MeshQuery, PlacedMesh, PlacedMesh) =
        |asker, a, b| assert!(asker.any_contact(a, b).is_none_or(|pair| pair.a < 32_000));
    let (met, apart) = (work(1.5, any), work(2.3, any));
    // Leaves of two triangles: 2394 boxes and 4 faces for the pair that meets. With leaves of four the bounds were 2000
    // and 200; more boxes are the price of fewer faces.
    assert!(met.volume_tests <= 3000 && met.face_tests <= 40, "{met:?}");
    assert!(apart.volume_tests <= 4000 && apart.face_tests <= 40, "{apart:?}");
    let near = work(2.3, |asker, a, b| assert!(asker.distance(a, b).range.lo() > 0.0));
    assert!(near.volume_tests <= 20_000 && near.face_tests <= 20_000, "{near:?}");
}
