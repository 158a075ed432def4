//! `kontakt simulate`, driven as a user would.

mod common;

use common::{error, json, kontakt, stdout};
use std::path::Path;

const GAS: &str =
    "kind = \"gas\"\nseed = 3\nlattice = [6, 6, 6]\nspacing = 2.0\nradius = 0.5\nspeed = 10.0\n";

fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("scenario.toml");
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("a path of letters").to_owned()
}

#[test]
fn a_gas_keeps_its_energy_and_comes_to_equilibrium() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), &format!("{GAS}collisions_per_sphere = 20\n"));
    let report = json(&["simulate", &file]);
    assert_eq!(
        (&report["kind"], &report["ending"], &report["complete"]),
        (&"gas".into(), &"collisions".into(), &true.into())
    );
    assert_eq!(report["collisions"], 2160);
    assert!(report["energy_lost"].as_f64().is_some_and(|lost| lost.abs() < 1e-12), "{report}");
    // All started at one speed, 0.6 away from equilibrium; 216 in equilibrium are within 0.111 with 99 of 100.
    let away = report["speeds"]["from_equilibrium"].as_f64().expect("a number");
    assert!(away < 0.111, "{away}");
    let counted: u64 = report["speeds"]["histogram"]
        .as_array()
        .expect("bins")
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .sum();
    assert_eq!(counted, 216);
    assert_eq!(json(&["simulate", &file, "--threads", "2"])["hash"], report["hash"]);
    assert!(stdout(&kontakt(["simulate", &file])).contains("Maxwell"));
}

#[test]
fn states_are_written_for_viewers() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), &format!("{GAS}boundary = \"walled\"\ntime = 2.0\nframes = 2\n"));
    let out = folder.path().join("out");
    let report = json(&["simulate", &file, "-o", out.to_str().expect("a path of letters")]);
    assert_eq!((&report["ending"], &report["time"]), (&"time".into(), &2.0.into()));
    assert!(report["wall_hits"].as_u64().is_some_and(|hits| hits > 0));
    let list = std::fs::read_to_string(out.join("gas.pvd")).expect("a list");
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), list.matches(".vtu").count() + 1);
    assert!(files.iter().all(|file| file.as_str().is_some_and(|file| Path::new(file).exists())));
}

#[test]
fn a_collapse_ends_the_run_and_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let text = "kind = \"gas\"\nlattice = [9, 1, 1]\nspacing = 1.5\nradius = 0.5\nspeed = 1.0\nboundary = \"walled\"\nrestitution = 0.0\ntime = 1e6\n";
    let run = kontakt(["simulate", &write(folder.path(), text), "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let collapsed = report["ending"] == "collapse";
    assert_eq!(run.status.code(), Some(i32::from(collapsed)), "{report}");
    assert!(collapsed || report["ending"] == "quiet" || report["ending"] == "time", "{report}");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let told = |text: &str| error(&["simulate", &write(folder.path(), text)]);
    assert!(told("kind = \"gsa\"").contains("nearest is `gas`"));
    assert!(told(&format!("{GAS}tmie = 1.0\n")).contains("line 7: unknown key `tmie`, nearest is `time`"));
    assert!(told(GAS).contains("needs an end"));
    assert!(told(&format!("{GAS}time = -1.0\n")).contains("above 0"));
    assert!(told(&format!("{GAS}time = 1.0\nrestitution = 2.0\n")).contains('2'));
    let crowded = GAS.replace("radius = 0.5", "radius = 1.5");
    assert!(
        told(&format!("{crowded}time = 1.0\n")).contains("overlap"),
        "{}",
        told(&format!("{crowded}time = 1.0\n"))
    );
    let huge = GAS.replace("[6, 6, 6]", "[1000000, 1000000, 1000000]");
    assert!(told(&format!("{huge}time = 1.0\n")).contains("at most"));
    let file = write(folder.path(), &format!("{GAS}time = 1.0\n"));
    assert!(error(&["simulate", &file, "--resume"]).contains("--output"));
    assert!(error(&["simulate", &file, "--ranks", "0"]).contains("from 1 to 256"));
}

fn out(folder: &Path) -> String {
    folder.join("out").to_str().expect("a path of letters").to_owned()
}

/// A run that ends by its time limit leaves a checkpoint; other ranks go on from it to the state of the run that was not stopped.
#[test]
fn a_stopped_run_goes_on_to_the_same_state_on_any_ranks() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), &format!("{GAS}collisions_per_sphere = 200\nframes = 5\n"));
    let whole = json(&["simulate", &file]);
    assert_eq!(json(&["simulate", &file, "--ranks", "3"])["hash"], whole["hash"]);
    let out = out(folder.path());
    let mut stopped = json(&["simulate", &file, "-o", &out, "--time-limit", "0"]);
    assert_eq!((&stopped["complete"], &stopped["checkpoints"]["written"]), (&false.into(), &1.into()));
    for ranks in ["2", "1", "4"] {
        stopped = json(&["simulate", &file, "-o", &out, "--time-limit", "0", "--resume", "--ranks", ranks]);
        assert!(stopped["checkpoints"]["resumed"].is_u64(), "{stopped}");
    }
    let ended = json(&["simulate", &file, "-o", &out, "--resume", "--ranks", "2"]);
    assert_eq!((&ended["hash"], &ended["collisions"]), (&whole["hash"], &whole["collisions"]));
    // The states for viewers of all five runs are one series.
    assert_eq!(ended["files"].as_array().map(Vec::len), Some(7), "{ended}");
    let list = std::fs::read_to_string(Path::new(&out).join("gas.pvd")).expect("a list");
    assert_eq!(list.matches(".vtu").count(), 6);
}

