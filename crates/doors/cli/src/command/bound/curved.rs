//! Volumes about the true surfaces of bodies with curved faces: what is fitted holds them, and both ends are certified.

use super::{Asked, Cloud, Fitted};
use crate::clock::Clock;
use kontakt::bounds::{AnyVolume, BoxMethod, Objective, VolumeKind};
use kontakt::curved::{BallOptions, BoxOptions, PlacedOutline};
use kontakt_load::model::ModelBody;

/// A volume about the true surfaces; none for kinds that have no search on them, for several bodies at once but for the axis-parallel box, and
/// where numbers overflow.
pub(super) fn fit(kind: &VolumeKind, cloud: &Cloud, asked: &Asked) -> Option<Fitted> {
    let clock = Clock::start();
    let (volume, gap): (AnyVolume, f64) = match (kind.name, cloud.models.as_slice()) {
        ("sphere", [model]) => {
            let found = outline(model).smallest_ball(&BallOptions::default())?;
            (found.volume.into(), found.gap)
        }
        ("aabb", [_, ..]) => {
            let mut all: Vec<PlacedOutline<'_>> = cloud.models.iter().map(outline).collect();
            let found = PlacedOutline::smallest_aabb(&mut all)?;
            (found.volume.into(), found.gap)
        }
        ("obb", [model]) if asked.objective == Objective::Volume && asked.method == BoxMethod::default() => {
            let defaults = BoxOptions::default();
            let options = BoxOptions {
                gap: asked.gap.unwrap_or(defaults.gap),
                time_limit: asked.deadline.left().unwrap_or(defaults.time_limit),
                ..defaults
            };
            let found = outline(model).smallest_box(&options)?;
            (found.volume.into(), found.gap)
        }
        _ => return None,
    };
    Some(Fitted {
        body: cloud.name.clone(),
        points: cloud.points.len(),
        kind: kind.name,
        method: "true surfaces",
        parameters: volume.parameters(),
        measure: volume.measure(),
        gap: if gap.is_finite() { Ok(gap) } else { Err("no lower bound could be proven") },
        seconds: clock.seconds(),
        deviation: 0.0,
    })
}

fn outline(model: &ModelBody) -> PlacedOutline<'_> {
    PlacedOutline::new(&model.body, model.given.pose)
}
