//! The report on hand-made bodies, and against counting edges one by one on random soups.

use kontakt_math::DVec3;
use kontakt_shapes::components::Components;
use kontakt_shapes::{FaceList, FaceSet, FaceSetError, HalfEdges, MassProperties, Topology};
use std::collections::{BTreeMap, BTreeSet};
use testkit::Generator;

fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().map(|&p| p.into()).collect()
}

fn face_set(points: &[[f64; 3]], faces: &[&[u32]]) -> FaceSet {
    let mut list = FaceList::default();
    for face in faces {
        list.push(face).unwrap();
    }
    FaceSet::new(vectors(points), list).unwrap()
}

const CUBE: [[f64; 3]; 8] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 1., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 0., 1.],
    [1., 1., 1.],
    [0., 1., 1.],
];
const SIDES: [&[u32]; 6] =
    [&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];

#[test]
fn a_cube_of_quads_is_closed_and_measured() {
    let cube = face_set(&CUBE, &SIDES);
    assert_eq!((cube.face_count(), cube.triangles().len(), cube.source_count()), (6, 12, 6));
    assert!(!cube.is_plain_triangles());
    let topology = Topology::of(&cube);
    assert!(topology.closed && topology.oriented);
    assert_eq!((topology.edges.all, topology.euler_characteristic, topology.components), (12, 2, 1));
    let mass = MassProperties::of(&cube);
    assert_eq!((mass.volume, mass.surface, mass.size()), (1.0, 6.0, DVec3::ONE));
    let view = HalfEdges::new(&cube);
    for h in 0..view.len() {
        let twin = view.twin(h).unwrap();
        assert_eq!(
            (view.twin(twin), view.origin(twin), view.target(twin)),
            (Some(h), view.target(h), view.origin(h))
        );
        assert_eq!(view.previous(view.next(h)), h);
        assert_eq!(cube.face_of_triangle(cube.triangles_of_face(view.face(h)).start), view.face(h));
    }
    assert!(view.neighbours(0).all(|n| n.is_some()));
}

#[test]
fn what_is_missing_is_counted() {
    let open = Topology::of(&face_set(&CUBE, &SIDES[1..]));
    assert_eq!((open.edges.boundary, open.closed, open.oriented), (4, false, false));

    let flipped: Vec<&[u32]> = [&[1, 2, 3, 0][..]].into_iter().chain(SIDES[1..].iter().copied()).collect();
    let flipped = Topology::of(&face_set(&CUBE, &flipped));
    assert_eq!((flipped.edges.inconsistent, flipped.closed, flipped.oriented), (4, true, false));

    let mut twice = SIDES.to_vec();
    twice.push(&[2, 1, 0, 3]);
    let twice = Topology::of(&face_set(&CUBE, &twice));
    assert_eq!((twice.duplicate_faces, twice.edges.non_manifold, twice.components), (vec![6], 4, 1));

    // A collapsed face on an edge of the cube, a needle between its corners, and a lonely vertex.
    let mut points = CUBE.to_vec();
    points.push([0.5, 0.0, 0.0]);
    points.push([9.0, 9.0, 9.0]);
    let mut faces = SIDES.to_vec();
    faces.extend([&[0, 0, 1][..], &[0, 1, 8]]);
    let bad = Topology::of(&face_set(&points, &faces));
    assert_eq!(bad.degenerate_faces, [6, 7]);
    assert_eq!((bad.isolated_vertices, bad.components), (1, 1));
}

#[test]
fn vertices_at_the_same_place_are_one() {
    // The same cube, triangle by triangle, one zero written as minus zero.
    let cube = face_set(&CUBE, &SIDES);
    let mut points: Vec<DVec3> =
        cube.triangles().iter().flatten().map(|&i| cube.vertices()[i as usize]).collect();
    points.iter_mut().take(9).for_each(|p| *p -= DVec3::ZERO);
    points[0] = -(-points[0]) * DVec3::new(1.0, 1.0, -1.0);
    let triangles = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let soup = FaceSet::from_triangles(points, triangles).unwrap();
    let topology = Topology::of(&soup);
    assert!(topology.closed && topology.oriented);
    assert_eq!((topology.duplicate_vertices, topology.euler_characteristic, topology.components), (28, 2, 1));
}

