//! Faces of many corners: the triangles they are cut into are no self-intersections of the body.

use kontakt_math::DVec3;
use kontakt_mesh::{Mesh, self_intersections};
use kontakt_schedule::Deadline;
use kontakt_shapes::{FaceList, FaceSet};
use testkit::Generator;

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
    assert_eq!((faces.apart_faces(), faces.rough_count()), (&[0..198, 198..396, 396..594][..], 1));
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
    assert_eq!(twice.apart_faces(), [0..198, 198..396, 396..594, 596..794, 794..992, 992..1190]);
}

fn one_face(points: Vec<DVec3>) -> FaceSet {
    let mut list = FaceList::default();
    list.push(&(0..points.len() as u32).collect::<Vec<_>>()).expect("a face");
    FaceSet::new(points, list).expect("faces")
}

/// Compares with the search that knows nothing of polygons; how many triangles were left out of it.
fn assert_same_answer(faces: &FaceSet) -> usize {
    let plain =
        FaceSet::from_triangles(faces.vertices().to_vec(), faces.triangles().to_vec()).expect("triangles");
    let all = Mesh::new(plain).expect("a mesh").self_intersections(100_000);
    assert!(all.complete);
    let found = self_intersections(faces.clone(), 1, 100_000, Deadline::NEVER).expect("a mesh");
    assert_eq!(found, all);
    faces.apart_faces().iter().map(ExactSizeIterator::len).sum()
}

#[test]
fn bent_and_crossed_long_faces_are_compared_in_few_pairs() {
    // Every pair of triangles of one bent face was once compared, and of one with a single crossing: 10^5 corners took minutes.
    let star = |n: u32| -> Vec<DVec3> {
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
            let r = if k.is_multiple_of(2) { 1.0 } else { 0.5 };
            DVec3::new(r * cos, r * sin, 0.0)
        };
        (0..n).map(at).collect()
    };
    let bent: Vec<DVec3> = star(200).iter().map(|p| DVec3::new(p.x, p.y, p.x * p.y)).collect();
    assert_eq!(assert_same_answer(&one_face(bent.clone())), 198);
    let mut crossed = star(200);
    crossed.swap(20, 22);
    assert!(assert_same_answer(&one_face(crossed)) >= 190);
    let mut displaced = star(200);
    displaced[50] = -1.5 * displaced[50];
    assert!(assert_same_answer(&one_face(displaced)) >= 190);
    let mut bent_and_crossed = bent;
    bent_and_crossed.swap(20, 22);
    assert!(assert_same_answer(&one_face(bent_and_crossed)) >= 190);
}

#[test]
fn random_long_faces_on_a_lattice_have_the_pairs_of_their_triangles() {
    // Two chains of small whole numbers over each other, touching here and there: corners on edges, equal corners and corners in a row
    // arise by themselves, and with a shuffled corner crossings too. Bent ones have heights of their own.
    let mut random = Generator::free(29);
    let (mut left_out, mut touching) = (0, 0);
    for case in 0..300 {
        let n = 36 + random.index(8);
        let lower: Vec<usize> = (0..n).map(|_| random.index(3)).collect();
        let tall = usize::from(case % 3 == 0);
        let upper: Vec<usize> = lower.iter().map(|y| y + tall + random.index(3)).collect();
        let place = |x: usize, y: usize| DVec3::new(x as f64, y as f64, 0.0);
        let mut points: Vec<DVec3> = (0..n).map(|x| place(x, lower[x])).collect();
        points.extend((0..n).rev().map(|x| place(x, upper[x])));
        if case % 4 == 1 {
            let k = random.index(points.len() - 1);
            points.swap(k, k + 1);
        }
        if case % 2 == 1 {
            for p in &mut points {
                p.z = random.index(3) as f64;
            }
        }
        let faces = one_face(points);
        let apart = assert_same_answer(&faces);
        left_out += usize::from(apart > 0);
        touching += usize::from(apart == 0);
    }
    assert!(left_out > 80 && touching > 30, "{left_out} {touching}");
}
