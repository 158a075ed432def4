//! A block of touching balls in a container, and a run of it on some ranks.

use super::counted::{Counted, Traffic};
use crate::clock::Clock;
use crate::failure::Failure;
use kontakt::convex::Shape;
use kontakt::distributed::{CommError, ThreadComm};
use kontakt::dynamics::rigid::arrange::Arrangement;
use kontakt::dynamics::rigid::{Form, RankError, RankWorld, Settings, World};
use kontakt::math::{DQuat, DVec3, Pose};

/// What a run took, in seconds and a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) ranks: usize,
    pub(super) balls: usize,
    /// Of the busiest rank, and of all.
    pub(super) work: f64,
    pub(super) total: f64,
    /// Of the rank that has most.
    pub(super) copies: usize,
    /// Of a rank in the mean.
    pub(super) calls: f64,
    pub(super) messages: f64,
    pub(super) bytes: f64,
    pub(super) gathers: f64,
    pub(super) gathered: f64,
    pub(super) hash: u64,
}

/// Steps that are not measured: contacts come, and the first cut by weight.
const WARM: u64 = 17;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

fn world(counts: [u32; 3]) -> Result<World, Failure> {
    let mut scene = Arrangement::default();
    let [x, y, z] = counts;
    let far = DVec3::new(f64::from(x), f64::from(y), 0.0);
    for (through, normal) in [
        (DVec3::ZERO, DVec3::Z),
        (DVec3::ZERO, DVec3::X),
        (DVec3::ZERO, DVec3::Y),
        (far, -DVec3::X),
        (far, -DVec3::Y),
    ] {
        scene.wall(through, normal).map_err(failed)?;
    }
    let ball = scene.form(Form::solid(Shape::sphere(0.5).map_err(failed)?).map_err(failed)?);
    for k in 0..z {
        for j in 0..y {
            for i in 0..x {
                let at = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) + 0.5;
                scene.moving(ball, Pose::new(DQuat::IDENTITY, at).map_err(failed)?, 1.0);
            }
        }
    }
    let mut world = World::new(Settings::default(), scene.forms).map_err(failed)?;
    scene.bodies.into_iter().try_for_each(|body| world.add(body)).map_err(failed)?;
    Ok(world)
}

/// What a rank saw.
struct Seen {
    seconds: f64,
    copies: usize,
    traffic: Traffic,
    hash: u64,
}

/// Runs the block on so many threads, each with one worker.
pub(super) fn measure(counts: [u32; 3], ranks: usize, steps: u64) -> Result<Measured, Failure> {
    let start = world(counts)?;
    let ends = ThreadComm::run(ranks, |comm| {
        let one =
            rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
        one.install(|| run(comm, &start, steps)).map_err(|error| error.to_string())
    });
    let seen: Vec<Seen> = ends
        .into_iter()
        .map(|end: Result<Result<Seen, String>, CommError>| end.map_err(failed)?.map_err(Failure::Usage))
        .collect::<Result<_, Failure>>()?;
    if seen.iter().any(|other| other.hash != seen[0].hash) {
        return Err(Failure::Usage("ranks are in different states".into()));
    }
    let each = 1.0 / steps as f64;
    let mean = |of: fn(&Traffic) -> u64| {
        seen.iter().map(|seen| of(&seen.traffic) as f64).sum::<f64>() * each / ranks as f64
    };
    Ok(Measured {
        ranks,
        balls: counts.iter().product::<u32>() as usize,
        work: each * seen.iter().map(|seen| seen.seconds).fold(0.0, f64::max),
        total: each * seen.iter().map(|seen| seen.seconds).sum::<f64>(),
        copies: seen.iter().map(|seen| seen.copies).max().unwrap_or(0),
        calls: mean(|traffic| traffic.calls),
        messages: mean(|traffic| traffic.messages),
        bytes: mean(|traffic| traffic.bytes),
        gathers: mean(|traffic| traffic.gathers),
        gathered: mean(|traffic| traffic.gathered),
        hash: seen[0].hash,
    })
}

fn run(comm: &ThreadComm, start: &World, steps: u64) -> Result<Seen, RankError> {
    let counted = Counted::new(comm);
    let mut part = RankWorld::new(&counted, start)?;
    for _ in 0..WARM {
        part.step()?;
    }
    counted.take();
    let clock = Clock::start();
    let mut copies = 0;
    for _ in 0..steps {
        part.step()?;
        copies = copies.max(part.counts()[1]);
    }
    let (seconds, traffic) = (clock.seconds(), counted.take());
    Ok(Seen { seconds, copies, traffic, hash: part.gathered()?.hash() })
}
