//! Every point of a manifold belongs to its body, whatever the bodies: a point elsewhere would push a simulation the wrong way.

use kontakt_convex::{ConvexQuery, PlacedShape, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use testbodies::convex::{placed, shape};
use testkit::convex::pairs::{Family, Mode, pair};

const KINDS: [(Family, Mode, u64); 6] = [
    (Family::Polytopal, Mode::Free, 400),
    (Family::Polytopal, Mode::Grid, 600),
    (Family::Polytopal, Mode::Thin, 300),
    (Family::Polytopal, Mode::Scales, 300),
    (Family::Round, Mode::Free, 60),
    (Family::Round, Mode::Grid, 60),
];

/// How far a point is from a body, at most; 0 inside.
fn outside(body: PlacedShape, point: DVec3) -> f64 {
    let probe = Shape::point();
    let pose = Pose::new(DQuat::IDENTITY, point).expect("contacts are finite");
    ConvexQuery::new().distance(body, PlacedShape::new(&probe, pose)).distance().lo()
}

#[test]
fn contacts_belong_to_both_bodies() {
    let (mut contacts, mut several) = (0, 0);
    for (family, mode, count) in KINDS {
        for number in 5000..5000 + count {
            let items = pair(family, mode, number);
            let shapes = [shape(&items[0]), shape(&items[1])];
            let [a, b] = placed(&shapes, &items);
            let found = ConvexQuery::new().manifold(a, b, 0.0);
            let far = |point: DVec3| point.abs().max_element();
            let size = found.contacts.iter().map(|c| far(c.point_a).max(far(c.point_b))).fold(0.0, f64::max);
            let slack = 1e-9 * size + found.answer.point_error.min(size);
            several += usize::from(found.contacts.len() > 1);
            for contact in &found.contacts {
                contacts += 1;
                // A contact lies as high as its depth is known.
                let slack = slack + contact.depth.width();
                let off = [outside(a, contact.point_a), outside(b, contact.point_b)];
                assert!(
                    off[0] <= slack && off[1] <= slack,
                    "{family:?} {mode:?} {number}: off by {off:?} of {size}\n{contact:?}\n{items:?}"
                );
            }
        }
    }
    assert!(contacts > 800 && several > 100, "{contacts} contacts, {several} with several");
}
