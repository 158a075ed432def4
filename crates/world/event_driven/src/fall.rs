//! A rigid body that falls on others at rest: free flights in closed form, and impulses at certified times of contact (`eckstein1998`, 10.4).

use crate::error::FallError;
use crate::flight::{Flight, Moving};
use crate::top::{Top, axis};
use kontakt_answers::{Impact, Initial};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::{Body, Moving as MovingBody, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::Deadline;

/// A body in flight among others at rest, without friction.
#[derive(Clone, Debug)]
pub struct Fall<'a> {
    body: &'a Body,
    top: Top,
    ground: Vec<(&'a Body, Motion)>,
    gravity: DVec3,
    restitution: f64,
    state: Moving,
    time: f64,
    /// When the last impulse was.
    struck: Option<f64>,
    /// How many contacts came without time between them, up to now.
    instants: u32,
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// When: free of contact until here, certified.
    pub time: f64,
    /// The contact is proven to begin before so much more time.
    pub doubt: f64,
    /// With which of the bodies at rest.
    pub ground: usize,
    /// Where.
    pub point: DVec3,
    /// How fast the point came, along the normal.
    pub speed: f64,
    /// The impulse.
    pub impulse: f64,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fell {
    /// Nothing until the time asked for.
    Free,
    /// An impulse.
    Bounced(Bounce),
    /// Contact lasts: impulses come without time between them. It lies, or one end of it does while the other falls on.
    AtRest,
    /// The deadline passed.
    Late,
}

/// A certified search looks ahead so far, in times the body takes to fall by its own diameter or turn once.
const AHEAD: f64 = 4.0;
/// So many contacts without time passing last: with a restitution below 1, impulses converge to a time that no number of them reaches.
const MANY: u32 = 64;
/// What counts as no time, of the time looked ahead.
const INSTANT: f64 = 1e-7;
/// Tolerances of the time of contact, in parts of a flight. The slower a point comes, the longer is the time in which it is too near for
/// doubles to tell contact from none: where one tolerance leaves the search undecided, the next is asked.
const TOLERANCES: [f64; 5] = [1e-10, 1e-8, 1e-6, 1e-4, 1e-2];

impl<'a> Fall<'a> {
    /// A body in a state at time 0, clear of all others.
    pub fn new(
        body: &'a Body,
        top: Top,
        ground: &[(&'a Body, Pose)],
        gravity: DVec3,
        restitution: f64,
        state: Moving,
    ) -> Result<Fall<'a>, FallError> {
        if !(0.0..=1.0).contains(&restitution) {
            return Err(FallError::Value { what: "restitution", value: restitution });
        }
        let vectors =
            [("gravity", gravity), ("velocity", state.velocity), ("angular momentum", state.momentum)];
        for (what, vector) in vectors {
            if let Some(value) =
                vector.to_array().into_iter().find(|value| value.is_nan() || value.abs() > 1e100)
            {
                return Err(FallError::Value { what, value });
            }
        }
        let ground = ground.iter().map(|(body, pose)| (*body, Motion::Rest(*pose))).collect();
        Ok(Fall { body, top, ground, gravity, restitution, state, time: 0.0, struck: None, instants: 0 })
    }

    /// Goes on to the next impulse, or to the end.
    pub fn next(&mut self, end: f64) -> Result<Fell, FallError> {
        self.next_until(end, Deadline::NEVER)
    }

    /// The same, given up at a deadline.
    pub fn next_until(&mut self, end: f64, deadline: Deadline) -> Result<Fell, FallError> {
        while self.time < end {
            if deadline.has_passed() {
                return Ok(Fell::Late);
            }
            let flight = self.flight(end);
            let found = match self.first_contact(flight) {
                // After an impulse at this very time: what doubles cannot tell from a contact follows on contact.
                Err(FallError::Undecided { .. }) if self.struck == Some(self.time) => {
                    return Ok(Fell::AtRest);
                }
                found => found?,
            };
            let Some((ground, time, doubt, contact)) = found else {
                self.state = flight.after(flight.seconds);
                self.time = if flight.seconds < end - self.time { self.time + flight.seconds } else { end };
                self.instants = 0;
                continue;
            };
            self.instants = if time < INSTANT * flight.seconds { self.instants + 1 } else { 0 };
            if self.instants > MANY {
                return Ok(Fell::AtRest);
            }
            self.state = flight.after(time);
            self.time += time;
            if let Some((speed, impulse)) = self.strike(contact) {
                let point = contact.0;
                self.struck = Some(self.time);
                return Ok(Fell::Bounced(Bounce { time: self.time, doubt, ground, point, speed, impulse }));
            }
        }
        Ok(Fell::Free)
    }

    fn flight(&self, end: f64) -> Flight {
        let reach = self.top.turn_rate(self.state.momentum, axis(&self.state.pose)).length();
        let speed = self.state.velocity.length() + self.gravity.length().sqrt() + reach;
        let ahead = if speed > 0.0 { AHEAD / speed } else { AHEAD };
        Flight {
            start: self.state,
            top: self.top,
            gravity: self.gravity,
            seconds: ahead.min(end - self.time),
        }
    }

    /// Which body is met first, when in seconds of the flight, how sure that is, and where with which normal away from it.
    #[expect(clippy::type_complexity, reason = "used once, where all parts are named")]
    fn first_contact(&self, flight: Flight) -> Result<Option<(usize, f64, f64, (DVec3, DVec3))>, FallError> {
        let motion = Motion::law(flight);
        let mut first: Option<(usize, f64, f64, (DVec3, DVec3))> = None;
        for (number, (body, rest)) in self.ground.iter().enumerate() {
            match impact(MovingBody::new(self.body, &motion), MovingBody::new(body, rest)) {
                Impact::Free { .. } => {}
                Impact::Contact { initial: Initial::Overlapping, .. } => {
                    return Err(FallError::Overlap { ground: number, time: self.time });
                }
                Impact::Contact { time, contact: Some(contact), .. } => {
                    let at = time.lo() * flight.seconds;
                    if first.is_none_or(|(_, earliest, ..)| at < earliest) {
                        let doubt = time.width() * flight.seconds;
                        first = Some((number, at, doubt, (contact.point_b, -contact.normal)));
                    }
                }
                Impact::Contact { .. } | Impact::Undecided { .. } => {
                    return Err(FallError::Undecided { ground: number, time: self.time });
                }
            }
        }
        Ok(first)
    }

    /// The impulse at a point along a normal that leads away from the ground, if the point approaches: its speed, and how large it is.
    ///
    /// A unit impulse changes the point's normal velocity by 1/m + (r × n)·I⁻¹(r × n), so −(1 + e)·v over that gives it the velocity −e·v.
    /// Whatever point and normal are, an e of 1 keeps the energy: rounding of the contact costs none.
    fn strike(&mut self, (point, normal): (DVec3, DVec3)) -> Option<(f64, f64)> {
        let own = axis(&self.state.pose);
        let arm = (point - self.state.pose.translation()).cross(normal);
        let turn = self.top.turn_rate(self.state.momentum, own);
        let speed = self.state.velocity.dot(normal) + turn.dot(arm);
        if speed >= 0.0 {
            return None;
        }
        let yields = 1.0 / self.top.mass() + arm.dot(self.top.turn_rate(arm, own));
        let impulse = -(1.0 + self.restitution) * speed / yields;
        self.state.velocity += normal * (impulse / self.top.mass());
        self.state.momentum += arm * impulse;
        Some((-speed, impulse))
    }

    /// How far it has come.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Its state now.
    pub fn state(&self) -> &Moving {
        &self.state
    }

    /// Its state some seconds later, if nothing is met till then.
    pub fn after(&self, seconds: f64) -> Moving {
        Flight { start: self.state, top: self.top, gravity: self.gravity, seconds }.after(seconds)
    }

    /// Energy of motion and of height over the origin.
    pub fn energy(&self) -> f64 {
        let Moving { pose, velocity, momentum } = &self.state;
        let height = -self.gravity.dot(pose.translation());
        self.top.kinetic(*velocity, *momentum, axis(pose)) + self.top.mass() * height
    }
}

/// The earliest contact, as exactly as it can be told.
fn impact(moving: MovingBody, rest: MovingBody) -> Impact {
    let mut query = Query::new();
    let mut ask = |tolerance| {
        query.first_contact(moving, rest, &MotionOptions { tolerance, ..MotionOptions::default() })
    };
    let mut found = ask(TOLERANCES[0]);
    for tolerance in &TOLERANCES[1..] {
        if !matches!(
            found,
            Impact::Undecided { .. } | Impact::Contact { contact: None, initial: Initial::Separate, .. }
        ) {
            break;
        }
        found = ask(*tolerance);
    }
    found
}
