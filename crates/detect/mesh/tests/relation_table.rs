//! Hand cases of two bodies with their class, each written down in many ways.

mod bodies;

use bodies::{Shape, exact_turns, pose, turned_back};
use kontakt_answers::{OverlapKind, Relation, Side};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{PlacedMesh, RelationOptions, relation};
use testkit::polycube::Polycube;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    Separate,
    Touching,
    Overlapping,
    AInB,
    BInA,
    Same,
}

impl Class {
    fn of(relation: Relation) -> Class {
        match relation {
            Relation::Separate { .. } => Class::Separate,
            Relation::Touching => Class::Touching,
            Relation::Overlapping { .. } => Class::Overlapping,
            Relation::Contained { inner: Side::A } => Class::AInB,
            Relation::Contained { inner: Side::B } => Class::BInA,
            Relation::Duplicate => Class::Same,
            Relation::Undecided { .. } => unreachable!("meshes are decided"),
        }
    }

    fn swapped(self) -> Class {
        match self {
            Class::AInB => Class::BInA,
            Class::BInA => Class::AInB,
            same => same,
        }
    }
}

fn class_at(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose) -> Class {
    let (a, b) = (a.mesh(), b.mesh());
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    Class::of(relation(PlacedMesh::new(&a, pose_a), PlacedMesh::new(&b, pose_b), &options).exact)
}

fn block(low: [f64; 3], high: [f64; 3]) -> Shape {
    Shape::block(low, high)
}

/// Pyramids standing on their tips at all places of a grid where samples are likely to be taken.
fn tips() -> Shape {
    let at = |k: i32| f64::from(k % 7) - 3.0;
    let one = |k: i32| {
        Shape::pyramid(3., [0., 0., 2.]).map(|v| v * DVec3::new(0.25, 0.25, 1.0)).moved(at(k), at(k / 7), 0.)
    };
    (0..49).map(one).reduce(|all, next| all.with(&next)).unwrap()
}

/// The shape with a triangle that is a point and one that is a segment, walked to and fro.
fn with_needles(shape: &Shape) -> Shape {
    let mut shape = shape.clone();
    shape.triangles.extend([[0, 0, 0], [3, 3, 5]]);
    shape
}