#[test]
fn boxes_that_share_a_side_stay_two_pieces() {
    let mut points = CUBE.to_vec();
    points.extend(CUBE.map(|p| [p[0], p[1], p[2] + 1.0]));
    let shifted: Vec<Vec<u32>> = SIDES.iter().map(|f| f.iter().map(|i| i + 8).collect()).collect();
    let faces: Vec<&[u32]> = SIDES.iter().copied().chain(shifted.iter().map(Vec::as_slice)).collect();
    let stack = face_set(&points, &faces);
    let topology = Topology::of(&stack);
    assert!(topology.closed && topology.oriented);
    assert_eq!((topology.duplicate_faces, topology.edges.non_manifold), (vec![6], 4));
    assert_eq!(topology.components, 2);
    let pieces = Components::of(&stack).split(&stack).unwrap();
    assert_eq!(pieces[0], face_set(&CUBE, &SIDES));
    assert_eq!(pieces[1].face_count(), 6);
    assert!(Topology::of(&pieces[1]).closed);
}

#[test]
fn polygons_that_are_not_flat_or_convex_keep_their_source() {
    let mut points = CUBE.to_vec();
    points[6] = [1.0, 1.0, 1.5];
    let set = face_set(&points, &SIDES);
    // Corner 6 lies in the planes x = 1 and y = 1 still, but the top is bent.
    assert_eq!((set.triangulated_count(), set.rough_count()), (1, 0));
    assert_eq!((set.face_count(), set.source_count()), (7, 6));
    let sources: Vec<usize> = (0..7).map(|f| set.source_of_face(f)).collect();
    assert_eq!(sources, [0, 1, 1, 2, 3, 4, 5]);
    assert!(Topology::of(&set).closed);
    // The cut runs from 5 to 7 (or 4 to 6): a pyramid of height 0.5 over half the top (or two over both halves).
    let extra = MassProperties::of(&set).volume - 1.0;
    assert!((extra - 0.5 / 6.0).abs() < 1e-15 || (extra - 0.5 / 3.0).abs() < 1e-15);
}

