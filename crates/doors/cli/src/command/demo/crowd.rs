//! A hundred bodies of which a quarter move, step after step, within budgets.

use crate::failure::Failure;
use crate::text::{self, Table};
use kontakt::math::{DVec3, Motion, Pose};
use kontakt::mesh::Mesh;
use kontakt::pair::{Body, Placed, Query};
use kontakt::scene::{NodeId, StepBudget, StepOptions, World};
use kontakt::schedule::{Budget, Policy};
use kontakt::shapes::make;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, Write};

/// Bodies along each side of a square.
const SIDE: u32 = 10;
/// One in so many moves.
const MOVING: usize = 4;
const STEPS: usize = 40;
/// Units of work of a step, some half a microsecond each; the last without a limit.
const BUDGETS: [Option<u64>; 4] = [Some(100), Some(1_000), Some(10_000), None];

/// What a budget came to over all steps.
pub(crate) struct Run {
    units: Option<u64>,
    /// Near pairs, and those decided.
    pairs: usize,
    decided: usize,
    /// Motions, and those that came to their ends.
    motions: usize,
    completed: usize,
    /// Pairs of bodies in contact after the last step, by an exact test of all.
    meeting: usize,
}

/// The same crowd under each budget.
pub(crate) fn runs() -> Result<Vec<Run>, Failure> {
    let broken = |error: Box<dyn Error>| Failure::Usage(format!("the demo's own crowd is wrong: {error}"));
    BUDGETS.into_iter().map(|units| run(units).map_err(broken)).collect()
}

fn run(units: Option<u64>) -> Result<Run, Box<dyn Error>> {
    let shapes = [make::bumpy_ball(8, 0.15)?, make::hex_nut(1.6, 0.6, 1.0, 24)?];
    let shapes = shapes.map(|faces| Mesh::with_threads(faces, 1).map(Body::mesh));
    let [ball, nut] = shapes;
    let shapes = [ball?, nut?];
    let mut world = World::new();
    let mut nodes = Vec::new();
    for k in 0..SIDE * SIDE {
        let place = DVec3::new(f64::from(k % SIDE), f64::from(k / SIDE), 0.0) * 2.6;
        let pose = Pose::from_axis_angle(DVec3::new(1.0, 2.0, f64::from(k)), f64::from(k), place)?;
        let body = shapes[k as usize % 2].clone();
        nodes.push(world.add_body(&format!("body {k:02}"), None, body, pose)?);
    }
    let budget =
        units.map(|units| StepBudget { budget: Budget::Units(units), policy: Policy::Queue, viewer: None });
    let options = StepOptions { budget, ..StepOptions::default() };
    let mut run = Run { units, pairs: 0, decided: 0, motions: 0, completed: 0, meeting: 0 };
    for step in 0..STEPS {
        for (k, &node) in nodes.iter().enumerate().filter(|(k, _)| k % MOVING == 0) {
            let start = world.pose(node)?;
            // Each on a way of its own, back and forth.
            let angle = k as f64 + (step / 10) as f64 * std::f64::consts::PI;
            let by = DVec3::new(angle.cos(), angle.sin(), 0.0) * 0.12;
            let turn = Pose::from_axis_angle(DVec3::Z, 0.1, DVec3::ZERO)?;
            let end = Pose::new((turn.rotation() * start.rotation()).normalize(), start.translation() + by)?;
            world.set_motion(node, &Motion::slerp(start, end, DVec3::ZERO)?)?;
        }
        let report = world.step(&options)?;
        run.pairs += report.counts.candidates;
        run.decided += report.counts.candidates - report.counts.unfinished;
        run.motions += report.groups.len();
        run.completed += report.groups.iter().filter(|group| group.reached >= 1.0).count();
    }
    run.meeting = meeting(&world, &nodes);
    Ok(run)
}

/// Pairs of all bodies that have a common point.
fn meeting(world: &World, nodes: &[NodeId]) -> usize {
    let mut query = Query::new();
    let placed = |node: NodeId| Some(Placed::new(world.body(node)?, world.pose(node).ok()?));
    let bodies: Vec<Placed> = nodes.iter().filter_map(|&node| placed(node)).collect();
    let pairs = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| query.any_contact(bodies[a], bodies[b]) != Some(false)).count()
}

pub(crate) fn write(runs: &[Run], out: &mut dyn Write) -> io::Result<()> {
    let mut table =
        Table::new(["budget of a step", "pairs decided", "motions to their ends", "in contact at the end"]);
    let share = |part: usize, whole: usize| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
    for run in runs {
        table.row([
            run.units
                .map_or_else(|| "no limit".into(), |units| text::counted(units as usize, "unit", "units")),
            share(run.decided, run.pairs),
            share(run.completed, run.motions),
            run.meeting.to_string(),
        ]);
    }
    table.write(out)
}

pub(crate) fn json(runs: &[Run]) -> Value {
    let one = |run: &Run| {
        json!({
            "units": run.units,
            "pairs": run.pairs,
            "decided": run.decided,
            "motions": run.motions,
            "completed": run.completed,
            "meeting": run.meeting,
        })
    };
    runs.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_budget_decides_more_and_none_lets_anything_through() {
        let runs = runs().unwrap();
        assert!(runs.iter().all(|run| run.meeting == 0));
        let shares: Vec<f64> = runs.iter().map(|run| run.decided as f64 / run.pairs as f64).collect();
        assert!(shares.is_sorted() && shares[0] < 0.9 && shares[3] == 1.0, "{shares:?}");
    }
}
