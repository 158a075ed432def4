//! Functions compiled for instructions that not every processor has are called only behind a question for exactly these.
//!
//! Two functions of this house were compiled for `avx512vl` behind a guard that asked for `avx512f` and `avx512dq`: undefined behaviour
//! on a processor that has those alone. So all sources are read here. In each file the features in `target_feature` must be
//! among those that the file asks for itself, by `is_x86_feature_detected!`, or are of the instruction sets that it names,
//! as in `Isa::Avx512`.

use kontakt_bounds::batch::Isa;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// What stands in quotes after each `marker`.
fn quoted_after(text: &str, marker: &str) -> Vec<String> {
    let after = text.split(marker).skip(1);
    after.filter_map(|rest| Some(rest.strip_prefix('"')?.split('"').next()?.to_owned())).collect()
}

/// Features that functions of a file are compiled for, also by macros that take a list of them.
fn compiled_for(text: &str) -> Vec<String> {
    let lists = quoted_after(text, "target_feature(enable = ");
    let is_list =
        |quoted: &&str| ["avx2", "avx512f"].iter().any(|word| quoted.split(',').any(|f| f == *word));
    let in_macros = if text.contains("target_feature(enable = $") {
        text.split('"').skip(1).step_by(2).filter(is_list).map(str::to_owned).collect()
    } else {
        Vec::new()
    };
    lists.iter().chain(&in_macros).flat_map(|list| list.split(',').map(str::to_owned)).collect()
}

#[test]
fn all_guards_ask_for_what_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = Vec::new();
    for folder in ["crates", "tools", "kontakt"] {
        sources(&root.join(folder), &mut files);
    }
    let mut compiled = 0;
    for file in files.iter().filter(|file| !file.ends_with("bounds/tests/target_features.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let needed = compiled_for(&text);
        let mut asked = quoted_after(&text, "is_x86_feature_detected!(");
        // Lanes that only functions behind the guard can make.
        let by_guard = text.contains("Isa::is_available");
        for (word, isa) in [("Isa::Avx2", Isa::Avx2), ("Isa::Avx512", Isa::Avx512)] {
            if text.contains(word) || by_guard {
                asked.extend(isa.features().iter().map(|feature| (*feature).to_owned()));
            }
        }
        compiled += needed.len();
        for feature in needed {
            assert!(asked.contains(&feature), "{}: {feature} is not asked for", file.display());
        }
    }
    assert!(compiled > 60, "read only {compiled} features");
}
