//! Smallest enclosing sphere of points.

use crate::bench::Bench;
use crate::check::inside::outside_ball;
use crate::check::smallest_sphere::{ExactSphere, smallest_sphere};
use crate::clock::timed;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::{files, point_sets};
use crate::peer::{Peer, number, triple};
use crate::product;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use std::collections::VecDeque;

/// Centre and radius.
type Ball = ([f64; 3], f64);

/// Relative error allowed for kontakt's radius.
const RADIUS_ERROR: f64 = 1e-14;

/// The one real mesh whose time is judged; of the others only the answers are.
const JUDGED_MESH: &str = "refined_elephant.off";

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 3, 1.0);
    let mut rows = Vec::new();
    for (name, make) in point_sets::SETS {
        if bench.wants(name) {
            rows.push(case(bench, name.to_owned(), &make(), effort, Some(1.0 / 3.0)));
        }
    }
    for path in bench.real_meshes() {
        let name = files::short_name(&path);
        if let Some(points) = bench.points_of(&path) {
            let at_most = (name == JUDGED_MESH).then_some(1.0 / 3.0);
            rows.push(case(bench, name, &points, effort, at_most));
        }
    }
    Table {
        key: "sphere",
        title: "Smallest enclosing sphere",
        target: "at most 1/3 of the time of CGAL's Min_sphere_of_spheres_d (point traits, compiled natively) on the \
                 generated sets and refined_elephant.off; radius equal to the exact one to 1e-14 relative; every point \
                 inside by exact arithmetic on the stored doubles",
        notes: "Generated sets have a million points. Errors are relative to the exact radius, found in rationals: below \
                zero the sphere is too small. \"Outside\" counts points outside the sphere for its doubles exactly as \
                returned. parry's sphere is around the mean of the points and not meant to be smallest. Times of real \
                meshes other than refined_elephant.off are shown, not judged.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn case(bench: &mut Bench, name: String, points: &[[f64; 3]], effort: Effort, at_most: Option<f64>) -> Row {
    if let Err(reason) = bench.load(points) {
        bench.skip(format!("{name}: {reason}"));
    }
    let outcomes = hold(contenders(bench, points), effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let ratio = Ratio::of(&times, "kontakt", "CGAL", at_most);
    let truth = smallest_sphere(points);
    let facts = truth.map(|truth| facts(&outcomes, &truth, points)).unwrap_or_default();
    Row { case: name, size: points.len().to_string(), times, ratio, facts }
}

fn contenders<'a>(bench: &'a mut Bench, points: &'a [[f64; 3]]) -> Vec<Contender<'a, Ball>> {
    let ours = product::vectors(points);
    let theirs: VecDeque<_> = points.iter().map(|p| miniball::nalgebra::Point3::from(*p)).collect();
    let parrys: Vec<_> = points.iter().map(|p| parry3d_f64::math::Vector::new(p[0], p[1], p[2])).collect();
    let mut all = vec![Contender::new("kontakt", move || {
        let (seconds, answer) = timed(|| product::sphere::smallest(&ours));
        answer.map(|ball| (seconds, ball))
    })];
    if let Ok(peer) = &mut bench.peers.cgal_sphere {
        all.push(Contender::new("CGAL", move || cgal(peer)));
    }
    all.push(Contender::new("miniball", move || {
        // The crate reorders its input, so each call gets a fresh copy, made outside the clock.
        let mut points = theirs.clone();
        let (seconds, ball) = timed(|| {
            use miniball::Enclosing;
            miniball::Ball::enclosing_points(&mut points)
        });
        Ok((seconds, ([ball.center.x, ball.center.y, ball.center.z], ball.radius_squared.sqrt())))
    }));
    all.push(Contender::new("parry f64", move || {
        let (seconds, sphere) =
            timed(|| parry3d_f64::bounding_volume::details::point_cloud_bounding_sphere(&parrys));
        Ok((seconds, (sphere.center.to_array(), sphere.radius)))
    }));
    all
}

fn cgal(peer: &mut Peer) -> Result<(f64, Ball), String> {
    let answer = peer.ask("points")?;
    Ok((number(&answer, "seconds")?, (triple(&answer["centre"])?, number(&answer, "radius")?)))
}

fn facts(outcomes: &[Outcome<Ball>], truth: &ExactSphere, points: &[[f64; 3]]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for outcome in outcomes {
        let Some(&(centre, radius)) = outcome.answers.first() else { continue };
        let error = truth.relative_excess(radius);
        let outside = outside_ball(points, centre, radius);
        let (shown_error, shown_outside) = (format!("{error:+.1e}"), outside.to_string());
        match outcome.name {
            "kontakt" => {
                let exact = error.abs() <= RADIUS_ERROR;
                facts.push(Fact::judged("kontakt radius error", shown_error, exact));
                facts.push(Fact::judged("kontakt outside", shown_outside, outside == 0));
            }
            "CGAL" => {
                facts.push(Fact::plain("CGAL radius error", shown_error));
                facts.push(Fact::plain("CGAL outside", shown_outside));
            }
            "miniball" => facts.push(Fact::plain("miniball radius error", shown_error)),
            _ => facts.push(Fact::plain("parry radius error", shown_error)),
        }
    }
    facts
}
