//! The dragged body among its obstacles: from sample to sample of the hand.

use crate::error::DragError;
use crate::near::{Near, Plane, Sight};
use crate::obstacle::{Obstacle, Standing};
use crate::options::DragOptions;
use crate::proxy::Proxy;
use crate::report::{Ending, Sample, Touch};
use crate::rows::{Aim, Rows};
use crate::spot::Spot;
use crate::step::Step;
use crate::surroundings::{Askers, Surroundings};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::{Body, together};

/// Most programs solved for one step, each with the rows that the last one broke.
const MOST_CUTS: u32 = 10;
/// Rows taken at a time: those broken most. Most others are kept with them.
const ROWS_A_CUT: usize = 24;
/// Most times a piece is halved before it is given up.
const MOST_HALVINGS: u32 = 10;

/// A body that follows a hand, stops at contact and slides along what it touches. It **never enters** an obstacle: every piece of its
/// motion is proven free of contact before it is taken.
#[derive(Debug)]
pub struct Drag {
    pub(crate) proxy: Proxy,
    pub(crate) obstacles: Vec<Standing>,
    pub(crate) options: DragOptions,
    /// The gap that is kept: half the skin.
    pub(crate) keep: f64,
    pub(crate) pose: Pose,
    /// Whether the body is proven free where it is; else it touches, and has not moved yet.
    pub(crate) is_proven: bool,
    pub(crate) around: Surroundings,
    pub(crate) askers: Askers,
    pub(crate) rows: Rows,
    /// The pairs that a step may bring into contact.
    active: Vec<usize>,
    /// Those of them that it does, by what is known of them, and how near they come.
    broken: Vec<(f64, usize)>,
    /// The gaps of pairs along their normals where a step begins; NaN where not yet known.
    gaps_before: Vec<f64>,
    /// The pairs that held the body in the last plan.
    holders: Vec<[u32; 3]>,
    /// Gaps of pairs at the end of a piece.
    gaps: Vec<(usize, DVec3, f64)>,
    /// About how far pieces lead.
    pace: f64,
    /// From this radius on there was too much to be gathered.
    crowded: f64,
    sample: Sample,
}

/// A positive finite number.
fn positive(what: &'static str, value: f64) -> Result<f64, DragError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(DragError::NotPositive { what, value }) }
}

impl Drag {
    /// A body at a pose at which it is free or touches, among obstacles. What is told does not depend on the obstacles' order, as long
    /// as their names differ.
    pub fn new(
        body: Body,
        start: Pose,
        obstacles: Vec<Obstacle>,
        options: DragOptions,
    ) -> Result<Drag, DragError> {
        let proxy = Proxy::new(body)?;
        positive("the stiffness", options.stiffness)?;
        let deviation = obstacles
            .iter()
            .map(|obstacle| together([proxy.body.deviation(), obstacle.body.deviation()]))
            .fold(0.0, f64::max);
        let skin = match options.skin {
            Some(skin) => positive("the skin", skin)?,
            None => (2e-3 * proxy.radius).max(4.0 * deviation),
        };
        if skin < deviation {
            return Err(DragError::SkinBelowDeviation { skin, deviation, least: 4.0 * deviation });
        }
        let rounding = start.apply_error(proxy.centre) + 64.0 * f64::EPSILON * proxy.farthest;
        if rounding.is_nan() || rounding > 0.01 * skin {
            return Err(DragError::SkinTooThin { skin, rounding });
        }
        let mut obstacles: Vec<Standing> =
            obstacles.into_iter().enumerate().map(|(number, given)| Standing::new(given, number)).collect();
        obstacles.sort_by(|a, b| a.given.name.cmp(&b.given.name));
        let mut drag = Drag {
            proxy,
            obstacles,
            options,
            keep: 0.5 * skin,
            pose: start,
            is_proven: false,
            around: Surroundings::unknown(),
            askers: Askers::default(),
            rows: Rows::default(),
            active: Vec::new(),
            broken: Vec::new(),
            gaps_before: Vec::new(),
            holders: Vec::new(),
            gaps: Vec::new(),
            pace: skin,
            crowded: f64::INFINITY,
            sample: Sample::default(),
        };
        drag.begin()?;
        Ok(drag)
    }

    /// Where the body is.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// The point of the body, in its own frame, that goes straight in every piece of motion: its centre of mass.
    pub fn pivot(&self) -> DVec3 {
        self.proxy.centre
    }

