//! The command line's manners: what it says to mistakes, where it writes, how loud it is.

mod common;

use common::{CUBE, Folder, boxes, error, json, kontakt, stderr, stdout, text};
use serde_json::Value;
use std::process::Command;

const STL: &str = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n";

/// What is in a file counts for the message, not for the reading.
#[test]
fn files_that_are_not_what_they_are_called() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    let mut binary = vec![b' '; 84 + 50];
    binary[80..84].copy_from_slice(&1_u32.to_le_bytes());
    for (name, content, words) in [
        ("text.obj", STL.as_bytes(), "looks like STL inside: name it .stl"),
        ("binary.obj", &binary, "looks like STL inside"),
        ("cube.stl", CUBE.as_bytes(), "looks like OBJ inside: name it .obj"),
        ("cube.ply", CUBE.as_bytes(), "looks like OBJ inside"),
        (
            "cube.txt",
            CUBE.as_bytes(),
            "looks like OBJ inside: name it .obj; read by its ending: unknown ending",
        ),
        ("part.step", b"ISO-10303-21;\n", "line 2: the file ends too early"),
        ("part.STP", b"", "the file ends too early"),
        ("part.stl", b"ISO-10303-21;\nHEADER;\n", "looks like STEP inside: name it .step or .stp"),
        ("part.igs", b"", "IGES is not read; export the parts as .glb, .obj, .stl or .ply"),
        ("part.3mf", b"PK", "is not read; export"),
        ("part.xyz", b"hello", "unknown ending; readable are"),
    ] {
        let file = folder.file(name, content);
        let said = error(&["info", text(&file)]);
        assert!(said.contains(name) && said.contains(words), "{name}: {said}");
    }
    for command in [vec!["info"], vec!["check"]] {
        let said = error(&[&command[..], &[text(&folder.path("parts"))]].concat());
        assert!(said.contains("this is a folder; name the files in it"), "{said}");
    }
}

#[test]
fn mistakes_in_arguments_are_told_in_words() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let cube = text(&cube);
    let junk = folder.file("junk.txt", "# poses\n0 0 0 0 0 0 1\nhello world\n");
    for (arguments, words) in [
        (
            vec!["distance", cube, cube, "--pose-b", "0", "0", "2", "0", "0", "0", "1"],
            "put its numbers into quotes, --pose-b '0 0 2 0 0 0 1'",
        ),
        (vec!["query", cube], "--rays FILE or --points FILE is needed"),
        (vec!["info", cube, "--threads", "0"], "1 or more; leave it out to use all cores"),
        (vec!["info", cube, "--threads", "-2"], "1 or more"),
        (vec!["info", cube, "--max-pairs", "-1"], "a whole number, 0 or more"),
        (vec!["info", cube, "--time-limit", "-1"], "a time cannot be negative"),
        (vec!["info", cube, "--time-limit", "soon"], "`soon` is not a number of seconds"),
        (vec!["check", cube, cube, "--clearance", "-1"], "finite and not negative"),
        (
            vec!["batch", cube, cube, "--poses", text(&junk), "--query", "contact"],
            "line 3: `hello` is not a number",
        ),
        (vec!["info", cube, "--color", "sometimes"], "auto, always, never"),
    ] {
        let said = error(&arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    // What a reader passes over is told with its line.
    let odd = folder.file("odd.obj", format!("exported by a program\n\nthat talks\n{CUBE}zz 1\n"));
    let shown = stdout(&kontakt(["info", text(&odd)]));
    assert!(shown.contains("2 junk lines, the first odd line is 1"), "{shown}");
    let files = &json(&["info", text(&odd)])["files"][0];
    assert_eq!((&files["junk_lines"], &files["first_odd_line"]), (&2.into(), &1.into()));
}

#[test]
fn no_time_for_an_answer_is_no_success() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let points = folder.file("points.txt", "0 0 0\n");
    let said = error(&["query", text(&cube), "--points", text(&points), "--time-limit", "0"]);
    assert!(said.contains("the time limit was reached before the first line"), "{said}");
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", CUBE), folder.file("b.obj", CUBE));
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let saved = folder.path("a.kh");
    json(&["convert", text(&a), text(&saved)]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(&a, folder.path("link.obj")).unwrap();
    let (a, b, poses, saved) = (text(&a), text(&b), text(&poses), text(&saved));
    let before: Vec<Vec<u8>> = [a, b, poses, saved].iter().map(|path| std::fs::read(path).unwrap()).collect();
    let named = format!("{a}:cube");
    let link = folder.path("link.obj");
    let fresh = folder.path("fresh.obj");
    let read = "this is a file that the command reads";
    let mut refused = vec![
        (vec!["info", a, "--out", a], read),
        (vec!["info", &named, "--out", a], read),
        (vec!["check", a, b, "--out", b], read),
        (vec!["batch", a, b, "--poses", poses, "--query", "contact", "--out", poses], read),
        (vec!["path", "--moving", a, "--motion", poses, "--against", b, "--out", poses], read),
        (vec!["convert", a, a], read),
        (vec!["hierarchy", "build", saved, "-o", saved], read),
        (vec!["hierarchy", "info", saved, "--html", saved], read),
        (vec!["convert", a, text(&fresh), "--out", text(&fresh)], "OUT is written there"),
        (vec!["info", a, "--out", "no/such/folder/x.json"], "there is no such folder"),
        (vec!["info", a, "--out", "/"], "this is a folder"),
    ];
    if cfg!(unix) {
        refused.push((vec!["info", a, "--out", text(&link)], read));
    }
    for (arguments, words) in refused {
        let said = error(&arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let after: Vec<Vec<u8>> = [a, b, poses, saved].iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(before == after, "a file was touched");
    assert!(!fresh.exists());
}

#[test]
fn out_is_one_line_a_result_and_a_dash_is_standard_output() {
    let folder = Folder::new();
    let file = folder.file("two.obj", boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [3.0; 3], [1.0; 3])]));
    let lines = stdout(&kontakt(["info", text(&file), "--out", "-"]));
    let bodies: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((bodies.len(), &bodies[1]["name"]), (2, &"two.obj:b".into()));
    let named = folder.path("lines.json");
    let output = kontakt(["info", text(&file), "--out", text(&named), "--quiet"]);
    assert_eq!(std::fs::read_to_string(named).unwrap(), lines);
    assert!(output.stdout.is_empty());
    // A report that is one result is one line, and says what it is.
    let line = stdout(&kontakt(["distance", text(&file), text(&file), "--out", "-"]));
    assert_eq!(line.lines().count(), 1);
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["schema"], "kontakt.distance/1");
    let said = error(&["info", text(&file), "--json", "--out", "-"]);
    assert!(said.contains("both write to standard output"), "{said}");
}

