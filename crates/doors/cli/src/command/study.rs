//! `kontakt study NAME`: regenerates a study of `docs/studies`.

mod arena;
mod broad;
mod budget;
mod contest;
mod convex;
mod curved;
mod cut;
mod gas;
mod hand;
mod hierarchies;
mod made;
mod motion;
mod page;
mod piles;
mod ranks;
mod scene;
mod soft;

use crate::args::{Study, StudyName};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::report::Report;
use page::Page;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

pub(crate) fn run(study: &Study) -> Result<StudyReport, Failure> {
    let data = study.data.clone().or_else(|| std::env::var_os("KONTAKT_DATA").map(PathBuf::from));
    let clock = Clock::start();
    let mut page = match study.name {
        StudyName::Hierarchies => {
            let extent = if study.quick { hierarchies::Extent::QUICK } else { hierarchies::Extent::FULL };
            hierarchies::study(extent, data.as_deref())?
        }
        StudyName::Convex => {
            convex::study(if study.quick { convex::Extent::QUICK } else { convex::Extent::FULL })?
        }
        StudyName::Curved => {
            curved::study(if study.quick { curved::Extent::QUICK } else { curved::Extent::FULL })?
        }
        StudyName::Broad => {
            broad::study(if study.quick { broad::Extent::QUICK } else { broad::Extent::FULL })?
        }
        StudyName::Budget => {
            budget::study(if study.quick { budget::Extent::QUICK } else { budget::Extent::FULL })?
        }
        StudyName::Gas => gas::study(if study.quick { gas::Extent::QUICK } else { gas::Extent::FULL })?,
        StudyName::Ranks => {
            ranks::study(if study.quick { ranks::Extent::QUICK } else { ranks::Extent::FULL })?
        }
        StudyName::Motion => {
            let extent = if study.quick { motion::Extent::QUICK } else { motion::Extent::FULL };
            motion::study(extent, data.as_deref())?
        }
        StudyName::Piles => {
            piles::study(if study.quick { piles::Extent::QUICK } else { piles::Extent::FULL })?
        }
        StudyName::Soft => soft::study(if study.quick { soft::Extent::QUICK } else { soft::Extent::FULL })?,
        StudyName::Drag => {
            use motion::drags::{Extent, study as drag};
            drag(if study.quick { Extent::QUICK } else { Extent::FULL })?
        }
    };
    page.words(made::words(page.name, study.quick, clock.seconds()));
    let files = match &study.output {
        Some(folder) => {
            page.write(folder).map_err(|error| Failure::Report { path: folder.clone(), error })?
        }
        None => Vec::new(),
    };
    Ok(StudyReport { page, files })
}

pub(crate) struct StudyReport {
    page: Page,
    files: Vec<PathBuf>,
}

impl Report for StudyReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.page.markdown())?;
        self.files.iter().try_for_each(|file| writeln!(out, "wrote {}", file.display()))
    }

    fn json(&self) -> Value {
        json!({
            "name": self.page.name,
            "tables": self.page.tables().map(page::Table::json).collect::<Vec<_>>(),
            "files": self.files,
        })
    }
}
