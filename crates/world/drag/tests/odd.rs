//! What cannot be dragged is told; odd hands and scenes do no harm; the order of obstacles does not matter.

mod help;

use help::{Stage, at, cube, obstacle};
use kontakt_convex::Shape;
use kontakt_drag::{Drag, DragError, DragOptions, Ending};
use kontakt_math::{DVec3, Pose};
use kontakt_pair::Body;
use testbodies::moving::Dice;

fn wall() -> Vec<kontakt_drag::Obstacle> {
    vec![obstacle("wall", cube(DVec3::new(1.0, 5.0, 5.0)), at(3.0, 0.0, 0.0))]
}

fn refused(start: Pose, options: DragOptions) -> DragError {
    Drag::new(cube(DVec3::ONE), start, wall(), options).unwrap_err()
}

#[test]
fn what_cannot_be_dragged_is_told() {
    let usual = DragOptions::default();
    let inside = DragError::StartsInside { obstacle: "wall".into() };
    assert_eq!(refused(at(1.5, 0.0, 0.0), usual), inside);
    // Altogether inside, no faces meet.
    let small = Drag::new(cube(DVec3::splat(0.1)), at(3.0, 0.0, 0.0), wall(), usual);
    assert_eq!(small.unwrap_err(), inside);
    for skin in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let problem = refused(at(0.0, 0.0, 0.0), DragOptions { skin: Some(skin), ..usual });
        assert!(matches!(problem, DragError::NotPositive { what: "the skin", .. }), "{problem}");
    }
    let problem = refused(at(0.0, 0.0, 0.0), DragOptions { stiffness: f64::NAN, ..usual });
    assert!(matches!(problem, DragError::NotPositive { what: "the stiffness", .. }), "{problem}");
    let problem = refused(at(-1e9, 0.0, 0.0), DragOptions { skin: Some(1e-9), ..usual });
    assert!(matches!(problem, DragError::SkinTooThin { .. }), "{problem}");
    let endless = Body::convex(Shape::half_space(DVec3::Z, 0.0).unwrap());
    assert_eq!(Drag::new(endless, Pose::IDENTITY, wall(), usual).unwrap_err(), DragError::NoSize);
    let point = Body::convex(Shape::point());
    assert_eq!(Drag::new(point, Pose::IDENTITY, wall(), usual).unwrap_err(), DragError::NoSize);
}

/// Hands beyond all bounds, and no work allowed: the body stays where it is proven to be, and nothing breaks.
#[test]
fn odd_hands_do_no_harm() {
    let mut drag = Drag::new(cube(DVec3::ONE), at(0.0, 0.0, 0.0), wall(), DragOptions::default()).unwrap();
    for far in [1e300, -1e308, 1e18, 1e-300, 0.0] {
        for _ in 0..3 {
            drag.follow(at(far, far, -far));
            assert!(drag.pose().translation().is_finite());
        }
    }
    for limits in [(0, 6, 6000), (24, 0, 6000), (24, 6, 0), (1, 1, 1)] {
        let (most_pieces, most_looks, most_pairs) = limits;
        let options = DragOptions { most_pieces, most_looks, most_pairs, ..DragOptions::default() };
        let mut drag = Drag::new(cube(DVec3::ONE), at(0.0, 0.0, 0.0), wall(), options).unwrap();
        for _ in 0..20 {
            drag.follow(at(9.0, 0.0, 0.0));
            assert!(drag.pose().translation().x < 1.0);
        }
    }
    let mut alone =
        Drag::new(cube(DVec3::ONE), at(0.0, 0.0, 0.0), Vec::new(), DragOptions::default()).unwrap();
    let hand = Pose::from_axis_angle(DVec3::ONE, 3.0, DVec3::ONE).unwrap();
    while alone.follow(hand).ending == Ending::Lagging {}
    assert_eq!(alone.pose(), hand);
}

#[test]
fn the_order_of_obstacles_does_not_matter() {
    let mut obstacles: Vec<_> = (0..6)
        .map(|k| {
            let angle = f64::from(k);
            obstacle(
                &format!("block {k}"),
                cube(DVec3::splat(0.7)),
                at(2.5 * angle.cos(), 2.5 * angle.sin(), 0.2 * angle),
            )
        })
        .collect();
    let run = |obstacles: &[kontakt_drag::Obstacle]| {
        let stage = Stage {
            body: cube(DVec3::new(0.8, 0.5, 0.3)),
            start: at(0.0, 0.0, 0.0),
            obstacles: obstacles.to_vec(),
        };
        let (mut drag, mut dice) = (stage.drag(DragOptions::default()), Dice::new(3));
        let mut told = Vec::new();
        for _ in 0..60 {
            let hand = dice.pose(DVec3::ZERO);
            let sample = drag.follow(Pose::new(hand.rotation(), dice.vector() * 3.0).unwrap());
            let names: Vec<String> =
                sample.contacts.iter().map(|c| obstacles[c.obstacle].name.clone()).collect();
            told.push((sample.pieces.clone(), names));
        }
        told
    };
    let first = run(&obstacles);
    assert!(first.iter().filter(|(_, names)| !names.is_empty()).count() > 10);
    obstacles.reverse();
    assert_eq!(run(&obstacles), first);
}
