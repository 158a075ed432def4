//! The same two sets give the same answers, whatever family they are given as and in whatever order; round shapes against closed forms.

mod help;

use help::{Generator, as_mesh, cases, has_volume};
use kontakt_answers::{Relation, Side};
use kontakt_convex::{Part, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Limit, RelationOptions};
use kontakt_pair::{Body, Placed, Query};

fn verdict(relation: &Relation) -> Verdict {
    match relation {
        Relation::Separate { .. } => Verdict::Separate,
        Relation::Touching => Verdict::Touching,
        Relation::Undecided { .. } => Verdict::Undecided,
        _ => Verdict::Overlapping,
    }
}

#[test]
fn one_answer_for_all_families_and_orders() {
    let mut query = Query::new();
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    let mut seen = [0_u32; 3];
    for seed in 0..cases() {
        let mut random = Generator(fastrand::Rng::with_seed(seed));
        let grid = seed % 2 == 0;
        let shapes = [random.polytope(grid), random.polytope(grid)];
        let poses = [random.pose(grid), random.pose(grid)];
        let solid = shapes.iter().all(has_volume);
        // As a convex body, as a mesh, and as a union of one part.
        let given = |k: usize| {
            let union = Shape::union(vec![Part { shape: shapes[k].clone(), pose: Pose::IDENTITY }]).unwrap();
            [Body::convex(shapes[k].clone()), Body::mesh(as_mesh(&shapes[k])), Body::convex(union)]
        };
        let (all_a, all_b) = (given(0), given(1));
        let reference =
            query.relation(Placed::new(&all_a[1], poses[0]), Placed::new(&all_b[1], poses[1]), &options);
        let expected = verdict(&reference.exact);
        seen[expected as usize % 3] += 1;
        for (i, a) in all_a.iter().enumerate() {
            for (j, b) in all_b.iter().enumerate() {
                let (a, b) = (Placed::new(a, poses[0]), Placed::new(b, poses[1]));
                let what = format!("seed {seed}, families {i} {j}: {:?}", reference.exact);
                let found = query.relation(a, b, &options).exact;
                if i < 2 && j < 2 {
                    assert_eq!(
                        std::mem::discriminant(&found),
                        std::mem::discriminant(&reference.exact),
                        "{what}: {found:?}"
                    );
                }
                let swapped = query.relation(b, a, &options).exact.swapped();
                assert_eq!(
                    std::mem::discriminant(&found),
                    std::mem::discriminant(&swapped),
                    "{what}: {swapped:?}"
                );
                if solid {
                    assert_eq!(query.intersect(a, b), expected, "{what}");
                    assert_eq!(query.any_contact(a, b), Some(expected != Verdict::Separate), "{what}");
                    let distance = query.distance(a, b).range;
                    match reference.exact {
                        Relation::Separate { distance: truth } => {
                            assert!(
                                distance.lo() <= truth.hi() && truth.lo() <= distance.hi(),
                                "{what}: {distance:?}"
                            );
                            assert_eq!(
                                query.within(a, b, Limit::Below(truth.lo() * 0.99)),
                                Some(false),
                                "{what}"
                            );
                            assert_eq!(
                                query.within(a, b, Limit::AtMost(truth.hi() * 1.01)),
                                Some(true),
                                "{what}"
                            );
                        }
                        _ => assert_eq!(distance.lo(), 0.0, "{what}: {distance:?}"),
                    }
                    let touches = query.contacts(a, b, 0.0).is_empty();
                    let meet_without_faces = matches!(reference.exact, Relation::Contained { .. });
                    if !meet_without_faces {
                        assert_eq!(touches, expected == Verdict::Separate, "{what}");
                    }
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > cases() as u32 / 60), "{seen:?}");
}

/// A ball, a capsule and a cylinder along z, a rounded box and a half-space against a block of integer size: the gap in closed form, in
/// integers wherever it can be zero.
#[test]
fn round_shapes_against_a_block_have_the_classes_of_closed_forms() {
    let mut query = Query::new();
    let options = RelationOptions::default();
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..cases() {
        let mut random = Generator(fastrand::Rng::with_seed(77_000 + seed));
        let half = DVec3::new(
            f64::from(random.0.i32(1..5)),
            f64::from(random.0.i32(1..5)),
            f64::from(random.0.i32(1..5)),
        );
        let block = Body::mesh(as_mesh(&Shape::cuboid(half).unwrap()));
        let centre = random.point(true, 8);
        let (long, radius) = (f64::from(random.0.i32(1..4)), f64::from(random.0.i32(1..6)));
        let kind = random.0.u32(0..4);
        let (shape, stretch, name) = match kind {
            0 => (Shape::sphere(radius).unwrap(), DVec3::ZERO, "sphere"),
            1 => (Shape::capsule(long, radius).unwrap(), DVec3::Z * long, "capsule"),
            2 => {
                let own = DVec3::new(1.0, 2.0, long);
                (Shape::cuboid(own).unwrap().with_margin(radius).unwrap(), own, "rounded box")
            }
            _ => (Shape::cylinder(long, radius).unwrap(), DVec3::Z * long, "cylinder"),
        };
        // The core is a box of half extents `stretch`, grown by a ball, or by a disc for the cylinder.
        let excess = (centre.abs() - half - stretch).max(DVec3::ZERO);
        let across = if kind == 3 { DVec3::new(excess.x, excess.y, 0.0) } else { excess };
        let beyond = across.length_squared() - radius * radius;
        let along = if kind == 3 { centre.z.abs() - half.z - stretch.z } else { -1.0 };
        let expected = if beyond > 0.0 || along > 0.0 {
            Verdict::Separate
        } else if beyond == 0.0 || along == 0.0 {
            Verdict::Touching
        } else {
            Verdict::Overlapping
        };
        let there = Pose::new(DQuat::IDENTITY, centre).unwrap();
        let (body, round) = (Placed::at_rest(&block), Body::convex(shape.clone()));
        let round = Placed::new(&round, there);
        let what = format!("seed {seed}: {name} {radius} {long} at {centre} against {half}");
        let found = query.relation(body, round, &options);
        assert_eq!(verdict(&found.exact), expected, "{what}: {:?}", found.exact);
        *seen.entry(format!("{name} {:?}", verdict(&found.exact))).or_default() += 1;
        assert_eq!(query.intersect(round, body), expected, "{what}");
        if let Relation::Separate { distance } = found.exact {
            let truth = if kind == 3 {
                let out = (across.length() - radius).max(0.0);
                out.hypot(along.max(0.0))
            } else {
                across.length() - radius
            };
            assert!(distance.lo() <= truth * (1.0 + 1e-14) + 1e-14, "{what}: {distance:?} {truth}");
            assert!(distance.hi() >= truth * (1.0 - 1e-14) - 1e-14, "{what}: {distance:?} {truth}");
            assert!(distance.width() < 1e-6, "{what}: {distance:?}");
        }
        // Who holds whom: all of the round shape in the block, or all corners of the block in the shape.
        let reach = stretch + if kind == 3 { DVec3::new(radius, radius, 0.0) } else { DVec3::splat(radius) };
        let inner = (centre.abs() + reach).cmple(half).all();
        if inner {
            assert_eq!(found.exact, Relation::Contained { inner: Side::B }, "{what}");
        }
        if let (Verdict::Overlapping, Some(depth)) = (expected, found.depth) {
            assert!(depth.range.lo() > 0.0 && depth.range.hi().is_finite(), "{what}: {depth:?}");
        }
    }
    assert!(seen.len() >= 11, "{seen:?}");
}

#[test]
fn half_spaces_see_the_lowest_corner_of_a_mesh() {
    let mut query = Query::new();
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    for seed in 0..cases() {
        let mut random = Generator(fastrand::Rng::with_seed(99_000 + seed));
        let points: Vec<DVec3> = (0..6).map(|_| random.point(true, 3)).collect();
        let Ok(hull) = Shape::hull(&points) else { continue };
        if !has_volume(&hull) {
            continue;
        }
        let normal = random.point(true, 3);
        if normal == DVec3::ZERO {
            continue;
        }
        let offset = f64::from(random.0.i32(-12..12));
        let heights = points.iter().map(|x| normal.dot(*x) - offset);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let wall = Body::convex(Shape::half_space(normal, offset).unwrap());
        let found = query
            .relation(Placed::at_rest(&Body::mesh(as_mesh(&hull))), Placed::at_rest(&wall), &options)
            .exact;
        let fits = match found {
            Relation::Separate { .. } => low > 0.0,
            Relation::Touching => low == 0.0,
            Relation::Overlapping { .. } => low < 0.0 && high > 0.0,
            Relation::Contained { inner: Side::A } => low < 0.0 && high <= 0.0,
            _ => false,
        };
        assert!(fits, "seed {seed}: {found:?}, heights {low} to {high}");
        if let Relation::Separate { distance } = found {
            let truth = low / normal.length();
            assert!(
                distance.lo() <= truth * (1.0 + 1e-14) && truth * (1.0 - 1e-14) <= distance.hi(),
                "{distance:?} {truth}"
            );
        }
    }
}

/// A half-space far away: its plane is coarse in single precision, the bounds of the distance must not be.
#[test]
fn far_half_spaces_have_the_distance_of_the_lowest_corner() {
    let mut query = Query::new();
    let mut random = Generator(fastrand::Rng::with_seed(3));
    let points: Vec<DVec3> = (0..400).map(|_| random.point(false, 100)).collect();
    let body = Body::mesh(as_mesh(&Shape::hull(&points).unwrap()));
    for offset in [1e3, 1e6, 1e9, 1e12] {
        for normal in [DVec3::X, DVec3::NEG_Y, DVec3::Z] {
            let wall = Body::convex(Shape::half_space(normal, -offset).unwrap());
            let found = query.distance(Placed::at_rest(&body), Placed::at_rest(&wall)).range;
            // Along an axis the height of a corner is one addition.
            let truth = points.iter().map(|x| normal.dot(*x) + offset).fold(f64::INFINITY, f64::min);
            let ulp = truth * f64::EPSILON;
            assert!(found.lo() <= truth + ulp && truth - ulp <= found.hi(), "{offset}: {found:?} {truth}");
            assert!(found.width() <= 1e-12 * truth, "{offset}: {found:?}");
        }
    }
}
