//! The guides' data and commands, run as they are written.

mod common;

use common::Folder;
use std::path::Path;
use std::process::Command;

/// A fenced block: the words after the fence, and the lines within.
struct Block {
    info: String,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(info) if !inside => {
                blocks.push(Block { info: info.to_owned(), lines: Vec::new() });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            None => {}
        }
    }
    blocks
}

/// Whether `shown` is what a guide says: a line that is `…` stands for any lines, `…` at the end of a line for anything after it.
fn is_as_written(written: &[String], shown: &[&str]) -> bool {
    let Some((first, rest)) = written.split_first() else { return shown.is_empty() };
    if first == "…" {
        return (0..=shown.len()).any(|skipped| is_as_written(rest, &shown[skipped..]));
    }
    let alike = |line: &&str| match first.strip_suffix('…') {
        Some(start) => line.starts_with(start.trim_end()),
        None => line.trim_end() == first,
    };
    shown.first().is_some_and(alike) && is_as_written(rest, &shown[1..])
}

#[test]
fn the_guide_to_cloth_runs_as_written() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guide/cloth.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = Folder::new();
    let mut ran = 0;
    for block in blocks(&page) {
        if let Some(name) = block.info.strip_prefix("obj ") {
            folder.file(name, block.lines.join("\n") + "\n");
        }
        if block.info != "console" {
            continue;
        }
        let command =
            block.lines[0].strip_prefix("$ kontakt ").expect("a console block begins with a command");
        let output = Command::new(env!("CARGO_BIN_EXE_kontakt"))
            .args(command.split(' '))
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {}", common::stderr(&output));
        let shown = common::stdout(&output);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(is_as_written(&block.lines[1..], &lines), "{command} prints\n{shown}");
        ran += 1;
    }
    assert_eq!(ran, 3);
}
