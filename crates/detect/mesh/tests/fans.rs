//! Fans, copies and large polygons: what was once the fourth power of the faces, and that it is still right.

use kontakt_answers::{Relation, Visits};
use kontakt_math::DVec3;
use kontakt_math::Pose;
use kontakt_mesh::face::{Between, Common, common_points};
use kontakt_mesh::{FacePair, Mesh, MeshQuery, Patch, PatchExtent, PlacedMesh, RelationOptions};
use kontakt_schedule::Deadline;
use kontakt_shapes::{FaceList, FaceSet};
use std::f64::consts::TAU;
use std::time::Duration;

fn mesh(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::with_threads(FaceSet::from_triangles(points, triangles).unwrap(), 1).unwrap()
}

/// A cylinder of radius 1 about the z axis with fans as caps.
fn cylinder(n: u32, low: f64, high: f64, phase: f64) -> Mesh {
    let mut points = vec![DVec3::Z * low, DVec3::Z * high];
    let mut triangles = Vec::new();
    for i in 0..n {
        let (sin, cos) = (TAU * (f64::from(i) + phase) / f64::from(n)).sin_cos();
        points.extend([low, high].map(|z| DVec3::new(cos, sin, z)));
        let j = (i + 1) % n;
        let (a, b, c, d) = (2 + 2 * i, 2 + 2 * j, 3 + 2 * i, 3 + 2 * j);
        triangles.extend([[0, b, a], [1, c, d], [a, b, d], [a, d, c]]);
    }
    mesh(points, triangles)
}

#[test]
fn coaxial_cylinders_with_fan_caps_touch() {
    // Every bolt: n² pairs meet in the hub of the caps and nowhere else. Each was once decided exactly, looked at as a cut of
    // its faces, and compared with all others when patches were put together: 9 s for n = 256.
    for phase in [0.0, 0.37, 0.5] {
        let n = 96;
        let (a, b) = (cylinder(n, 0.0, 1.0, 0.0), cylinder(n, 1.0, 2.0, phase));
        let (a, b) = (PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&b));
        let mut asker = MeshQuery::new();
        let (report, patches) = asker.relation_and_patches(a, b, &RelationOptions::default());
        assert_eq!(report.exact, Relation::Touching);
        assert!(report.pairs >= (n * n) as usize && report.pairs_complete);
        // The rims of the caps meet in some pairs each, in exact arithmetic where they are not turned alike.
        let exact = asker.visits.exact_tests;
        assert!(exact < 200 * u64::from(n), "{exact} exact tests");
        let [patch] = patches.as_deref().unwrap() else { panic!("{} patches", patches.unwrap().len()) };
        assert_eq!(patch.pairs, report.pairs);
        let PatchExtent::Area { area } = patch.extent else { panic!("{:?}", patch.extent) };
        let sector = TAU / f64::from(n);
        let smaller = if phase == 0.0 { 0.5 * f64::from(n) * sector.sin() } else { area };
        assert!((area - smaller).abs() < 1e-12 && area > 3.13 && patch.normal == DVec3::Z, "{patch:?}");
        assert_eq!(asker.patches(a, b).len(), 1);
    }
}

#[test]
fn copies_of_one_triangle_are_looked_at_once() {
    // n copies a body cross in n² pairs with one segment; 250 took minutes.
    let points = |text: [[f64; 3]; 3]| text.map(DVec3::from_array).to_vec();
    for n in [150, 151] {
        let a = mesh(points([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]]), vec![[0, 1, 2]; n]);
        let b = mesh(points([[0.2, 0.2, -1.], [0.3, 0.2, 1.], [0.2, 0.3, 1.]]), vec![[0, 1, 2]; n]);
        let mut asker = MeshQuery::new();
        let (report, patches) = asker.relation_and_patches(
            PlacedMesh::at_rest(&a),
            PlacedMesh::at_rest(&b),
            &RelationOptions::default(),
        );
        assert!(matches!(report.exact, Relation::Overlapping { .. }), "{n}: {report:?}");
        let patches = patches.unwrap();
        assert_eq!((patches.len(), patches[0].pairs), (1, n * n));
        assert!(
            matches!(patches[0].extent, PatchExtent::Curve { length } if (length - 0.005_f64.sqrt()).abs() < 1e-12)
        );
        assert!(asker.visits.exact_tests < 100, "{}", asker.visits.exact_tests);
    }
}

