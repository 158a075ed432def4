//! A step, as its stages.

use super::{StepReport, World};
use crate::rigid::body::{Body, Inertia, turned};
use crate::rigid::contact::{Scene, Touch};
use crate::rigid::error::StepError;
use crate::rigid::kernel::Sweep;
use crate::rigid::lanes::Motions;
use crate::rigid::memory::{Held, ids_of, remembered};
use crate::rigid::near::{Pair, Place, shift};
use crate::rigid::pack::{Prepared, Yield, packed};
use crate::rigid::rest::{Mood, changing, settle, touching};
use crate::rigid::seen::Seen;
use crate::rigid::settings::Sleep;
use crate::rigid::share::{Share, Shared};
use crate::rigid::solver::{Group, Run, Solver};
use kontakt_math::{DQuat, DVec3};
use rayon::prelude::*;

/// Contacts of a step before they are solved.
struct Met {
    touches: Vec<Touch>,
    seen: Vec<Seen>,
    /// By pair, in the order of ids.
    groups: Vec<Group>,
    prepared: Vec<Prepared>,
    /// Speed of approach before anything pushed; negative when they come nearer.
    approach: Vec<f64>,
}

/// What the bodies do in a step.
struct Moved {
    places: Vec<(DVec3, DQuat)>,
}

