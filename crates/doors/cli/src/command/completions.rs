//! `kontakt completions`: a script for a shell.

use crate::args::{Args, Completions as Asked};
use crate::report::Report;
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn run(asked: &Asked) -> Completions {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut Args::command(), "kontakt", &mut script);
    Completions { shell: asked.shell, script: String::from_utf8_lossy(&script).into_owned() }
}

/// A script and whose it is.
pub(crate) struct Completions {
    shell: Shell,
    script: String,
}

impl Report for Completions {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.script.as_bytes())
    }

    fn json(&self) -> Value {
        json!({ "shell": self.shell.to_string(), "script": self.script })
    }
}
