//! Faces of many corners: the triangles they are cut into are no self-intersections of the body.

use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_shapes::{FaceList, FaceSet};

/// Stars of n corners in planes that cross, and a bow tie, each one face.
fn crossing_stars(n: u32) -> FaceSet {
    let mut points = Vec::new();
    let mut list = FaceList::default();
    for star in 0..3 {
        let first = points.len() as u32;
        points.extend((0..n).map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
            let r = if k.is_multiple_of(2) { 1.0 } else { 0.5 };
            match star {
                0 => DVec3::new(r * cos, r * sin, 0.0),
                1 => DVec3::new(0.25, r * cos, r * sin),
                _ => DVec3::new(r * cos, 9.0, r * sin),
            }
        }));
        list.push(&(first..first + n).collect::<Vec<_>>()).expect("a face");
    }
    let first = points.len() as u32;
    points.extend([[0., 0.], [1., 1.], [1., 0.], [0., 1.]].map(|[x, y]| DVec3::new(x, y, 20.0)));
    list.push(&(first..first + 4).collect::<Vec<_>>()).expect("a face");
    FaceSet::new(points, list).expect("faces")
}

#[test]
fn leaving_out_pairs_of_one_face_changes_no_answer() {
    let faces = crossing_stars(200);
    assert_eq!((faces.apart_sources(), faces.rough_count()), (&[0, 1, 2][..], 1));
    let plain =
        FaceSet::from_triangles(faces.vertices().to_vec(), faces.triangles().to_vec()).expect("triangles");
    let source = |triangle: u32| faces.source_of_triangle(triangle as usize);
    let found = Mesh::new(faces.clone()).expect("a mesh").self_intersections(100_000);
    assert_eq!(found, Mesh::new(plain).expect("a mesh").self_intersections(100_000));
    // The first two cross, the bow tie crosses itself, and no star does.
    assert!(found.complete);
    let mut met: Vec<_> = found.pairs.iter().map(|pair| (source(pair.a), source(pair.b))).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met, [(0, 1), (3, 3)]);
    // Joined to itself, the body has the same faces apart.
    let twice = FaceSet::joined(&[&faces, &faces]).expect("faces");
    assert_eq!(twice.apart_sources(), [0, 1, 2, 4, 5, 6]);
}