impl World {
    /// Makes a step together with other ranks. Each substep, in stages: pairs whose boxes meet, and the cells of those that this rank
    /// solves; contacts; gravity; sweeps for speeds, which start at the impulses of the last step; sweeps for shifts, which take overlaps
    /// away and are forgotten; motion; sweeps that let bounce; who sleeps and wakes.
    ///
    /// Shifts are apart from speeds for a reason: as speeds they would enter the impulses that are remembered, and the slow waves of a
    /// pile, which few sweeps hardly dampen, would be driven by the integral of their own gaps, which makes them grow.
    pub fn step_with(&mut self, share: &mut dyn Share) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        for _ in 0..self.settings.substeps {
            report = self.substep(share)?;
        }
        Ok(report)
    }

    fn substep(&mut self, share: &mut dyn Share) -> Result<StepReport, StepError> {
        let cells = self.cells().map_err(|error| StepError::Share(Box::new(error)))?;
        let pairs = self.near.pairs(&self.state.bodies, &self.forms, &self.settings)?;
        if self.settings.sleep.is_some() {
            self.wake(&pairs, &cells, share)?;
        }
        let (active, places) = self.owned(&pairs, &cells, share);
        let inertias = self.inertias();
        let motions = self.motions(&inertias);
        let met = self.meet(&active, &places, &inertias, &motions);
        let wide = if inertias.iter().any(|own| own.even.is_none()) {
            inertias.iter().map(|own| packed(&own.inverse)).collect()
        } else {
            Vec::new()
        };
        let colours = self.agree(&met, &cells, share)?;
        let mut solver = Solver::new(&met.groups, &met.prepared);
        let mut run = Run { colours: &colours, motions: &motions, inertias: &wide, share };
        solver.start(&mut run)?;
        let mut sweeps = self.sweep(&mut solver, &mut run)?;
        let shifts = still(&inertias);
        sweeps += self.shift(&mut solver, &met, &motions, &mut Run { motions: &shifts, ..run })?;
        let moved = self.motion(&motions, &shifts)?;
        let mut run = Run { colours: &colours, motions: &motions, inertias: &wide, share };
        sweeps += self.bounce(&mut solver, &met, &mut run)?;
        let contacts = met.touches.len();
        let memory = self.memory(met, &solver);
        let changes = self.finish(&motions, moved, memory, share)?;
        Ok(StepReport { pairs: pairs.len(), contacts, sweeps, changes })
    }

    /// Wakes sleepers that something fast comes near to: asleep they cannot be moved, and would take its momentum away.
    fn wake(
        &mut self,
        pairs: &[Pair],
        cells: &crate::rigid::near::Cells,
        share: &mut dyn Share,
    ) -> Result<(), StepError> {
        let bodies = &self.state.bodies;
        let mut moods = vec![Mood::ALONE; bodies.len()];
        for pair in self.owned(pairs, cells, share).0 {
            for [own, other] in [pair.slots, [pair.slots[1], pair.slots[0]]] {
                let speed = bodies[other as usize].velocity.length();
                moods[own as usize].stirred |=
                    bodies[own as usize].asleep && speed > self.settings.bounce_speed();
            }
        }
        let ids: Vec<u64> = bodies.iter().map(|body| body.id).collect();
        share.moods(&ids, &mut moods).map_err(StepError::Share)?;
        for (body, mood) in self.state.bodies.iter_mut().zip(moods) {
            if body.asleep && mood.stirred {
                (body.asleep, body.quiet) = (false, 0);
            }
        }
        Ok(())
    }

    /// Pairs that this rank solves, and their cells: those with a free body that is awake.
    fn owned(
        &self,
        pairs: &[Pair],
        cells: &crate::rigid::near::Cells,
        share: &dyn Share,
    ) -> (Vec<Pair>, Vec<Place>) {
        let bodies = &self.state.bodies;
        let awake = |slot: u32| bodies[slot as usize].is_free() && !bodies[slot as usize].asleep;
        let mut owned = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        for pair in pairs.iter().filter(|pair| pair.slots.into_iter().any(awake)) {
            let place = self.near.cell(pair, bodies, self.settings.periodic, cells);
            if let Some(place) = place.filter(|place| share.owns(place.cell)) {
                owned.0.push(*pair);
                owned.1.push(place);
            }
        }
        owned
    }

    fn inertias(&self) -> Vec<Inertia> {
        let of = |body: &Body| match &self.resistances[body.form as usize] {
            Some(own) if body.is_free() && !body.asleep => own.at(body.density, body.turn),
            _ => Inertia::IMMOVABLE,
        };
        self.state.bodies.iter().map(of).collect()
    }

    /// Motions with what gravity adds.
    fn motions(&self, inertias: &[Inertia]) -> Motions {
        let gained = self.settings.gravity * self.settings.part();
        Motions::new(self.state.bodies.iter().zip(inertias).map(|(body, own)| {
            let falls = own.inverse_mass > 0.0;
            let v = if falls { body.velocity + gained } else { body.velocity };
            let w = body.spin;
            [v.x, v.y, v.z, own.inverse_mass, w.x, w.y, w.z, own.even.unwrap_or(0.0)]
        }))
    }

    fn meet(&self, pairs: &[Pair], places: &[Place], inertias: &[Inertia], motions: &Motions) -> Met {
        let scene = Scene { bodies: &self.state.bodies, forms: &self.forms, settings: &self.settings };
        let (touches, seen) = scene.touches_again(pairs, &self.state.seen);
        let impulses = remembered(&self.state.held, &touches, &self.state.bodies);
        let prepare =
            |(touch, impulse): (&Touch, &Option<DVec3>)| self.prepare(touch, *impulse, inertias, motions);
        let all: Vec<(Prepared, f64)> = if touches.len() > 1000 {
            touches.par_iter().zip(&impulses).with_min_len(256).map(prepare).collect()
        } else {
            touches.iter().zip(&impulses).map(prepare).collect()
        };
        let (prepared, approach) = all.into_iter().unzip();
        let mut groups = Vec::new();
        let mut from = 0;
        for (pair, place) in pairs.iter().zip(places) {
            let count = touches[from..].iter().take_while(|touch| touch.pair == *pair).count();
            if count > 0 {
                groups.push(Group { place: *place, contacts: from..from + count });
                from += count;
            }
        }
        Met { touches, seen, groups, prepared, approach }
    }

    fn prepare(
        &self,
        touch: &Touch,
        held: Option<DVec3>,
        inertias: &[Inertia],
        motions: &Motions,
    ) -> (Prepared, f64) {
        let (slots, normal) = (touch.pair.slots, touch.normal);
        let own = slots.map(|slot| &inertias[slot as usize]);
        let arm = |k: usize| {
            let place = self.state.bodies[slots[k] as usize].place;
            touch.point - (place - shift(touch.pair.images[k], self.settings.periodic))
        };
        let arms = [arm(0), arm(1)];
        let Yield { mass, sliding_mass, coupling, turning_mass } = Yield::of(normal, arms, own);
        let size = |slot: u32| {
            let body = &self.state.bodies[slot as usize];
            if body.is_free() { self.forms[body.form as usize].size() } else { f64::INFINITY }
        };
        let rolling = self.settings.rolling;
        let rolling = if rolling > 0.0 { rolling * size(slots[0]).min(size(slots[1])) } else { 0.0 };
        let approach = approach(motions, slots, arms, normal);
        // What pushed in the last step touches, whatever roundings say: were its gap to close by speed, impulses would swing for ever.
        let touches = touch.gap <= 0.0 || held.is_some();
        let target = if touches { 0.0 } else { -touch.gap / self.settings.part() };
        let impulse = held.unwrap_or(DVec3::ZERO);
        let push = impulse.dot(normal).max(0.0);
        let across = impulse - normal * impulse.dot(normal);
        let limit = self.settings.friction * push;
        let drag =
            if across.length_squared() > limit * limit { across.normalize_or_zero() * limit } else { across };
        let contact = Prepared {
            slots,
            free: own.map(|own| own.inverse_mass > 0.0),
            even: own.iter().all(|own| own.even.is_some()),
            normal,
            arms,
            coupling,
            mass,
            sliding_mass,
            friction: self.settings.friction,
            rolling,
            turning_mass,
            target,
            second: 0.0,
            push,
            drag,
        };
        (contact, approach)
    }

    fn agree(
        &self,
        met: &Met,
        cells: &crate::rigid::near::Cells,
        share: &mut dyn Share,
    ) -> Result<Vec<u32>, StepError> {
        let ids: Vec<u64> = self.state.bodies.iter().map(|body| body.id).collect();
        let extents: Vec<_> = self.near.boxes().iter().map(|b| cells.extent(b)).collect();
        let changes = Solver::changes(&met.groups, &met.prepared);
        share.agree(Shared { ids: &ids, extents: &extents }, &changes).map_err(StepError::Share)
    }

    /// Sweeps until the accuracy is reached or there have been enough.
    fn sweep(&self, solver: &mut Solver, run: &mut Run) -> Result<u32, StepError> {
        let sweeps = self.settings.sweeps;
        let enough = sweeps.accuracy * self.settings.gravity.length() * self.settings.part();
        let mut done = 0;
        while done < sweeps.most {
            let mut change = f64::INFINITY;
            for _ in 0..sweeps.least.min(sweeps.most - done) {
                change = solver.sweep(Sweep::Speeds, run)?;
                done += 1;
            }
            if done < sweeps.most && run.share.greatest(change).map_err(StepError::Share)? <= enough {
                break;
            }
        }
        Ok(done)
    }

    /// Sweeps that find shifts beside the motion: a share of overlaps, and of gaps of what pushes, goes away; other gaps do not close
    /// further than they may.
    fn shift(
        &self,
        solver: &mut Solver,
        met: &Met,
        motions: &Motions,
        run: &mut Run,
    ) -> Result<u32, StepError> {
        let (share, part) = (self.settings.correction, self.settings.part());
        for (contact, touch) in met.touches.iter().enumerate() {
            let own = &met.prepared[contact];
            let touches = touch.gap <= 0.0 || solver.impulse(contact).0 > 0.0;
            let speed = approach(motions, own.slots, own.arms, own.normal);
            // Where a gap closes in this step, nothing is left to shift.
            let left = touch.gap + part * speed.min(0.0);
            let second = if touches { -share * left / part } else { -(touch.gap / part + speed).max(0.0) };
            solver.set_second(contact, second);
        }
        for _ in 0..self.settings.sweeps.shifts {
            solver.sweep(Sweep::Shifts, run)?;
        }
        Ok(self.settings.sweeps.shifts)
    }

    /// Sweeps that ask for what is left of the speed of approach where bodies bounce.
    fn bounce(&self, solver: &mut Solver, met: &Met, run: &mut Run) -> Result<u32, StepError> {
        let settings = &self.settings;
        if settings.restitution == 0.0 {
            return Ok(0);
        }
        let mut any = 0.0;
        for (contact, touch) in met.touches.iter().enumerate() {
            let pushes = solver.impulse(contact).0 > 0.0;
            let fast = met.approach[contact] < -settings.bounce_speed();
            let second = if pushes && fast {
                any = 1.0;
                -settings.restitution * met.approach[contact]
            } else if pushes || touch.gap <= 0.0 {
                0.0
            } else {
                -touch.gap / settings.part()
            };
            solver.set_second(contact, second);
        }
        if run.share.greatest(any).map_err(StepError::Share)? == 0.0 {
            return Ok(0);
        }
        for _ in 0..settings.sweeps.least {
            solver.sweep(Sweep::Bounces, run)?;
        }
        Ok(settings.sweeps.least)
    }

    /// Where all bodies go with the speeds found; turns of uneven bodies change their spins.
    fn motion(&self, motions: &Motions, shifts: &Motions) -> Result<Moved, StepError> {
        let time = self.settings.part();
        let mut places = Vec::with_capacity(self.state.bodies.len());
        for (slot, body) in self.state.bodies.iter().enumerate() {
            let mut row = motions.row(slot);
            let [vx, vy, vz, _, wx, wy, wz, _] = row;
            let (velocity, spin) = (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz));
            let [sx, sy, sz, _, tx, ty, tz, _] = shifts.row(slot);
            let place = body.place + (velocity + DVec3::new(sx, sy, sz)) * time;
            let turning = spin + DVec3::new(tx, ty, tz);
            let turn = if turning == DVec3::ZERO { body.turn } else { turned(body.turn, turning, time) };
            if !(place.is_finite() && turn.is_finite() && velocity.is_finite() && spin.is_finite()) {
                return Err(StepError::NotFinite(body.id));
            }
            let [low, high] = self.settings.domain;
            if body.is_free() && !(place.cmpge(low).all() && place.cmple(high).all()) {
                return Err(StepError::Left { id: body.id, at: place });
            }
            if let Some(own) = self.resistances[body.form as usize].filter(|_| body.is_free()) {
                let spin = own.spin_after(spin, body.turn, turn);
                row[4..7].copy_from_slice(&spin.to_array());
                motions.set(slot, row);
            }
            places.push((self.wrapped(place, body), turn));
        }
        Ok(Moved { places })
    }

    /// Into the period, where there is one.
    fn wrapped(&self, mut place: DVec3, body: &Body) -> DVec3 {
        for (k, period) in self.settings.periodic.period.iter().enumerate() {
            let Some(period) = period.filter(|_| body.is_free()) else { continue };
            if place[k] < 0.0 {
                place[k] += period;
            } else if place[k] >= period {
                place[k] -= period;
            }
        }
        place
    }

    /// What is remembered: contacts and impulses of this step, and those of pairs that sleep.
    fn memory(&self, met: Met, solver: &Solver) -> (Vec<Held>, Vec<Seen>) {
        let bodies = &self.state.bodies;
        let mut seen = met.seen;
        let mut held = Vec::with_capacity(met.touches.len());
        for (contact, touch) in met.touches.iter().enumerate() {
            let (push, drag) = solver.impulse(contact);
            let impulse = touch.normal * push + drag;
            held.push(Held { ids: ids_of(touch, bodies), spot: touch.spot, impulse, pushes: push > 0.0 });
        }
        let resting = |id: u64| match bodies.binary_search_by_key(&id, |body| body.id) {
            Ok(at) => !bodies[at].is_free() || bodies[at].asleep,
            Err(_) => false,
        };
        if bodies.iter().any(|body| body.asleep) {
            let kept = self.state.held.iter().filter(|held| held.ids.into_iter().all(resting));
            held.extend(kept.copied());
            seen.extend(self.state.seen.iter().filter(|seen| seen.ids.into_iter().all(resting)).copied());
        }
        held.sort_by_key(|held| (held.ids, held.spot));
        seen.sort_by_key(Seen::key);
        (held, seen)
    }

    /// Takes over motions, places and memory; sends bodies to sleep and wakes others. Gives the number of pairs that began or ceased to push.
    fn finish(
        &mut self,
        motions: &Motions,
        moved: Moved,
        (held, seen): (Vec<Held>, Vec<Seen>),
        share: &mut dyn Share,
    ) -> Result<usize, StepError> {
        let mut moods = vec![Mood::ALONE; self.state.bodies.len()];
        let changes = self.moods(&held, &mut moods);
        let ids: Vec<u64> = self.state.bodies.iter().map(|body| body.id).collect();
        share.moods(&ids, &mut moods).map_err(StepError::Share)?;
        let anywhere = share.greatest(if changes > 0 { 1.0 } else { 0.0 }).map_err(StepError::Share)? > 0.0;
        for (slot, (place, turn)) in moved.places.into_iter().enumerate() {
            let [vx, vy, vz, _, wx, wy, wz, _] = motions.row(slot);
            let body = &mut self.state.bodies[slot];
            (body.place, body.turn) = (place, turn);
            (body.velocity, body.spin) = (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz));
        }
        self.rest(&moods);
        (self.state.held, self.state.seen) = (held, seen);
        self.state.steps += 1;
        if anywhere {
            self.state.changed = self.state.steps;
        }
        Ok(changes)
    }

    /// What the pairs of this step and of the last make of their bodies.
    fn moods(&self, held: &[Held], moods: &mut [Mood]) -> usize {
        let slots = |ids: [u64; 2]| {
            let slot = |id| self.state.bodies.binary_search_by_key(&id, |body| body.id).ok();
            Some([slot(ids[0])? as u32, slot(ids[1])? as u32])
        };
        let (now, then) = (pushing(held), pushing(&self.state.held));
        let mut changes = 0;
        let (mut p, mut q) = (0, 0);
        while p < now.len() || q < then.len() {
            let order = match (now.get(p), then.get(q)) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let ids = if order.is_le() { now[p] } else { then[q] };
            if let Some(slots) = slots(ids) {
                if order.is_le() {
                    touching(moods, &self.state.bodies, slots);
                }
                if order.is_ne() {
                    changing(moods, slots);
                    changes += 1;
                }
            }
            p += usize::from(order.is_le());
            q += usize::from(order.is_ge());
        }
        changes
    }

    fn rest(&mut self, moods: &[Mood]) {
        let rule = self.settings.sleep.unwrap_or(Sleep { time: f64::INFINITY, ..Sleep::default() });
        let enough = (rule.time / self.settings.part()).ceil();
        let enough = (enough < f64::from(u32::MAX)).then_some(enough as u32);
        for (slot, mood) in moods.iter().enumerate() {
            let body = self.state.bodies[slot];
            let is_slow = self.kinetic(&body) <= rule.energy * self.energy_scale(&body);
            settle(&mut self.state.bodies[slot], *mood, is_slow, enough);
        }
    }
}

/// The same bodies without motion.
fn still(inertias: &[Inertia]) -> Motions {
    let row = |own: &Inertia| [0.0, 0.0, 0.0, own.inverse_mass, 0.0, 0.0, 0.0, own.even.unwrap_or(0.0)];
    Motions::new(inertias.iter().map(row))
}

/// How fast a contact opens.
fn approach(motions: &Motions, slots: [u32; 2], arms: [DVec3; 2], normal: DVec3) -> f64 {
    let speed = |k: usize| {
        let [x, y, z, _, p, q, r, _] = motions.row(slots[k] as usize);
        DVec3::new(x, y, z) + DVec3::new(p, q, r).cross(arms[k])
    };
    (speed(1) - speed(0)).dot(normal)
}

/// Pairs that push each other, sorted.
fn pushing(held: &[Held]) -> Vec<[u64; 2]> {
    let mut pairs: Vec<[u64; 2]> = held.iter().filter(|held| held.pushes).map(|held| held.ids).collect();
    pairs.dedup();
    pairs
}
