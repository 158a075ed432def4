//! A mesh against a convex shape, both moving: never late, not too early, against the query at rest of every triangle.

use kontakt_answers::{Impact, Initial};
use kontakt_convex::{Part, PlacedShape, Shape, Verdict};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh, MovingShape};
use testbodies::moving::{Dice, block, bumpy_sphere, wavy_torus};

fn shapes() -> Vec<Shape> {
    let cube = Shape::cuboid(DVec3::new(0.3, 0.5, 0.4)).expect("a box");
    let parts = [DVec3::X, -DVec3::X].map(|place| Part {
        shape: cube.clone(),
        pose: Pose::from_axis_angle(DVec3::Z, 0.5, place * 0.7).expect("finite"),
    });
    vec![
        Shape::sphere(0.5).expect("a ball"),
        cube,
        Shape::capsule(0.6, 0.2).expect("a capsule"),
        Shape::ellipsoid(DVec3::new(0.3, 0.6, 0.4)).expect("an ellipsoid"),
        Shape::cylinder(0.5, 0.3).expect("a cylinder"),
        Shape::half_space(DVec3::new(1.0, 2.0, -1.0), -1.5).expect("a plane"),
        Shape::union(parts.into()).expect("a union"),
    ]
}

/// Whether any triangle meets the shape at a time; a pair proven apart by far counts as that.
fn meets(
    mesh: (&Mesh, &Motion),
    shape: (&Shape, &Motion),
    t: f64,
    at_rest: &mut kontakt_convex::ConvexQuery,
) -> bool {
    let faces = mesh.0.faces();
    (0..faces.triangles().len()).any(|i| {
        let face = Shape::triangle(faces.triangle_points(i)).expect("finite");
        let placed =
            [PlacedShape::new(&face, mesh.1.pose_at(t)), PlacedShape::new(shape.0, shape.1.pose_at(t))];
        at_rest.intersect(placed[0], placed[1]) != Verdict::Separate
    })
}

#[test]
fn all_kinds_against_samples() {
    let mut dice = Dice::new(21);
    let mut asker = MotionQuery::new();
    let mut at_rest = kontakt_convex::ConvexQuery::new();
    let meshes = [block(DVec3::new(0.5, 0.7, 0.3)), bumpy_sphere(5, 0.1), wavy_torus(10, 5, 0.3, 0.3)];
    let (mut hits, mut free, mut overlapping) = (0, 0, 0);
    for (kind, shape) in shapes().iter().enumerate() {
        for round in 0..12 {
            let mesh = &meshes[round % 3];
            let [start, end] = dice.ends(3.0, 2.5);
            let moving = dice.motion(start, end);
            let pose = dice.pose(DVec3::ZERO);
            let aside = dice.vector() * 0.5;
            let end = dice.moved(pose, aside);
            let other = if round % 2 == 0 { Motion::Rest(pose) } else { dice.motion(pose, end) };
            let motions = if round % 4 < 2 { [&other, &moving] } else { [&moving, &other] };
            let (one, two) =
                (MovingMesh { mesh, motion: motions[0] }, MovingShape { shape, motion: motions[1] });
            let answer = asker.impact_of_mesh_and_shape(one, two, &MotionOptions::default());
            let mut meets = |t: f64| meets((mesh, motions[0]), (shape, motions[1]), t, &mut at_rest);
            let until = match answer {
                Impact::Free { initial } => {
                    assert_eq!(initial, Initial::Separate);
                    free += 1;
                    2.0
                }
                Impact::Contact { initial: Initial::Overlapping, .. } => {
                    overlapping += 1;
                    assert!(meets(0.0), "kind {kind} round {round}");
                    continue;
                }
                Impact::Contact { time, contact, .. } => {
                    hits += 1;
                    assert!(time.width() <= 1.02e-6, "{time:?}");
                    assert!(meets(time.hi()), "kind {kind} round {round}: no contact at {time:?}");
                    let contact = contact.expect("points");
                    assert!(contact.point_a.distance(contact.point_b) <= 1e-4 && contact.feature_a.is_some());
                    time.lo()
                }
                Impact::Undecided { .. } => panic!("kind {kind} round {round}: {answer:?}"),
            };
            for sample in 0..=40 {
                let t = f64::from(sample) / 40.0;
                if t >= until - 1e-12 {
                    break;
                }
                assert!(!meets(t), "kind {kind} round {round}: missed at {t} {answer:?}");
            }
        }
    }
    eprintln!("{hits} hits, {free} free, {overlapping} overlapping");
    assert!(hits > 30 && free > 10, "{hits} {free} {overlapping}");
}

#[test]
fn inside_and_touching_at_the_start() {
    let room = block(DVec3::splat(3.0));
    let ball = Shape::sphere(1.0).expect("a ball");
    let rest = Motion::Rest(Pose::IDENTITY);
    let at = |z: f64| Pose::new(Pose::IDENTITY.rotation(), DVec3::new(0.1, 0.2, z)).expect("finite");
    let ask = |from: f64, to: f64| {
        let motion = Motion::slerp(at(from), at(to), DVec3::ZERO).expect("finite");
        let (one, two) =
            (MovingMesh { mesh: &room, motion: &rest }, MovingShape { shape: &ball, motion: &motion });
        MotionQuery::new().impact_of_mesh_and_shape(one, two, &MotionOptions::default())
    };
    assert!(matches!(ask(0.0, 1.0), Impact::Contact { initial: Initial::Overlapping, .. }));
    assert!(matches!(ask(3.5, 9.0), Impact::Contact { initial: Initial::Overlapping, .. }));
    assert_eq!(ask(4.0, 9.0), Impact::Free { initial: Initial::Touching });
    let down = ask(4.0, 0.0);
    assert!(
        matches!(down, Impact::Contact { initial: Initial::Touching, time, .. } if time.lo() == 0.0),
        "{down:?}"
    );
    let falls = ask(9.0, 0.0);
    let Impact::Contact { time, .. } = falls else { panic!("{falls:?}") };
    assert!(time.lo() <= 5.0 / 9.0 && time.hi() >= 5.0 / 9.0, "{time:?}");
}
