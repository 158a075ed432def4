//! What the approximate times of contact miss, counted against the exact verdict.

use super::super::page::{Cell, Page, Table};
use super::Extent;
use super::scene::{DT, SCENES};
use crate::failure::Failure;
use kontakt::math::DVec3;
use kontakt::soft::Loose;
use kontakt::soft_ccd::mesh::{Options, Search, Step};
use kontakt::soft_ccd::{Kind, Query, touches};
use kontakt_lab_motion::soft::{Method, contact_time};

/// Those that the thesis considers.
const METHODS: [Method; 4] = [Method::Bisection, Method::Cardano, Method::FahnWang, Method::PlaneTime];

const WORDS: &str = "\
**Times of contact.** Of a vertex and a face in straight motion: *bisection* as the thesis implements it, *Cardano* as it derives it, *Fahn–Wang* and *plane-time*, which it tried and rejected; all in its corrected formulas. \
Contacts of the scenes are all of the steps in which bodies first meet, moved on by the model alone. Verdicts are compared with the exact one.";

pub(super) fn section(page: &mut Page, extent: Extent) -> Result<Vec<String>, Failure> {
    page.heading("Times of contact and what they miss");
    page.words(WORDS);
    let columns = ["motions", "method", "contacts", "missed", "missed %", "invented"];
    let mut table = Table::new("Vertex–face motions", columns);
    let mut points = Vec::new();
    for scene in SCENES {
        let queries = of_scene(scene, extent)?;
        rows(&mut table, scene.name, &queries);
    }
    let random = random(extent.motions);
    let shares = rows(&mut table, "random", &random);
    page.table(table);
    points.push(format!(
        "Of random contacts bisection misses {:.0} %, Fahn–Wang {:.0} %, plane-time {:.0} %, Cardano {:.2} %.",
        shares[0], shares[2], shares[3], shares[1]
    ));
    Ok(points)
}

/// Contacts that are missed, in percent, by method.
fn rows(table: &mut Table, name: &str, queries: &[Query]) -> [f64; 4] {
    let truth: Vec<bool> = queries.iter().map(touches).collect();
    let contacts = truth.iter().filter(|touches| **touches).count();
    METHODS.map(|method| {
        let said = queries.iter().map(|query| contact_time(query, method).is_some());
        let (mut missed, mut invented) = (0, 0);
        for (said, truth) in said.zip(&truth) {
            missed += usize::from(!said && *truth);
            invented += usize::from(said && !truth);
        }
        let share = 100.0 * missed as f64 / contacts.max(1) as f64;
        table.row(vec![
            Cell::from(name),
            method.name().into(),
            Cell::Number(contacts as f64, 0),
            Cell::Number(missed as f64, 0),
            Cell::Number(share, 1),
            Cell::Number(invented as f64, 0),
        ]);
        share
    })
}

/// Vertex–face pairs that meet while the model moves on from just before the first contact.
fn of_scene(scene: super::scene::Scene, extent: Extent) -> Result<Vec<Query>, Failure> {
    let wrong = |error: &dyn std::error::Error| Failure::Usage(format!("{}: {error}", scene.title));
    let mut world = Loose::new(&scene.bodies(extent)?).map_err(|e| wrong(&e))?;
    let mut queries = Vec::new();
    let mut after = 0;
    for _ in 0..scene.steps(extent) {
        let from = world.places.clone();
        world.advance(DT, &scene.forces(), 10);
        let step = Step::new(world.surface(), &from, &world.places).map_err(|e| wrong(&e))?;
        let found = Search::new(&step, &Options::default()).contacts();
        let faces = found.contacts.iter().filter(|contact| contact.kind == Kind::VertexFace);
        queries.extend(faces.filter_map(|contact| step.query(contact.kind, contact.a, contact.b)));
        after += usize::from(!queries.is_empty());
        if after >= 5 {
            break;
        }
    }
    Ok(queries)
}

/// Four points of a cube that go to four others.
fn random(count: usize) -> Vec<Query> {
    let mut random = fastrand::Rng::with_seed(11);
    let mut point = || DVec3::new(random.f64(), random.f64(), random.f64());
    let queries = (0..count).filter_map(|_| {
        let (start, end) = ([(); 4].map(|()| point()), [(); 4].map(|()| point()));
        Query::new(Kind::VertexFace, start, end).ok()
    });
    queries.collect()
}
