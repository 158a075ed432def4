//! A screw out of its nut: free along its helix, jammed otherwise. A pair made by formulas, and a public one where it is present.

use super::super::cut::Plane;
use super::super::page::{Cell, Page, Table};
use super::bay::{mesh, unusable};
use super::method::Askers;
use super::thread::Thread;
use crate::clock::Clock;
use crate::failure::Failure;
use crate::plot::Drawing;
use crate::progress;
use crate::text;
use kontakt::answers::{Impact, Initial, Range};
use kontakt::io::{ReadOptions, read};
use kontakt::math::{DQuat, DVec3, Motion, Pose};
use kontakt::mesh::{Mesh, PlacedMesh};
use kontakt::rigid_ccd::{ClearanceOptions, MotionOptions, MovingMesh};
use kontakt::shapes::make;
use std::f64::consts::TAU;
use std::path::Path;

/// Head and outer faces of the public pair are farther from their axis, y, than this.
const WITHIN: f64 = 3.2;

/// Pieces that a way is asked in.
const PIECES: u32 = 16;

/// A nut at rest, and a screw in it.
struct Pair {
    name: &'static str,
    nut: Mesh,
    screw: Mesh,
    /// A point on the axis of the nut, and of the screw.
    axes: [DVec3; 2],
    /// The way out along it.
    out: DVec3,
    /// The screw's turn about it at the start, and its way for a turn; right-handed.
    phase: f64,
    lead: f64,
    /// Way until the screw has left the nut.
    length: f64,
}

impl Pair {
    /// The pair of the project's own making: a nut of so many turns, and a screw of one more.
    fn own(turns: u32) -> Result<Pair, Failure> {
        const PITCH: f64 = 0.2;
        const AROUND: u32 = 36;
        let nut = make::threaded_nut(turns, PITCH, 0.04, AROUND).map_err(unusable)?;
        let screw = make::threaded_rod(turns + 1, PITCH, AROUND).map_err(unusable)?;
        let (nut, screw) = (mesh("nut", nut)?, mesh("screw", screw)?);
        let (axes, out) = ([DVec3::ZERO; 2], -DVec3::Z);
        let length = (f64::from(turns) + 1.1) * PITCH;
        Ok(Pair { name: "own", nut, screw, axes, out, phase: 0.0, lead: PITCH, length })
    }

