//! What the questions between two meshes share: scenes, peers, the truth.

use crate::bench::Bench;
use crate::check::triangle_pair::meet;
use crate::contest::{Contender, Outcome};
use crate::data::scenes::{POSES, Scene};
use crate::parry;
use crate::peer::number;
use crate::peers::Peers;
use crate::product;
use crate::report::{Fact, Ratio, Time};
use std::path::Path;

/// Time of FCL compiled for this machine over that of Debian's build, contact and pairs; measured once beside each other.
pub(super) const NATIVE_COLLISION: f64 = 0.48;
/// The same for distance.
pub(super) const NATIVE_DISTANCE: f64 = 0.87;

/// Makes a scene.
type Maker = fn() -> Result<Scene, String>;

/// Pairs of triangles at each pose, sorted.
pub(super) type PairLists = Vec<Vec<[u32; 2]>>;

/// The scenes that were asked for and can be had; the others are noted.
pub(super) fn scenes(bench: &mut Bench) -> Vec<Scene> {
    let all: [(&str, Maker); 3] = [
        ("env × rob", Scene::of_fcl),
        ("figure × figure", || Scene::figures().map_err(|error| error.to_string())),
        ("terrain × figure", || Scene::terrain().map_err(|error| error.to_string())),
    ];
    let mut scenes = Vec::new();
    for (name, make) in all {
        if bench.wants(name) {
            match make() {
                Ok(scene) => scenes.push(scene),
                Err(reason) => bench.skip(format!("{name}: {reason}")),
            }
        }
    }
    scenes
}

/// Hands the scene to the peers in other processes.
pub(super) fn load(bench: &mut Bench, scene: &Scene) -> Result<(), String> {
    let file = bench.scratch.path("scene");
    scene.write(&file)?;
    let peers = &mut bench.peers;
    for peer in [&mut peers.fcl, &mut peers.coal, &mut peers.embree] {
        if let Ok(present) = peer
            && let Err(reason) = present.ask(&format!("scene {}", file.display()))
        {
            *peer = Err(reason);
        }
    }
    Ok(())
}

/// The peers in other processes, which write their answers to a file; `read` makes answers of the bytes.
pub(super) fn contenders<'a, T: 'a>(
    peers: &'a mut Peers,
    question: &'static str,
    file: &'a Path,
    read: fn(&[u8]) -> T,
) -> Vec<Contender<'a, T>> {
    let mut all = Vec::new();
    for (name, peer) in [("FCL", &mut peers.fcl), ("coal", &mut peers.coal)] {
        if let Ok(peer) = peer {
            all.push(Contender::new(name, move || {
                let answer = peer.ask(&format!("{question} {}", file.display()))?;
                let bytes = std::fs::read(file).map_err(|problem| format!("answers of {name}: {problem}"))?;
                Ok((number(&answer, "seconds")? / POSES as f64, read(&bytes)))
            }));
        }
    }
    all
}

/// Little-endian doubles.
pub(super) fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect()
}

/// Doubles that mean no (0) or yes.
pub(super) fn flags(bytes: &[u8]) -> Vec<bool> {
    numbers(bytes).into_iter().map(|number| number != 0.0).collect()
}

/// A count and that many pairs of ids, for each pose.
pub(super) fn pair_lists(bytes: &[u8]) -> PairLists {
    let mut words = bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk));
    let mut lists = Vec::new();
    while let Some(count) = words.next() {
        let mut list: Vec<[u32; 2]> =
            (0..count).filter_map(|_| Some([words.next()?, words.next()?])).collect();
        list.sort_unstable();
        lists.push(list);
    }
    lists
}

/// All pairs that meet, exactly, at each pose. Candidates come from parry's tree with boxes grown by far more than its
/// rounding, decisions from `check`: no product code.
pub(super) fn truth(scene: &Scene) -> Result<PairLists, String> {
    let meshes = parry::double::Meshes::of(scene)?;
    let (low, high) = scene.a.bounds();
    let margin = 1e-9 * (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let at = |(pose, candidates): (_, Vec<(u32, u32)>)| {
        let meets = |&(a, b): &(u32, u32)| meet(&scene.a.corners(a), &scene.b.corners(b), pose);
        let mut list: Vec<[u32; 2]> = candidates.into_iter().filter(meets).map(|(a, b)| [a, b]).collect();
        list.sort_unstable();
        list
    };
    Ok(scene.poses.iter().zip(meshes.candidate_lists(margin)).map(at).collect())
}

/// One column of wrong answers a contender; kontakt must have none.
pub(super) fn wrong_answers<T>(outcomes: &[Outcome<T>], wrong: impl Fn(&T) -> String) -> Vec<Fact> {
    let column = |name| match name {
        "kontakt" => "kontakt wrong",
        "FCL" => "FCL wrong",
        "coal" => "coal wrong",
        "parry f32 loop" => "parry f32 loop wrong",
        "parry f64 loop" => "parry f64 loop wrong",
        "parry f32" => "parry f32 wrong",
        _ => "parry f64 wrong",
    };
    let judge = |outcome: &Outcome<T>| {
        let found = wrong(outcome.answers.last()?);
        Some(match outcome.name {
            "kontakt" => Fact::judged(column("kontakt"), found.clone(), found == "0"),
            name => Fact::plain(column(name), found),
        })
    };
    outcomes.iter().filter_map(judge).collect()
}

/// Share of poses with contact, in per cent.
pub(super) fn share_in_contact(truth: &PairLists) -> String {
    let hits = truth.iter().filter(|pairs| !pairs.is_empty()).count();
    format!("{:.1} %", 100.0 * hits as f64 / truth.len() as f64)
}

/// kontakt's meshes of the scene, unless it is left out.
pub(super) fn ours(bench: &mut Bench, scene: &Scene) -> Option<product::mesh::Meshes> {
    if bench.peers_only {
        return None;
    }
    product::mesh::Meshes::of(scene).map_err(|reason| bench.skip(format!("{}: {reason}", scene.name))).ok()
}

/// Least time of a contender.
pub(super) fn least(times: &[Time], name: &str) -> Option<f64> {
    times.iter().find(|time| time.contender == name)?.least
}

/// kontakt's time over `theirs`, which is described by `against`.
pub(super) fn ratio(
    times: &[Time],
    theirs: Option<f64>,
    against: &'static str,
    at_most: f64,
) -> Option<Ratio> {
    let value = least(times, "kontakt")? / theirs?;
    Some(Ratio { against, value, of_medians: None, at_most: Some(at_most) })
}

/// A time that stands for another, in the table's µs.
pub(super) fn stand_in(column: &'static str, seconds: Option<f64>) -> Fact {
    Fact::plain(column, seconds.map_or("–".to_owned(), |seconds| format!("{:.2}", 1e6 * seconds)))
}
