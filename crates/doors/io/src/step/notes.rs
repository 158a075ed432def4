//! Losses and repairs as they are met; their names and lines are looked up in the end.

use super::table::Table;
use crate::curved::lines::lines;
use crate::curved::loss::{Loss, Lost, Miss, Why};
use crate::curved::report::CurvedReport;

/// What was met so far.
#[derive(Default)]
pub(super) struct Notes {
    met: Vec<(Lost, Miss, u64)>,
}

impl Notes {
    /// Something is missing for this reason; `of` is the face or body.
    pub(super) fn lost(&mut self, lost: Lost, miss: Miss, of: u64) {
        self.met.push((lost, miss, of));
    }

    /// Something was read otherwise than written.
    pub(super) fn repaired(&mut self, id: u64, why: Why) {
        self.met.push((Lost::Repaired, why.at(id), id));
    }

    /// Writes them into the report, with the file's own odd statements first.
    pub(super) fn report(self, table: &Table<'_>, report: &mut CurvedReport) {
        let mut found: Vec<(Lost, Miss, u64, Option<usize>)> = Vec::new();
        for &(id, at, why) in &table.odd {
            found.push((Lost::Statement, why.at(id), id, Some(at)));
        }
        found.extend(self.met.into_iter().map(|(lost, miss, of)| (lost, miss, of, table.offset(miss.id))));
        let lines = lines(table.text(), found.iter().filter_map(|note| note.3));
        for (lost, Miss { id, why }, of, at) in found {
            let line = at.and_then(|at| lines.get(&at).copied()).unwrap_or(0);
            let entity = if lost == Lost::Statement { "statement".into() } else { table.name(id) };
            let loss = Loss { lost, entity, id, line, why, of };
            if lost == Lost::Repaired {
                report.repairs.push(loss);
            } else {
                report.losses.push(loss);
            }
        }
    }
}
