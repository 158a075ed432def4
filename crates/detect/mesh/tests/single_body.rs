//! Questions about one body: points, rays, nearest points, meetings with itself, and patches of two.

mod bodies;

use bodies::{Shape, exact_turns, pose, turned_back};
use kontakt_bounds::hausdorff::{Faces, Nearest as _};
use kontakt_math::{DQuat, DVec3};
use kontakt_mesh::{FacePair, Location, MeshQuery, PatchExtent, PlacedMesh, Ray};
use testkit::Generator;
use testkit::polycube::Polycube;

/// Where a point with half-integer coordinates lies, by the cells around it.
fn cell_verdict(body: &Polycube, doubled: [i32; 3]) -> Location {
    let mut around = [false; 2];
    for k in 0..8_i32 {
        let cell = std::array::from_fn(|axis| {
            let x = doubled[axis];
            if x % 2 == 0 { x / 2 - (k >> axis & 1) } else { x.div_euclid(2) }
        });
        around[usize::from(body.cells.contains(&cell))] = true;
    }
    match around {
        [false, _] => Location::Inside,
        [_, false] => Location::Outside,
        _ => Location::OnBoundary,
    }
}

#[test]
fn points_of_the_grid_are_told_exactly() {
    let mut random = Generator::grid(3);
    let mut seen = [0; 3];
    for round in 0..60_u64 {
        let body = Polycube::random(&mut random, 4);
        let shape = Shape::new(body.surface(round)).shuffled(round);
        let q = exact_turns()[random.index(5)];
        let (mesh, turned) = (shape.mesh(), shape.map(|v| turned_back(q, v)).mesh());
        let there = PlacedMesh::new(&turned, pose(q, DVec3::new(-8_388_608.0, 0.0, 4.0)));
        let skew = pose(DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64), DVec3::new(0.1, 0.0, 0.0));
        for _ in 0..60 {
            let doubled: [i32; 3] = std::array::from_fn(|_| random.integer(-2..=12));
            let point = DVec3::from_array(doubled.map(|x| f64::from(x) / 2.0));
            let truth = cell_verdict(&body, doubled);
            seen[truth as usize] += 1;
            assert_eq!(mesh.inside(point).verdict, truth, "{point}");
            let moved = point + DVec3::new(-8_388_608.0, 0.0, 4.0);
            assert_eq!(there.inside(moved).verdict, truth, "{point} in the world");
            // Off the grid the rounded image of a point inside is still inside.
            if truth != Location::OnBoundary {
                assert_eq!(
                    PlacedMesh::new(&mesh, skew).inside(skew.apply(point)).verdict,
                    truth,
                    "{point} skew"
                );
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 150), "{seen:?}");
}

#[test]
fn open_bodies_have_a_winding_number() {
    let mut shape = Shape::block([0.0; 3], [2.0; 3]).refined();
    shape.triangles.pop();
    let mesh = shape.mesh();
    let inside = mesh.inside(DVec3::new(0.5, 0.5, 0.5));
    assert_eq!(inside.verdict, Location::Inside);
    assert!(inside.winding.is_some_and(|w| w > 0.9));
    let outside = mesh.inside(DVec3::new(-1.0, 0.5, 0.5));
    assert_eq!(outside.verdict, Location::Outside);
    assert!(outside.winding.is_some_and(|w| w.abs() < 0.1));
    assert_eq!(mesh.inside(DVec3::new(0.0, 0.3, 0.5)).verdict, Location::OnBoundary);
    assert_eq!(mesh.inside(DVec3::NAN).verdict, Location::Unclear, "nothing is known of what is no point");
    let square = Shape::square([-1.0, -1.0], [1.0, 1.0], 0.0).mesh();
    assert_eq!(square.inside(DVec3::new(0.0, 0.0, 0.01)).verdict, Location::Unclear);
}

/// First parameter at which a ray of integers meets a closed cell, as a fraction.
fn cell_entry(origin: [i64; 3], direction: [i64; 3], cell: [i32; 3]) -> Option<(i64, i64)> {
    let (mut enter, mut leave) = ((0_i64, 1_i64), (i64::MAX, 1_i64));
    let less =
        |p: (i64, i64), q: (i64, i64)| i128::from(p.0) * i128::from(q.1) < i128::from(q.0) * i128::from(p.1);
    for k in 0..3 {
        let (low, high) = (i64::from(cell[k]) - origin[k], i64::from(cell[k]) + 1 - origin[k]);
        if direction[k] == 0 {
            if low > 0 || high < 0 {
                return None;
            }
            continue;
        }
        let sign = direction[k].signum();
        let (near, far) = if sign > 0 { (low, high) } else { (-high, -low) };
        let (near, far) = ((near, direction[k].abs()), (far, direction[k].abs()));
        if less(enter, near) {
            enter = near;
        }
        if less(far, leave) {
            leave = far;
        }
    }
    (!less(leave, enter)).then_some(enter)
}

