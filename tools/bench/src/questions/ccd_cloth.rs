//! What touches in a step of a deforming mesh, and when? Candidates found and decided.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, hold};
use crate::data::files::short_name;
use crate::data::moving::{self, QuerySet};
use crate::peer::{Peer, number};
use crate::peers::start_python;
use crate::product::read::plain_mesh;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::math::DVec3;
use kontakt::soft_ccd::Kind;
use kontakt::soft_ccd::mesh::{Counts, Found, Options, Search, Step, Surface};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Queries of each kind of verdict that Tight-Inclusion is asked about singly.
const SAMPLE: usize = 2000;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 15.0);
    let mut rows = Vec::new();
    if bench.wants("cloth_ball92→93") && !bench.peers_only {
        match Cloth::load().and_then(|cloth| row(bench, &cloth)) {
            Ok(row) => rows.push(row),
            Err(reason) => bench.skip(format!("cloth_ball: {reason}")),
        }
    }
    Table {
        key: "cloth",
        title: "A deforming mesh: contacts of one step",
        target: "0.5 of ipctk's LBVH + 0.1 of its Tight-Inclusion step",
        notes: "One thread each, CPU time. kontakt: swept boxes, candidates, every candidate decided exactly, first times to 1e-9. \"find\" is \
                the same without deciding. ipctk: LBVH makes candidates, Tight-Inclusion (tolerance 1e-6) then looks for the largest \
                step free of contact, for which it may pass over what comes later than the earliest found so far; kontakt names all \
                contacts. Both leave out features that share a vertex. \"TI on contacts\" and \"TI on free\" ask Tight-Inclusion singly \
                about a sample of kontakt's contacts and about pairs beside them that kontakt calls free.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

/// The mesh before and after.
struct Cloth {
    surface: Surface,
    start: Vec<DVec3>,
    end: Vec<DVec3>,
}

impl Cloth {
    fn load() -> Result<Cloth, String> {
        let folder = std::env::var_os("KONTAKT_DATA").ok_or("KONTAKT_DATA is not set")?;
        let soft = PathBuf::from(folder).join("soft");
        let read = |name: &str| {
            let path = soft.join(name);
            plain_mesh(&path).map_err(|problem| format!("{}: {problem}", short_name(&path)))
        };
        let (start, end) = (read("cloth_ball92.ply")?, read("cloth_ball93.ply")?);
        let places = |vertices: &[[f64; 3]]| vertices.iter().copied().map(DVec3::from_array).collect();
        let surface =
            Surface::new(start.vertices.len(), start.triangles).map_err(|problem| problem.to_string())?;
        Ok(Cloth { surface, start: places(&start.vertices), end: places(&end.vertices) })
    }

    /// Raw doubles for the peer.
    fn write(&self, path: &Path) -> Result<(), String> {
        let mut numbers = vec![self.start.len() as f64, self.surface.triangles().len() as f64];
        numbers.extend(self.start.iter().chain(&self.end).flat_map(DVec3::to_array));
        numbers.extend(self.surface.triangles().iter().flatten().map(|&corner| f64::from(corner)));
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(path, bytes).map_err(|problem| problem.to_string())
    }

    /// Contacts, from places to answer.
    fn contacts(&self) -> Option<Found> {
        let step = Step::new(&self.surface, &self.start, &self.end).ok()?;
        Some(Search::new(&step, &Options::default()).contacts())
    }

    fn candidates(&self) -> Option<Counts> {
        let step = Step::new(&self.surface, &self.start, &self.end).ok()?;
        Some(Search::new(&step, &Options::default()).count_candidates())
    }
}

fn row(bench: &mut Bench, cloth: &Cloth) -> Result<Row, String> {
    let effort = bench.effort(5, 1, 15.0);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|problem| problem.to_string())?;
    let file = bench.scratch.path("cloth.f64");
    cloth.write(&file)?;
    let peer = start_python("ipctk_cloth.py").and_then(|mut peer| peer.load(&file).map(|()| peer));
    if let Err(reason) = &peer {
        bench.skip(format!("ipctk on a mesh: {reason}"));
    }
    let peer = peer.ok().map(RefCell::new);
    let found: RefCell<Option<Found>> = RefCell::new(None);
    let mut all: Vec<Contender<'_, Counts>> = vec![
        Contender::new("kontakt", || {
            let (seconds, contacts) = timed(|| pool.install(|| cloth.contacts()));
            let contacts = contacts.ok_or("the step was refused")?;
            let counts = contacts.counts;
            found.replace(Some(contacts));
            Ok((seconds, counts))
        }),
        Contender::new("find", || {
            let (seconds, counts) = timed(|| pool.install(|| cloth.candidates()));
            Ok((seconds, counts.ok_or("the step was refused")?))
        }),
    ];
    if let Some(peer) = &peer {
        for (name, request) in [("LBVH", "lbvh"), ("Tight-Inclusion", "tight")] {
            all.push(Contender::new(name, move || ask_peer(&mut peer.borrow_mut(), request)));
        }
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let found = found.into_inner().ok_or("no contacts were looked for")?;
    let of = |name: &str| outcomes.iter().find(|outcome| outcome.name == name).and_then(|o| o.answers.last());
    let mut facts = vec![
        Fact::plain("candidates", candidates(&found.counts)),
        Fact::plain("contacts", found.contacts.len().to_string()),
    ];
    if let Some(theirs) = of("LBVH") {
        facts.push(Fact::plain("LBVH candidates", candidates(theirs)));
    }
    facts.extend(agreement(bench, cloth, &found)?);
    let size =
        format!("{} triangles, {} edges", cloth.surface.triangles().len(), cloth.surface.edges().len());
    Ok(Row { case: "cloth_ball92→93".to_owned(), size, ratio: ratio(&times), times, facts })
}