#[test]
fn damaged_checkpoints_are_named_and_those_of_other_scenarios_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let text = format!("{GAS}collisions_per_sphere = 20\n");
    let file = write(folder.path(), &text);
    let out = out(folder.path());
    let whole = json(&["simulate", &file, "-o", &out, "--checkpoint-every", "500"]);
    let checkpoints = Path::new(&out).join("checkpoints");
    let mut steps: Vec<_> = std::fs::read_dir(&checkpoints)
        .expect("checkpoints")
        .map(|entry| entry.expect("entry").path())
        .collect();
    steps.sort();
    assert_eq!(steps.len(), 2);
    std::fs::write(steps[1].join("part-0"), b"something else").expect("written");
    let resumed = json(&["simulate", &file, "-o", &out, "--resume"]);
    assert_eq!(resumed["hash"], whole["hash"]);
    let why = resumed["checkpoints"]["passed_over"].to_string();
    assert!(why.contains("part-0") && why.contains("14 bytes"), "{why}");
    for step in std::fs::read_dir(&checkpoints).expect("checkpoints") {
        std::fs::remove_file(step.expect("entry").path().join("part-0")).expect("removed");
    }
    let none = error(&["simulate", &file, "-o", &out, "--resume", "--ranks", "2"]);
    assert!(none.contains("no checkpoint is whole") && none.contains("part-0: cannot be read"), "{none}");
    let longer = write(folder.path(), &text.replace("= 20", "= 30"));
    json(&["simulate", &longer, "-o", &out]);
    let other = write(folder.path(), &text.replace("seed = 3", "seed = 4"));
    assert!(error(&["simulate", &other, "-o", &out, "--resume"]).contains("another scenario"));
}

