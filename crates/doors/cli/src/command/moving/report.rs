//! What was found about many motions, for people and for machines.

use crate::input::remarks;
use crate::report::{List, Report};
use crate::text::{self, Table};
use crate::timing::SecondsPerQuery;
use kontakt::answers::{Impact, Initial};
use kontakt_load::Remarks;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Motions shown one by one in the text; the rest is counted.
const SHOWN: usize = 20;

pub(crate) struct MovingReport {
    pub(super) names: [String; 2],
    pub(super) method: String,
    pub(super) certified: bool,
    pub(super) motions: usize,
    pub(super) impacts: Vec<Impact>,
    pub(super) times: Option<SecondsPerQuery>,
    pub(super) remarks: Remarks,
    pub(super) warnings: Vec<String>,
}

fn result(impact: &Impact, certified: bool) -> Value {
    let mut result = told(impact);
    if !certified {
        // The laboratory does not look at how a motion starts.
        result["initial"] = Value::Null;
    }
    result
}

fn told(impact: &Impact) -> Value {
    match impact {
        Impact::Free { initial } => json!({ "hit": false, "initial": initial, "t_lo": null, "t_hi": null }),
        Impact::Contact { initial, time, contact } => json!({
            "hit": true,
            "initial": initial,
            "t_lo": time.lo(),
            "t_hi": time.hi(),
            "features": contact.map(|contact| json!([contact.feature_a, contact.feature_b])),
            "point": contact.map(|contact| contact.point_a.to_array()),
            "normal": contact.map(|contact| contact.normal.to_array()),
        }),
        Impact::Undecided { initial, free_until } => {
            json!({ "hit": null, "initial": initial, "t_lo": free_until, "t_hi": 1.0 })
        }
    }
}

impl MovingReport {
    /// Motions with contact, free ones, undecided ones.
    fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for impact in &self.impacts {
            match impact {
                Impact::Contact { .. } => counts[0] += 1,
                Impact::Free { .. } => counts[1] += 1,
                Impact::Undecided { .. } => counts[2] += 1,
            }
        }
        counts
    }

    /// What becomes of each motion, and when.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["motion", "contact", "t", "starts"]);
        for (number, impact) in self.impacts.iter().enumerate().take(SHOWN) {
            let (contact, time, initial) = match impact {
                Impact::Free { initial } if self.certified => ("proven free", "–".into(), Some(*initial)),
                Impact::Free { .. } => ("none found", "–".into(), None),
                Impact::Contact { initial, time, .. } => {
                    ("yes", moment(time.lo(), time.hi()), Some(*initial))
                }
                Impact::Undecided { initial, free_until } => {
                    ("undecided", moment(*free_until, 1.0), *initial)
                }
            };
            let starts = initial.filter(|_| self.certified).map_or("–", start);
            table.row([number.to_string(), contact.into(), time, starts.into()]);
        }
        table.write(out)?;
        if self.impacts.len() > SHOWN {
            writeln!(out, "  … and {} more; --json or --out FILE gives all", self.impacts.len() - SHOWN)?;
        }
        Ok(())
    }
}

/// Certified bounds of a time from 0 to 1: nine decimals, and both ends where they differ there.
fn moment(lo: f64, hi: f64) -> String {
    let shown = |t: f64| {
        let fixed = format!("{t:.9}");
        fixed.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let (lo, hi) = (shown(lo), shown(hi));
    if lo == hi { lo } else { format!("{lo} … {hi}") }
}

fn start(initial: Initial) -> &'static str {
    match initial {
        Initial::Separate => "apart",
        Initial::Touching => "touching",
        Initial::Overlapping => "overlapping",
    }
}

impl Report for MovingReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.table(out)?;
        let [hits, free, undecided] = self.counts();
        let [a, b] = [&self.names[0], &self.names[1]].map(|name| text::one_line(name));
        writeln!(out, "  {a} against {b}")?;
        let asked = self.impacts.len();
        let cut = if asked < self.motions {
            format!(" of {}: the time was up", self.motions)
        } else {
            String::new()
        };
        writeln!(out, "  motions  {asked}{cut}")?;
        if self.certified {
            writeln!(out, "  contact  in {hits}, proven free {free}, undecided {undecided}")?;
        } else {
            writeln!(out, "  method   {}: approximate, nothing is proven", self.method)?;
            writeln!(out, "  contact  in {hits}, none found in {free}, gave up in {undecided}")?;
        }
        if let Some(times) = self.times {
            times.text("motion", out)?;
        }
        remarks::write(&self.remarks, out)?;
        text::warnings(&self.warnings, out)
    }

    fn json(&self) -> Value {
        let [hits, free, undecided] = self.counts();
        json!({
            "a": self.names[0],
            "b": self.names[1],
            "method": self.method,
            "certified": self.certified,
            "motions": self.motions,
            "asked": self.impacts.len(),
            "complete": self.impacts.len() == self.motions,
            "hits": hits,
            "free": free,
            "undecided": undecided,
            "seconds_per_query": self.times,
            "files": self.remarks.json(),
            "warnings": self.warnings,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("results", self.impacts.iter().map(|impact| result(impact, self.certified))))
    }
}
