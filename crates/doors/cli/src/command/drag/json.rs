//! The report of a drag for machines: the proven motion, contacts and forces.

use super::{Course, Dragged, word};
use kontakt::answers::Feature;
use kontakt::drag::{Ending, Sample, Touch};
use kontakt::math::Pose;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Everything but the samples.
pub(super) fn head(dragged: &Dragged) -> Value {
    let course = &dragged.course;
    let motion: Vec<Value> = dragged
        .motion()
        .into_iter()
        .map(|(time, pose)| json!({ "t": time, "pose": numbers(&pose) }))
        .collect();
    let last = course.samples.last();
    json!({
        "body": dragged.name(),
        "ending": last.map(|sample| word(sample.ending)),
        "lag": last.map(|sample| sample.lag),
        "lag_angle": last.map(|sample| sample.lag_angle),
        "skin": course.skin,
        "pivot": course.pivot.to_array(),
        "complete": course.complete,
        "summary": {
            "samples": course.samples.len(),
            "arrived": course.count(Ending::Arrived),
            "held": course.count(Ending::Held),
            "lagging": course.count(Ending::Lagging),
            "stuck": course.count(Ending::Stuck),
            "pieces": course.pieces(),
        },
        "motion": motion,
        "contacts": contacts(dragged),
        "forces": forces(dragged),
        "bodies": dragged.around.iter().map(|&body| dragged.names[body].as_str()).collect::<Vec<_>>(),
        "files": dragged.remarks.json(),
        "warnings": dragged.warnings,
    })
}

fn numbers(pose: &Pose) -> [f64; 7] {
    let (t, q) = (pose.translation(), pose.given_rotation());
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}

/// All contacts with the times of their samples.
fn contacts(dragged: &Dragged) -> Vec<Value> {
    let Course { times, samples, .. } = &dragged.course;
    let of_sample = |(sample, &time): (&Sample, &f64)| -> Vec<Value> {
        let one = |touch: &Touch| {
            let mut json = contact(dragged, touch);
            json["t"] = json!(time);
            json
        };
        sample.contacts.iter().map(one).collect()
    };
    samples.iter().zip(times).flat_map(of_sample).collect()
}

fn contact(dragged: &Dragged, touch: &Touch) -> Value {
    let face = |body: Option<usize>, face: Option<Feature>| body.and_then(|body| dragged.counted(body, face));
    json!({
        "body": dragged.obstacle(touch.obstacle),
        "point": touch.point.to_array(),
        "normal": touch.normal.to_array(),
        "gap": touch.gap,
        "force": touch.force,
        "own_face": face(Some(dragged.place), touch.own_face),
        "face": face(dragged.around.get(touch.obstacle).copied(), touch.face),
    })
}

/// What each obstacle did: the largest force of a sample, when, and in how many samples it held the body.
fn forces(dragged: &Dragged) -> Vec<Value> {
    let Course { times, samples, .. } = &dragged.course;
    let mut most: BTreeMap<usize, (f64, f64, usize)> = BTreeMap::new();
    for (sample, &time) in samples.iter().zip(times) {
        let mut own: BTreeMap<usize, f64> = BTreeMap::new();
        for touch in &sample.contacts {
            *own.entry(touch.obstacle).or_default() += touch.force;
        }
        for (obstacle, force) in own {
            let entry = most.entry(obstacle).or_insert((0.0, time, 0));
            entry.2 += 1;
            if force > entry.0 {
                (entry.0, entry.1) = (force, time);
            }
        }
    }
    let one = |(obstacle, (force, time, samples)): (usize, (f64, f64, usize))| json!({ "body": dragged.obstacle(obstacle), "largest": force, "t": time, "samples": samples });
    most.into_iter().map(one).collect()
}

/// Every sample of the hand, in its order.
pub(super) fn samples(dragged: &Dragged) -> impl Iterator<Item = Value> + '_ {
    let course = &dragged.course;
    (0..course.samples.len()).map(move |k| {
        let sample = &course.samples[k];
        json!({
            "t": course.times[k],
            "hand": numbers(&course.poses[k]),
            "pose": numbers(&course.after[k]),
            "ending": word(sample.ending),
            "lag": sample.lag,
            "lag_angle": sample.lag_angle,
            "pieces": sample.pieces.len(),
            "contacts": sample.contacts.iter().map(|touch| contact(dragged, touch)).collect::<Vec<_>>(),
        })
    })
}