/// Killed at any moment, also while a checkpoint is written, by a signal that cannot be caught. `KONTAKT_KILLS` asks for more.
#[cfg(unix)]
#[test]
fn a_killed_run_loses_nothing_past_its_last_checkpoint() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let kills = std::env::var("KONTAKT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(5);
    let folder = tempfile::tempdir().expect("folder");
    let text = GAS.replace("[6, 6, 6]", "[10, 10, 10]");
    let file = write(folder.path(), &format!("{text}collisions_per_sphere = 60\nframes = 3\n"));
    let whole = json(&["simulate", &file, "--quiet"]);
    let out = out(folder.path());
    let run = |resume: bool, ranks: u64| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_kontakt"));
        run.args([
            "simulate",
            &file,
            "-o",
            &out,
            "--checkpoint-every",
            "200",
            "--quiet",
            "--ranks",
            &ranks.to_string(),
        ]);
        run.args(resume.then_some("--resume")).stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().expect("started")
    };
    let mut random = fastrand::Rng::with_seed(1);
    // How long a run takes here and now, so that kills come all over it.
    let start = Instant::now();
    run(false, 1).wait().expect("ended");
    let longest = start.elapsed().as_micros() as u64;
    let (mut caught, mut resume) = (0, false);
    for kill in 0..kills {
        let mut child = run(resume, random.u64(1..=3));
        std::thread::sleep(Duration::from_micros(random.u64(0..longest)));
        let on_the_way = child.try_wait().expect("state").is_none();
        child.kill().expect("killed");
        child.wait().expect("ended");
        caught += u32::from(on_the_way);
        // Killed again and again on its way, until it came to the end or is asked for it.
        resume = on_the_way && kill % 3 != 2;
        if !resume {
            let ended = json(&["simulate", &file, "-o", &out, "--resume", "--ranks", "2", "--quiet"]);
            assert_eq!(ended["hash"], whole["hash"], "after kill {kill}");
        }
    }
    let ended = json(&["simulate", &file, "-o", &out, "--resume", "--quiet"]);
    assert_eq!(ended["hash"], whole["hash"]);
    println!("{caught} of {kills} killed on the way; {}", ended["checkpoints"]);
    assert!(caught > 0, "no run was killed on its way");
}

const PILE: &str = "kind = \"pile\"\nseed = 2\ntime = 6.0\n[container]\nbase = 3.0\n[drop]\ncount = 24\n[[grains]]\nshape = { sphere = { radius = 0.5 } }\n[[grains]]\nshape = { box = { half = [0.4, 0.4, 0.4] } }\n";

#[test]
fn a_pile_falls_and_is_measured_the_same_on_any_threads() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), PILE);
    let out = folder.path().join("out");
    let report = json(&["simulate", &file, "-o", out.to_str().expect("a path of letters")]);
    assert_eq!(
        (&report["kind"], &report["complete"], &report["bodies"]),
        (&"pile".into(), &true.into(), &24.into())
    );
    assert!(report["relative_energy"].as_f64().is_some_and(|energy| energy < 1e-3), "{report}");
    let within = |k: usize| report["contacts"][k]["pairs"].as_u64().expect("a count");
    assert!(within(0) <= within(1) && within(1) <= within(2) && within(2) > 24, "{report}");
    assert!(report["contacts"][2]["greatest_depth"].as_f64().is_some_and(|depth| depth < 1e-3), "{report}");
    assert!(report["solid_fraction"]["up_to_top"].as_f64().is_some_and(|share| share > 0.3), "{report}");
    for name in ["pile.pvd", "surfaces.pvd"] {
        assert!(out.join(name).exists(), "{name}");
    }
    assert_eq!(json(&["simulate", &file, "--threads", "2"])["hash"], report["hash"]);
    assert!(stdout(&kontakt(["simulate", &file])).contains("% of the slab"));
}

#[test]
fn a_stack_rests_and_overlaps_are_told_and_pushed_apart() {
    let folder = tempfile::tempdir().expect("folder");
    let stack =
        "kind = \"pile\"\ntime = 5.0\nfriction = 0.5\nmost_sweeps = 20000\n[stack]\nedge = 1.0\ncount = 5\n";
    let report = json(&["simulate", &write(folder.path(), stack)]);
    assert_eq!(
        (&report["ending"], &report["start"]["overlapping_pairs"]),
        (&"rest".into(), &0.into()),
        "{report}"
    );
    let body = |x: f64| {
        format!("[[bodies]]\nshape = {{ sphere = {{ radius = 0.5 }} }}\nplace = [{x:?}, 0.0, 0.5]\n")
    };
    let floor = "[[bodies]]\nfixed = true\nshape = { half_space = { normal = [0, 0, 1], offset = 0 } }\n";
    let text = format!("kind = \"pile\"\ntime = 0.1\nseparate = true\n{floor}{}{}", body(0.0), body(0.7));
    let report = json(&["simulate", &write(folder.path(), &text)]);
    assert_eq!(report["start"]["overlapping_pairs"], 1, "{report}");
    assert!(report["start"]["depth_after_separation"].as_f64().is_some_and(|left| left < 1e-8), "{report}");
}

