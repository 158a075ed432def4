//! A gas of hard spheres, from event to event.
//!
//! Every sphere keeps one event, the earliest of those that it knows of: a contact with another sphere or a wall, or the way into the next cell. When
//! a sphere's velocity has changed it asks all spheres near; when it enters a cell it asks those of the cells that come near. **No contact is missed**:
//! of the two spheres of a contact to come, the one that asked last knew of it or of something earlier; when that earlier event comes, either its velocity
//! changes, or the event is void (the partner's velocity has changed since, which its stamp tells); in both cases it asks all again.
//!
//! Cells touch no number of a sphere's motion (but for the one subtraction when it leaves a periodic domain at one end and enters at the other).

use crate::cells::Cells;
use crate::contact::{Flight, contact_time, impulse};
use crate::domain::Domain;
use crate::error::GasError;
use crate::plan::{Next, Plan};
use crate::queue::Queue;
use crate::sphere::{Restitution, Sphere};
use crate::start;
use crate::state::GasState;
use kontakt_math::DVec3;

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// At this time.
    pub time: f64,
    /// At so many collisions, counted from the gas's beginning.
    pub collisions: u64,
    /// After so many events of any kind, counted from now: to look at a clock now and then. It changes nothing of the motion.
    pub events: u64,
}

impl Until {
    /// A time, whatever happens before.
    pub fn time(time: f64) -> Until {
        Until { time, collisions: u64::MAX, events: u64::MAX }
    }

    /// So many collisions, counted from the gas's beginning.
    pub fn collisions(collisions: u64) -> Until {
        Until { time: f64::INFINITY, collisions, events: u64::MAX }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The time is reached.
    Time,
    /// So many collisions have been.
    Collisions,
    /// So many events have been.
    Events,
    /// Nothing moves any more, or nothing has met for so long that nothing may ever meet.
    Quiet,
    /// Inelastic collapse: a sphere had [`Gas::COLLAPSE`] collisions on a way of less than a billionth of its radius. What is lost at contacts makes their
    /// number infinite in finite time, and there is nothing after it for hard spheres.
    Collapse {
        /// Which.
        sphere: usize,
    },
}

/// What is rarely needed of a sphere.
#[derive(Clone, Copy, Debug)]
struct Ledger {
    /// Grows whenever its velocity changes.
    stamp: u32,
    /// Its way since it was last looked at for collapse.
    way: f64,
}

/// A gas of hard spheres. Its motion depends on nothing but the spheres, the domain and the restitution.
#[derive(Clone, Debug)]
pub struct Gas {
    domain: Domain,
    restitution: Restitution,
    /// By place, so that neighbours are near in memory.
    flights: Vec<Flight>,
    masses: Vec<f64>,
    plans: Vec<Plan>,
    ledgers: Vec<Ledger>,
    /// The user's number of each sphere, and the other way round.
    numbers: Vec<u32>,
    ranks: Vec<u32>,
    cells: Cells,
    queue: Queue,
    time: f64,
    collisions: u64,
    wall_hits: u64,
    events: u64,
    /// Events since something met.
    uneventful: u64,
}

impl Gas {
    /// So many collisions on next to no way are a collapse.
    pub const COLLAPSE: u32 = 256;

    /// A gas at time 0.
    pub fn new(domain: Domain, restitution: Restitution, spheres: &[Sphere]) -> Result<Gas, GasError> {
        start::check(&domain, spheres)?;
        let largest = 2.0 * spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
        let mut centres: Vec<DVec3> = spheres.iter().map(|sphere| sphere.centre).collect();
        // Neighbours near in memory, in an order that does not depend on the user's.
        let grid = Cells::new(&domain, largest, &centres);
        let mut numbers: Vec<u32> = (0..spheres.len() as u32).collect();
        numbers.sort_by_cached_key(|number| {
            let centre = centres[*number as usize];
            let mut place = grid.place_of(centre);
            place.reverse();
            (place, centre.to_array().map(|value| (value + 0.0).to_bits()))
        });
        let mut ranks = vec![0; numbers.len()];
        numbers.iter().zip(0..).for_each(|(number, rank)| ranks[*number as usize] = rank);
        let sorted = || numbers.iter().map(|number| &spheres[*number as usize]);
        centres.clear();
        centres.extend(sorted().map(|sphere| sphere.centre));
        let cells = Cells::new(&domain, largest, &centres);
        start::apart(&cells, &numbers, |rank| (centres[rank], spheres[numbers[rank] as usize].radius))?;
        let flights: Vec<Flight> = sorted()
            .map(|&Sphere { centre: at, velocity, radius, .. }| Flight { at, since: 0.0, velocity, radius })
            .collect();
        let masses: Vec<f64> = sorted().map(|sphere| sphere.mass).collect();
        let mut gas = Gas {
            domain,
            restitution,
            plans: vec![Plan::IDLE; flights.len()],
            ledgers: vec![Ledger { stamp: 0, way: 0.0 }; flights.len()],
            flights,
            masses,
            numbers,
            ranks,
            cells,
            queue: Queue::new(&[]),
            time: 0.0,
            collisions: 0,
            wall_hits: 0,
            events: 0,
            uneventful: 0,
        };
        gas.plan_all();
        Ok(gas)
    }