#[test]
fn rays_through_edges_and_corners_are_never_lost() {
    let mut random = Generator::grid(23);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..80_u64 {
        let body = Polycube::random(&mut random, 3);
        let mesh = Shape::new(body.surface(round)).shuffled(round).mesh();
        for _ in 0..60 {
            let origin: [i64; 3] = std::array::from_fn(|_| i64::from(random.integer(-3..=5)));
            let direction: [i64; 3] = std::array::from_fn(|_| i64::from(random.integer(-2..=2)));
            let point = origin.map(|x| x as f64);
            let doubled = origin.map(|x| 2 * x as i32);
            if direction == [0; 3] || cell_verdict(&body, doubled) == Location::Inside {
                continue;
            }
            let truth = body
                .cells
                .iter()
                .filter_map(|&cell| cell_entry(origin, direction, cell))
                .map(|(n, d)| n as f64 / d as f64)
                .min_by(f64::total_cmp);
            let (o, d) = (DVec3::from_array(point), DVec3::from_array(direction.map(|x| x as f64)));
            let ray = Ray::new(o, d).unwrap();
            let found = mesh.ray(ray, f64::INFINITY);
            assert_eq!(found.is_some(), truth.is_some(), "{o} {d} {body:?}");
            if let (Some(hit), Some(truth)) = (found, truth) {
                hits += 1;
                assert!((hit.t - truth).abs() <= 1e-12 * (1.0 + truth), "{o} {d}: {} {truth}", hit.t);
                let all = mesh.ray_hits(ray, f64::INFINITY);
                assert_eq!(all[0], hit);
                assert!(mesh.ray(ray, truth * 0.5 - 0.01).is_none());
            } else {
                misses += 1;
            }
        }
    }
    assert!(hits > 500 && misses > 500, "{hits} {misses}");
    let mesh = Shape::block([0.0; 3], [1.0; 3]).mesh();
    let far = Ray::new(DVec3::new(-1e300, 0.5, 0.5), DVec3::X).unwrap();
    assert!(mesh.ray(far, f64::INFINITY).is_some());
    assert!(mesh.ray(far, f64::NAN).is_none() && mesh.ray(far, -1.0).is_none());
}

#[test]
fn nearest_points_equal_brute_force() {
    let mut random = Generator::free(9);
    for round in 0..20_u64 {
        let points = random.points(40);
        let shape = Shape {
            vertices: points.into_iter().map(DVec3::from_array).collect(),
            triangles: (0..60).map(|_| std::array::from_fn(|_| random.index(40) as u32)).collect(),
        };
        let mesh = shape.mesh();
        let all = Faces::new(&shape.vertices, &shape.triangles).unwrap();
        let placed = PlacedMesh::new(&mesh, pose(DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64), DVec3::ONE));
        for _ in 0..30 {
            let point = DVec3::from_array(random.point()) * 2.0;
            let (found, truth) = (mesh.nearest(point).unwrap(), all.nearest(point).unwrap());
            assert!(
                found.distance.lo() <= truth.upper && truth.lower <= found.distance.hi(),
                "round {round}"
            );
            assert!(found.distance.width() <= 1e-12, "{:?}", found.distance);
            assert!((found.point.distance(point) - truth.upper).abs() < 1e-12);
            let world = placed.nearest(placed.pose.apply(point)).unwrap();
            assert!(world.distance.lo() <= truth.upper && truth.lower <= world.distance.hi());
        }
        assert!(mesh.nearest(DVec3::NAN).is_none());
        assert!(mesh.nearest(DVec3::splat(1e200)).is_some_and(|near| near.distance.lo() > 1e200));
    }
}

