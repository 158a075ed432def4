//! Driving the real binary in a folder of its own.
#![allow(dead_code, reason = "every test file uses another part of this")]

use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A closed unit cube of quads.
pub(crate) const CUBE: &str = "\
# a cube
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
";

/// A folder that vanishes with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn kontakt<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kontakt")).args(arguments).output().unwrap()
}

/// The JSON document of a command that must exit with 0.
pub(crate) fn json(arguments: &[&str]) -> Value {
    json_exit(arguments, 0)
}

/// The JSON document of a command that must exit with `code`.
pub(crate) fn json_exit(arguments: &[&str], code: i32) -> Value {
    let output = kontakt(arguments.iter().copied().chain(["--json"]));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The message of a command that must fail, with nothing on standard output.
pub(crate) fn error(arguments: &[&str]) -> String {
    let output = kontakt(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
    assert!(output.stdout.is_empty(), "{arguments:?}: {}", stdout(&output));
    stderr(&output)
}

/// Lower and upper end of a certified number.
pub(crate) fn range(value: &Value) -> (f64, f64) {
    (value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
}

/// Boxes with name, least corner and widths, as one OBJ file of closed quads.
pub(crate) fn boxes(list: &[(&str, [f64; 3], [f64; 3])]) -> String {
    let mut obj = String::new();
    for (k, (name, at, size)) in list.iter().enumerate() {
        writeln!(obj, "o {name}").unwrap();
        for [x, y, z] in [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, 1.0, 1.0],
            [0.0, 1.0, 1.0],
        ] {
            let [x, y, z] = [at[0] + x * size[0], at[1] + y * size[1], at[2] + z * size[2]];
            writeln!(obj, "v {x:?} {y:?} {z:?}").unwrap();
        }
        for face in [[4, 3, 2, 1], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]] {
            let [a, b, c, d] = face.map(|corner| corner + 8 * k);
            writeln!(obj, "f {a} {b} {c} {d}").unwrap();
        }
    }
    obj
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