#[test]
fn what_is_wrong_with_a_pile_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let told = |text: &str| error(&["simulate", &write(folder.path(), text)]);
    assert!(told(&PILE.replace("base = 3.0", "bass = 3.0")).contains("nearest is `base`"));
    assert!(told(&PILE.replace("time = 6.0", "time = 6.0\nfriction = -1.0")).contains("friction"));
    assert!(told(&PILE.replace("base = 3.0", "base = 0.5")).contains("do not fit"));
    assert!(told(&PILE.replace("sphere", "shpere")).contains("shpere"));
    assert!(told(&PILE.replace("radius = 0.5", "radius = 0.0")).contains("volume"));
    assert!(told("kind = \"pile\"\ntime = 1.0\n").contains("nothing moves"));
    let massless =
        "kind = \"pile\"\ntime = 1.0\n[[bodies]]\nmass = 0.0\nshape = { sphere = { radius = 1.0 } }\n";
    assert!(told(massless).contains("mass must be above 0"));
    let lost = "kind = \"pile\"\ntime = 9.0\ndomain = [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]\n[[bodies]]\nshape = { sphere = { radius = 0.1 } }\n";
    let run = kontakt(["simulate", &write(folder.path(), lost)]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stdout(&run).contains("has left the domain"), "{}", stdout(&run));
}

const SLEEPY_PILE: &str = "kind = \"pile\"\nseed = 2\ntime = 0.8\nsleep = true\nfriction = 0.3\n[container]\nbase = 4.0\n[drop]\ncount = 30\n\
    [[grains]]\nshape = { sphere = { radius = 0.5 } }\n[[grains]]\nshape = { box = { half = [0.5, 0.4, 0.3] } }\n";

/// Ranks × threads × resumed on other ranks: one state.
#[test]
fn a_pile_comes_to_one_state_on_any_ranks_and_threads_also_resumed() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), SLEEPY_PILE);
    let whole = json(&["simulate", &file, "--threads", "1"]);
    assert_eq!((&whole["ranks"], &whole["complete"]), (&1.into(), &true.into()));
    for (ranks, threads) in [("2", "1"), ("3", "2"), ("4", "8")] {
        let run = json(&["simulate", &file, "--ranks", ranks, "--threads", threads]);
        assert_eq!((&run["hash"], &run["contacts"]), (&whole["hash"], &whole["contacts"]), "{ranks} ranks");
    }
    let out = out(folder.path());
    let short = write(folder.path(), &SLEEPY_PILE.replace("time = 0.8", "time = 0.5"));
    let run = |ranks: &str, resume: &[&str]| {
        json(
            &[&["simulate", &short, "-o", &out, "--checkpoint-every", "30", "--ranks", ranks], resume]
                .concat(),
        )
    };
    assert_eq!(run("3", &[])["checkpoints"]["written"], 3);
    let file = write(folder.path(), SLEEPY_PILE);
    let ended = json(&["simulate", &file, "-o", &out, "--resume", "--ranks", "2"]);
    assert_eq!((&ended["hash"], &ended["checkpoints"]["resumed"]), (&whole["hash"], &90.into()));
}

