//! `--time-limit` and `--max-pairs` hold, and no answer depends on the run or the threads.

mod common;

use common::{CUBE, Folder, json, json_exit, kontakt, stderr, stdout, text};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far more than a limit and starting the program take, far less than the work would.
const SOON: Duration = Duration::from_secs(20);

/// `n` triangles that each cross `n` others: n² pairs. Short lines: files of up to a thousand are small, and read however short the time is.
fn crossing(n: u32, first: bool) -> String {
    let mut obj = String::new();
    let far = 9 * n;
    for k in 0..n {
        let (x, far) = (i64::from(k), i64::from(far));
        let corners = if first {
            [[x, -far, -far], [x, far, -far], [x, 0, far]]
        } else {
            [[-far, x, -far], [far, x, -far], [0, x, far]]
        };
        for [x, y, z] in corners {
            writeln!(obj, "v {x} {y} {z}").unwrap();
        }
        writeln!(obj, "f -3 -2 -1").unwrap();
    }
    obj
}

#[test]
fn pairs_are_counted_up_to_the_limit_and_the_count_says_so() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", crossing(60, true)), folder.file("b.obj", crossing(60, false)));
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let batch = ["batch", text(&a), text(&b), "--poses", text(&poses), "--query", "pairs"];
    let all = json(&batch);
    assert_eq!(
        (&all["results"][0]["pairs"], &all["results"][0]["pairs_complete"]),
        (&3600.into(), &true.into())
    );
    let cut = [&batch[..], &["--max-pairs", "100"]].concat();
    let some = json(&cut);
    assert_eq!(
        (&some["results"][0]["pairs"], &some["results"][0]["pairs_complete"]),
        (&100.into(), &false.into())
    );
    assert_eq!(some["pairs_complete"], false);
    let shown = stdout(&kontakt(&cut));
    assert!(shown.contains("at least 100 in all"), "{shown}");
    // A class that needs all pairs is not decided without them.
    let pair = &json_exit(&["check", text(&a), text(&b), "--max-pairs", "100"], 1)["pairs"][0];
    assert_eq!((&pair["relation"], &pair["pairs_complete"]), (&"undecided".into(), &false.into()));
    assert!(pair["bounds"][0].as_f64().unwrap() < 0.0 && pair["bounds"][1] == 0.0, "{pair}");
    let info = json(&["info", text(&a), "--max-pairs", "100"]);
    assert_eq!(info["bodies"][0]["self_intersections_complete"], true);
}

#[test]
fn time_limits_end_single_queries() {
    // Nothing here goes by how fast the machine is. The files are so small that they are read in any case; without any time the questions
    // about a million pairs are cut short, with a little time they are cut short or not.
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", crossing(1000, true)), folder.file("b.obj", crossing(1000, false)));
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let both = folder.file("both.obj", crossing(500, true) + &crossing(500, false));
    for (arguments, code) in [
        (vec!["check", text(&a), text(&b)], Some(1)),
        (vec!["batch", text(&a), text(&b), "--poses", text(&poses), "--query", "pairs"], None),
        (vec!["info", text(&both), "--max-pairs", "1000000000"], Some(0)),
    ] {
        for limit in ["0", "0.02"] {
            let output = kontakt([&arguments[..], &["--time-limit", limit, "--json"]].concat());
            // Some commands indent their JSON.
            let shown = stdout(&output).replace("\": ", "\":");
            if code.is_none() && output.status.code() == Some(2) {
                assert!(
                    stderr(&output).contains("the time limit was reached"),
                    "{arguments:?}: {}",
                    stderr(&output)
                );
                continue;
            }
            assert_eq!(output.status.code(), Some(code.unwrap_or(0)), "{arguments:?}: {}", stderr(&output));
            assert!(limit != "0" || shown.contains("complete\":false"), "{arguments:?}: {shown}");
        }
    }
}