    /// Goes on until something of what is asked for has come.
    pub fn run(&mut self, until: &Until) -> Ending {
        let last_event = self.events.saturating_add(until.events);
        // A sphere that meets nothing on the way through some thousand domains, if all fare like that.
        let patience = 100_000_u64.saturating_mul(self.flights.len() as u64);
        loop {
            let (time, sphere) = self.queue.first();
            if self.collisions >= until.collisions {
                return Ending::Collisions;
            }
            if time > until.time {
                self.time = self.time.max(until.time);
                return Ending::Time;
            }
            if time == f64::INFINITY || self.uneventful > patience {
                return Ending::Quiet;
            }
            if self.events >= last_event {
                return Ending::Events;
            }
            self.events += 1;
            self.time = self.time.max(time);
            if let Some(collapsed) = self.handle(sphere) {
                return Ending::Collapse { sphere: self.numbers[collapsed] as usize };
            }
        }
    }

    /// The event of a sphere; gives one that collapsed.
    fn handle(&mut self, sphere: usize) -> Option<usize> {
        let plan = self.plans[sphere];
        self.uneventful += 1;
        if plan.leaving < plan.time {
            self.leave(sphere, plan.face);
            return None;
        }
        match plan.next {
            Next::Meet { other, stamp } if self.ledgers[other as usize].stamp == stamp => {
                self.uneventful = 0;
                self.meet(sphere, other as usize, plan.time)
            }
            Next::Wall { axis } => {
                self.uneventful = 0;
                self.hit_wall(sphere, axis as usize, plan.time)
            }
            // The partner has met another in the meantime.
            Next::Meet { .. } | Next::Nothing => {
                self.plan(sphere);
                None
            }
        }
    }

    fn leave(&mut self, sphere: usize, (axis, up): (u8, bool)) {
        let entered = self.cells.enter(sphere, axis as usize, up);
        if entered.shift != 0.0 {
            self.flights[sphere].at[axis as usize] += entered.shift;
        }
        self.look(sphere, Some((axis as usize, up)));
    }

    fn meet(&mut self, a: usize, b: usize, time: f64) -> Option<usize> {
        let [mut first, mut second] = [self.flights[a], self.flights[b]];
        let ways = [first, second].map(|flight| (time - flight.since) * flight.velocity.length());
        for flight in [&mut first, &mut second] {
            flight.at = flight.place(time);
            flight.since = time;
        }
        let d = self.domain.nearest_image(second.at - first.at);
        let given = impulse(d, second.velocity - first.velocity, self.restitution.spheres);
        let [m, n] = [self.masses[a], self.masses[b]];
        first.velocity += given * (n / (m + n));
        second.velocity -= given * (m / (m + n));
        (self.flights[a], self.flights[b]) = (first, second);
        self.collisions += 1;
        let collapsed = [(a, ways[0]), (b, ways[1])].map(|(sphere, way)| self.changed(sphere, way));
        self.plan(a);
        self.plan(b);
        if collapsed[0] { Some(a) } else { collapsed[1].then_some(b) }
    }

    fn hit_wall(&mut self, sphere: usize, axis: usize, time: f64) -> Option<usize> {
        let flight = &mut self.flights[sphere];
        let way = (time - flight.since) * flight.velocity.length();
        flight.at = flight.place(time);
        flight.since = time;
        flight.velocity[axis] *= -self.restitution.walls;
        self.wall_hits += 1;
        let collapsed = self.changed(sphere, way);
        self.plan(sphere);
        collapsed.then_some(sphere)
    }

    /// A sphere's velocity has changed after a way; tells whether it collapsed.
    fn changed(&mut self, sphere: usize, way: f64) -> bool {
        let ledger = &mut self.ledgers[sphere];
        ledger.stamp = ledger.stamp.wrapping_add(1);
        ledger.way += way;
        if !ledger.stamp.is_multiple_of(Gas::COLLAPSE) {
            return false;
        }
        let way = std::mem::take(&mut ledger.way);
        way < 1e-9 * self.flights[sphere].radius
    }