    /// rigid-ipc's pair, with the placement measured.
    fn public(folder: &Path) -> Result<Option<(Pair, [Thread; 2])>, Failure> {
        let load = |name: &str| -> Result<Option<Mesh>, Failure> {
            let path = folder.join("mesh").join(name);
            if !path.is_file() {
                return Ok(None);
            }
            let body = read(&path, &ReadOptions::default())?.bodies.into_iter().next();
            body.map(|body| mesh(name, body.faces)).transpose()
        };
        let (Some(nut), Some(screw)) = (load("nut-big.obj")?, load("screw-big.obj")?) else {
            return Ok(None);
        };
        // Both are hexagonal outside: the axis goes through the middle of the box around.
        let axes = [&nut, &screw].map(|body| middle(body) * DVec3::new(1.0, 0.0, 1.0));
        let measure =
            |body: &Mesh, axis: DVec3| Thread::measure(body.faces(), [axis, DVec3::Y], WITHIN, [0.6, 3.0]);
        let threads = [measure(&nut, axes[0]), measure(&screw, axes[1])];
        let heights = |body: &Mesh, from: f64| {
            let of = |v: &&DVec3| v.x.hypot(v.z) >= from;
            let all = body.faces().vertices().iter().filter(of).map(|v| v.y);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)])
        };
        let (shaft, head, hole) = (heights(&screw, 0.0), heights(&screw, WITHIN), heights(&nut, 0.0));
        // Away from the tip: towards the head.
        let up = f64::midpoint(head[0], head[1]) > f64::midpoint(shaft[0], shaft[1]);
        let (out, length) = if up { (DVec3::Y, hole[1] - shaft[0]) } else { (-DVec3::Y, shaft[1] - hole[0]) };
        let turned = (threads[0].phase - threads[1].phase) * if up { 1.0 } else { -1.0 };
        let lead = threads[1].lead;
        let (name, length) = ("screw-big, nut-big", 1.02 * length);
        let pair = Pair { name, nut, screw, axes, out, phase: turned, lead, length };
        Ok(Some((pair, threads)))
    }

    /// The screw's axis on the nut's, turned by the phase; heights as they are.
    fn start(&self) -> Result<Pose, Failure> {
        let turn = DQuat::from_axis_angle(self.out, self.phase);
        let aside = self.axes.map(|axis| axis - self.out * axis.dot(self.out));
        Pose::new(turn, aside[0] - turn * aside[1]).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Out by the whole length, with `turns` turns for every lead.
    fn way(&self, turns: f64) -> Result<Motion, Failure> {
        let angle = TAU * turns * self.length / self.lead;
        Motion::helix(self.start()?, self.axes[0], self.out, angle, self.length)
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// When the screw first meets the nut on its way. A helix of many turns is asked piece by piece, so that what is kept
    /// open at one time stays small.
    fn first_contact(&self, askers: &mut Askers, way: &Motion, turns: f64) -> Result<Impact, Failure> {
        let count = f64::from(PIECES);
        let angle = TAU * turns * self.length / self.lead;
        for piece in 0..PIECES {
            let share = |t: f64| (f64::from(piece) + t) / count;
            let start = way.pose_at(share(0.0));
            let part = Motion::helix(start, self.axes[0], self.out, angle / count, self.length / count)
                .map_err(|error| Failure::Usage(error.to_string()))?;
            let [nut, screw] = self.bodies(&part);
            match askers.moving.impact(nut, screw, &askers.options) {
                Impact::Free { .. } => {}
                Impact::Contact { initial, time, contact } => {
                    let time = Range::new(share(time.lo()), share(time.hi())).unwrap_or(time);
                    return Ok(Impact::Contact { initial, time, contact });
                }
                Impact::Undecided { initial, free_until } => {
                    return Ok(Impact::Undecided { initial, free_until: share(free_until) });
                }
            }
        }
        Ok(Impact::Free { initial: Initial::Separate })
    }

    /// A cut along the axis: the nut, the screw in it, and half-way out.
    fn drawing(&self) -> Result<Drawing, Failure> {
        // A little beside the axis, where no vertex lies in the cut.
        let plane = if self.out.z == 0.0 {
            Plane::level(self.axes[0] + DVec3::Z * 0.003)
        } else {
            Plane::upright(self.axes[0] + DVec3::Y * 0.003)
        };
        let screw = |pose: &Pose| plane.cut(self.screw.faces(), pose);
        let groups = vec![
            ("nut".to_owned(), plane.cut(self.nut.faces(), &Pose::IDENTITY)),
            ("screw".to_owned(), screw(&self.start()?)),
            ("half-way out".to_owned(), screw(&self.way(1.0)?.pose_at(0.5))),
        ];
        let title = format!("Screw and nut: {}", self.name);
        Ok(Drawing { title, label: "a cut along the axis".to_owned(), groups })
    }

    fn bodies<'a>(&'a self, motion: &'a Motion) -> [MovingMesh<'a>; 2] {
        const REST: &Motion = &Motion::Rest(Pose::IDENTITY);
        [MovingMesh { mesh: &self.nut, motion: REST }, MovingMesh { mesh: &self.screw, motion }]
    }

    /// The least distance at a few places on the way out; where some are in contact, less the more they are.
    fn room(&self, askers: &mut Askers) -> Result<f64, Failure> {
        const PLACES: u32 = 12;
        let way = self.way(1.0)?;
        let (mut least, mut contacts) = (f64::INFINITY, 0.0);
        for k in 0..PLACES {
            let pose = way.pose_at(f64::from(k) / f64::from(PLACES));
            let nut = PlacedMesh::at_rest(&self.nut);
            let distance = askers.at_rest.distance(nut, PlacedMesh::new(&self.screw, pose)).range.lo();
            least = least.min(distance);
            contacts += f64::from(u8::from(distance == 0.0));
        }
        Ok(least - contacts)
    }

    /// Turns and stretches until there is most room: ever finer steps of phase and lead.
    fn settle(&mut self, askers: &mut Askers) -> Result<f64, Failure> {
        let mut best = self.room(askers)?;
        let mut steps = [0.4, 0.01 * self.lead];
        for _ in 0..40 {
            let before = (self.phase, self.lead);
            let mut better = None;
            for (phase, lead) in [(steps[0], 0.0), (-steps[0], 0.0), (0.0, steps[1]), (0.0, -steps[1])] {
                (self.phase, self.lead) = (before.0 + phase, before.1 + lead);
                let room = self.room(askers)?;
                if room > best {
                    (best, better) = (room, Some((self.phase, self.lead)));
                }
            }
            (self.phase, self.lead) = better.unwrap_or(before);
            if better.is_none() {
                steps = steps.map(|step| 0.6 * step);
            }
        }
        Ok(best)
    }

    /// One motion: how it ends, how near it comes, and what the static test says at every whole lead.
    fn row(
        &self,
        askers: &mut Askers,
        name: &str,
        turns: f64,
        most_distances: u32,
    ) -> Result<Vec<Cell>, Failure> {
        let way = self.way(turns)?;
        let [a, b] = self.bodies(&way);
        let clock = Clock::start();
        let answer = self.first_contact(askers, &way, turns)?;
        let seconds = clock.seconds();
        let verdict = match answer {
            Impact::Free { .. } => "free".to_owned(),
            Impact::Contact { time, .. } => {
                format!("contact at {} of the way", text::range(time))
            }
            Impact::Undecided { free_until, .. } => format!("undecided from {}", text::number(free_until)),
        };
        let near = if matches!(answer, Impact::Free { .. }) {
            let options = ClearanceOptions { tolerance: 0.01 * self.lead, most_distances };
            let (range, _) = askers.moving.least_clearance(a, b, &options);
            text::range(range)
        } else {
            "–".to_owned()
        };
        let leads = (self.length / self.lead).floor() as u32;
        let at_lead = |k: u32| {
            let pose = way.pose_at(f64::from(k) * self.lead / self.length);
            askers
                .at_rest
                .any_contact(PlacedMesh::at_rest(&self.nut), PlacedMesh::new(&self.screw, pose))
                .is_some()
        };
        let met = (0..=leads).map(at_lead).filter(|met| *met).count();
        Ok(vec![
            self.name.into(),
            name.into(),
            Cell::Number(turns * self.length / self.lead, 2),
            verdict.into(),
            near.into(),
            format!("{met} of {} poses", leads + 1).into(),
            Cell::Number(1e3 * seconds, 2),
        ])
    }
}

