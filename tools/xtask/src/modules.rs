//! Cycles between the modules of a crate.
//!
//! What counts: the top-level modules of a crate (`src/NAME.rs` with all of `src/NAME/`), and as a use every path that starts at the
//! crate's root, `crate::…` or as many `super::` as lead there. Names that the root re-exports belong to the module they come
//! from. Test modules and comments are left out.

use crate::step;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Uses = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn check() -> Result<(), String> {
    println!("== module cycles");
    let mut found = Vec::new();
    for folder in crates()? {
        let name = name(&folder);
        for cycle in cycles(&uses(&folder.join("src"))?) {
            found.push(format!("{name}: {} modules in a cycle: {}", cycle.len(), cycle.join(", ")));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("; ")) }
}

/// A crate's floor and room, `detect/mesh`.
pub(crate) fn name(folder: &Path) -> String {
    let last = |path: Option<&Path>| {
        path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    format!("{}/{}", last(folder.parent()), last(Some(folder)))
}

/// The folders of all crates of the house, the laboratory's too.
pub(crate) fn crates() -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for floor in entries(&step::root().join("crates"))? {
        all.extend(entries(&floor)?.into_iter().filter(|folder| folder.join("Cargo.toml").is_file()));
    }
    Ok(all)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all: Vec<PathBuf> = read.filter_map(Result::ok).map(|entry| entry.path()).collect();
    all.sort();
    Ok(all)
}

/// Which top-level modules each top-level module uses.
fn uses(src: &Path) -> Result<Uses, String> {
    let root = ["lib.rs", "main.rs"].map(|name| src.join(name)).into_iter().find(|path| path.is_file());
    let root = code(&root.ok_or_else(|| format!("{}: no root", src.display()))?)?;
    let modules: BTreeSet<String> = root
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.split("mod ").nth(1))
        .map(Into::into)
        .collect();
    let origins = origins(&root);
    let mut all = Uses::new();
    for module in &modules {
        let mut targets = BTreeSet::new();
        for (file, depth) in files(src, module)? {
            let text = code(&file)?;
            for name in named_at_root(&text, depth) {
                let target = if modules.contains(&name) { Some(&name) } else { origins.get(&name) };
                targets.extend(target.filter(|target| *target != module).cloned());
            }
        }
        all.insert(module.clone(), targets);
    }
    Ok(all)
}

/// The files of a top-level module and how many folders below `src` each lies.
fn files(src: &Path, module: &str) -> Result<Vec<(PathBuf, usize)>, String> {
    let mut found = vec![(src.join(format!("{module}.rs")), 0)];
    found.retain(|(file, _)| file.is_file());
    let mut folders = vec![(src.join(module), 1)];
    while let Some((folder, depth)) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in entries(&folder)? {
            if entry.is_dir() {
                folders.push((entry, depth + 1));
            } else if entry.extension().is_some_and(|end| end == "rs") && !entry.ends_with("tests.rs") {
                found.push((entry, depth));
            }
        }
    }
    Ok(found)
}

/// The module that each name of the root's `use NAME::…;` lines comes from.
fn origins(root: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for statement in root.split(';') {
        let Some((_, path)) = statement.rsplit_once("use ") else { continue };
        let Some((module, names)) = path.split_once("::") else { continue };
        for name in names.split(|c: char| !is_word(c)).filter(|name| !name.is_empty()) {
            all.entry(name.to_owned()).or_insert_with(|| module.trim().to_owned());
        }
    }
    all
}

/// The first words of all paths that start at the crate's root, in a file so many folders below it.
fn named_at_root(text: &str, depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    let up = "super::".repeat(depth + 1);
    for prefix in ["crate::", up.as_str()] {
        for (start, _) in text.match_indices(prefix) {
            let before = text[..start].chars().next_back();
            if before.is_some_and(|c| is_word(c) || c == ':' || c == '$') {
                continue;
            }
            names.extend(first_words(&text[start + prefix.len()..]));
        }
    }
    names
}

/// The word at the start of a path, or the first words of the paths in its braces.
fn first_words(path: &str) -> Vec<String> {
    let word = |text: &str| text.trim_start().chars().take_while(|c| is_word(*c)).collect::<String>();
    let Some(inner) = path.strip_prefix('{') else { return vec![word(path)] };
    let mut words = vec![word(inner)];
    let mut depth = 0;
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => words.push(word(&inner[at + 1..])),
            _ => {}
        }
    }
    words
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A file without comments and without a test module at its end.
fn code(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let text: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let tests = text.iter().position(|line| line.trim() == "#[cfg(test)]");
    let inline = tests
        .filter(|&at| text.get(at + 1).is_some_and(|line| line.starts_with("mod ") && line.ends_with('{')));
    Ok(text[..inline.unwrap_or(text.len())].join("\n"))
}

/// The sets of modules that reach each other.
fn cycles(uses: &Uses) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|from| (from, reached(uses, from))).collect();
    let mut cycles: Vec<Vec<String>> = Vec::new();
    for (from, far) in &reach {
        let mates: Vec<String> = far
            .iter()
            .filter(|to| reach.get(*to).is_some_and(|back| back.contains(from)))
            .map(|to| (*to).clone())
            .collect();
        if mates.len() > 1 && !cycles.contains(&mates) {
            cycles.push(mates);
        }
    }
    cycles
}

fn reached<'a>(uses: &'a Uses, from: &String) -> BTreeSet<&'a String> {
    let mut open: Vec<&String> = uses.get(from).into_iter().flatten().collect();
    let mut found = BTreeSet::new();
    while let Some(module) = open.pop() {
        if found.insert(module) {
            open.extend(uses.get(module).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Uses, cycles, first_words, named_at_root};

    #[test]
    fn paths_at_the_root_are_found_in_braces_and_behind_supers() {
        let text = "use crate::{a::{X, Y}, b::Z};\nuse super::super::c::W; fn f() { super::near::g(); crate::d::h() }";
        assert_eq!(named_at_root(text, 1), ["a", "b", "d", "c"]);
        assert_eq!(first_words("pose::Pose"), ["pose"]);
    }

    #[test]
    fn a_cycle_is_found_and_a_diamond_is_none() {
        let graph = |edges: &[(&str, &[&str])]| -> Uses {
            let set = |to: &[&str]| to.iter().map(|&name| name.to_owned()).collect();
            edges.iter().map(|(from, to)| ((*from).to_owned(), set(to))).collect()
        };
        assert!(cycles(&graph(&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"]), ("d", &[])])).is_empty());
        assert_eq!(cycles(&graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])), [["b", "c"]]);
    }
}
