//! `kontakt simulate` of soft bodies, driven as a user would; written states are checked by an oracle of its own, in rationals.

mod common;

use common::{error, json, kontakt, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use testkit::rational::{Vector, vector};
use testkit::triangle_meeting::intersection;

const FALL: &str = r#"kind = "soft"
dt = 0.01
steps = 12
frames = 6

[[body]]
name = "membrane"
slab = { cells = [4, 4, 1], size = [0.4, 0.4, 0.05] }
pinned = [{ from = [-1, -1, -1], to = [-0.19, 1, 1] }, { from = [0.19, -1, -1], to = [1, 1, 1] }]

[[body]]
name = "stone"
tetrahedron = 0.1
at = [0.013, 0.017, 0.2]
velocity = [0, 0, -40]
"#;

fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("scenario.toml");
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("a path of letters").to_owned()
}

fn out(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path of letters").to_owned()
}

/// Points and outer triangles of a state, read by hand: bytes behind the grid, each array after its length.
fn state(path: &Path) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let file = std::fs::read(path).expect("a state");
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(mark.len()).position(|some| some == mark).expect("appended data") + mark.len();
    let mut rest = &file[start..];
    let mut next = || {
        let (length, bytes) = rest.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
        rest = &bytes[length..];
        &bytes[..length]
    };
    let doubles: Vec<f64> =
        next().chunks(8).map(|b| f64::from_le_bytes(b.try_into().expect("eight bytes"))).collect();
    let corners: Vec<u32> =
        next().chunks(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect();
    let mut sides: Vec<([u32; 3], [u32; 3])> = Vec::new();
    for t in corners.chunks(4) {
        for side in [[t[1], t[2], t[3]], [t[0], t[3], t[2]], [t[0], t[1], t[3]], [t[0], t[2], t[1]]] {
            let mut sorted = side;
            sorted.sort_unstable();
            sides.push((sorted, side));
        }
    }
    sides.sort_unstable();
    let outer = sides.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0].1);
    (doubles.chunks(3).map(|p| [p[0], p[1], p[2]]).collect(), outer.collect())
}

/// No edge of the surface meets a face that it shares no vertex with.
fn is_free(path: &Path) -> bool {
    let (points, faces) = state(path);
    assert_eq!(faces.len(), 100);
    let x: Vec<Vector> = points.iter().map(|p| vector(*p)).collect();
    let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).filter(|[a, b]| a < b);
    let extent = |vs: &[u32], axis: usize| {
        let at = || vs.iter().map(|&v| points[v as usize][axis]);
        (at().fold(f64::MAX, f64::min), at().fold(f64::MIN, f64::max))
    };
    let is_near = |vs: &[u32], ws: &[u32]| {
        (0..3).all(|axis| {
            let ((l, h), (m, n)) = (extent(vs, axis), extent(ws, axis));
            l <= n && m <= h
        })
    };
    sides.into_iter().all(|edge| {
        faces.iter().all(|face| {
            if edge.iter().any(|v| face.contains(v)) || !is_near(&edge, face) {
                return true;
            }
            let [p, q] = edge.map(|v| x[v as usize].clone());
            intersection(&[p, q.clone(), q], &face.map(|v| x[v as usize].clone())).is_empty()
        })
    })
}

fn states(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_to_string(folder.join("soft.pvd")).expect("a list");
    let names = list.split("file=\"").skip(1).filter_map(|rest| rest.split('"').next());
    names.map(|name| folder.join(name)).collect()
}

#[test]
fn every_state_written_is_free_and_threads_change_no_bit() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), FALL);
    let report = json(&["simulate", &file, "-o", &out(folder.path(), "out")]);
    assert_eq!(
        (&report["kind"], &report["complete"], &report["steps"]),
        (&"soft".into(), &true.into(), &12.into())
    );
    assert!(report["contacts"]["new"].as_u64().is_some_and(|new| new > 0), "{report}");
    let energy = |key: &str| report["energy"][key].as_f64().expect("joules");
    assert!(energy("last") <= energy("first") && energy("kinetic") >= 0.0, "{report}");
    let states = states(&folder.path().join("out"));
    assert_eq!(states.len(), 7);
    assert!(states.iter().all(|state| is_free(state)));
    for threads in ["1", "3", "8"] {
        assert_eq!(json(&["simulate", &file, "--threads", threads])["hash"], report["hash"]);
    }
    assert!(stdout(&kontakt(["simulate", &file])).contains("surface triangles"));
}

