//! Tetrahedral bodies: what is refused, what formulas and stuffing give.

use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::{StuffError, bear, hollow_bear, slab, stuff, tetrahedron};
use kontakt_shapes::{Tetrahedra, TetrahedraError};

#[test]
fn the_scene_of_the_thesis_has_484_triangles() {
    let slab = slab([10, 10, 1], DVec3::new(1.0, 1.0, 0.05)).expect("valid");
    let tetrahedron = tetrahedron(0.2).expect("valid");
    assert_eq!(slab.surface().len() + tetrahedron.surface().len(), 484);
    assert_eq!(slab.vertices().len() + tetrahedron.vertices().len(), 246);
    assert_eq!(slab.tetrahedra().len() + tetrahedron.tetrahedra().len(), 501);
    assert!((slab.total_volume() - 0.05).abs() < 1e-12);
}

#[test]
fn what_is_wrong_is_named() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let with = |extra: &[DVec3], tetrahedra: &[[u32; 4]]| {
        Tetrahedra::new([corners.clone(), extra.to_vec()].concat(), tetrahedra.to_vec()).map(|_| ())
    };
    assert_eq!(with(&[], &[[0, 1, 2, 3]]), Ok(()));
    assert_eq!(with(&[], &[]), Err(TetrahedraError::Empty));
    assert_eq!(with(&[], &[[0, 2, 1, 3]]), Err(TetrahedraError::Inverted { tetrahedron: 0 }));
    assert_eq!(with(&[], &[[0, 1, 2, 2]]), Err(TetrahedraError::Flat { tetrahedron: 0 }));
    let index = TetrahedraError::IndexOutOfRange { tetrahedron: 0, index: 9, vertices: 4 };
    assert_eq!(with(&[], &[[0, 1, 2, 9]]), Err(index));
    assert_eq!(with(&[DVec3::ONE], &[[0, 1, 2, 3]]), Err(TetrahedraError::Orphan { vertex: 4 }));
    let nan = with(&[DVec3::NAN], &[[0, 1, 2, 3]]);
    assert_eq!(nan, Err(TetrahedraError::NotFinite { vertex: 4 }));
    let twice = with(&[DVec3::Z * 2.0], &[[0, 1, 2, 3], [0, 1, 2, 4]]);
    assert_eq!(twice, Err(TetrahedraError::Overlapping { first: 0, second: 1 }));
    // Two tetrahedra that share an edge only.
    let hinge = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, -1.0, 0.0)];
    let sharing = with(&hinge, &[[0, 1, 2, 3], [0, 4, 5, 3]]);
    assert_eq!(sharing, Err(TetrahedraError::NonManifold { a: 0, b: 3, faces: 4 }));
}

/// The least and the greatest dihedral angle, degrees.
fn angles(body: &Tetrahedra) -> (f64, f64) {
    let (mut least, mut most) = (180.0_f64, 0.0_f64);
    for t in body.tetrahedra() {
        let p = t.map(|v| body.vertices()[v as usize]);
        for [i, j, k, l] in
            [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]]
        {
            let along = (p[j] - p[i]).normalize();
            let off = |x: DVec3| (x - p[i]) - along * (x - p[i]).dot(along);
            let angle = off(p[k]).angle_between(off(p[l])).to_degrees();
            (least, most) = (least.min(angle), most.max(angle));
        }
    }
    (least, most)
}

fn check_neighbours(body: &Tetrahedra) {
    for (t, neighbours) in body.neighbours().iter().enumerate() {
        for n in neighbours.iter().flatten() {
            let common = body.tetrahedra()[t].iter().filter(|v| body.tetrahedra()[*n as usize].contains(v));
            assert_eq!(common.count(), 3);
        }
    }
}

#[test]
fn a_stuffed_ball_is_round_and_of_bounded_quality() {
    for cells in [3.0, 7.3, 12.0] {
        let cell = 2.0 / cells;
        let ball = stuff([DVec3::NEG_ONE, DVec3::ONE], cell, |p| p.length() - 1.0).expect("resolved");
        check_neighbours(&ball);
        let on_surface = ball.surface().iter().flatten().map(|&v| ball.vertices()[v as usize].length());
        assert!(on_surface.fold(0.0, |worst: f64, r| worst.max((r - 1.0).abs())) < 1e-6);
        let missing = 4.0 / 3.0 * std::f64::consts::PI - ball.total_volume();
        assert!(missing > 0.0 && missing < cell * cell * 4.0, "{missing}");
        let mut used: Vec<u32> = ball.surface().iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        // A closed surface without handles.
        assert_eq!(used.len(), ball.surface().len() / 2 + 2);
        let (least, most) = angles(&ball);
        assert!(least > 8.0 && most < 165.0, "{least} {most}");
    }
}

/// One definition, coarse and fine.
#[test]
fn bears_of_any_size() {
    for (cell, triangles) in [(0.22, 500..700), (0.1, 2_500..3_500)] {
        let bear = bear(cell).expect("resolved");
        println!("cell {cell}: {} surface triangles", bear.surface().len());
        assert!(triangles.contains(&bear.surface().len()), "{}", bear.surface().len());
        check_neighbours(&bear);
        let (least, most) = angles(&bear);
        assert!(least > 5.0 && most < 170.0, "{least} {most}");
    }
}

/// How many surfaces there are that do not hang together.
fn surfaces(body: &Tetrahedra) -> usize {
    let mut group: Vec<usize> = (0..body.vertices().len()).collect();
    let root = |group: &[usize], mut v: usize| {
        while group[v] != v {
            v = group[v];
        }
        v
    };
    for [a, b, c] in body.surface() {
        for other in [b, c] {
            let (one, two) = (root(&group, *a as usize), root(&group, *other as usize));
            group[one.max(two)] = one.min(two);
        }
    }
    let mut roots: Vec<usize> = body.surface().iter().flatten().map(|&v| root(&group, v as usize)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}

/// A wall around nothing: an outer and an inner surface, and less volume.
#[test]
fn a_hollow_bear_has_two_surfaces() {
    let (full, hollow) = (bear(0.06).expect("resolved"), hollow_bear(0.06, 0.12).expect("resolved"));
    check_neighbours(&hollow);
    let share = hollow.total_volume() / full.total_volume();
    assert!((0.3..0.8).contains(&share), "{share}");
    assert_eq!(surfaces(&full), 1);
    assert!(surfaces(&hollow) > 1 && hollow.surface().len() > full.surface().len());
    let (least, most) = angles(&hollow);
    assert!(least > 5.0 && most < 170.0, "{least} {most}");
}

#[test]
fn what_cannot_be_stuffed_is_an_error() {
    let ball = |p: DVec3| p.length() - 1.0;
    let around = [DVec3::NEG_ONE, DVec3::ONE];
    for cell in [0.0, -1.0, f64::NAN] {
        assert!(matches!(stuff(around, cell, ball), Err(StuffError::Cell { .. })));
    }
    assert!(matches!(stuff(around, 1e-6, ball), Err(StuffError::TooFine { .. })));
    let nothing = stuff(around, 0.5, |_| f64::NAN);
    assert!(matches!(nothing, Err(StuffError::Unresolved { source: TetrahedraError::Empty, .. })));
}
