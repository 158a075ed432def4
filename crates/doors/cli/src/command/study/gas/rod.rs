//! The rod of the VR thesis (10.4): it falls onto a floor, and every impulse is given at a certified time of contact.

use crate::command::study::made::ECKSTEIN;
use crate::command::study::page::{Cell, Page, Table};
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use kontakt::convex::Shape;
use kontakt::event_driven::{Bounce, Fall, Fell, Moving, Top};
use kontakt::math::{DVec3, Pose};
use kontakt::pair::Body;

const HALF: f64 = 0.5;
const RADIUS: f64 = 0.02;
const MASS: f64 = 1.0;
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);
/// Against the vertical.
const TILT: f64 = 0.5;
const HEIGHT: f64 = 1.2;
/// Seconds that are drawn.
const DRAWN: f64 = 4.0;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// Rod and floor.
fn bodies() -> Result<(Body, Body), Failure> {
    let rod = Shape::capsule(HALF, RADIUS).map_err(failed)?;
    let floor = Shape::half_space(DVec3::Z, 0.0).map_err(failed)?;
    Ok((Body::convex(rod), Body::convex(floor)))
}

fn fall<'a>(rod: &'a Body, floor: &'a Body, restitution: f64) -> Result<Fall<'a>, Failure> {
    let pose = Pose::from_axis_angle(DVec3::Y, TILT, DVec3::Z * HEIGHT).map_err(failed)?;
    let start = Moving { pose, velocity: DVec3::ZERO, momentum: DVec3::ZERO };
    let top = Top::capsule(MASS, HALF, RADIUS).map_err(failed)?;
    Fall::new(rod, top, &[(floor, Pose::IDENTITY)], GRAVITY, restitution, start).map_err(failed)
}

/// The section; the point for the summary.
pub(super) fn section(page: &mut Page, bounces: usize) -> Result<String, Failure> {
    let (rod, floor) = bodies()?;
    page.heading("A rod that falls");
    page.words(format!(
        "{ECKSTEIN}, section 10.4, shows a rod that falls, moved by impulses at the contacts that its dynamic collision detection finds; it has a picture (D.59) and no numbers. Here a rod (a capsule 1 m long, 4 cm thick, 1 kg, \
         tilted by {TILT} rad, its centre {HEIGHT} m above a smooth floor) flies in closed form from contact to contact; the earliest contact of every flight is certified: free until `time`, in contact before `time` + `doubt`."
    ));
    let mut elastic = fall(&rod, &floor, 1.0)?;
    let energy = elastic.energy();
    let mut table = Table::new(
        "The first bounces, elastic",
        [
            "bounce",
            "time, s",
            "doubt, s",
            "speed of the point, m/s",
            "impulse, Ns",
            "energy, relative change",
        ],
    );
    let (mut worst, mut doubt, mut count) = (0.0_f64, 0.0_f64, 0);
    let mut drift = Vec::new();
    for bounce in 1..=bounces {
        let Fell::Bounced(struck) = elastic.next(f64::MAX).map_err(failed)? else { break };
        let change = elastic.energy() / energy - 1.0;
        (worst, doubt, count) = (worst.max(change.abs()), doubt.max(struck.doubt), bounce);
        drift.push([bounce as f64, change * 1e15]);
        if bounce <= 8 {
            table.row(row(bounce, &struck, change));
        }
    }
    page.table(table);
    let title = "Energy of the elastic rod";
    let lines = Lines {
        title: title.into(),
        x_label: "bounces".into(),
        y_label: "relative change, 1e-15".into(),
        spacing: Spacing::Even,
        dots: false,
        series: vec![("energy".into(), drift)],
    };
    page.figure("rod-energy", title, lines.svg());
    ends(page, &rod, &floor)?;
    Ok(format!(
        "A rod that falls: {count} impulses at certified times, none doubtful by more than {doubt:.0e} s; the elastic rod's energy changes by at most {worst:.0e} of it."
    ))
}

fn row(bounce: usize, struck: &Bounce, change: f64) -> Vec<Cell> {
    vec![
        Cell::Number(bounce as f64, 0),
        Cell::Number(struck.time, 9),
        format!("{:.1e}", struck.doubt).into(),
        Cell::Number(struck.speed, 6),
        Cell::Number(struck.impulse, 6),
        format!("{change:.1e}").into(),
    ]
}

/// Heights of both ends over time, elastic and not.
fn ends(page: &mut Page, rod: &Body, floor: &Body) -> Result<(), Failure> {
    for (restitution, name) in [(1.0, "elastic"), (0.5, "restitution 0.5")] {
        let mut fall = fall(rod, floor, restitution)?;
        let heights = |state: &Moving| [HALF, -HALF].map(|end| state.pose.apply(DVec3::Z * end).z - RADIUS);
        let (mut upper, mut lower, mut centre) = (Vec::new(), Vec::new(), Vec::new());
        let mut draw = |time: f64, state: &Moving| {
            let [a, b] = heights(state);
            upper.push([time, a]);
            lower.push([time, b]);
            centre.push([time, state.pose.translation().z]);
        };
        let mut ended = None;
        while fall.time() < DRAWN && ended.is_none() {
            let before = fall.clone();
            let fell = fall.next(DRAWN).map_err(failed)?;
            let flown = fall.time() - before.time();
            // A picture of four seconds needs no more than some points every 10 ms.
            let points = (flown / 0.01).ceil().min(400.0) as u32;
            for k in 0..points {
                let seconds = flown * f64::from(k) / f64::from(points);
                draw(before.time() + seconds, &before.after(seconds));
            }
            if fell == Fell::AtRest {
                ended = Some(fall.time());
            }
        }
        draw(fall.time(), fall.state());
        let title = format!("Heights of the rod, {name}");
        let lines = Lines {
            title: title.clone(),
            x_label: "s".into(),
            y_label: "m above the floor".into(),
            spacing: Spacing::Even,
            dots: false,
            series: vec![("one end".into(), upper), ("the other".into(), lower), ("centre".into(), centre)],
        };
        page.figure(
            &format!("rod-{}", if restitution < 1.0 { "lossy" } else { "elastic" }),
            &title,
            lines.svg(),
        );
        if let Some(time) = ended {
            page.words(format!("With restitution {restitution} impulses come without time between them from {time:.3} s on: an end stays on the floor, which is contact that lasts, and where a method ends that knows impulses only."));
        }
    }
    Ok(())
}