pub(super) fn section(
    page: &mut Page,
    turns: u32,
    most_distances: u32,
    data: Option<&Path>,
) -> Result<(), Failure> {
    page.heading("A screw out of its nut");
    // Threads are close to each other all the way: much more work than for other motions of that length.
    let options = MotionOptions { most_work: 100_000_000, ..MotionOptions::default() };
    let mut askers = Askers { options, ..Askers::default() };
    let mut pairs = vec![Pair::own(turns)?];
    let public = data.map_or(Ok(None), Pair::public)?;
    match public {
        None => page.words("The public pair `screw-big.obj` and `nut-big.obj` was not present in this run."),
        Some((mut pair, [nut, screw])) => {
            let room = progress::during("fitting the screw".into(), || pair.settle(&mut askers))?;
            page.words(format!(
                "The public pair (rigid-ipc's `screw-big.obj` and `nut-big.obj`, {} and {} faces) comes without a word about its thread. Measured from its corners: \
                 screw {:.3} to {:.3} from the axis with a lead of {:.3}, nut {:.3} to {:.3} with {:.3} (clarity {:.2} and {:.2}). Turned by {:.3} and \
                 with a lead of {:.4} there is most room: {:.4} at the tightest of 12 places.",
                pair.screw.faces().triangles().len(),
                pair.nut.faces().triangles().len(),
                screw.radii[0],
                screw.radii[1],
                screw.lead,
                nut.radii[0],
                nut.radii[1],
                nut.lead,
                screw.clarity,
                nut.clarity,
                pair.phase,
                pair.lead,
                room
            ));
            pairs.push(pair);
        }
    }
    for pair in &pairs {
        let file = format!("scene-screw-{}", pair.name.replace([',', ' '], "-"));
        page.figure(&file, &format!("The pair {}", pair.name), pair.drawing()?.svg());
    }
    let mut table = Table::new(
        format!("Out of the nut, in {PIECES} pieces of a helix"),
        [
            "pair",
            "motion",
            "turns",
            "certified",
            "least clearance",
            "static test once a lead: in contact",
            "ms",
        ],
    );
    for pair in &pairs {
        for (name, turns) in [
            ("unscrewed", 1.0),
            ("turned the wrong way", -1.0),
            ("pulled straight", 0.0),
            ("turned a tenth too fast", 1.1),
        ] {
            let row = progress::during(format!("{}: {name}", pair.name), || {
                pair.row(&mut askers, name, turns, most_distances)
            })?;
            table.row(row);
        }
    }
    page.table(table);
    page.words(
        "Pulled straight by a lead a step, or turned the wrong way with whole turns, a screw looks the same at every pose as one that was unscrewed: the static test \
         sees nothing, however often it looks, as long as it looks once a lead.",
    );
    Ok(())
}

/// The middle of the box around a body.
fn middle(body: &Mesh) -> DVec3 {
    let around = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let grown = |(low, high): (DVec3, DVec3), v: &DVec3| (low.min(*v), high.max(*v));
    let (low, high) = body.faces().vertices().iter().fold(around, grown);
    low.midpoint(high)
}