/// Ranks write parts of states, and one alone the whole; the table beside them goes on after a resume.
#[test]
fn ranks_write_parts_of_states_and_a_table_tells_how_a_pile_settles() {
    let folder = tempfile::tempdir().expect("folder");
    let text = SLEEPY_PILE.replace("time = 0.8", "time = 0.5\nframes = 3");
    let (out, file) = (out(folder.path()), write(folder.path(), &text));
    let run =
        |more: &[&str]| json(&[&["simulate", &file, "-o", &out, "--checkpoint-every", "60"], more].concat());
    let points = |name: &str| {
        let bytes = std::fs::read(Path::new(&out).join(name)).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let count = text.split("NumberOfPoints=\"").nth(1).and_then(|rest| rest.split('"').next());
        count.and_then(|count| count.parse::<usize>().ok()).expect("a count")
    };
    let table = || std::fs::read_to_string(Path::new(&out).join("pile.csv")).expect("a table");
    let whole = run(&["--ranks", "3"]);
    let parts: usize = (0..3).map(|rank| points(&format!("pile_000001_{rank}.vtu"))).sum();
    assert_eq!((parts, &whole["bodies"]), (30, &30.into()));
    let list = std::fs::read_to_string(Path::new(&out).join("pile.pvd")).expect("a list");
    assert_eq!((list.matches(".pvtu").count(), list.matches(".vtu").count()), (4, 0));
    let told = table();
    assert_eq!((told.lines().count(), told.lines().next().map(|head| head.split(',').count())), (5, Some(8)));
    // Gone on alone from the checkpoint in the middle: states of both forms, the same table.
    let resumed = run(&["--resume"]);
    assert_eq!((&resumed["hash"], &resumed["checkpoints"]["resumed"]), (&whole["hash"], &60.into()));
    assert_eq!(table(), told);
    let list = std::fs::read_to_string(Path::new(&out).join("pile.pvd")).expect("a list");
    assert_eq!((list.matches(".pvtu").count(), list.matches(".vtu").count()), (2, 2), "{list}");
    assert_eq!(points("pile_000003.vtu"), 30);
    assert!(!Path::new(&out).join("pile_000003.pvtu").exists());
}

const ROD: &str = "kind = \"rod\"\nlength = 1.0\nradius = 0.02\nplace = [0, 0, 1.2]\ntilt_degrees = 30\n";

#[test]
fn a_rod_falls_and_bounces_at_certified_times() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), &format!("{ROD}time = 3.0\nframes = 5\n"));
    let report = json(&["simulate", &file, "-o", &out(folder.path())]);
    assert_eq!((&report["ending"], &report["complete"]), (&"time".into(), &true.into()));
    let bounces = report["bounces"].as_array().expect("bounces");
    // Its lower end falls 1.2 - 0.02 - cos 30° / 2 with 10 m/s².
    let first = bounces[0]["time"].as_f64().expect("a time");
    let known = (2.0 * (1.18 - 0.5 * 0.75_f64.sqrt()) / 10.0).sqrt();
    assert!(bounces.len() > 3 && (first - known).abs() < 1e-9, "{first} {known}");
    assert!(report["energy_lost"].as_f64().is_some_and(|lost| lost.abs() < 1e-12), "{report}");
    assert_eq!(report["files"].as_array().map(Vec::len), Some(7));
    assert_eq!(json(&["simulate", &file, "--ranks", "2"])["hash"], report["hash"]);
    let text = format!(
        "{ROD}restitution = 0.0\ntime = 100\n[[ground]]\nshape = {{ sphere = {{ radius = 0.3 }} }}\nplace = [0, 0, -0.4]\n[[ground]]\nshape = {{ half_space = {{ normal = [0, 0, 1], offset = 0 }} }}\n"
    );
    let lossy = json(&["simulate", &write(folder.path(), &text)]);
    assert_eq!(lossy["ending"], "lasting contact", "{lossy}");
    let told = |text: &str| error(&["simulate", &write(folder.path(), text)]);
    assert!(told(ROD).contains("it needs an end"));
    assert!(told(&format!("{ROD}tiem = 1\n")).contains("nearest is `time`"));
    assert!(told(&format!("{ROD}time = 1\nmass = 0\n")).contains("mass"));
    assert!(told(&format!("{ROD}time = 1\nframes = 2\nrestitution = 2\n")).contains("restitution"));
    let inside = ROD.replace("1.2]", "0.1]");
    assert!(told(&format!("{inside}time = 1\n")).contains("overlaps"));
}
