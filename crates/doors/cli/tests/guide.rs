//! The guides say what the program says: their commands run as written, in the folder of their data.

mod common;

use common::{stderr, stdout};
use std::path::PathBuf;
use std::process::Command;

/// A command of a page, the exit code it announces, and the output it shows.
struct Shown {
    command: String,
    code: i32,
    output: String,
}

/// The commands of a page: in blocks of text, behind `$ `, with their output below.
fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    for block in page.split("```text\n").skip(1) {
        let block = block.split("```").next().unwrap_or("");
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ kontakt ") {
                let (command, code) = command.split_once("    # exit code ").unwrap_or((command, "0"));
                let code = code.trim().parse().unwrap();
                found.push(Shown { command: command.to_owned(), code, output: String::new() });
            } else if let Some(last) = found.last_mut() {
                last.output += line;
                last.output.push('\n');
            }
        }
    }
    found
}

fn as_written(guide: &str) {
    let docs = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/guide"));
    let page = std::fs::read_to_string(docs.join(format!("{guide}.md"))).unwrap();
    let commands = commands(&page);
    assert!(commands.len() >= 5, "{} commands in {guide}", commands.len());
    for Shown { command, code, output } in commands {
        let run = Command::new(env!("CARGO_BIN_EXE_kontakt"))
            .args(command.split_whitespace())
            .current_dir(docs.join(guide))
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(code), "{command}: {}", stderr(&run));
        assert_eq!(stdout(&run) + &stderr(&run), output, "{command}");
    }
}

#[test]
fn a_robot_s_way() {
    as_written("robot");
}

#[test]
fn an_assembly() {
    as_written("assembly");
}
