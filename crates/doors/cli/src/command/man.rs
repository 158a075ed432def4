//! `kontakt man`: manual pages, one a command.

use crate::args::{Args, Man as Asked};
use crate::failure::Failure;
use crate::help;
use crate::report::Report;
use crate::text;
use clap::{ColorChoice, Command, CommandFactory};
use clap_mangen::Man;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) fn run(asked: &Asked) -> Result<Pages, Failure> {
    let folder = &asked.folder;
    let failed = |path: &Path, error: io::Error| Failure::Report { path: path.to_owned(), error };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut whole = help::prepared(Args::command(), ColorChoice::Never);
    // Options of every command reach its own page.
    whole.build();
    let mut files = Vec::new();
    for (name, command) in pages(&whole, "") {
        let path = folder.join(format!("{name}.1"));
        let page = Man::new(command.display_name(name.clone()).bin_name(name.replace('-', " ")));
        let mut text = Vec::new();
        page.title(name).render(&mut text).map_err(Failure::Output)?;
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
        files.push(path);
    }
    Ok(Pages { files })
}

/// A command and all below it, each under the name of its page.
fn pages(command: &Command, above: &str) -> Vec<(String, Command)> {
    let name = if above.is_empty() {
        command.get_name().to_owned()
    } else {
        format!("{above}-{}", command.get_name())
    };
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let below = below.flat_map(|below| pages(below, &name)).collect::<Vec<_>>();
    [(name, command.clone())].into_iter().chain(below).collect()
}

/// The pages that were written.
pub(crate) struct Pages {
    files: Vec<PathBuf>,
}

impl Report for Pages {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.files
            .iter()
            .try_for_each(|file| writeln!(out, "  {}", text::one_line(&file.display().to_string())))
    }

    fn json(&self) -> Value {
        json!({ "pages": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>() })
    }
}