fn candidates(counts: &Counts) -> String {
    format!("{} VF, {} EE", counts.vertex_face_candidates, counts.edge_edge_candidates)
}

fn ratio(times: &[Time]) -> Option<Ratio> {
    let of = |name: &str| times.iter().find(|time| time.contender == name);
    let least = |name: &str| of(name).and_then(|time| time.least);
    let median = |name: &str| of(name).and_then(|time| time.median);
    let goal = |broad: f64, narrow: f64| 0.5 * broad + 0.1 * narrow;
    let value = least("kontakt")? / goal(least("LBVH")?, least("Tight-Inclusion")?);
    let of_medians = Some(median("kontakt")? / goal(median("LBVH")?, median("Tight-Inclusion")?));
    Some(Ratio { against: "0.5 LBVH + 0.1 Tight-Inclusion", value, of_medians, at_most: Some(1.0) })
}

fn ask_peer(peer: &mut Peer, request: &str) -> Result<(f64, Counts), String> {
    let answer = peer.ask(request)?;
    let count = |key: &str| answer[key].as_u64().unwrap_or(0);
    let counts = Counts {
        vertex_face_candidates: count("vertex_face"),
        edge_edge_candidates: count("edge_edge"),
        ..Counts::default()
    };
    Ok((number(&answer, "seconds")?, counts))
}

/// What Tight-Inclusion says about a sample of contacts, and about as many neighbouring pairs that are free.
fn agreement(bench: &mut Bench, cloth: &Cloth, found: &Found) -> Result<Vec<Fact>, String> {
    let step = Step::new(&cloth.surface, &cloth.start, &cloth.end).map_err(|problem| problem.to_string())?;
    let mut sums = [[0_usize; 2]; 2];
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let contacts: Vec<_> = found.contacts.iter().filter(|c| c.kind == kind).collect();
        let touching = contacts.iter().step_by(contacts.len().div_ceil(SAMPLE).max(1));
        let is_contact = |a: u32, b: u32| contacts.binary_search_by_key(&(a, b), |c| (c.a, c.b)).is_ok();
        // Features next to a contact by their numbers are mostly next to it in space.
        let free = touching
            .clone()
            .map(|c| (c.a, c.b + 1))
            .filter(|&(a, b)| !is_contact(a, b) && apart(cloth, kind, a, b));
        let pairs: Vec<(u32, u32)> = touching.clone().map(|c| (c.a, c.b)).chain(free).collect();
        let queries: Vec<_> =
            pairs.iter().filter_map(|&(a, b)| Some(((a, b), step.query(kind, a, b)?))).collect();
        let truth: Vec<bool> = queries.iter().map(|((a, b), _)| is_contact(*a, *b)).collect();
        let queries = queries.into_iter().map(|(_, query)| query).collect();
        let set = QuerySet { name: String::new(), kind, queries, truth };
        let file = bench.scratch.path("sample.f64");
        std::fs::write(&file, moving::raw(&set)).map_err(|problem| problem.to_string())?;
        let Ok(peer) = &mut bench.peers.ipctk else { return Ok(Vec::new()) };
        let answer = peer.load(&file).and_then(|()| peer.ask("tight"))?;
        let hits = answer["hits"].as_array().ok_or("no list of hits")?;
        for (hit, truth) in hits.iter().zip(&set.truth) {
            let sum = &mut sums[usize::from(*truth)];
            sum[0] += usize::from(hit.as_i64() == Some(1));
            sum[1] += 1;
        }
    }
    let [[free_hits, free], [hits, contacts]] = sums;
    Ok(vec![
        Fact::judged("TI on contacts", format!("{hits} of {contacts} hit"), hits == contacts),
        Fact::plain("TI on free", format!("{free_hits} of {free} hit")),
    ])
}

/// Whether the features exist and share no vertex.
fn apart(cloth: &Cloth, kind: Kind, a: u32, b: u32) -> bool {
    let surface = &cloth.surface;
    match kind {
        Kind::VertexFace => surface.triangles().get(b as usize).is_some_and(|corners| !corners.contains(&a)),
        Kind::EdgeEdge => match (surface.edges().get(a as usize), surface.edges().get(b as usize)) {
            (Some(first), Some(second)) => !second.contains(&first[0]) && !second.contains(&first[1]),
            _ => false,
        },
    }
}
