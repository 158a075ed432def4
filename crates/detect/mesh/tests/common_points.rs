//! Common points of triangles against the corners of the intersection in rationals.

use kontakt_answers::Visits;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, Common, Meeting, common_points, meeting};
use num_traits::ToPrimitive;
use testkit::rational::{Vector, vector};
use testkit::triangle_meeting::{dimension, intersection};
use testkit::{Generator, rotation};

type Triangle = [[f64; 3]; 3];

fn points(common: &Common) -> Vec<DVec3> {
    match common {
        Common::None => Vec::new(),
        Common::Point(p) => vec![*p],
        Common::Segment(ends) => ends.to_vec(),
        Common::Polygon(corners) => corners.clone(),
    }
}

/// The extreme points of the intersection, rounded: clipping may repeat points and keep some inside edges.
fn truth(a: &[Vector; 3], b: &[Vector; 3]) -> Vec<DVec3> {
    let mut corners = intersection(a, b);
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    corners.dedup();
    let mut kept: Vec<Vector> = corners;
    if dimension_or_zero(&kept) == 1 {
        kept = vec![kept.iter().min().unwrap().clone(), kept.iter().max().unwrap().clone()];
    } else if dimension_or_zero(&kept) == 0 {
        kept.truncate(1);
    } else {
        // A corner between its neighbours is none.
        let all = kept.clone();
        let n = all.len();
        kept = (0..n)
            .filter(|&i| {
                dimension(&[all[(i + n - 1) % n].clone(), all[i].clone(), all[(i + 1) % n].clone()]) == 2
            })
            .map(|i| all[i].clone())
            .collect();
    }
    kept.iter().map(|p| DVec3::from_array(p.clone().map(|x| x.to_f64().unwrap()))).collect()
}

fn dimension_or_zero(points: &[Vector]) -> usize {
    if points.is_empty() { 0 } else { dimension(points) }
}

fn check(q: [f64; 4], t: [f64; 3], a: Triangle, b: Triangle) -> usize {
    let between =
        Between::new(Pose::IDENTITY, Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap());
    let (a3, b3) = (a.map(DVec3::from_array), b.map(DVec3::from_array));
    let (met, common) = common_points(&between, a3, b3, &mut Visits::default());
    assert_eq!(met, meeting(&between, a3, b3, &mut Visits::default()));
    let found = points(&common);
    let exact_b = b.map(|x| rotation::moved(q, t, &vector(x)));
    let expected = truth(&a.map(vector), &exact_b);
    let near = |p: &DVec3, set: &[DVec3]| set.iter().any(|x| x.distance(*p) < 3e-11);
    assert_eq!(found.len(), expected.len(), "{q:?} {t:?} {a:?} {b:?}: {found:?} {expected:?}");
    assert!(found.iter().all(|p| near(p, &expected)), "{a:?} {b:?}: {found:?} {expected:?}");
    assert!(expected.iter().all(|p| near(p, &found)), "{a:?} {b:?}: {found:?} {expected:?}");
    if let Common::Polygon(corners) = &common {
        assert_eq!(met, Meeting::Coplanar);
        // Convex, turning as A does.
        let normal = (a3[1] - a3[0]).cross(a3[2] - a3[0]);
        let n = corners.len();
        for i in 0..n {
            let (p, q, r) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
            assert!((q - p).cross(r - q).dot(normal) > -1e-9);
        }
    }
    found.len()
}

fn triangle(source: &mut Generator) -> Triangle {
    let mut corners: Triangle = std::array::from_fn(|_| source.point());
    match source.index(6) {
        0 => corners[2] = corners[0],
        1 => corners[2] = std::array::from_fn(|i| 2.0 * corners[1][i] - corners[0][i]),
        2 | 3 => corners.iter_mut().for_each(|corner| corner[2] = 0.0),
        _ => {}
    }
    corners
}

#[test]
fn on_the_grid_at_rest_and_turned() {
    let mut source = Generator::grid(21);
    let mut sizes = [0; 10];
    for _ in 0..1500 {
        let (q, t) = (source.quaternion(), source.point().map(|x| 0.5 * x));
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        sizes[check([0.0, 0.0, 0.0, 1.0], [0.0; 3], a, b)] += 1;
        sizes[check(q, t, a, b)] += 1;
    }
    assert!(sizes[1] > 100 && sizes[2] > 200 && sizes[3] > 20 && sizes[4] > 20, "{sizes:?}");
}

#[test]
fn at_generic_poses() {
    let mut source = Generator::free(22);
    let mut sizes = [0; 10];
    for _ in 0..300 {
        let (q, t) = (source.quaternion(), source.point().map(|x| 0.3 * x));
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        sizes[check(q, t, a, b)] += 1;
    }
    assert!(sizes[2] > 15, "{sizes:?}");
}

/// Nearly parallel planes: the crossing is as exact as anywhere.
#[test]
fn nearly_parallel() {
    let mut source = Generator::free(23);
    let mut segments = 0;
    for _ in 0..200 {
        let a: Triangle = std::array::from_fn(|_| source.point());
        let tilt = 10.0_f64.powf(-14.0 * source.unit());
        let rocked = a.map(|p| {
            let shift = source.point();
            std::array::from_fn(|i| p[i] + tilt * shift[i])
        });
        segments += usize::from(check([0.0, 0.0, 0.0, 1.0], [0.0; 3], a, rocked) == 2);
    }
    assert!(segments > 50, "{segments}");
}
