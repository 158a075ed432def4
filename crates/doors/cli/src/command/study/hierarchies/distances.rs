//! Two distances stored with each node: whether they pay (thesis 8.2.1, an idea worth trying).

use super::super::arena::Arena;
use super::super::page::{Cell, Page, Table};
use super::super::scene::Scene;
use crate::clock::Clock;
use crate::failure::Failure;
use kontakt::answers::Range;
use kontakt::bounds::Obb;
use kontakt::bounds::hausdorff::HausdorffLimit;
use kontakt::hierarchy::Faces;
use kontakt::math::{DVec3, Pose};
use kontakt::mesh::face::{Between, distance_between};
use kontakt_lab_hierarchy::Tree;
use kontakt_lab_hierarchy::build::{self, BuildError, Plan};
use kontakt_lab_hierarchy::measure::Grades;
use kontakt_lab_hierarchy::walk::{
    Above, DistanceGoal, DistanceWalked, Expansion, Order, PlacedTree, Strategy, distance,
};

/// Every so many poses of a scene.
const STRIDE: usize = 5;

/// A body's tree with all that may be stored beside it.
struct Stored<'a> {
    faces: Faces<'a>,
    tree: Tree<Obb>,
    grades: Grades,
    anchors: Vec<DVec3>,
    reaches: Vec<f64>,
}

impl<'a> Stored<'a> {
    fn new(faces: Faces<'a>) -> Result<Stored<'a>, Failure> {
        let failed = |error: BuildError| Failure::Usage(format!("the study's own body: {error}"));
        let tree = build::build::<Obb>(faces, &Plan::by("sah").unwrap_or_default()).map_err(failed)?;
        let limit = HausdorffLimit { absolute: 0.0, relative: 0.2, max_cells: 60 };
        let measures = tree.measure_all(faces, limit).map_err(failed)?;
        Ok(Stored {
            faces,
            grades: Grades::by_surface(&tree),
            anchors: tree.anchors(faces),
            reaches: tree.hausdorff_reaches(&measures),
            tree,
        })
    }
}

/// Sums over the queries of one kind.
#[derive(Default)]
struct Sum {
    queries: f64,
    volume_tests: f64,
    face_tests: f64,
    bounds: f64,
    helped: f64,
    seconds: f64,
}

impl Sum {
    fn add(&mut self, found: &DistanceWalked, seconds: f64) {
        self.queries += 1.0;
        self.volume_tests += found.visits.volume_tests as f64;
        self.face_tests += found.visits.face_tests as f64;
        self.bounds += found.above.0 as f64;
        self.helped += found.above.1 as f64;
        self.seconds += seconds;
    }
}

pub(super) fn section(page: &mut Page, arena: &Arena) -> Result<(), Failure> {
    page.heading("Two distances stored with each node");
    page.words(
        "If hd is the directed Hausdorff distance of a node's solid volume to its faces, faces below two nodes are at most \
         d(h₁,h₂) + hd₁ + hd₂ apart: a bound from above before any face is looked at. *Anchor* is the plain rival: a vertex \
         of the node's faces near its centre is stored, and two of them are compared. Binary trees of oriented boxes by `sah`, \
         best-first by gap, means a query over every fifth pose of all scenes. A contact query has no use for bounds from \
         above; a clearance query can end with *yes* by them.",
    );
    let goals = [
        ("distance", DistanceGoal::Bounds { absolute: 0.0, relative: 0.0 }),
        ("distance to 10 %", DistanceGoal::Bounds { absolute: 0.0, relative: 0.1 }),
        ("closer than 0.05?", DistanceGoal::AtMost(0.05)),
        ("closer than 0.5?", DistanceGoal::AtMost(0.5)),
    ];
    let kinds = ["none", "anchor", "hausdorff"];
    let mut sums: Vec<[Sum; 3]> = goals.iter().map(|_| Default::default()).collect();
    for scene in arena.scenes {
        one_scene(scene, &goals.map(|(_, goal)| goal), &mut sums)?;
    }
    let mut table = Table::new(
        "Bounds from above",
        ["query", "stored", "volume tests", "face tests", "bounds asked", "that helped", "real µs"],
    );
    for ((name, _), sums) in goals.iter().zip(&sums) {
        for (kind, sum) in kinds.iter().zip(sums) {
            let mean = |value: f64, decimals| Cell::Number(value / sum.queries.max(1.0), decimals);
            table.row(vec![
                (*name).into(),
                (*kind).into(),
                mean(sum.volume_tests, 1),
                mean(sum.face_tests, 1),
                mean(sum.bounds, 1),
                mean(sum.helped, 1),
                mean(1e6 * sum.seconds, 1),
            ]);
        }
    }
    page.table(table);
    page.words(verdict(&sums));
    Ok(())
}

fn one_scene(scene: &Scene, goals: &[DistanceGoal], sums: &mut [[Sum; 3]]) -> Result<(), Failure> {
    let fixed = Stored::new(Faces::of(scene.fixed.faces()))?;
    let moving = Stored::new(Faces::of(scene.moving.faces()))?;
    let aboves = [
        Above::None,
        Above::Anchors { a: &fixed.anchors, b: &moving.anchors },
        Above::Hausdorff { a: &fixed.reaches, b: &moving.reaches },
    ];
    let strategy = Strategy { expansion: Expansion::OneSided, order: Order::BestFirst };
    let mut a = PlacedTree::new(&fixed.tree, &fixed.grades);
    let mut b = PlacedTree::new(&moving.tree, &moving.grades);
    for pose in scene.poses.iter().step_by(STRIDE) {
        let between = Between::new(Pose::IDENTITY, *pose);
        let mut face = |one: u32, two: u32| {
            let found = distance_between(&between, fixed.faces.corners(one), moving.faces.corners(two));
            let length = found.squared.sqrt();
            // The face kernel is accurate to about 1e-15 of sizes and distance; the bodies here are of size 1.
            Range::new((length - 1e-12).max(0.0), length + 1e-12).unwrap_or(Range::ZERO)
        };
        for (goal, sums) in goals.iter().zip(sums.iter_mut()) {
            for (above, sum) in aboves.iter().zip(sums) {
                b.move_to(*pose);
                let clock = Clock::start();
                let found = distance(&mut a, &mut b, strategy, *goal, *above, &mut face);
                sum.add(&found, clock.seconds());
            }
        }
    }
    Ok(())
}

fn verdict(sums: &[[Sum; 3]]) -> String {
    let saved = |kind: usize, of: fn(&Sum) -> f64| {
        let total = |k: usize| sums.iter().map(|three| of(&three[k])).sum::<f64>();
        100.0 * (1.0 - total(kind) / total(0).max(f64::MIN_POSITIVE))
    };
    let tests = |sum: &Sum| sum.volume_tests + sum.face_tests;
    format!(
        "Over these queries the Hausdorff distances save {:.0} % of the tests and {:.0} % of the time, the anchors {:.0} % and {:.0} % \
         (negative: they cost more).",
        saved(2, tests),
        saved(2, |sum| sum.seconds),
        saved(1, tests),
        saved(1, |sum| sum.seconds)
    )
}