fn cells(body: &Polycube) -> Shape {
    Shape::new(body.surface(0x9E37_79B9_7F4A_7C15))
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn table() -> Vec<(&'static str, Shape, Shape, Class)> {
    use Class::{AInB, BInA, Overlapping, Same, Separate, Touching};
    let cube = block([0., 0., 0.], [2., 2., 2.]);
    let big = block([-2., -2., -2.], [4., 4., 4.]);
    let plate = Polycube::block([-3, -3, 0], [3, 3, 1]);
    let rod = Polycube::block([-1, -1, -4], [1, 1, 4]);
    let plug = Polycube::block([-1, -1, 0], [1, 1, 1]);
    let holed = plate.clone().without(&plug);
    let tetra = Shape::tetrahedron([[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]]);
    let hollow = big.clone().with(&block([-1., -1., -1.], [3., 3., 3.]));
    let sheet = Shape::square([-1., -1.], [1., 1.], 0.0);
    let upright = sheet.map(|v| DVec3::new(v.x, v.z, v.y));
    vec![
        ("far apart", cube.clone(), cube.moved(5., 0., 0.), Separate),
        ("apart by a quarter", cube.clone(), cube.moved(2.25, 0., 0.), Separate),
        ("apart across a corner", cube.clone(), cube.moved(2.25, 2.25, 2.25), Separate),
        ("common side", cube.clone(), cube.moved(2., 0., 0.), Touching),
        ("part of a side", cube.clone(), cube.moved(2., 1., 0.5), Touching),
        ("common edge", cube.clone(), cube.moved(2., 2., 0.), Touching),
        ("part of an edge", cube.clone(), cube.moved(2., 2., 1.), Touching),
        ("common corner", cube.clone(), cube.moved(2., 2., 2.), Touching),
        ("small side on large side", block([0.5, 0.5, 2.], [1.5, 1.5, 3.]), cube.clone(), Touching),
        ("tip on a side", Shape::pyramid(4., [1., 1., 2.]).moved(0., 0., 0.), cube.clone(), Touching),
        ("many tips on a side", tips(), block([-8., -8., 0.], [8., 8., 2.]), Touching),
        ("with faces that are points and segments", with_needles(&cube), cube.moved(2., 1., 0.), Touching),
        ("tip on an edge", Shape::pyramid(4., [0., 1., 2.]), cube.clone(), Touching),
        ("tip on a corner", Shape::pyramid(4., [0., 0., 2.]), cube.clone(), Touching),
        (
            "edge on an edge, crosswise",
            cube.clone(),
            Shape::tetrahedron([[1., 3., 1.], [3., 1., 1.], [3., 3., 0.], [3., 3., 2.]]),
            Touching,
        ),
        (
            "edge through an edge, crosswise",
            cube.clone(),
            Shape::tetrahedron([[1., 3., 1.], [3., 0.5, 1.], [3., 3., 0.], [3., 3., 2.]]),
            Overlapping,
        ),
        ("corner in", cube.clone(), cube.moved(1., 1., 1.), Overlapping),
        ("shifted along its length", cube.clone(), cube.moved(1., 0., 0.), Overlapping),
        ("shifted in a plane", cube.clone(), cube.moved(1., 1., 0.), Overlapping),
        ("shifted by a hair", cube.clone(), cube.moved(0.0, 0.0, 0.015_625), Overlapping),
        ("overlap by a hair", cube.clone(), cube.moved(1.984_375, 0., 0.), Overlapping),
        (
            "plus of bars",
            block([-3., -1., 0.], [3., 1., 1.]),
            block([-1., -3., 0.], [1., 3., 1.]),
            Overlapping,
        ),
        ("tip in a side", Shape::pyramid(4., [1., 1., 1.5]), cube.clone(), Overlapping),
        (
            "edge in the plane of a side",
            block([-1., -1., 0.], [1., 1., 2.]),
            Shape::tetrahedron([[1., 0., 1.], [1., 0., 4.], [3., 2., 1.], [-1., 3., 3.]]),
            Overlapping,
        ),
        (
            "tetrahedron through a face plane at its edge",
            cube.clone(),
            Shape::tetrahedron([[1., -2., 1.], [1., 4., 1.], [3., 1., 2.], [1., 1., 5.]]),
            Overlapping,
        ),
        ("strictly inside", cube.clone(), big.clone(), AInB),
        ("inside, sharing a side", block([-2., 0., 0.], [0., 2., 2.]), big.clone(), AInB),
        ("inside, sharing an edge", block([-2., -2., 0.], [0., 0., 2.]), big.clone(), AInB),
        ("inside, sharing a corner", block([-2., -2., -2.], [0., 0., 0.]), big.clone(), AInB),
        ("inside, all of two sides", block([-2., -2., -2.], [4., 4., 1.]), big.clone(), AInB),
        ("tetrahedron in a box with common edges", tetra.clone(), cube.clone(), AInB),
        (
            "corner points touch from inside",
            Shape::tetrahedron([[0., 0., 0.], [2., 2., 0.], [2., 0., 2.], [0., 2., 2.]]),
            cube.clone(),
            AInB,
        ),
        ("box in a refined box", cube.clone(), big.refined(), AInB),
        ("twice", cube.clone(), cube.clone(), Same),
        ("twice, cut finer", cube.clone(), cube.refined(), Same),
        ("twice, other diagonals", cells(&holed), Shape::new(holed.surface(0)), Same),
        ("tetrahedron twice", tetra.clone(), tetra.clone(), Same),
        ("plug in its hole", cells(&holed), cells(&plug), Touching),
        ("rod in its hole", cells(&holed), cells(&rod), Touching),
        ("plug in the full plate", cells(&plate), cells(&plug), BInA),
        ("rod through the full plate", cells(&plate), cells(&rod), Overlapping),
        ("rod ending in the plate", cells(&plate), cells(&rod).moved(0., 0., 4.5), Overlapping),
        ("rod on the plate", cells(&plate), cells(&rod).moved(0., 0., 5.), Touching),
        ("in the cavity, free", cube.map(|v| v * 0.5 + DVec3::splat(0.5)), hollow.clone(), Separate),
        ("filling the cavity", block([-1., -1., -1.], [3., 3., 3.]), hollow.clone(), Touching),
        ("in the cavity, standing", block([0., 0., -1.], [1., 1., 1.]), hollow.clone(), Touching),
        ("in the wall of the hollow", block([-1.75, 0., 0.], [-1.25, 1., 1.]), hollow.clone(), AInB),
        ("cavity against full", hollow.clone(), big.clone(), AInB),
        ("two blocks, one inside", cube.clone().with(&cube.moved(9., 0., 0.)), big.clone(), Overlapping),
        (
            "two blocks around a gap",
            block([0., 0., 0.], [1., 1., 1.]).with(&block([2., 0., 0.], [3., 1., 1.])),
            block([1., 0., 0.], [2., 1., 1.]),
            Touching,
        ),
        ("sheet through a box", sheet.clone(), block([0., -0.5, -0.5], [2., 0.5, 0.5]), Overlapping),
        ("sheet in a box", sheet.clone(), big.moved(-1., -1., -1.), AInB),
        ("sheet on a box", sheet.clone(), block([0., 0., 0.], [1., 1., 1.]), Touching),
        ("sheet along a side, wider", sheet.clone(), block([-0.5, -0.5, -1.], [0.5, 0.5, 0.]), Touching),
        ("sheet off a box", sheet.clone(), block([0., 0., 0.5], [1., 1., 1.]), Separate),
        ("sheets crossing", sheet.clone(), upright.moved(0.25, 0., 0.125), Overlapping),
        ("sheets standing on each other", sheet.clone(), upright.moved(0., 0., 1.), Touching),
        ("sheets side by side", sheet.clone(), sheet.moved(2., 0., 0.), Touching),
        ("sheets overlapping in one plane", sheet.clone(), sheet.moved(1., 0., 0.), Touching),
        ("sheet twice", sheet.clone(), sheet.refined(), Same),
        ("sheets apart", sheet.clone(), sheet.moved(0., 0., 1.), Separate),
    ]
}

#[test]
fn every_case_has_its_class() {
    for (name, a, b, class) in table() {
        assert_eq!(class_at(&a, Pose::IDENTITY, &b, Pose::IDENTITY), class, "{name}");
        assert_eq!(class_at(&b, Pose::IDENTITY, &a, Pose::IDENTITY), class.swapped(), "{name}, swapped");
    }
}

#[test]
fn order_of_faces_and_their_turn_do_not_matter() {
    for (k, (name, a, b, class)) in table().into_iter().enumerate() {
        let seed = k as u64;
        let (a, b) = (a.shuffled(seed), b.shuffled(seed + 1000));
        assert_eq!(class_at(&a, Pose::IDENTITY, &b, Pose::IDENTITY), class, "{name}");
    }
}

#[test]
fn far_away_and_tiny_does_not_matter() {
    let (shift, scale) = (8_388_608.0, 2f64.powi(-20));
    for (name, a, b, class) in table() {
        let far = |s: &Shape| s.map(|v| v * scale + DVec3::splat(shift));
        assert_eq!(
            class_at(&far(&a), Pose::IDENTITY, &far(&b), Pose::IDENTITY),
            class,
            "{name}, in the mesh"
        );
        let tiny = |s: &Shape| s.map(|v| v * scale);
        let there = pose(DQuat::IDENTITY, DVec3::splat(shift));
        assert_eq!(class_at(&tiny(&a), there, &tiny(&b), there), class, "{name}, in the poses");
        assert_eq!(class_at(&tiny(&a), there, &far(&b), Pose::IDENTITY), class, "{name}, one in each");
    }
}

#[test]
fn exact_turns_do_not_matter() {
    let turns = exact_turns();
    for (k, (name, a, b, class)) in table().into_iter().enumerate() {
        let q = turns[k % turns.len()];
        let there = pose(q, DVec3::new(3.0, -8_388_608.0, 0.5));
        assert_eq!(class_at(&a, there, &b, there), class, "{name}, both turned");
        let back = b.map(|v| turned_back(q, v));
        assert_eq!(
            class_at(&a, Pose::IDENTITY, &back, pose(q, DVec3::ZERO)),
            class,
            "{name}, B turned back and forth"
        );
        let r = turns[(k + 1) % turns.len()];
        let both = a.map(|v| turned_back(r, v));
        assert_eq!(
            class_at(&both, pose(r, DVec3::ZERO), &back, pose(q, DVec3::ZERO)),
            class,
            "{name}, each its way"
        );
    }
}

#[test]
fn any_common_turn_does_not_matter() {
    // The exact images of both are congruent to the originals, whatever the quaternion.
    let q = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.640_312_423_743_284_9);
    for (name, a, b, class) in table() {
        let there = pose(q, DVec3::new(0.1, 0.2, -0.3));
        assert_eq!(class_at(&a, there, &b, there), class, "{name}");
    }
}