    /// How near it comes to what it touches.
    pub fn skin(&self) -> f64 {
        2.0 * self.keep
    }

    /// The last sample.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Moves the body towards the hand: to it, or as near as contacts let it come, or as far as the work allowed leads.
    pub fn follow(&mut self, hand: Pose) -> &Sample {
        self.sample.pieces.clear();
        self.sample.contacts.clear();
        self.sample.work = crate::report::Work::default();
        self.sample.ending = self.pieces_towards(&hand);
        let rest = self.wish(&hand);
        (self.sample.lag, self.sample.lag_angle) = (rest.shift.length(), rest.turn.length());
        self.sample.work.pairs = self.around.near.len() as u32;
        if self.sample.ending == Ending::Arrived {
            self.sample.contacts.clear();
        }
        &self.sample
    }

    pub(crate) fn sample_mut(&mut self) -> &mut Sample {
        &mut self.sample
    }

    /// The step to the hand.
    fn wish(&self, hand: &Pose) -> Step {
        let wish = Step::between(&self.pose, hand, self.proxy.centre);
        if self.options.turning { wish } else { Step { turn: DVec3::ZERO, ..wish } }
    }

    fn pieces_towards(&mut self, hand: &Pose) -> Ending {
        for _ in 0..self.options.most_pieces {
            let wish = self.wish(hand);
            if self.pose == *hand || self.proxy.reach(&wish) <= 1e-12 * self.proxy.radius {
                return Ending::Arrived;
            }
            if !self.look_around(&wish) {
                return Ending::Lagging;
            }
            if !self.is_proven && !self.lift_off() {
                return Ending::Stuck;
            }
            let Some((step, is_whole)) = self.good_plan(&wish, hand) else { return Ending::Held };
            if !self.advance(&step, (is_whole && self.options.turning).then_some(hand)) {
                return if self.rows.all.is_empty() { Ending::Stuck } else { Ending::Held };
            }
        }
        if self.pose == *hand { Ending::Arrived } else { Ending::Lagging }
    }

    /// A step that brings the body nearer to the hand, and whether it is the whole wish; none where contacts do not let it.
    ///
    /// A body nearer to an obstacle than what is to be kept is pushed off while it slides. Where it does not slide that would
    /// only drive it to and fro, so then it stays as near as it is.
    fn good_plan(&mut self, wish: &Step, hand: &Pose) -> Option<(Step, bool)> {
        let turn = self.pose.matrix();
        let length = |z: crate::projection::Vector| crate::projection::dot(&z, &z).sqrt();
        let before = length(self.proxy.in_metric(turn, wish));
        for push in [true, false] {
            let (step, is_whole) = self.plan(wish, push);
            if self.rows.all.is_empty() {
                return Some((step, is_whole));
            }
            let end = step.after(&self.pose, self.proxy.centre);
            let left = Step::between(&end, hand, self.proxy.centre);
            let left = if self.options.turning { left } else { Step { turn: DVec3::ZERO, ..left } };
            let after = length(self.proxy.in_metric(turn, &left));
            let moves = self.proxy.reach(&step) > 1e-2 * self.keep;
            if moves && after < before - 1e-4 * self.keep {
                return Some((step, false));
            }
        }
        None
    }

    /// How far a piece may lead: a few times as far as the last ones did.
    fn stride(&self) -> f64 {
        3.0 * self.pace.max(self.keep)
    }

    /// Makes sure that what is near is known as far as the next piece leads, or as far as there is not too much.
    fn look_around(&mut self, wish: &Step) -> bool {
        let least = 2.0 * self.keep;
        let wanted = self.proxy.reach(wish).min(self.stride());
        // Where there is too much for that, half of what could be seen is used up before the next look.
        let seen = self.around.radius;
        let enough = if seen >= self.crowded { (least + wanted).min(0.5 * seen) } else { least + wanted };
        if self.around.left() > enough {
            return true;
        }
        // Several pieces live on one look. A crowd that has thinned out is found out about little by little.
        self.crowded *= 1.2;
        let mut radius = (least + 3.0 * wanted).min(self.crowded).max(least);
        while self.sample.work.gathers < self.options.most_looks {
            self.sample.work.gathers += 1;
            let most = if radius <= least { 16 * self.options.most_pairs } else { self.options.most_pairs };
            let Drag { around, proxy, obstacles, askers, .. } = self;
            if around.gather(proxy, obstacles, askers, self.pose, (radius, least, most)) {
                return true;
            }
            if radius <= least {
                break;
            }
            radius = (0.4 * radius).max(least);
            self.crowded = radius;
        }
        // No more looks for this sample: on with what is left, if that is worth a piece.
        self.around.left() > self.keep
    }