#[test]
fn a_large_polygon_does_not_meet_itself_and_is_not_searched() {
    // One face of many corners is plane and convex: its triangles never meet. 4000 corners took 22 s.
    let n = 20_000;
    let points: Vec<DVec3> = (0..n)
        .map(|k| (TAU * f64::from(k) / f64::from(n)).sin_cos())
        .map(|(sin, cos)| DVec3::new(cos, sin, 0.0))
        .collect();
    let mut faces = FaceList::default();
    faces.push(&(0..n as u32).collect::<Vec<_>>()).unwrap();
    let disc = Mesh::with_threads(FaceSet::new(points, faces).unwrap(), 1).unwrap();
    let found = disc.self_intersections_until(10, Deadline::after(Duration::from_secs(20)));
    assert!(found.complete && found.pairs.is_empty());
}

#[test]
fn limits_end_the_search_with_what_is_certain() {
    let (a, b) = (cylinder(64, 0.0, 1.0, 0.0), cylinder(64, 1.0, 2.0, 0.25));
    let (a, b) = (PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&b));
    let mut asker = MeshQuery::new();
    let all = asker.all_pairs(a, b).to_vec();
    assert!(asker.pairs_complete());
    asker.max_pairs = 100;
    let some = asker.all_pairs(a, b).to_vec();
    assert!(some.len() == 100 && !asker.pairs_complete() && some.iter().all(|pair| all.contains(pair)));
    let (report, patches) = asker.relation_and_patches(a, b, &RelationOptions::default());
    assert!(!report.pairs_complete && report.pairs == 100 && patches.is_none());
    let Relation::Undecided { bounds } = report.exact else { panic!("{report:?}") };
    assert!(bounds.lo() <= 0.0 && bounds.hi() == 0.0, "they have a common point: {bounds:?}");
    asker.max_pairs = all.len();
    assert_eq!((asker.all_pairs(a, b).len(), asker.pairs_complete()), (all.len(), true));
    asker.deadline = Deadline::after(Duration::ZERO);
    let report = asker.relation(a, b, &RelationOptions::default());
    assert!(matches!(report.exact, Relation::Undecided { .. }) && !report.pairs_complete);
    assert!(asker.patches(a, b).is_empty());
}

/// A heap of triangles with small integer corners.
fn heap(random: &mut fastrand::Rng) -> Mesh {
    let points: Vec<DVec3> =
        (0..7).map(|_| DVec3::from_array([0; 3].map(|_: i32| f64::from(random.i32(0..4))))).collect();
    let triangles = (0..random.usize(2..8)).map(|_| [0; 3].map(|_: u32| random.u32(0..7))).collect();
    mesh(points, triangles)
}