/// Both orders of every case, the first body's faces shuffled.
fn assert_kinds<const N: usize>(cases: [(&str, Shape, Shape, OverlapKind); N]) {
    for (name, a, b, kind) in cases {
        for (k, (x, y)) in [(&a, &b), (&b, &a)].into_iter().enumerate() {
            let (x, y) = (x.shuffled(k as u64).mesh(), y.mesh());
            let report =
                relation(PlacedMesh::at_rest(&x), PlacedMesh::at_rest(&y), &RelationOptions::default());
            let Relation::Overlapping { kind: Some(found), depth: Some(depth) } = report.exact else {
                panic!("{name}: {report:?}");
            };
            assert_eq!(found, kind, "{name}");
            assert!(depth.lo() > 0.0 && depth.hi() < 20.0, "{name}: {depth:?}");
        }
    }
}

#[test]
fn piercing_and_protruding_are_told_apart() {
    let plate = Polycube::block([-3, -3, 0], [3, 3, 1]);
    let rod = Polycube::block([-1, -1, -4], [1, 1, 4]);
    let cube = block([0., 0., 0.], [2., 2., 2.]);
    let wide = block([-5., -5., 0.], [5., 5., 1.]);
    let thin = block([0.25, 0.375, -3.], [0.75, 1.125, 3.]);
    let ring =
        cells(&Polycube::block([-4, -4, 0], [4, 4, 4]).without(&Polycube::block([-2, -2, 0], [2, 2, 4])));
    let cases = [
        ("rod through a plate of cells", cells(&plate), cells(&rod), OverlapKind::Piercing),
        ("rod through a plate", wide.clone(), thin.clone(), OverlapKind::Piercing),
        ("rod at the corner of a plate", wide.clone(), thin.moved(4.5, 4.25, 0.), OverlapKind::Protruding),
        ("rod ending in a plate", wide.clone(), thin.moved(0., 0., 3.5), OverlapKind::Protruding),
        (
            "rod ending in a plate of cells",
            cells(&plate),
            cells(&rod).moved(0., 0., 4.5),
            OverlapKind::Protruding,
        ),
        (
            "plus of bars, flush",
            block([-3., -1., 0.], [3., 1., 1.]),
            block([-1., -3., 0.], [1., 3., 1.]),
            OverlapKind::Piercing,
        ),
        (
            "plus of bars",
            block([-3., -1., 0.], [3., 1., 1.]),
            block([-1., -3., -0.5], [1., 3., 1.5]),
            OverlapKind::Piercing,
        ),
        (
            "halved joint",
            block([-3., -1., 0.], [3., 1., 1.]),
            block([-1., -3., 0.5], [1., 3., 1.5]),
            OverlapKind::Protruding,
        ),
        ("corner in", cube.clone(), cube.moved(1., 1., 1.), OverlapKind::Protruding),
        ("shifted along its length", cube.clone(), cube.moved(1., 0., 0.), OverlapKind::Protruding),
        (
            "ring sunk in a plate",
            block([-9., -9., -4.], [9.5, 9., 1.]),
            ring.moved(0.25, 0.125, 0.),
            OverlapKind::Protruding,
        ),
        (
            "bar through a ring's wall",
            block([-9., -0.75, 1.5], [0.5, 0.25, 2.25]),
            ring.clone(),
            OverlapKind::Piercing,
        ),
        (
            "rod at the side of a plate, flush",
            wide.clone(),
            block([4., 0., -3.], [5., 1., 3.]),
            OverlapKind::Piercing,
        ),
        (
            "bar across a plate, as wide",
            wide.clone(),
            block([-5., 0., 0.], [5., 1., 2.]),
            OverlapKind::Piercing,
        ),
        (
            "bar across a plate, in its top",
            wide.clone(),
            block([-5., 0., 0.5], [5., 1., 2.]),
            OverlapKind::Protruding,
        ),
    ];
    assert_kinds(cases);
}