#[test]
fn options_are_offered_where_they_hold_and_nowhere_else() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let output = kontakt(["demo", "--time-limit", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    // Small files are read, built and written however short the time is.
    let output = kontakt(["convert", text(&cube), text(&folder.path("cube.stl")), "--time-limit", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (command, time, pairs) in [
        ("info", true, true),
        ("check", true, true),
        ("batch", true, true),
        ("ccd", true, true),
        ("bound", true, false),
        ("query", true, false),
        ("convex", true, false),
        ("moving", true, false),
        ("path", true, false),
        ("take-out", true, false),
        ("drag", true, false),
        ("convert", true, false),
        ("distance", true, false),
        ("broad", true, false),
        ("simulate", true, false),
        ("demo", false, false),
        ("study", false, false),
    ] {
        let help = stdout(&kontakt([command, "--help"]));
        assert_eq!(help.contains("--time-limit"), time, "{command}");
        assert_eq!(help.contains("--max-pairs"), pairs, "{command}");
    }
    for action in ["build", "info"] {
        assert!(stdout(&kontakt(["hierarchy", action, "--help"])).contains("--time-limit"), "{action}");
    }
}

/// A sheet of 2n² triangles at a height, as binary PLY.
fn sheet(n: u32, height: f64) -> Vec<u8> {
    let vertices = (n + 1) * (n + 1);
    let mut ply = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty double x\nproperty double y\n\
         property double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        2 * n * n
    )
    .into_bytes();
    for k in 0..vertices {
        let [x, y] = [k / (n + 1), k % (n + 1)].map(|i| f64::from(i) / f64::from(n));
        for value in [x, y, height + 0.05 * (37.0 * x).sin() * (29.0 * y).cos()] {
            ply.extend_from_slice(&value.to_le_bytes());
        }
    }
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let a = i * (n + 1) + j;
        let (b, c, d) = (a + 1, a + n + 1, a + n + 2);
        for corner in [[a, c, b], [b, c, d]] {
            ply.push(3);
            for v in corner {
                ply.extend_from_slice(&v.to_le_bytes());
            }
        }
    }
    ply
}

#[test]
fn time_limits_hold_while_files_are_read_and_hierarchies_built() {
    // Nothing is certified before the files are read: an error that says so, and no file left behind. Large files are not read without
    // any time, on no machine; with part of the time that building a hierarchy takes here, commands end early or in full, never in between.
    let folder = Folder::new();
    let (a, b) = (folder.file("a.ply", sheet(300, 0.0)), folder.file("b.ply", sheet(300, 0.3)));
    let saved = folder.path("saved.kh");
    let begin = Instant::now();
    let output = kontakt(["hierarchy", "build", text(&a), "-o", text(&saved)]);
    let whole = begin.elapsed().as_secs_f64();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let limits = [0.0, 0.1 * whole, 0.3 * whole, 0.7 * whole].map(|seconds| format!("{seconds:.6}"));
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let points = folder.file("points.txt", "0 0 0\n");
    let (out, out_kh) = (folder.path("out.obj"), folder.path("out.kh"));
    let (a, b, saved, poses, points) = (text(&a), text(&b), text(&saved), text(&poses), text(&points));
    for arguments in [
        vec!["info", a],
        vec!["convert", a, text(&out)],
        vec!["bound", a, "--volume", "obb"],
        vec!["hierarchy", "build", a, "-o", text(&out_kh)],
        vec!["hierarchy", "info", saved],
        vec!["check", a, b],
        vec!["distance", a, b],
        vec!["distance", saved, b],
        vec!["query", a, "--points", points],
        vec!["batch", a, b, "--poses", poses, "--query", "distance"],
    ] {
        for (number, limit) in limits.iter().enumerate() {
            let output = kontakt([&arguments[..], &["--time-limit", limit]].concat());
            let (code, said) = (output.status.code(), stderr(&output));
            let is_late = code == Some(2) && said.contains("the time limit was reached");
            assert!(
                is_late || (number > 0 && matches!(code, Some(0 | 1))),
                "{arguments:?} in {limit} s: {said}"
            );
            assert!(!is_late || (!out.exists() && !out_kh.exists()), "{arguments:?} in {limit} s");
            for written in [&out, &out_kh] {
                // What was written in time goes, or is whole.
                if written.exists() {
                    assert_eq!(kontakt(["info", text(written), "--max-pairs", "0"]).status.code(), Some(0));
                    std::fs::remove_file(written).unwrap();
                }
            }
        }
    }
    let left = std::fs::read_dir(folder.path(".")).unwrap().count();
    assert_eq!(left, 5, "files in the folder");
}

#[test]
fn time_limits_hold_while_lists_and_motions_are_read() {
    // More than is read in any case, of every format that is no mesh: without any time that is an error which names the file.
    let folder = Folder::new();
    let lines = |line: &dyn Fn(u32) -> String, count: u32| (0..count).map(line).collect::<String>();
    let cube = folder.file("cube.obj", CUBE);
    let poses = folder.file("poses.txt", lines(&|_| "0 0 9 0.000000000 0.000000000 0 1\n".into(), 6000));
    let points = folder.file("points.txt", lines(&|k| format!("{k} 0.000000000000 0.000000000000\n"), 6000));
    let motion =
        folder.file("motion.txt", lines(&|k| format!("{k} 0 0 9 0.00000000 0.00000000 0 1\n"), 6000));
    let ball = r#"{"sphere":{"radius":1.000000000000}}"#;
    let pair = format!(r#"{{"a":{ball},"b":{ball}}}"#);
    let pairs = folder.file("pairs.json", format!(r#"{{"pairs":[{}]}}"#, vec![pair; 3000].join(",")));
    let part = format!(r#"{{"shape":{ball}}}"#);
    let union =
        folder.file("union.json", format!(r#"{{"union":{{"parts":[{}]}}}}"#, vec![part; 6000].join(",")));
    let still = folder.file("still.txt", "0 0 0 0 0 0 1\n0 0 0 0 0 0 1\n");
    let queries = folder.file("queries.csv", lines(&|_| "0,1,0,1,0,1,0\n".into(), 16_000));
    let scene = "[[body]]\nname = \"one\"\nfile = \"cube.obj\"\n[[body]]\nname = \"two\"\nfile = \"cube.obj\"\n\
                 [[motion]]\nof = \"one\"\nfile = \"motion.txt\"\n";
    let scene = folder.file("scene.toml", scene);
    let [cube, poses, points, motion, pairs, union, still, queries, scene] =
        [&cube, &poses, &points, &motion, &pairs, &union, &still, &queries, &scene].map(|path| text(path));
    for (arguments, culprit) in [
        (vec!["batch", cube, cube, "--poses", poses, "--query", "contact"], "poses.txt"),
        (vec!["query", cube, "--points", points], "points.txt"),
        (vec!["path", "--moving", cube, "--motion", motion, "--against", cube], "motion.txt"),
        (vec!["path", "--scene", scene], "motion.txt"),
        (vec!["drag", "--moving", cube, "--against", cube, "--hand", motion], "motion.txt"),
        (vec!["convex", pairs, "--query", "contact"], "pairs.json"),
        (vec!["moving", cube, union, "--motions-a", still, "--motions-b", still], "union.json"),
        (vec!["ccd", queries, "--kind", "vertex-face"], "queries.csv"),
    ] {
        let output = kontakt([&arguments[..], &["--time-limit", "0"]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
        assert!(said.contains("time limit was reached") && said.contains(culprit), "{arguments:?}: {said}");
    }
}

#[test]
fn a_distance_cut_short_says_what_is_certain() {
    // No time at all: the files are small enough to be read, and nothing more than that is done.
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", crossing(800, true)), folder.file("b.obj", crossing(800, false)));
    let apart = ["distance", text(&a), text(&b), "--pose-b", "0 0 32000 0 0 0 1"];
    let whole = json(&apart);
    assert_eq!((&whole["complete"], &whole["contact"]), (&true.into(), &false.into()));
    let cut = json(&[&apart[..], &["--time-limit", "0"]].concat());
    assert_eq!(cut["complete"], false, "{cut}");
    let exact = whole["distance"][1].as_f64().unwrap();
    let (lo, hi) =
        (cut["distance"][0].as_f64().unwrap(), cut["distance"][1].as_f64().unwrap_or(f64::INFINITY));
    assert!(lo <= exact && exact <= hi, "{cut}");
}

#[cfg(unix)]
#[test]
fn a_memory_limit_gives_an_error_in_every_format() {
    // The reader of each format, with less memory than the file needs: an error that says so, never an abort.
    let folder = Folder::new();
    let ply = folder.file("sheet.ply", sheet(300, 0.0));
    let mut files = vec![ply.clone()];
    for (name, more) in
        [("sheet.obj", vec![]), ("sheet.stl", vec![]), ("text.stl", vec!["--text"]), ("sheet.kh", vec![])]
    {
        let path = folder.path(name);
        let output = kontakt([&["convert", text(&ply), text(&path)], &more[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        files.push(path);
    }
    let mut short = 0;
    for file in &files {
        for kilobytes in [20_000, 40_000, 60_000, 80_000, 120_000, 160_000, 200_000] {
            let under_limit = |arguments: &str| {
                let command = format!("ulimit -v {kilobytes}; exec \"$0\" {arguments}");
                std::process::Command::new("sh")
                    .args(["-c", &command, env!("CARGO_BIN_EXE_kontakt"), text(file)])
                    .output()
                    .unwrap()
            };
            // With next to nothing the program does not even start.
            if !under_limit("--version").status.success() {
                continue;
            }
            let output = under_limit("info \"$1\" --threads 1 --max-pairs 0");
            let said = stderr(&output);
            if output.status.code() != Some(0) {
                assert_eq!(output.status.code(), Some(2), "{file:?} in {kilobytes} kB: {said}");
                assert!(said.contains("memory"), "{file:?} in {kilobytes} kB: {said}");
                short += 1;
            }
        }
    }
    assert!(short >= 5, "{short} runs were short of memory");
}

#[test]
fn the_same_command_prints_the_same_bytes_in_every_run_and_with_any_threads() {
    // Hash order once reached the lengths of contacts: they differed in the last digit from run to run.
    let mut scene = String::new();
    let mut random = fastrand::Rng::with_seed(7);
    let mut vertices = 0;
    for body in 0..4 {
        writeln!(scene, "o body{body}").unwrap();
        for _ in 0..30 {
            let corner: [f64; 3] = [0.0; 3].map(|_: f64| random.f64());
            for _ in 0..3 {
                let [x, y, z] = corner.map(|c| c + 0.6 * random.f64());
                writeln!(scene, "v {x} {y} {z}").unwrap();
            }
            writeln!(scene, "f {} {} {}", vertices + 1, vertices + 2, vertices + 3).unwrap();
            vertices += 3;
        }
    }
    let folder = Folder::new();
    let scene = folder.file("scene.obj", scene);
    let run = |command: &str, threads: &str| {
        stdout(&kontakt([command, text(&scene), "--json", "--threads", threads]))
    };
    for command in ["check", "info"] {
        let first = run(command, "1");
        assert!(first.len() > 1000, "{first}");
        for threads in ["1", "1", "2", "3"] {
            assert!(run(command, threads) == first, "{command} with {threads} threads");
        }
    }
}

#[test]
fn one_polygon_of_many_corners_is_quick() {
    // A disc, corners that are all the same, a comb, a star, a bent one and one that crosses itself: minutes each, once.
    let folder = Folder::new();
    let n = 20_000;
    let polygon = |at: &dyn Fn(u32) -> [f64; 2]| {
        let mut obj = String::new();
        for [x, y] in (0..n).map(at) {
            writeln!(obj, "v {x} {y} 0").unwrap();
        }
        let corners: Vec<String> = (1..=n).map(|k| k.to_string()).collect();
        obj + "f " + &corners.join(" ") + "\n"
    };
    let disc = |k: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
        [cos, sin]
    };
    let comb = |k: u32| match k {
        0 => [0.0, 0.0],
        1 => [f64::from(n), 0.0],
        _ => [f64::from(n - k), if k.is_multiple_of(2) { 5.0 } else { 1.0 }],
    };
    let star = |k: u32| disc(k).map(|x| if k.is_multiple_of(2) { x } else { 0.5 * x });
    let crossed = |k: u32| {
        star(match k {
            776 => 778,
            778 => 776,
            _ => k,
        })
    };
    let bent = polygon(&star);
    let bent: String = bent
        .lines()
        .map(|line| match line.strip_prefix("v ").and_then(|rest| rest.strip_suffix(" 0")) {
            Some(point) => {
                let (x, y) = point.split_once(' ').unwrap();
                format!("v {point} {}\n", x.parse::<f64>().unwrap() * y.parse::<f64>().unwrap())
            }
            None => format!("{line}\n"),
        })
        .collect();
    let crossed = folder.file("crossed.obj", polygon(&crossed));
    let begin = Instant::now();
    let body = &json(&["info", text(&crossed)])["bodies"][0];
    assert!(begin.elapsed() < SOON && body["self_intersections_complete"] == true, "{:?}", begin.elapsed());
    assert!((1..100).contains(&body["self_intersections"].as_u64().unwrap()), "{body}");
    for (name, obj) in [
        ("disc.obj", polygon(&disc)),
        ("point.obj", polygon(&|_| [1.0, 2.0])),
        ("comb.obj", polygon(&comb)),
        ("star.obj", polygon(&star)),
        ("bent.obj", bent),
    ] {
        let file = folder.file(name, obj);
        let begin = Instant::now();
        let body = &json(&["info", text(&file)])["bodies"][0];
        assert!(begin.elapsed() < SOON, "{name} took {:?}", begin.elapsed());
        assert_eq!(
            (&body["self_intersections"], &body["self_intersections_complete"]),
            (&0.into(), &true.into())
        );
    }
}