    /// All plans anew.
    fn plan_all(&mut self) {
        self.queue = Queue::new(&vec![f64::INFINITY; self.flights.len()]);
        for sphere in 0..self.flights.len() {
            self.plan(sphere);
        }
    }

    /// A sphere's plan anew: walls, and all spheres near.
    fn plan(&mut self, sphere: usize) {
        let flight = &self.flights[sphere];
        let plan = &mut self.plans[sphere];
        (plan.time, plan.next) = (f64::INFINITY, Next::Nothing);
        for axis in 0..3 {
            let speed = flight.velocity[axis];
            if self.domain.is_periodic(axis) || speed == 0.0 {
                continue;
            }
            let wall = if speed > 0.0 { self.domain.size[axis] - flight.radius } else { flight.radius };
            let time = flight.since + ((wall - flight.at[axis]) / speed).max(0.0);
            if time < plan.time {
                (plan.time, plan.next) = (time, Next::Wall { axis: axis as u8 });
            }
        }
        self.look(sphere, None);
    }

    /// Asks the spheres near, or those that came near as a face was passed, and when the cell is left.
    fn look(&mut self, sphere: usize, entered: Option<(usize, bool)>) {
        let flight = &self.flights[sphere];
        let mut time = self.plans[sphere].time;
        let mut found = None;
        self.cells.each_near(sphere, entered, |other, shift| {
            let (a, b, shift) = if sphere < other { (sphere, other, shift) } else { (other, sphere, -shift) };
            let touch = contact_time(&self.flights[a], &self.flights[b], shift);
            if touch < time || (touch == time && found.is_some_and(|found| other < found)) {
                time = touch;
                found = Some(other);
            }
        });
        let (mut leaving, mut face) = (f64::INFINITY, (0, true));
        for axis in 0..3 {
            let speed = flight.velocity[axis];
            if speed == 0.0 {
                continue;
            }
            if let Some(at) = self.cells.face(sphere, axis, speed > 0.0) {
                let time = flight.since + (at - flight.at[axis]) / speed;
                if time < leaving {
                    (leaving, face) = (time, (axis as u8, speed > 0.0));
                }
            }
        }
        let plan = &mut self.plans[sphere];
        if let Some(other) = found {
            let stamp = self.ledgers[other].stamp;
            (plan.time, plan.next) = (time, Next::Meet { other: other as u32, stamp });
        }
        (plan.leaving, plan.face) = (leaving, face);
        self.queue.set(sphere, plan.time.min(leaving));
    }

    /// How far it has come.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Contacts between spheres so far.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// Contacts with walls so far.
    pub fn wall_hits(&self) -> u64 {
        self.wall_hits
    }

    /// Events of any kind so far, those that only serve the search included.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// How many spheres there are.
    pub fn len(&self) -> usize {
        self.flights.len()
    }

    /// Never: there is no gas without spheres.
    pub fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// The sphere of a number, as it is now; in a periodic domain where it is inside.
    ///
    /// # Panics
    /// If there is none of that number.
    pub fn sphere(&self, number: usize) -> Sphere {
        let rank = self.ranks[number] as usize;
        let flight = &self.flights[rank];
        let mut centre = flight.place(self.time);
        for axis in 0..3 {
            let side = self.domain.size[axis];
            if self.domain.is_periodic(axis) && !(0.0..side).contains(&centre[axis]) {
                // A coordinate just below zero rounds to the side itself.
                let inside = centre[axis].rem_euclid(side);
                centre[axis] = if inside < side { inside } else { 0.0 };
            }
        }
        Sphere { centre, velocity: flight.velocity, radius: flight.radius, mass: self.masses[rank] }
    }

    /// All spheres as they are now, in the order in which they were given.
    pub fn spheres(&self) -> impl Iterator<Item = Sphere> + '_ {
        (0..self.len()).map(|number| self.sphere(number))
    }

    /// All velocities the other way round: the gas goes back where it came from, as far as rounding lets it.
    pub fn reverse(&mut self) {
        for sphere in 0..self.flights.len() {
            let flight = &mut self.flights[sphere];
            flight.at = flight.place(self.time);
            flight.since = self.time;
            flight.velocity = -flight.velocity;
            self.ledgers[sphere].stamp = self.ledgers[sphere].stamp.wrapping_add(1);
        }
        self.plan_all();
    }

    /// Two spheres that overlap by more than rounding would be our bug: looked for among all that are near, with plain arithmetic.
    pub fn validate(&self) -> Result<(), GasError> {
        start::apart(&self.cells, &self.numbers, |rank| {
            let flight = &self.flights[rank];
            (flight.place(self.time), flight.radius)
        })
    }