    /// The share of a step that is taken at once: no farther than the stride and than what is near is known, and, where something is near,
    /// turning so little that paths of points bend off their chords by an eighth of r·ω² or less, a quarter of what is kept.
    fn share(&self, step: &Step) -> f64 {
        let most = (0.9 * self.around.left()).min(self.stride());
        let share = (most / self.proxy.reach(step)).min(1.0);
        let (angle, turn) = (step.turn.length(), (2.0 * self.keep / self.proxy.radius).sqrt());
        if !self.active.is_empty() && angle * share > turn { turn / angle } else { share }
    }

    /// The step nearest to the wish that no pair nearby forbids, to first order, or as much of it as is taken at once; and whether that is
    /// the whole wish.
    ///
    /// Rows are found as they are broken: a program is solved, the body is put where the step leads, and pairs that are nearer there than
    /// half of what is to be kept add their corners. A pair's plane is the one that leaves most room for the step, so that inner edges of a flat
    /// floor do not hold what slides over them. `push`: whether the body is to be pushed off what it is too near. Nothing here is a proof; `advance` has it.
    fn plan(&mut self, wish: &Step, push: bool) -> (Step, bool) {
        let from = Spot::new(&self.proxy, &self.around.anchor, self.pose);
        self.rows.clear(self.around.near.len());
        self.gaps_before.clear();
        self.gaps_before.resize(self.around.near.len(), f64::NAN);
        self.find_active(self.proxy.reach(wish).min(self.stride()));
        let mut share = self.share(wish);
        let mut step = wish.scaled(share);
        for cut in 0..=MOST_CUTS {
            let reach = self.proxy.reach(&step);
            self.find_active(reach);
            // At first only what held the body before: it most likely does again, and then little else is broken.
            self.find_broken(&from, &step, cut == 0);
            let any = self.take_broken(&from, &step);
            if any {
                self.sample.work.plans += 1;
                let aim = Aim { keep: self.keep, push, turning: self.options.turning };
                let whole = self.rows.solve(&self.proxy, &from, wish, aim);
                share = self.share(&whole);
                step = whole.scaled(share);
            } else if cut > 0 {
                break;
            }
        }
        self.holders.clear();
        self.holders.extend(self.rows.forces().map(|(row, _)| self.around.near[row.pair].key()));
        self.tell_contacts();
        (step, share == 1.0 && self.rows.all.is_empty())
    }

    /// The pairs that a step of some reach may bring nearer than what is kept.
    fn find_active(&mut self, reach: f64) {
        let Drag { around, active, keep, .. } = self;
        let range = around.travelled + reach + *keep;
        active.clear();
        active.extend((0..around.near.len()).filter(|&pair| around.clear[pair] < range));
    }