/// What a patch is by its definition: pairs, and its size.
fn sizes_by_definition(a: &Mesh, b: &Mesh, pairs: &[FacePair]) -> Vec<(usize, i8)> {
    struct Piece {
        own: [DVec3; 3],
        other: [DVec3; 3],
        points: Vec<DVec3>,
        corner: bool,
    }
    let between = Between::new(Pose::IDENTITY, Pose::IDENTITY);
    let pieces: Vec<Piece> = pairs
        .iter()
        .map(|pair| {
            let own = a.faces().triangle_points(pair.a as usize);
            let other = b.faces().triangle_points(pair.b as usize);
            let points = match common_points(&between, own, other, &mut Visits::default()).1 {
                Common::None => Vec::new(),
                Common::Point(p) => vec![p],
                Common::Segment(ends) => ends.to_vec(),
                Common::Polygon(corners) => corners,
            };
            let corner = points.len() == 1 && own.contains(&points[0]) && other.contains(&points[0]);
            Piece { own, other, points, corner }
        })
        .collect();
    let near = |p: &Piece, q: &Piece| {
        let low = |p: &Piece| p.points.iter().fold(DVec3::INFINITY, |m, x| m.min(*x));
        let high = |p: &Piece| p.points.iter().fold(DVec3::NEG_INFINITY, |m, x| m.max(*x));
        let slack = DVec3::splat(1e-8);
        (low(p) - slack).cmple(high(q)).all() && (high(p) + slack).cmpge(low(q)).all()
    };
    let joined = |p: &Piece, q: &Piece| {
        let shared = |x: &[DVec3; 3], y: &[DVec3; 3]| x.iter().any(|v| y.contains(v));
        let by_corner = |p: &Piece, q: &Piece| q.own.contains(&p.points[0]) && q.other.contains(&p.points[0]);
        match (p.corner, q.corner) {
            (true, true) => p.points == q.points,
            (true, false) => by_corner(p, q) && near(p, q),
            (false, true) => by_corner(q, p) && near(p, q),
            (false, false) => shared(&p.own, &q.own) && shared(&p.other, &q.other) && near(p, q),
        }
    };
    let mut group: Vec<usize> = (0..pieces.len()).collect();
    loop {
        let before = group.clone();
        for i in 0..pieces.len() {
            for j in 0..pieces.len() {
                if joined(&pieces[i], &pieces[j]) {
                    group[i] = group[i].min(group[j]);
                }
            }
        }
        if group == before {
            break;
        }
    }
    let mut sizes: Vec<(usize, i8)> = (0..pieces.len())
        .filter(|&g| group[g] == g)
        .map(|g| {
            let mine: Vec<&Piece> =
                (0..pieces.len()).filter(|&k| group[k] == g).map(|k| &pieces[k]).collect();
            (mine.len(), mine.iter().map(|piece| piece.points.len().min(3) as i8).max().unwrap_or(0))
        })
        .collect();
    sizes.sort_unstable();
    sizes
}

fn sizes(patches: &[Patch]) -> Vec<(usize, i8)> {
    let mut sizes: Vec<(usize, i8)> = patches
        .iter()
        .map(|patch| {
            let extent = match patch.extent {
                PatchExtent::Point => 1,
                PatchExtent::Curve { .. } => 2,
                PatchExtent::Area { .. } => 3,
            };
            (patch.pairs, extent)
        })
        .collect();
    sizes.sort_unstable();
    sizes
}

#[test]
fn patches_are_what_their_definition_says() {
    let cases = std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut random = fastrand::Rng::with_seed(41);
    let (mut several, mut corners) = (0, 0);
    for case in 0..cases {
        let (a, b) = (heap(&mut random), heap(&mut random));
        let (x, y) = (PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&b));
        let mut asker = MeshQuery::new();
        let pairs = asker.all_pairs(x, y).to_vec();
        let patches = asker.patches(x, y);
        assert_eq!(sizes(&patches), sizes_by_definition(&a, &b, &pairs), "case {case}");
        assert_eq!(sizes(&patches), sizes(&asker.patches(y, x)), "case {case}, swapped");
        several += usize::from(patches.len() > 1);
        corners += usize::from(patches.iter().any(|patch| patch.extent == PatchExtent::Point));
        // The same for other orders of the faces, up to rounding.
        let mut order: Vec<[u32; 3]> = a.faces().triangles().to_vec();
        random.shuffle(&mut order);
        let shuffled = mesh(a.faces().vertices().to_vec(), order);
        let again = asker.patches(PlacedMesh::at_rest(&shuffled), y);
        assert_eq!(sizes(&again), sizes(&patches), "case {case}, shuffled");
        let total = |patches: &[Patch]| -> f64 {
            let of = |patch: &Patch| match patch.extent {
                PatchExtent::Point => 0.0,
                PatchExtent::Curve { length } => length,
                PatchExtent::Area { area } => area,
            };
            patches.iter().map(of).sum()
        };
        assert!((total(&again) - total(&patches)).abs() < 1e-9, "case {case}");
    }
    assert!(
        several * 20 > cases && corners * 20 > cases,
        "generator drifted: {several}, {corners} of {cases}"
    );
}
