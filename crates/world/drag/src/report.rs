//! What became of a sample of the hand.

use kontakt_answers::Feature;
use kontakt_math::{DVec3, Pose};

/// How a sample ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The body is where the hand is.
    #[default]
    Arrived,
    /// Contacts hold it: it is as near to the hand as they let it come.
    Held,
    /// The work allowed was not enough; it goes on with the next sample.
    Lagging,
    /// It is too near something to be moved with a proof.
    Stuck,
}

/// A place where an obstacle holds the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Which obstacle, counted as they were given.
    pub obstacle: usize,
    /// In the world.
    pub point: DVec3,
    /// From the obstacle to the body.
    pub normal: DVec3,
    /// The gap there, about.
    pub gap: f64,
    /// How hard the obstacle presses against the body, along the normal.
    pub force: f64,
    /// The face of the dragged body's file; none of a convex body.
    pub own_face: Option<Feature>,
    /// The face of the obstacle's file; none of a convex body.
    pub face: Option<Feature>,
}

/// Work of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Quadratic programs solved for a step.
    pub plans: u32,
    /// Times the pairs nearby were gathered.
    pub gathers: u32,
    /// Pairs kept at the end.
    pub pairs: u32,
    /// Pieces tried in vain before a shorter one was proven.
    pub retries: u32,
}

/// What became of a sample of the hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Where the body went, piece after piece: from pose to pose its centre goes straight while it turns at constant rate, **proven**
    /// free of contact. Empty if it did not move.
    pub pieces: Vec<Pose>,
    /// How it ended.
    pub ending: Ending,
    /// What holds it: where forces are.
    pub contacts: Vec<Touch>,
    /// How far its centre is behind the hand.
    pub lag: f64,
    /// How far it is turned from the hand, in radians.
    pub lag_angle: f64,
    /// What it took.
    pub work: Work,
}