    /// The whole state.
    pub fn state(&self) -> GasState {
        let clock = [self.time.to_bits(), self.collisions, self.wall_hits, self.events, self.uneventful];
        let words = |rank: &u32| {
            let at = *rank as usize;
            let (flight, ledger, place) = (&self.flights[at], &self.ledgers[at], self.cells.place(at));
            let mut words = [0; GasState::WORDS];
            let reals = [flight.at.to_array(), flight.velocity.to_array()];
            let reals = reals.as_flattened().iter().copied();
            let reals = reals.chain([flight.since, flight.radius, self.masses[at], ledger.way]);
            words.iter_mut().zip(reals).for_each(|(word, real)| *word = real.to_bits());
            words[10..14].copy_from_slice(&self.plans[at].words());
            words[14] = u64::from(ledger.stamp) | u64::from(*rank) << 32;
            words[15] = u64::from(place[0]) | u64::from(place[1]) << 32;
            words[16] = u64::from(place[2]);
            words
        };
        GasState { clock, spheres: self.ranks.iter().map(words).collect() }
    }

    /// A gas that goes on from a state, in the same domain with the same restitution.
    pub fn resumed(domain: Domain, restitution: Restitution, state: &GasState) -> Result<Gas, GasError> {
        let count = state.spheres.len();
        let real = |number: usize, word: usize| f64::from_bits(state.spheres[number][word]);
        let vector =
            |number: usize, word: usize| DVec3::from_array([0, 1, 2].map(|k| real(number, word + k)));
        let spheres: Vec<Sphere> = (0..count)
            .map(|number| Sphere {
                // Places may lie a rounding outside; of these the gas itself takes care.
                centre: domain.size * 0.5,
                velocity: vector(number, 3),
                radius: real(number, 7),
                mass: real(number, 8),
            })
            .collect();
        start::check(&domain, &spheres)?;
        let largest = 2.0 * spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
        let mut numbers = vec![u32::MAX; count];
        let mut ranks = vec![0; count];
        for (number, words) in state.spheres.iter().enumerate() {
            let rank = (words[14] >> 32) as u32;
            let unknown = GasError::State { sphere: number };
            let free = numbers.get_mut(rank as usize).filter(|free| **free == u32::MAX).ok_or(unknown)?;
            (*free, ranks[number]) = (number as u32, rank);
        }
        let by_rank = || numbers.iter().map(|number| *number as usize);
        let word = |number: usize, word: usize| state.spheres[number][word];
        let places: Vec<[u32; 3]> = by_rank()
            .map(|number| [word(number, 15) as u32, (word(number, 15) >> 32) as u32, word(number, 16) as u32])
            .collect();
        let cells = Cells::resumed(&domain, largest, places)
            .map_err(|rank| GasError::State { sphere: numbers[rank] as usize })?;
        let mut plans = Vec::with_capacity(count);
        let mut flights = Vec::with_capacity(count);
        for number in by_rank() {
            let plan = Plan::of_words([10, 11, 12, 13].map(|k| word(number, k)), count);
            let (at, since) = (vector(number, 0), real(number, 6));
            let plan = plan.filter(|_| at.is_finite() && since.is_finite());
            plans.push(plan.ok_or(GasError::State { sphere: number })?);
            flights.push(Flight { at, since, velocity: vector(number, 3), radius: real(number, 7) });
        }
        let ledger = |number: usize| Ledger { stamp: word(number, 14) as u32, way: real(number, 9) };
        let times: Vec<f64> = plans.iter().map(|plan| plan.time.min(plan.leaving)).collect();
        let [time, collisions, wall_hits, events, uneventful] = state.clock;
        Ok(Gas {
            domain,
            restitution,
            masses: by_rank().map(|number| spheres[number].mass).collect(),
            ledgers: by_rank().map(ledger).collect(),
            queue: Queue::new(&times),
            flights,
            plans,
            ranks,
            cells,
            time: f64::from_bits(time),
            collisions,
            wall_hits,
            events,
            uneventful,
            numbers,
        })
    }

    /// A number over the whole state, bit by bit: two gases with the same one went the same way.
    pub fn hash(&self) -> u64 {
        let mix = |hash: u64, word: u64| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        };
        let start = mix(mix(0xcbf2_9ce4_8422_2325, self.time.to_bits()), self.collisions);
        self.ranks.iter().fold(start, |hash, rank| {
            let flight = &self.flights[*rank as usize];
            let words =
                flight.at.to_array().into_iter().chain(flight.velocity.to_array()).chain([flight.since]);
            words.fold(hash, |hash, value| mix(hash, value.to_bits()))
        })
    }
}