#[test]
fn parts_joined_count_on() {
    let flat = face_set(&CUBE, &SIDES);
    let mut points = CUBE.to_vec();
    points[6] = [1.0, 1.0, 1.5];
    let bent = face_set(&points, &SIDES);
    let plain = FaceSet::from_triangles(vectors(&CUBE[..3]), vec![[0, 1, 2]]).unwrap();
    let all = FaceSet::joined(&[&bent, &plain, &flat]).unwrap();
    assert_eq!((all.vertices().len(), all.triangles().len()), (19, 25));
    assert_eq!((all.face_count(), all.source_count(), all.triangulated_count()), (14, 13, 1));
    let sources: Vec<usize> = (0..25).map(|t| all.source_of_triangle(t)).collect();
    assert_eq!(sources[..13], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    assert_eq!(sources[13..], [7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12]);
    let points = |set: &FaceSet, triangle: usize| set.triangle_points(triangle);
    assert!((0..12).all(|t| points(&all, t) == points(&bent, t) && points(&all, 13 + t) == points(&flat, t)));
    assert!(FaceSet::joined(&[&plain, &plain]).unwrap().is_plain_triangles());
    assert_eq!(FaceSet::joined(&[]), Err(FaceSetError::NoFaces));
}

#[test]
fn bad_data_is_named() {
    let points = vectors(&CUBE);
    assert_eq!(FaceSet::from_triangles(points.clone(), vec![]), Err(FaceSetError::NoFaces));
    assert_eq!(
        FaceSet::from_triangles(points.clone(), vec![[0, 1, 2], [1, 8, 2]]),
        Err(FaceSetError::IndexOutOfRange { face: 1, index: 8, vertices: 8 })
    );
    let mut list = FaceList::default();
    list.push(&[0, 1, 2, 3]).unwrap();
    list.push(&[0, 1, 2, 99]).unwrap();
    assert_eq!(
        FaceSet::new(points.clone(), list),
        Err(FaceSetError::IndexOutOfRange { face: 1, index: 99, vertices: 8 })
    );
    for bad in [f64::NAN, f64::INFINITY] {
        let mut points = points.clone();
        points[3].y = bad;
        let made = FaceSet::from_triangles(points, vec![[0, 1, 2]]);
        assert_eq!(made, Err(FaceSetError::NotFinite { vertex: 3 }));
    }
}

#[test]
fn sizes_at_the_ends_of_the_range_are_never_nan() {
    for scale in [1e-300, 1e-160, 1e100, 1e300, f64::MAX] {
        let points: Vec<DVec3> = CUBE.iter().map(|&p| DVec3::from(p) * scale).collect();
        let cube = face_set(&CUBE, &SIDES);
        let big = FaceSet::from_triangles(points, cube.triangles().to_vec()).unwrap();
        let mass = MassProperties::of(&big);
        let near = |x: f64, y: f64| x == y || (x / y - 1.0).abs() < 1e-14;
        assert!(
            near(mass.volume, scale * scale * scale) && near(mass.surface, 6.0 * scale * scale),
            "{scale}"
        );
        let apart = [[f64::MAX, 0., 0.], [-f64::MAX, 0., 0.], [0., f64::MAX, -f64::MAX]];
        let apart = face_set(&apart, &[&[0, 1, 2]]);
        let mass = MassProperties::of(&apart);
        assert!(!mass.volume.is_nan() && mass.surface == f64::INFINITY);
    }
}

/// Products of such coordinates leave the range of doubles; the decisions are exact all the same.
#[test]
fn flatness_is_decided_at_the_ends_of_the_range() {
    for scale in [1e-300, 1e-160, 1e160, 1e300] {
        let points = CUBE.map(|p| p.map(|x| x * scale));
        let topology = Topology::of(&face_set(&points, &SIDES));
        assert!(topology.closed && topology.degenerate_faces.is_empty(), "{scale}");
        assert_eq!(face_set(&points, &SIDES).face_count(), 6, "{scale}");
        let mut bent = points;
        bent[6][2] *= 1.0 + f64::EPSILON;
        assert_eq!(face_set(&bent, &SIDES).triangulated_count(), 1, "{scale}");
    }
}

/// Edges, duplicates and degenerate faces of small-integer soups, counted with maps and integers.
#[test]
fn report_equals_counting_one_by_one() {
    let (mut closed, mut degenerate, mut duplicate) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = Generator::grid(seed);
        let points: Vec<[f64; 3]> =
            random.points(2 + seed as usize % 9).iter().map(|p| p.map(|x| x.clamp(-1., 1.))).collect();
        let mut triangles: Vec<[u32; 3]> = (0..=random.index(12))
            .map(|_| std::array::from_fn(|_| random.index(points.len()) as u32))
            .collect();
        if seed % 3 == 0 {
            let reversed: Vec<[u32; 3]> = triangles.iter().map(|t| [t[1], t[0], t[2]]).collect();
            triangles.extend(reversed);
        }
        let key = |i: u32| points[i as usize].map(|x| x as i64);
        let cross_is_zero = |t: &[u32; 3]| {
            let [a, b, c] = t.map(key);
            let (u, v) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
            (0..3).all(|i| u[i] * v[(i + 1) % 3] == u[(i + 1) % 3] * v[i])
        };
        let mut edges: BTreeMap<([i64; 3], [i64; 3]), [usize; 2]> = BTreeMap::new();
        let (mut seen, mut copies) = (BTreeSet::new(), Vec::new());
        for (face, t) in triangles.iter().enumerate() {
            let mut places = t.map(key);
            places.sort_unstable();
            if !seen.insert(places) {
                copies.push(face as u32);
            }
            if places[0] != places[1] && places[1] != places[2] {
                for i in 0..3 {
                    let (a, b) = (key(t[i]), key(t[(i + 1) % 3]));
                    edges.entry((a.min(b), a.max(b))).or_default()[usize::from(a < b)] += 1;
                }
            }
        }
        let flat: Vec<u32> =
            (0..triangles.len() as u32).filter(|&f| cross_is_zero(&triangles[f as usize])).collect();
        let set = FaceSet::from_triangles(vectors(&points), triangles).unwrap();
        let report = Topology::of(&set);
        let count = |rule: fn(&[usize; 2]) -> bool| edges.values().filter(|n| rule(n)).count();
        assert_eq!(report.edges.all, edges.len());
        assert_eq!(report.edges.boundary, count(|n| n[0] + n[1] == 1));
        assert_eq!(report.edges.non_manifold, count(|n| n[0] + n[1] > 2));
        assert_eq!(report.edges.inconsistent, count(|n| n[0] + n[1] == 2 && n[0] != 1));
        assert_eq!(report.edges.unbalanced, count(|n| n[0] != n[1]));
        assert_eq!(report.closed, !edges.is_empty() && count(|n| (n[0] + n[1]) % 2 == 1) == 0);
        assert_eq!(report.degenerate_faces, flat);
        assert_eq!(report.duplicate_faces, copies);
        closed += usize::from(report.closed);
        degenerate += usize::from(!flat.is_empty());
        duplicate += usize::from(!copies.is_empty());
    }
    assert!(
        closed > 60 && degenerate > 60 && duplicate > 60,
        "generator drifted: {closed} {degenerate} {duplicate}"
    );
}
