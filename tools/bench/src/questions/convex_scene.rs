//! What the questions about convex bodies share: scenes, contenders, accuracy.

use crate::bench::Bench;
use crate::contest::{Contender, Outcome};
use crate::data::bodies::{Bodies, CLASSES, Class};
use crate::parry_convex::{double, single};
use crate::peer::number;
use crate::peers::Peers;
use crate::product;
use crate::questions::mesh_scene::numbers;
use crate::report::{Fact, Ratio, Time};
use std::path::Path;

/// Answers to all queries of a scene.
pub(super) type Answers = Vec<f64>;

/// parry's two crates.
pub(super) struct Parrys {
    /// In single precision.
    pub(super) single: single::Bodies,
    /// In double precision.
    pub(super) double: double::Bodies,
}

impl Parrys {
    /// Both, if both take the shapes.
    pub(super) fn of(bodies: &Bodies) -> Result<Parrys, String> {
        Ok(Parrys { single: single::Bodies::of(bodies)?, double: double::Bodies::of(bodies)? })
    }
}

/// The classes that were asked for.
pub(super) fn classes(bench: &Bench) -> Vec<Class> {
    CLASSES.into_iter().filter(|(name, ..)| bench.wants(name)).collect()
}

/// Makes the scene and hands it to the peers in other processes; what fails is noted.
pub(super) fn load(bench: &mut Bench, class: Class, apart: bool) -> Option<Bodies> {
    hand_out(bench, class.0, Bodies::of(class, apart))
}

/// Hands a scene to the peers in other processes; what fails is noted.
pub(super) fn hand_out(bench: &mut Bench, name: &str, made: Result<Bodies, String>) -> Option<Bodies> {
    let file = bench.scratch.path("bodies");
    let bodies = made.and_then(|bodies| bodies.write(&file).map(|()| bodies));
    let bodies = bodies.map_err(|reason| bench.skip(format!("{name}: {reason}"))).ok()?;
    let peers = &mut bench.peers;
    for peer in [&mut peers.libccd, &mut peers.fcl, &mut peers.coal] {
        if let Ok(present) = peer
            && let Err(reason) = present.ask(&format!("scene {}", file.display()))
        {
            *peer = Err(reason);
        }
    }
    Some(bodies)
}

/// kontakt's bodies of the scene, unless it is left out.
pub(super) fn ours(bench: &mut Bench, bodies: &Bodies) -> Option<product::convex::Bodies> {
    if bench.peers_only {
        return None;
    }
    product::convex::Bodies::of(bodies)
        .map_err(|reason| bench.skip(format!("{}: {reason}", bodies.name)))
        .ok()
}

/// The peers in other processes that know the question.
pub(super) fn contenders<'a>(
    peers: &'a mut Peers,
    question: &'static str,
    file: &'a Path,
) -> Vec<Contender<'a, Answers>> {
    let mut all = Vec::new();
    for (name, peer) in [("libccd", &mut peers.libccd), ("FCL", &mut peers.fcl), ("coal", &mut peers.coal)] {
        if name == "libccd" && question == "distance" {
            continue;
        }
        if let Ok(peer) = peer {
            all.push(Contender::new(name, move || {
                let answer = peer.ask(&format!("{question} {}", file.display()))?;
                let bytes = std::fs::read(file).map_err(|problem| format!("answers of {name}: {problem}"))?;
                let answers = numbers(&bytes);
                Ok((number(&answer, "seconds")? / answers.len() as f64, answers))
            }));
        }
    }
    all
}

/// kontakt's time over that of the fastest of `rivals`.
pub(super) fn ratio(
    times: &[Time],
    rivals: &[&str],
    against: &'static str,
    at_most: Option<f64>,
) -> Option<Ratio> {
    let least = |name: &str| times.iter().find(|time| time.contender == name)?.least;
    let best = rivals.iter().filter_map(|rival| least(rival)).min_by(f64::total_cmp)?;
    Some(Ratio { against, value: least("kontakt")? / best, of_medians: None, at_most })
}

/// One column a contender: the largest difference from the truth. kontakt's must be at most `limit`.
pub(super) fn errors(outcomes: &[Outcome<Answers>], truth: &Answers, limit: f64) -> Vec<Fact> {
    let column = |name| match name {
        "kontakt" => "kontakt off by",
        "libccd" => "libccd off by",
        "FCL" => "FCL off by",
        "coal" => "coal off by",
        "parry f32" => "parry f32 off by",
        _ => "parry f64 off by",
    };
    let judge = |outcome: &Outcome<Answers>| {
        let answers = outcome.answers.last()?;
        let off = |(answer, truth): (&f64, &f64)| {
            if answer.is_finite() { (answer - truth).abs() } else { f64::INFINITY }
        };
        let error =
            answers.iter().zip(truth).filter(|(_, truth)| truth.is_finite()).map(off).fold(0.0, f64::max);
        let shown = format!("{error:.1e}");
        Some(match outcome.name {
            "kontakt" => Fact::judged(column("kontakt"), shown, error <= limit),
            name => Fact::plain(column(name), shown),
        })
    };
    outcomes.iter().filter_map(judge).collect()
}
