//! Box of small volume by the default method.

use crate::bench::Bench;
use crate::check::inside::outside_box;
use crate::check::tight_box::{skewness, volume_along};
use crate::clock::timed;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::files;
use crate::peer::{Peer, number, triple};
use crate::product::{self, small_box::FoundBox};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

/// Relative excess over the best peer's volume that still passes.
const VOLUME_EXCESS: f64 = 1e-6;

/// What a contender found: its axes, and for kontakt the whole box.
struct Answer {
    axes: [[f64; 3]; 3],
    ours: Option<FoundBox>,
}

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 1, 0.8);
    let mut rows = Vec::new();
    for path in bench.real_meshes() {
        if let Some(points) = bench.points_of(&path) {
            rows.push(case(bench, files::short_name(&path), &points, effort));
        }
    }
    Table {
        key: "box",
        title: "Box of smallest volume, default method",
        target: "at most 1/3 of the time of CGAL's oriented_bounding_box (defaults, compiled natively); volume never larger \
                 than CGAL's or Open3D's best by more than 1e-6 relative; every point inside",
        notes: "Everybody starts from the same welded points; hulls are part of the time. Volumes of peers are those of the \
                tightest box along their axes, made orthonormal (Open3D works in single precision; a skewness above 1e-6 is \
                noted). CGAL's search is seeded by the clock: the smallest volume of all its calls counts. Columns \"above \
                best\" are relative to the smallest volume of all contenders; \"kontakt against peers\" is relative to the \
                smallest of CGAL and Open3D, and what is judged. parry's box is along principal axes and not meant to be \
                smallest.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn case(bench: &mut Bench, name: String, points: &[[f64; 3]], effort: Effort) -> Row {
    if let Err(reason) = bench.load(points) {
        bench.skip(format!("{name}: {reason}"));
    }
    let outcomes = hold(contenders(bench, points), effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let volumes: Vec<(&str, f64)> =
        outcomes.iter().filter_map(|outcome| Some((outcome.name, best_volume(outcome, points)?))).collect();
    let smallest = volumes.iter().map(|(_, volume)| *volume).fold(f64::INFINITY, f64::min);
    bench.smallest_volume.insert(name.clone(), smallest);
    let ratio = Ratio::of(&times, "kontakt", "CGAL", Some(1.0 / 3.0));
    Row {
        case: name,
        size: points.len().to_string(),
        times,
        ratio,
        facts: facts(&outcomes, &volumes, points),
    }
}

fn contenders<'a>(bench: &'a mut Bench, points: &'a [[f64; 3]]) -> Vec<Contender<'a, Answer>> {
    let ours = product::vectors(points);
    let mut all = vec![Contender::new("kontakt", move || {
        let (seconds, found) = timed(|| product::small_box::default_method(&ours));
        found.map(|found| (seconds, Answer { axes: found.axes, ours: Some(found) }))
    })];
    if let Ok(peer) = &mut bench.peers.cgal_box {
        all.push(Contender::new("CGAL", move || ask_peer(peer, "box")));
    }
    if let Ok(peer) = &mut bench.peers.open3d_box {
        // Both methods live in one process; each takes its own turn.
        let shared = std::rc::Rc::new(std::cell::RefCell::new(peer));
        let other = shared.clone();
        all.push(Contender::new("Open3D minimal", move || ask_peer(&mut shared.borrow_mut(), "minimal")));
        all.push(Contender::new("Open3D Jylänki", move || ask_peer(&mut other.borrow_mut(), "jylanki")));
    }
    let parrys: Vec<_> = points.iter().map(|p| parry3d_f64::math::Vector::new(p[0], p[1], p[2])).collect();
    all.push(Contender::new("parry f64", move || {
        let (seconds, (pose, _)) = timed(|| parry3d_f64::utils::obb(&parrys));
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let axes = unit.map(|axis| {
            let turned = pose.rotation * parry3d_f64::math::Vector::from(axis);
            [turned.x, turned.y, turned.z]
        });
        Ok((seconds, Answer { axes, ours: None }))
    }));
    all
}

fn ask_peer(peer: &mut Peer, request: &str) -> Result<(f64, Answer), String> {
    let answer = peer.ask(request)?;
    let [a, b, c] = [0, 1, 2].map(|i| triple(&answer["axes"][i]));
    Ok((number(&answer, "seconds")?, Answer { axes: [a?, b?, c?], ours: None }))
}

/// The smallest of all calls; of kontakt's boxes the volume as stored, of others the tightest along their axes.
fn best_volume(outcome: &Outcome<Answer>, points: &[[f64; 3]]) -> Option<f64> {
    let volume = |answer: &Answer| match &answer.ours {
        Some(found) => Some(found.volume()),
        None => volume_along(answer.axes, points),
    };
    outcome.answers.iter().filter_map(volume).reduce(f64::min)
}

fn facts(outcomes: &[Outcome<Answer>], volumes: &[(&str, f64)], points: &[[f64; 3]]) -> Vec<Fact> {
    let smallest_of = |names: &[&str]| {
        let named = volumes.iter().filter(|(name, _)| names.is_empty() || names.contains(name));
        named.map(|(_, volume)| *volume).fold(f64::INFINITY, f64::min)
    };
    let (best, peers) = (smallest_of(&[]), smallest_of(&["CGAL", "Open3D minimal", "Open3D Jylänki"]));
    let above = |volume: f64| {
        if best > 0.0 { format!("{:.1e}", volume / best - 1.0) } else { format!("{volume:.1e}") }
    };
    let mut facts = Vec::new();
    for &(name, volume) in volumes {
        match name {
            "kontakt" => {
                facts.push(Fact::plain("kontakt volume", format!("{volume:.10e}")));
                facts.push(Fact::plain("kontakt above best", above(volume)));
                if peers.is_finite() {
                    let excess = if peers > 0.0 { volume / peers - 1.0 } else { volume };
                    facts.push(Fact::judged(
                        "kontakt against peers",
                        format!("{excess:+.1e}"),
                        excess <= VOLUME_EXCESS,
                    ));
                }
            }
            "CGAL" => facts.push(Fact::plain("CGAL above best", above(volume))),
            "Open3D minimal" => facts.push(Fact::plain("Open3D minimal above best", above(volume))),
            "Open3D Jylänki" => facts.push(Fact::plain("Open3D Jylänki above best", above(volume))),
            _ => facts.push(Fact::plain("parry above best", above(volume))),
        }
    }
    for outcome in outcomes {
        let Some(answer) = outcome.answers.first() else { continue };
        if let Some(found) = &answer.ours {
            let outside = outside_box(points, found.centre, found.axes, found.half_extents);
            facts.push(Fact::judged("kontakt outside", outside.to_string(), outside == 0));
        } else if outcome.name == "Open3D minimal" {
            let skew = skewness(answer.axes);
            let shown = if skew > 1e-6 { format!("{skew:.0e}") } else { "–".to_owned() };
            facts.push(Fact::plain("Open3D skewness", shown));
        }
    }
    facts
}
