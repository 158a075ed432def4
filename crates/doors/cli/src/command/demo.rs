//! `kontakt demo`: what the program can do so far, on bodies it makes itself, with every number explained.

mod assembly;
mod convex_pairs;
mod crowd;
mod passage;

use super::bound::{self, Asked, Cloud, Fitted};
use super::check::{self, Checked as CheckedAssembly};
use super::info::{self, BodyFacts};
use super::path;
use crate::failure::Failure;
use crate::progress;
use crate::report::{self, Report};
use crate::text::{self, Table};
use kontakt::bounds::sweep::{BoxBy, Sweep, SweepWay};
use kontakt::bounds::{AnyVolume, Bound, BoxMethod, Obb, Support, VolumeKind};
use kontakt::math::{DVec3, Motion, Pose};
use kontakt::schedule::Deadline;
use kontakt::shapes::{Body, FaceSet, make};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Kinds whose overlap tests the demo shows, cheapest first.
const SHOWN_KINDS: [&str; 7] = ["sphere", "aabb", "kdop14", "kdop26", "lss", "obb", "hull"];

pub(crate) fn run() -> Result<DemoReport, Failure> {
    let bodies = make_bodies()?;
    let nut = Cloud::of(&bodies[0]);
    let asked = |method| Asked { method, ..Asked::default() };
    let fit = |name: &str, method| {
        let kind =
            VolumeKind::named(name).ok_or_else(|| Failure::Usage(format!("no volume named {name}")))?;
        bound::fit(kind, &nut, &asked(method)).map_err(|error| Failure::Fit { name: nut.name.clone(), error })
    };
    let volumes = progress::during("fitting all volumes".into(), || {
        VolumeKind::all()
            .iter()
            .map(|kind| fit(kind.name, BoxMethod::default()))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let boxes = progress::during("fitting boxes".into(), || {
        BoxMethod::ALL.into_iter().map(|method| fit("obb", method)).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(DemoReport {
        facts: bodies
            .iter()
            .map(|body| BodyFacts::of(body.clone(), info::MOST_PAIRS, Deadline::NEVER))
            .collect::<Result<_, _>>()?,
        volumes,
        boxes,
        verdicts: verdicts(&bodies[0], &bodies[1])?,
        removal: Removal::of(&bodies[0])?,
        assembly: assembly::checked()?,
        convex: convex_pairs::asked()?,
        passage: passage::checked()?,
        crowd: progress::during("a hundred bodies".into(), crowd::runs)?,
    })
}

/// A nut lying askew, a bumpy ball just beside it, and an open hilly sheet.
fn make_bodies() -> Result<[Body; 3], Failure> {
    let broken =
        |error: &dyn std::error::Error| Failure::Usage(format!("the demo's own bodies are wrong: {error}"));
    let placement = |turn: f64, place: DVec3| {
        Pose::from_axis_angle(DVec3::new(2.0, 1.0, 1.0), turn, place).map_err(|error| broken(&error))
    };
    let askew = placement(0.7, DVec3::new(0.2, 0.1, 0.0))?;
    let placed = |faces: FaceSet, pose: &Pose| {
        let vertices = faces.vertices().iter().map(|&v| pose.apply(v)).collect();
        FaceSet::from_triangles(vertices, faces.triangles().to_vec())
    };
    let beside = placement(0.0, askew.apply(DVec3::new(0.2, 0.1, 1.75)))?;
    let body = |name: &str, faces: Result<FaceSet, _>, pose: &Pose| {
        let faces = faces.and_then(|faces| placed(faces, pose)).map_err(|error| broken(&error))?;
        Ok::<Body, Failure>(Body { name: name.into(), faces })
    };
    Ok([
        body("nut", make::hex_nut(2.0, 0.8, 1.0, 48), &askew)?,
        body("ball", make::bumpy_ball(24, 0.1), &beside)?,
        body("sheet", make::terrain(24, 0.05), &Pose::IDENTITY)?,
    ])
}

/// Whether volumes of one kind prove two bodies apart, and by how much at least.
struct Verdict {
    kind: &'static str,
    apart: bool,
    gap: f64,
}

fn verdicts(a: &Body, b: &Body) -> Result<Vec<Verdict>, Failure> {
    let fitted = |kind: &VolumeKind, body: &Body| -> Result<AnyVolume, Failure> {
        kind.fit(body.faces.vertices(), body.faces.triangles())
            .map_err(|error| Failure::Fit { name: body.name.clone(), error })
    };
    SHOWN_KINDS
        .iter()
        .filter_map(|name| VolumeKind::named(name))
        .map(|kind| {
            let (a, b) = (fitted(kind, a)?, fitted(kind, b)?);
            Ok(Verdict { kind: kind.name, apart: !a.may_overlap(&b), gap: a.gap_below(&b) })
        })
        .collect()
}

/// The nut unscrewed by three quarters of a turn: what it passes over.
struct Removal {
    longest_way: f64,
    sampled_way: f64,
    start_end_width: f64,
    certified_width: f64,
    outside: usize,
    samples: usize,
}

impl Removal {
    fn of(nut: &Body) -> Result<Removal, Failure> {
        let points = nut.faces.vertices();
        let fit = Obb::fit(points).map_err(|error| Failure::Fit { name: nut.name.clone(), error })?;
        let axis_point = DVec3::new(2.0, 0.0, 0.0);
        let turn = 0.75 * std::f64::consts::TAU;
        let motion = Motion::helix(Pose::IDENTITY, axis_point, DVec3::Z, turn, 0.6)
            .map_err(|error| Failure::Usage(format!("the demo's own motion is wrong: {error}")))?;
        let swept = Sweep::new(&fit, &motion, 0.0, 1.0, SweepWay::Stations(32)).aabb(BoxBy::Projection);
        let place = |t: f64| fit.transformed(&motion.pose_at(t));
        let (start, end) = (place(0.0), place(1.0));
        let reach = |d: DVec3| start.reach(d).max(end.reach(d));
        let samples = 1000_u32;
        let moved = |p: DVec3, i: u32| motion.pose_at(f64::from(i) / f64::from(samples)).apply(p);
        let beyond =
            |p: DVec3| [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].iter().any(|&d| d.dot(p) > reach(d));
        let outside = (0..=samples).filter(|&i| points.iter().any(|&p| beyond(moved(p, i)))).count();
        let way = |p: &DVec3| (0..=samples).map(|i| moved(*p, i).distance(moved(*p, 0))).fold(0.0, f64::max);
        Ok(Removal {
            longest_way: motion.displacement_bound_of_points(points, 0.0, 1.0),
            sampled_way: points.iter().map(way).fold(0.0, f64::max),
            start_end_width: reach(DVec3::X) + reach(-DVec3::X),
            certified_width: swept.max.x - swept.min.x,
            outside,
            samples: samples as usize + 1,
        })
    }
}

pub(crate) struct DemoReport {
    facts: Vec<BodyFacts>,
    volumes: Vec<Fitted>,
    boxes: Vec<Fitted>,
    verdicts: Vec<Verdict>,
    removal: Removal,
    assembly: CheckedAssembly,
    convex: Vec<convex_pairs::Pair>,
    passage: path::Checked,
    crowd: Vec<crowd::Run>,
}

impl Report for DemoReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        text::heading(out, "1  Bodies made for this demo (kontakt info does this for files)")?;
        info::write_bodies(&self.facts, out)?;
        writeln!(
            out,
            "  Nut and ball are closed, so they have a volume; the sheet has a rim of boundary edges.\n"
        )?;

        text::heading(out, "2  Every bounding volume around the nut (kontakt bound FILE --volume all)")?;
        bound::write_fits(&self.volumes, out)?;
        writeln!(
            out,
            "  Each contains every vertex exactly, rounding included. `gap` is certified: no volume of that kind"
        )?;
        writeln!(
            out,
            "  is smaller by more than this share; – means that no such proof is known for the kind.\n"
        )?;

        text::heading(out, "3  Ways to a small box (kontakt bound FILE --volume obb --method M)")?;
        bound::write_fits(&self.boxes, out)?;
        writeln!(
            out,
            "  `exact` searches all orientations and proves its minimum; the gaps of the others are measured"
        )?;
        writeln!(out, "  against that proof, not against a guess.\n")?;

        text::heading(out, "4  Do nut and ball touch? What each volume can prove")?;
        let mut table = Table::new(["volume", "verdict", "distance at least"]);
        for verdict in &self.verdicts {
            let said = if verdict.apart { "apart (proven)" } else { "maybe" };
            table.row([verdict.kind.into(), said.into(), text::number(verdict.gap)]);
        }
        table.write(out)?;
        writeln!(
            out,
            "  \"Apart\" is a proof and never wrong; \"maybe\" sends the pair on to a finer test.\n"
        )?;

        text::heading(out, "5  The nut unscrewed: three quarters of a turn about an axis beside it")?;
        let r = &self.removal;
        writeln!(
            out,
            "  longest way of any vertex   at most {} (certified); {} seen in {} samples",
            text::number(r.longest_way),
            text::number(r.sampled_way),
            r.samples
        )?;
        writeln!(
            out,
            "  box around start and end    {} wide, and the nut is outside it at {} of {} times",
            text::number(r.start_end_width),
            r.outside,
            r.samples
        )?;
        writeln!(
            out,
            "  certified swept box         {} wide, and holds it at every time, sampled or not",
            text::number(r.certified_width)
        )?;
        writeln!(out)?;

        text::heading(
            out,
            "6  A bolted plate: what clashes, what touches, what is too close (kontakt check FILE… --clearance D)",
        )?;
        check::write_table(&self.assembly, out)?;
        writeln!(
            out,
            "  Touching is no clash, however the parts are turned: exact arithmetic decides. Depth is the least shift that\n  \
             frees the parts, between proven bounds; parts must keep {} where they do not touch.",
            text::number(assembly::CLEARANCE)
        )?;
        writeln!(out)?;

        text::heading(out, "7  Convex bodies (kontakt convex PAIRS.json --query contact)")?;
        convex_pairs::write(&self.convex, out)?;
        writeln!(
            out,
            "  The verdict is final: distance, depth and contact never contradict each other. Bodies that meet along a face or\n  \
             an edge have as many contacts as describe it; every number has proven bounds."
        )?;
        writeln!(out)?;

        text::heading(
            out,
            "8  A nut carried past a post and through a sheet of 0.2 mm (kontakt path --moving NUT --motion M --against …)",
        )?;
        self.passage.text(out)?;
        writeln!(
            out,
            "  At none of its six poses does the nut touch anything, and so a test at the poses calls the path free. Between two of\n  \
             them it goes through the sheet. All other segments are proven free, to the last moment."
        )?;
        writeln!(out)?;

        text::heading(
            out,
            "9  A hundred bodies, every fourth moving, 40 steps within a budget of work (scene::World)",
        )?;
        crowd::write(&self.crowd, out)?;
        writeln!(
            out,
            "  A unit is some half a microsecond. What is not decided when the budget ends stops where it is known to be free: whatever\n  \
             the budget, nothing is ever let through; it only gets less far."
        )?;
        writeln!(out, "\n  `kontakt --help` lists the commands; --json gives every number to a machine.")
    }

    fn json(&self) -> Value {
        json!({
            "bodies": self.facts,
            "volumes": self.volumes.iter().map(Fitted::json).collect::<Vec<_>>(),
            "boxes": self.boxes.iter().map(Fitted::json).collect::<Vec<_>>(),
            "verdicts": self.verdicts.iter()
                .map(|v| json!({ "volume": v.kind, "apart": v.apart, "gap": v.gap })).collect::<Vec<_>>(),
            "removal": {
                "displacement_bound": self.removal.longest_way,
                "displacement_sampled": self.removal.sampled_way,
                "start_end_width": self.removal.start_end_width,
                "certified_width": self.removal.certified_width,
                "outside_start_end": self.removal.outside,
                "samples": self.removal.samples,
            },
            "assembly": report::document(&self.assembly),
            "convex": convex_pairs::json(&self.convex),
            "passage": report::document(&self.passage),
            "crowd": crowd::json(&self.crowd),
        })
    }
}
