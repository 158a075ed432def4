//! Bodies that their balls prove to be apart are apart, at every scale and place; two sizes away they are told so.

mod bodies;

use bodies::Shape;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{MeshQuery, PlacedMesh, any_piece_inside};
use testkit::Generator;

/// How many random scenes; more for a long run.
fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

#[test]
fn bodies_whose_balls_are_apart_do_not_meet() {
    let mut query = MeshQuery::default();
    let (mut far, mut close) = (0, 0);
    for seed in 0..cases() {
        let mut random = Generator::free(seed);
        let exponent = [0, -300, 300, -1000, 40][(seed % 5) as usize];
        let unit = 2.0_f64.powi(exponent);
        let ratio = 2.0_f64.powi([0, 0, -3, 12][(seed / 5 % 4) as usize]);
        let place = [0.0, 1e6, 1e15][(seed / 20 % 3) as usize];
        let mut body = |size: f64| {
            let offset = DVec3::splat(place * random.coordinate());
            let points: [[f64; 3]; 4] = std::array::from_fn(|_| random.point());
            Shape::tetrahedron(points).map(|x| (x * size + offset) * unit).mesh()
        };
        let (a, b) = (body(1.0), body(ratio));
        let turn = DQuat::from_array(random.quaternion());
        // From in contact to a few sizes away.
        let centre = turn * b.tree().origin();
        let reach = (1.0 + ratio) * [0.5, 2.0, 3.0, 12.0][(seed / 60 % 4) as usize];
        let shift = a.tree().origin() - centre + DVec3::from_array(random.point()) * (reach * unit);
        let placed = [PlacedMesh::at_rest(&a), PlacedMesh::new(&b, Pose::new(turn, shift).unwrap())];
        let [a, b] = placed;
        let told = a.is_far_from(&b);
        assert_eq!(told, b.is_far_from(&a), "{seed}");
        if told {
            far += 1;
            assert!(query.any_contact(a, b).is_none(), "{seed}");
            assert!(!any_piece_inside(a, b) && !any_piece_inside(b, a), "{seed}");
        } else if place == 0.0 && exponent.abs() < 400 {
            let gap = (b.pose.apply(b.mesh.tree().origin()) - a.mesh.tree().origin()).length();
            close = close.max((gap / ((1.0 + ratio) * unit) * 10.0) as u64);
        }
    }
    assert!(far > cases() / 5, "{far}");
    // Packed coordinates may be up to twice as wide as the body, balls √3 times that.
    assert!(close < 80, "{close}");
}

#[test]
fn numbers_that_leave_the_doubles_prove_nothing() {
    let mesh = Shape::block([0.0; 3], [1.0; 3]).mesh();
    for shift in [f64::MAX, 1e200] {
        let far = PlacedMesh::new(&mesh, Pose::new(DQuat::IDENTITY, DVec3::splat(shift)).unwrap());
        assert!(!far.is_far_from(&PlacedMesh::at_rest(&mesh)));
    }
    let small = Shape::block([0.0; 3], [1e-300; 3]).mesh();
    let beside = PlacedMesh::new(&small, Pose::new(DQuat::IDENTITY, DVec3::splat(1e-200)).unwrap());
    assert!(!beside.is_far_from(&PlacedMesh::at_rest(&small)));
}
