//! Where kontakt and OCCT differ, and what kontakt did not prove: gathered from the other questions.

use crate::bench::Bench;
use crate::report::{Table, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(1, 1, 1.0);
    Table {
        key: "disputes",
        title: "Every disagreement",
        target: "none that is kontakt's fault",
        notes: "From the tables above. A distance is refuted by two points, one of each surface, that are nearer; \"off the surfaces by\" is how \
                far OCCT finds those points from its own shells.",
        unit: Unit::Milliseconds,
        effort,
        rows: std::mem::take(&mut bench.shelf.disputes),
    }
}