#[test]
fn quiet_says_nothing_but_errors() {
    let folder = Folder::new();
    let two = folder.file("two.obj", boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [0.5; 3], [1.0; 3])]));
    let output = kontakt(["check", text(&two), "--quiet"]);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(1), 0, 0));
    // The warning about joined bodies, too.
    let ply = folder.path("two.ply");
    let output = kontakt(["convert", text(&two), text(&ply), "--quiet"]);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    assert_eq!(
        json(&["check", text(&two), "--quiet", "--ignore", "a:b", "--allow-empty"])["schema"],
        "kontakt.check/1"
    );
    assert!(error(&["info", "none.obj", "--quiet"]).contains("none.obj"));
}

#[test]
fn colours_are_as_asked() {
    let folder = Folder::new();
    let two = folder.file("two.obj", boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [0.5; 3], [1.0; 3])]));
    let shown = |choice: &str| kontakt(["check", text(&two), "--color", choice]);
    assert!(stdout(&shown("always")).contains("\u{1b}["));
    for choice in ["never", "auto"] {
        assert!(!stdout(&shown(choice)).contains('\u{1b}'), "{choice}");
    }
    assert!(stdout(&kontakt(["--color=always", "--help"])).contains("\u{1b}["), "help, too");
    assert!(stderr(&kontakt(["info", "none.obj", "--color", "always"])).contains("\u{1b}["), "and errors");
    assert!(!stdout(&kontakt(["info", text(&two), "--json", "--color", "always"])).contains('\u{1b}'));
}

#[test]
fn the_version_names_the_commit_and_the_processor() {
    let shown = stdout(&kontakt(["--version"]));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("kontakt "), "{shown}");
    let commit = lines[1].strip_prefix("commit     ").unwrap();
    assert!(commit == "unknown" || commit.len() >= 7, "{shown}");
    assert!(lines[2].starts_with("processor  "), "{shown}");
    assert_eq!(stdout(&kontakt(["-V"])).lines().count(), 1);
}

#[test]
fn help_wraps_to_the_terminal() {
    for command in [vec!["--help"], vec!["path", "--help"], vec!["moving", "--help"], vec!["check", "--help"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_kontakt"))
            .args(&command)
            .env("COLUMNS", "70")
            .env("LINES", "40")
            .output()
            .unwrap();
        let shown = stdout(&output);
        // Names that are longer than a line are not broken.
        let wide =
            shown.lines().filter(|line| line.chars().count() > 70 && line.trim().contains(' ')).count();
        assert!(wide <= shown.lines().count() / 20, "{command:?}: {wide} lines are too long\n{shown}");
    }
}