    /// The active pairs that the plane which last kept them apart does not keep apart during a step, the worst first.
    fn find_broken(&mut self, from: &Spot, step: &Step, held_only: bool) {
        let Drag { proxy, around, active, broken, gaps_before, holders, keep, .. } = self;
        let to = Spot::new(proxy, &around.anchor, step.after(&from.pose, proxy.centre));
        let sight = Sight { proxy, others: &around.others, from, to: &to };
        // A plane at rest is kept from by how much paths bend.
        let bend = (0.5 * proxy.radius).sqrt() * step.turn.length();
        broken.clear();
        for &pair in active.iter() {
            let near = &around.near[pair];
            if held_only && !holders.contains(&near.key()) {
                continue;
            }
            let end = if near.normal == DVec3::ZERO { f64::NEG_INFINITY } else { near.glance(&sight, &to) };
            if end >= 0.5 * *keep {
                let before = &mut gaps_before[pair];
                if before.is_nan() {
                    *before = near.glance(&sight, from);
                }
                if *before > 0.0 && bend < before.sqrt() + end.sqrt() {
                    continue;
                }
            }
            broken.push((end, pair));
        }
        broken.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Looks for other planes for these pairs, until enough of them have none and ask for rows; whether there is any row.
    fn take_broken(&mut self, from: &Spot, step: &Step) -> bool {
        let Drag { proxy, around, askers, rows, broken, gaps_before, keep, .. } = self;
        let keep = *keep;
        let to = Spot::new(proxy, &around.anchor, step.after(&from.pose, proxy.centre));
        let sight = Sight { proxy, others: &around.others, from, to: &to };
        let (acceleration, travel) = (proxy.radius * step.turn.length_squared(), proxy.reach(step));
        for &(_, pair) in broken.iter() {
            if rows.waiting() >= 2 * ROWS_A_CUT {
                break;
            }
            let near = &mut around.near[pair];
            let (kept, plane) = near.search(&sight, &mut askers.convex, |near, plane| {
                plane.gap[1] >= 0.5 * keep && near.proves(&sight, plane, acceleration, travel)
            });
            near.keep(&around.others, plane.n[0]);
            gaps_before[pair] = plane.gap[0];
            let until = (around.travelled + plane.gap[0]).next_down();
            around.clear[pair] = around.clear[pair].max(until);
            if !kept {
                rows.take((pair, near), &plane, &sight, &mut askers.convex, keep);
            }
        }
        rows.settle(ROWS_A_CUT, keep)
    }

    /// Moves the body by a step, or the largest part of it that is **proven** free; whether it moved. `whole`: where the step ends, if
    /// that is known better than by adding it up.
    fn advance(&mut self, step: &Step, whole: Option<&Pose>) -> bool {
        let mut share = (0.99 * self.around.left() / self.proxy.reach(step)).min(1.0);
        for _ in 0..MOST_HALVINGS {
            let end = match whole {
                Some(pose) if share == 1.0 => *pose,
                _ => step.scaled(share).after(&self.pose, self.proxy.centre),
            };
            if self.prove(end) {
                return true;
            }
            self.sample.work.retries += 1;
            share *= 0.5;
        }
        false
    }

    /// Goes to a pose if the way there, the centre going straight while the body turns at constant rate, is **proven** free.
    ///
    /// Pairs not gathered are farther apart than any point can have travelled; pairs whose gap is longer than the way are free; each of
    /// the others needs a plane.
    fn prove(&mut self, end: Pose) -> bool {
        let Drag { proxy, around, askers, gaps, pose, keep, .. } = self;
        let least = 0.0625 * *keep;
        let Ok(motion) = Motion::slerp(*pose, end, proxy.centre) else { return false };
        let way = motion.displacement_bound(proxy.centre, proxy.radius, 0.0, 1.0);
        let travelled = (around.travelled + way).next_up();
        if travelled.is_nan() || travelled >= around.radius * (1.0 - 1e-12) {
            return false;
        }
        let acceleration = motion.acceleration_bound(proxy.centre, proxy.radius);
        let (from, to) = (Spot::new(proxy, &around.anchor, *pose), Spot::new(proxy, &around.anchor, end));
        let sight = Sight { proxy, others: &around.others, from: &from, to: &to };
        gaps.clear();
        for (pair, near) in around.near.iter().enumerate() {
            if around.clear[pair] > travelled {
                continue;
            }
            // Not nearer than a little, or it would come nearer by halves without end.
            let proves = |near: &Near, plane: &Plane| {
                plane.gap[1] >= least.min(0.999 * plane.gap[0])
                    && near.proves(&sight, plane, acceleration, way)
            };
            let (proven, plane) = near.search(&sight, &mut askers.convex, proves);
            if !proven {
                return false;
            }
            gaps.push((pair, plane.n[1], plane.gap[1]));
        }
        for &(pair, normal, gap) in gaps.iter() {
            around.near[pair].keep(&around.others, normal);
            around.clear[pair] = (travelled + gap).next_down();
        }
        around.travelled = travelled;
        self.pace = way.max(0.75 * self.pace);
        self.pose = end;
        self.sample.pieces.push(end);
        true
    }

    /// The contacts of the last program.
    fn tell_contacts(&mut self) {
        let anchor = self.around.anchor.translation();
        self.sample.contacts.clear();
        for (row, force) in self.rows.forces().filter(|(_, force)| *force > 0.0) {
            let near = &self.around.near[row.pair];
            let obstacle = &self.obstacles[near.obstacle as usize];
            self.sample.contacts.push(Touch {
                obstacle: obstacle.number,
                point: anchor + row.point,
                normal: row.normal,
                gap: row.height,
                force: force * self.options.stiffness,
                own_face: self.proxy.body.face_of_triangle(near.own).filter(|_| near.own_is_face()),
                face: obstacle.given.body.face_of_triangle(near.other).filter(|_| near.other_is_face()),
            });
        }
    }
}