#[test]
fn a_body_meets_itself_only_where_it_should_not() {
    let clean = Shape::block([0.0; 3], [2.0; 3]).refined();
    let found = clean.mesh().self_intersections(100);
    assert!(found.complete && found.pairs.is_empty(), "{found:?}");
    let holed = Polycube::block([0, 0, 0], [3, 3, 1]).without(&Polycube::block([1, 1, 0], [2, 2, 1]));
    assert!(Shape::new(holed.surface(77)).mesh().self_intersections(100).pairs.is_empty());

    let face = |points: &[[f64; 3]], triangles: &[[u32; 3]]| {
        Shape {
            vertices: points.iter().map(|&p| DVec3::from_array(p)).collect(),
            triangles: triangles.to_vec(),
        }
        .mesh()
        .self_intersections(100)
        .pairs
    };
    let one = vec![FacePair { a: 0, b: 1 }];
    let base = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]];
    let with = |more: &[[f64; 3]]| [&base[..], more].concat();
    // A common corner, and nothing else; then the edge opposite goes through the other face.
    assert_eq!(face(&with(&[[-1., 0., 1.], [-1., -1., 1.]]), &[[0, 1, 2], [0, 3, 4]]), vec![]);
    assert_eq!(face(&with(&[[0.5, 0.5, 1.], [0.5, 0.5, -1.]]), &[[0, 1, 2], [0, 3, 4]]), one);
    // A common edge: a hinge, a fold onto itself, a flat continuation.
    assert_eq!(face(&with(&[[1., 1., 1.]]), &[[0, 1, 2], [1, 0, 3]]), vec![]);
    assert_eq!(face(&with(&[[1., 1., 0.]]), &[[0, 1, 2], [1, 0, 3]]), one);
    assert_eq!(face(&with(&[[1., -1., 0.]]), &[[0, 1, 2], [1, 0, 3]]), vec![]);
    // A duplicate, also by place.
    assert_eq!(face(&with(&base), &[[0, 1, 2], [5, 4, 3]]), one);
    // A point of one on another.
    assert_eq!(face(&with(&[[0.5, 0.5, 0.], [0., 0., 1.], [1., 0., 1.]]), &[[0, 1, 2], [3, 4, 5]]), one);
    // Without area: not counted.
    assert_eq!(face(&with(&[[0.5, 0.5, 1.], [0.5, 0.5, -1.]]), &[[0, 1, 2], [3, 4, 4]]), vec![]);
    let doubled = clean.clone().with(&clean);
    let some = doubled.mesh().self_intersections(7);
    assert!(!some.complete && some.pairs.len() == 7);
}

#[test]
fn patches_are_told_apart_and_measured() {
    let mut asker = MeshQuery::new();
    let floor = Shape::block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]);
    let leg = Shape::block([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]);
    let table = leg.clone().with(&leg.moved(3.0, 0.0, 0.0)).with(&leg.moved(0.0, -4.0, 0.0));
    let (floor, table) = (floor.mesh(), table.mesh());
    let patches = asker.patches(PlacedMesh::at_rest(&floor), PlacedMesh::at_rest(&table));
    assert_eq!(patches.len(), 3);
    for patch in &patches {
        assert!(
            matches!(patch.extent, PatchExtent::Area { area } if (area - 2.0).abs() < 1e-12),
            "{:?}",
            patch.extent
        );
        assert!((patch.normal - DVec3::Z).length() < 1e-12, "{}", patch.normal);
        assert!(patch.contacts.len() == 4 && patch.contacts.iter().all(|c| c.point_a.z.abs() < 1e-12));
    }
    assert!((patches[0].centre - DVec3::new(0.5, 1.0, 0.0)).length() < 1e-12);
    // A rod through a plate: two closed curves of length 4.
    let plate = Shape::block([-5.0, -5.0, 0.0], [5.0, 5.0, 1.0]).mesh();
    let rod = Shape::block([-0.25, 0.125, -3.0], [0.75, 1.125, 3.0]).mesh();
    let patches = asker.patches(PlacedMesh::at_rest(&plate), PlacedMesh::at_rest(&rod));
    assert_eq!(patches.len(), 2, "{patches:?}");
    for patch in &patches {
        assert!(
            matches!(patch.extent, PatchExtent::Curve { length } if (length - 4.0).abs() < 1e-12),
            "{:?}",
            patch.extent
        );
        assert!(patch.normal.z.abs() > 0.999, "{}", patch.normal);
    }
    // A tip on a side; an edge on a side.
    let tip = Shape::pyramid(4.0, [0.25, 0.5, 1.0]).mesh();
    let patches = asker.patches(PlacedMesh::at_rest(&plate), PlacedMesh::at_rest(&tip));
    assert_eq!(patches.len(), 1);
    assert_eq!(patches[0].extent, PatchExtent::Point);
    assert!(patches[0].normal.z > 0.5);
    let edge = Shape::tetrahedron([[0., 0., 1.], [1., 0., 1.], [0., -1., 3.], [0., 1., 3.]]).mesh();
    let patches = asker.patches(PlacedMesh::at_rest(&plate), PlacedMesh::at_rest(&edge));
    assert_eq!(patches.len(), 1);
    assert!(
        matches!(patches[0].extent, PatchExtent::Curve { length } if (length - 1.0).abs() < 1e-9),
        "{:?}",
        patches[0]
    );
}
