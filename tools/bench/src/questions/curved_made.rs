//! Are shapes that OCCT makes and writes read whole?

use crate::bench::Bench;
use crate::clock::timed;
use crate::occt::Made;
use crate::product::curved;
use crate::questions::curved_read::{bodies, counts, same};
use crate::report::{Fact, Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(1, 1, 1.0);
    let wanted: Vec<Made> = bench.made().into_iter().filter(|made| bench.wants(&made.name)).collect();
    Table {
        key: "made",
        title: "Shapes made and written by OCCT",
        target: "as many solids and faces as were written, every face with triangles, every mesh closed, volumes as OCCT's",
        notes: "Made by `peers/occt_shapes.py`, one function each, written in turn as AP203, AP214 and AP242. Volumes are compared with those of triangles that OCCT makes, 1e-4 of the size off; that of kontakt's triangles may \
                differ from OCCT's by their area times their certified deviation and 1e-3.",
        unit: Unit::Milliseconds,
        effort,
        rows: wanted.iter().map(row).collect(),
    }
}

fn row(made: &Made) -> Row {
    let (seconds, read) = timed(|| curved::read(&made.file));
    let time = Time {
        contender: "kontakt read",
        least: read.is_ok().then_some(seconds),
        median: read.is_ok().then_some(seconds),
        calls: 1,
        error: read.as_ref().err().cloned(),
    };
    let mut facts = vec![same(read.as_ref().ok().map(counts), Some(made.counts))];
    if let Ok(read) = &read {
        facts.extend(bodies(read));
        facts.extend(curved::solids(read).map(|solids| volume(&solids, made.volume)));
    }
    facts.push(Fact::plain("sound to OCCT", if made.valid { "yes" } else { "no" }));
    Row { case: made.name.clone(), times: vec![time], facts, ..Row::default() }
}

fn volume(solids: &[curved::Solid], theirs: f64) -> Fact {
    let mut ours = 0.0;
    let mut may_differ = 1e-3 * theirs.abs();
    for solid in solids {
        let (volume, area) = solid.volume_and_area();
        ours += volume;
        may_differ += 1.1 * area * solid.body.deviation();
    }
    let off = (ours - theirs).abs();
    Fact::judged("volume off, of OCCT's", format!("{:.1e}", off / theirs.abs()), off <= may_differ)
}
