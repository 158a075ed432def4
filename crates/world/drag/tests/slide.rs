//! Bodies stop and slide where the closed form says.

mod help;

use help::{Stage, at, cube, obstacle};
use kontakt_drag::{DragOptions, Ending};
use kontakt_math::DVec3;

/// A block of half size 1 above a floor whose top is z = 0.
fn runway() -> Stage {
    let floor = obstacle("floor", cube(DVec3::new(50.0, 50.0, 1.0)), at(0.0, 0.0, -1.0));
    Stage { body: cube(DVec3::ONE), start: at(0.0, 0.0, 1.5), obstacles: vec![floor] }
}

#[test]
fn a_block_pushed_obliquely_onto_a_floor_slides_along_it() {
    let stage = runway();
    let mut drag = stage.drag(DragOptions::default());
    let skin = drag.skin();
    for k in 1..=200 {
        let t = f64::from(k) / 200.0;
        let hand = at(10.0 * t, 3.0 * t, 1.5 - 4.0 * t);
        let sample = drag.follow(hand);
        println!("{k} {:?} {} {:?} {:?}", sample.ending, sample.lag, sample.work, sample.contacts.len());
        assert_ne!(sample.ending, Ending::Stuck);
    }
    let end = drag.pose().translation();
    assert!((end.x - 10.0).abs() < skin && (end.y - 3.0).abs() < skin, "{end}");
    assert!(end.z > 1.0 && end.z < 1.0 + skin, "{end}");
    assert_eq!(drag.sample().ending, Ending::Held);
    let push: f64 = drag.sample().contacts.iter().map(|c| c.force * c.normal.z).sum();
    assert!((push - (end.z + 2.5)).abs() < skin, "{push}");
}