/// A run that was ended early, or killed while it wrote, goes on to the same bits, reports and files.
#[test]
fn what_was_ended_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().expect("folder");
    let file = write(folder.path(), FALL);
    let (whole, parts) = (out(folder.path(), "whole"), out(folder.path(), "parts"));
    let expected = json(&["simulate", &file, "-o", &whole]);
    let mut last = json(&["simulate", &file, "-o", &parts, "--time-limit", "0"]);
    assert_eq!((&last["complete"], &last["steps"]), (&false.into(), &0.into()));
    for _ in 0..40 {
        if last["complete"] == true {
            break;
        }
        // Half a newer checkpoint, as a kill leaves it.
        let torn = folder.path().join("parts/checkpoints/step-000000000999");
        std::fs::create_dir_all(&torn).expect("a folder");
        std::fs::write(torn.join("shared.tmp"), b"half").expect("written");
        last = json(&["simulate", &file, "-o", &parts, "--resume", "--time-limit", "0.02"]);
    }
    let resumed = json(&["simulate", &file, "-o", &parts, "--resume"]);
    let same =
        |report: &Value| ["steps", "hash", "energy", "contacts", "statistics"].map(|key| report[key].clone());
    assert_eq!(same(&resumed), same(&expected));
    for (a, b) in states(Path::new(&whole)).iter().zip(states(Path::new(&parts))) {
        assert_eq!(std::fs::read(a).expect("a state"), std::fs::read(b).expect("a state"), "{}", a.display());
    }
    let other = write(folder.path(), &FALL.replace("-40", "-41"));
    assert!(error(&["simulate", &other, "-o", &parts, "--resume"]).contains("another scenario"));
}

/// Solids from each format with tetrahedra, from filled surfaces, and shells.
#[test]
fn bodies_come_from_files_and_formulas() {
    let folder = tempfile::tempdir().expect("folder");
    let first = write(folder.path(), &FALL.replace("steps = 12", "steps = 1"));
    json(&["simulate", &first, "-o", &out(folder.path(), "made")]);
    let state = states(&folder.path().join("made")).remove(0);
    std::fs::copy(&state, folder.path().join("both.vtu")).expect("copied");
    let text = "kind = \"soft\"\ndt = 0.01\nsteps = 3\n[[body]]\nfile = \"both.vtu\"\n\
        [[body]]\nball = { frequency = 3 }\nfill = 0.5\nscale = 0.1\nat = [0, 0, 0.6]\n\
        [[body]]\nname = \"flag\"\nsheet = { cells = [3, 3], size = [0.3, 0.3] }\nat = [0, 0, 1]\n\
        turn = { axis = [1, 0, 0], degrees = 30 }\npinned = [{ from = [-1, -1, 0.9], to = [-0.14, 1, 2] }]\n\
        copies = { count = 2, by = [0, 0, 0.2] }\n[[pull]]\nbody = \"flag#2\"\nnear = [1, 1, 1]\nto = [0.5, 0.5, 1.5]\nstiffness = 5\n";
    let report = json(&[
        "simulate",
        &write(folder.path(), &format!("{text}[wind]\nvelocity = [3, 0, 0]\ndrag = 1\n")),
    ]);
    assert_eq!(report["bodies"], serde_json::json!(["body1", "body2", "flag", "flag#2"]));
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let told = |text: &str| error(&["simulate", &write(folder.path(), text)]);
    let changed = |from: &str, to: &str| {
        let text = FALL.replacen(from, to, 1);
        assert_ne!(text, FALL);
        told(&text)
    };
    assert!(changed("frames = 6", "frame = 6").contains("nearest is `frames`"));
    assert!(changed("dt = 0.01", "dt = -1.0").contains("`dt`"));
    assert!(changed("tetrahedron = 0.1", "tetrahedron = 0.1\nbear = 0.2").contains("one shape, it has 2"));
    assert!(changed("tetrahedron = 0.1", "tetrahedron = nan").contains("body `stone`"));
    assert!(
        changed("tetrahedron = 0.1", "tetrahedron = 0.1\nmaterial = \"glue\"").contains("no material `glue`")
    );
    assert!(changed("velocity = [0, 0, -40]", "velocity = [0, 0, inf]").contains("velocity"));
    assert!(
        changed("tetrahedron = 0.1", "tetrahedron = 0.1\ndrive = { velocity = [0, 0, 1] }")
            .contains("it has none")
    );
    assert!(changed("tetrahedron = 0.1", "file = \"none.msh\"").contains("none.msh"));
    let hard = "[material.hard]\nstiffness = inf\n[[body]]\nname = \"stone\"\nmaterial = \"hard\"";
    assert!(changed("[[body]]\nname = \"stone\"", hard).contains("a stiffness of inf"));
    let met = FALL.replace("0.2]\nvelocity", "0.0]\nvelocity");
    let said = told(&met);
    assert!(said.contains("not free: membrane with stone meet") && said.contains("move_apart"), "{said}");
    let report = json(&["simulate", &write(folder.path(), &met.replace("dt =", "move_apart = true\ndt ="))]);
    assert_eq!(report["moved_apart"][0]["body"], "stone");
}

/// The examples are run as they are, shorter.
#[test]
fn the_examples_run() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/scenarios");
    let folder = tempfile::tempdir().expect("folder");
    for name in ["membrane_very_fast", "squeezed_box"] {
        let text = std::fs::read_to_string(examples.join(name).with_extension("toml")).expect("an example");
        let short = text.replace("steps = 100", "steps = 10").replace("frames", "# frames");
        let report = json(&["simulate", &write(folder.path(), &short)]);
        assert_eq!((&report["complete"], &report["steps"]), (&true.into(), &10.into()), "{name}");
    }
}
