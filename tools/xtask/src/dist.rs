//! What is handed out: an archive with the program, its manual, completions and all licences, and the Python wheel.

use crate::{python, step};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A wheel should not be larger; where it is, that is told, and it works all the same.
const WANTED_WHEEL: u64 = 4_000_000;
/// What is copied from the root folder.
const OWN_FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

pub(crate) fn run() -> Result<(), String> {
    let version = version()?;
    let host = host()?;
    let folder = step::target().join("handed-out");
    let name = format!("kontakt-{version}-{host}");
    let inside = folder.join(&name);
    // What an earlier run left is not to be handed out.
    let _ = fs::remove_dir_all(&folder);
    make(&inside.join("completions"))?;

    let mut build = step::cargo(["build", "--profile", "dist", "--locked", "--package", "kontakt-cli"]);
    step::run("program", &mut build)?;
    let program = step::target().join("dist/kontakt");
    copy(&program, &inside.join("kontakt"))?;
    for file in OWN_FILES {
        copy(&step::root().join(file), &inside.join(file))?;
    }
    write(&inside.join("THIRD-PARTY-LICENCES.txt"), &licences("kontakt-cli")?)?;
    for shell in SHELLS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        write(&inside.join("completions").join(format!("kontakt.{shell}")), &script)?;
    }
    step::run("manual", Command::new(&program).arg("--quiet").arg("man").arg(inside.join("man1")))?;

    let archive = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    // The same bytes from the same files.
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "-czf"]);
    step::run("archive", tar.arg(&archive).arg("-C").arg(&folder).arg(&name))?;
    tell(&archive)?;
    wheel(&folder)
}

/// The wheel, where there is an interpreter.
fn wheel(folder: &Path) -> Result<(), String> {
    if !python::has_interpreter() {
        println!("wheel: skipped (no python3 of at least 3.10)");
        return Ok(());
    }
    let room = step::root().join("crates/doors/python");
    // A file of the package is in the wheel; it is made anew for each and not kept.
    let listed = room.join("python/kontakt/THIRD-PARTY-LICENCES.txt");
    write(&listed, &licences("kontakt-python")?)?;
    let made =
        python::environment().and_then(|environment| environment.install(&["build", "--profile", "dist"]));
    let _ = fs::remove_file(&listed);
    let made = made?;
    let wheel = folder.join(made.file_name().unwrap_or_default());
    copy(&made, &wheel)?;
    let size = tell(&wheel)?;
    if size > WANTED_WHEEL {
        println!(
            "wheel: more than the {:.1} MB wanted; docs/decisions/0023-python.md says why",
            WANTED_WHEEL as f64 / 1e6
        );
    }
    Ok(())
}

/// Name, licence and licence texts of every crate that a package links, from the registry's sources.
fn licences(package: &str) -> Result<String, String> {
    let mut tree =
        step::cargo(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"]);
    let listed = output(tree.args(["--package", package]))?;
    let mut crates: BTreeMap<String, String> = BTreeMap::new();
    for line in listed.lines() {
        let line = line.trim_end_matches(" (*)");
        // Crates of the house name their folder; their licence is in the archive's root.
        if let Some((id, licence)) =
            line.split_once('|').filter(|(id, _)| !id.contains('(') || id.contains("(proc-macro)"))
        {
            crates.insert(id.replace(" (proc-macro)", ""), licence.to_owned());
        }
    }
    let mut text = String::from("kontakt is built with these libraries, under the licences that follow.\n\n");
    for (id, licence) in &crates {
        let _ = writeln!(text, "{id}: {licence}");
    }
    let mut missing = Vec::new();
    for id in crates.keys() {
        let texts = texts(id)?;
        if texts.is_empty() {
            missing.push(id.as_str());
        }
        for (file, body) in texts {
            let _ = write!(text, "\n\n==== {id}, {file}\n\n{}", body.trim_end());
        }
    }
    if !missing.is_empty() {
        let _ = write!(
            text,
            "\n\nWithout a text of their own, under the licences named above: {}.",
            missing.join(", ")
        );
    }
    text.push('\n');
    println!(
        "licences of {package}: {} libraries, {} without a text of their own",
        crates.len(),
        missing.len()
    );
    Ok(text)
}

/// The licence files of a crate, `name vVERSION`.
fn texts(id: &str) -> Result<Vec<(String, String)>, String> {
    let folder = id.replacen(" v", "-", 1);
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let sources = home.ok_or("neither CARGO_HOME nor HOME is set")?.join("registry/src");
    let mut found = Vec::new();
    for registry in entries(&sources)? {
        let inside = registry.join(&folder);
        if !inside.is_dir() {
            continue;
        }
        for file in entries(&inside)? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let upper = name.to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|word| upper.starts_with(word));
            if is_licence && let Ok(body) = fs::read_to_string(&file) {
                found.push((name, body));
            }
        }
        break;
    }
    Ok(found)
}

fn version() -> Result<String, String> {
    let manifest = step::root().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    line.map(str::to_owned).ok_or_else(|| "the workspace has no version".into())
}

/// What is built for, as rustc calls it.
fn host() -> Result<String, String> {
    let told = output(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it builds for".into())
}

fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|error| format!("{command:?}: {error}"))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all: Vec<PathBuf> = read.filter_map(Result::ok).map(|entry| entry.path()).collect();
    all.sort();
    Ok(all)
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Says what was made and how large it is.
fn tell(file: &Path) -> Result<u64, String> {
    let size = fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    println!("{}: {:.2} MB", file.display(), size as f64 / 1e6);
    Ok(size)
}