#[test]
fn piercing_of_hollow_and_many_part_bodies() {
    let big = block([-2., -2., -2.], [4., 4., 4.]);
    let wide = block([-5., -5., 0.], [5., 5., 1.]);
    let tube = Polycube::block([-1, -1, -3], [2, 2, 4]).without(&Polycube::block([0, 0, -3], [1, 1, 4]));
    let handle = tube
        .with(&Polycube::block([2, 0, 3], [9, 1, 4]))
        .with(&Polycube::block([8, 0, -3], [9, 1, 4]))
        .with(&Polycube::block([2, 0, -3], [9, 1, -2]));
    let cases = [
        // The tube's outline and bore are nested curves in one triangle; the core of the plate comes off.
        (
            "tube through a plate, its ends joined round the plate's edge",
            wide.clone(),
            cells(&handle).moved(2.1875, -3.1875, 0.0625),
            OverlapKind::Piercing,
        ),
        (
            "the same with a slotted tube",
            wide.clone(),
            cells(&handle.without(&Polycube::block([-1, 0, -2], [0, 1, 3]))).moved(2.1875, -3.1875, 0.0625),
            OverlapKind::Protruding,
        ),
        // One of the blocks vanishes, the other is cut in two.
        (
            "two blocks, one swallowed",
            block([0., 0., 0.], [1., 1., 1.]).with(&block([4., 4., -3.], [5., 5., 3.])),
            wide.clone(),
            OverlapKind::Piercing,
        ),
        (
            "two blocks, one shortened",
            block([0., 0., 0.], [1., 1., 1.]).with(&block([4., 4., 0.], [5., 5., 3.])),
            wide.clone(),
            OverlapKind::Protruding,
        ),
        // Cavities that meet in a point or an edge, opened on one side.
        (
            "hollow with two cavities that share a corner",
            big.clone().with(&block([0., 0., 0.], [1., 1., 1.])).with(&block([1., 1., 1.], [2., 2., 2.])),
            block([3., 0., 0.], [6., 1., 1.]),
            OverlapKind::Protruding,
        ),
        (
            "hollow with two cavities that share an edge",
            big.clone().with(&block([0., 0., 0.], [1., 1., 1.])).with(&block([1., 1., 0.], [2., 2., 1.])),
            block([3., 0., 0.], [6., 1., 1.]),
            OverlapKind::Protruding,
        ),
        // The plug's own hollow keeps a part of the block apart.
        (
            "hollow plug",
            big.clone(),
            block([0., 0., 0.], [3., 3., 9.]).with(&block([1., 1., 1.], [2., 2., 2.])),
            OverlapKind::Piercing,
        ),
        (
            "hollow plug, its hollow outside",
            big.clone(),
            block([0., 0., 0.], [3., 3., 9.]).with(&block([1., 1., 5.], [2., 2., 6.])),
            OverlapKind::Protruding,
        ),
        // Two stacked blocks are one solid: no wall is between them.
        (
            "stacked blocks, side by side with a slab across both",
            block([0., 0., 0.], [1., 1., 1.]).with(&block([0., 0., 1.], [1., 1., 2.])),
            block([0., 0., 0.5], [1., 2., 1.5]),
            OverlapKind::Piercing,
        ),
        (
            "stacked blocks, lower one covered",
            block([0., 0., 0.], [1., 1., 1.]).with(&block([0., 0., 1.], [1., 1., 2.])),
            block([0., 0., 0.], [1., 2., 1.]),
            OverlapKind::Protruding,
        ),
        (
            "tetrahedra with a common face plane, tip through",
            Shape::tetrahedron([[0., 0., 0.], [6., 0., 0.], [0., 6., 0.], [0., 0., 1.]]),
            Shape::tetrahedron([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.], [1., 1., 8.]]),
            OverlapKind::Protruding,
        ),
        (
            "wedge through a tetrahedron from face to face, base flush",
            Shape::tetrahedron([[0., 0., 0.], [6., 0., 0.], [0., 6., 0.], [0., 0., 6.]]),
            block([1., -1., 0.], [2., 9., 9.]),
            OverlapKind::Piercing,
        ),
    ];
    assert_kinds(cases);
}
