//! Commands that are asked about the same bodies agree. Random solids with small integer coordinates, so that touching, flush and
//! equal gaps are common; every pair at many places, in both orders. Many placements share a process: `check` gets a file with
//! all of them, `batch`, `moving` and `convex` a list.

mod common;

use common::{Folder, kontakt, range, stderr, text};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use testkit::Generator;

/// How many pairs of solids; more for a long run.
fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Places of B to A for each pair.
const PLACES: usize = 24;

/// A solid with integer corners, and its faces.
struct Solid {
    corners: Vec<[i32; 3]>,
    faces: Vec<Vec<usize>>,
    /// Least and greatest corner, where it is a box.
    span: Option<[[i32; 3]; 2]>,
}

impl Solid {
    fn cuboid(low: [i32; 3], high: [i32; 3]) -> Solid {
        let corner =
            |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Solid {
            corners: (0..8).map(corner).collect(),
            faces: faces.iter().map(|face| face.to_vec()).collect(),
            span: Some([low, high]),
        }
    }

    fn random(random: &mut Generator) -> Solid {
        loop {
            let [a, b, c, d]: [[i32; 3]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.integer(-2..=2)));
            if random.index(2) == 0 {
                let low = std::array::from_fn(|k| a[k].min(b[k]));
                let high: [i32; 3] = std::array::from_fn(|k| a[k].max(b[k]));
                if (0..3).all(|k| low[k] < high[k]) {
                    return Solid::cuboid(low, high);
                }
                continue;
            }
            let [u, v, w] = [b, c, d].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let volume = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
                + u[2] * (v[0] * w[1] - v[1] * w[0]);
            if volume != 0 {
                let corners = if volume > 0 { vec![a, b, c, d] } else { vec![a, c, b, d] };
                let faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]];
                return Solid { corners, faces, span: None };
            }
        }
    }

    /// As an object of an OBJ file that has `before` vertices already; lengths are halves, which doubles hold.
    fn obj(&self, name: &str, at: [i32; 3], before: usize) -> String {
        let mut obj = format!("o {name}\n");
        for corner in &self.corners {
            let [x, y, z] = [0, 1, 2].map(|k| f64::from(corner[k] + at[k]) / 2.0);
            writeln!(obj, "v {x:?} {y:?} {z:?}").unwrap();
        }
        for face in &self.faces {
            let corners: Vec<String> = face.iter().map(|c| (c + before + 1).to_string()).collect();
            writeln!(obj, "f {}", corners.join(" ")).unwrap();
        }
        obj
    }

    /// As a convex shape about its middle, and that middle.
    fn shape(&self, at: [i32; 3]) -> Option<(Value, [f64; 3])> {
        let [low, high] = self.span?;
        let half: Vec<f64> = (0..3).map(|k| f64::from(high[k] - low[k]) / 4.0).collect();
        let middle = [0, 1, 2].map(|k| f64::from(low[k] + high[k] + 2 * at[k]) / 4.0);
        Some((serde_json::json!({ "box": { "half": half } }), middle))
    }
}

/// The document of a command, whatever it finds.
fn document(arguments: &[&str]) -> Value {
    let output = kontakt(arguments.iter().copied().chain(["--json", "--threads", "1"]));
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn results(document: &Value) -> &Vec<Value> {
    document["results"].as_array().unwrap()
}

/// What all commands say about the placements of one pair.
struct Said {
    check: Vec<Value>,
    contact: Value,
    distance: Value,
    clearance: Value,
    moving: Value,
}

/// A is at rest; B is at the places.
fn ask(folder: &Folder, a: &Solid, b: &Solid, places: &[[i32; 3]], clearance: f64) -> Said {
    let poses: Vec<String> = places
        .iter()
        .map(|at| at.map(|x| format!("{:?}", f64::from(x) / 2.0)).join(" ") + " 0 0 0 1\n")
        .collect();
    let rest = "0 0 0 0 0 0 1\n";
    let file = |name: &str, content: String| folder.file(name, content);
    let (obj_a, obj_b) = (file("a.obj", a.obj("a", [0; 3], 0)), file("b.obj", b.obj("b", [0; 3], 0)));
    let pose_file = file("poses.txt", poses.concat());
    let still_a = file("still_a.txt", rest.repeat(2 * places.len()));
    let still_b = file("still_b.txt", poses.iter().flat_map(|pose| [pose.as_str(); 2]).collect());
    let mut all = a.obj("a", [0; 3], 0);
    let mut before = a.corners.len();
    for (k, &at) in places.iter().enumerate() {
        all += &b.obj(&format!("b{k}"), at, before);
        before += b.corners.len();
    }
    let all = file("all.obj", all);
    let limit = format!("{clearance:?}");
    let checked = document(&["check", text(&all), "--clearance", &limit, "--ignore", "b*:b*"]);
    let batch = |query: &[&str]| {
        let poses = text(&pose_file);
        document(&[&["batch", text(&obj_a), text(&obj_b), "--poses", poses, "--query"], query].concat())
    };
    Said {
        check: checked["pairs"].as_array().unwrap().clone(),
        contact: batch(&["contact"]),
        distance: batch(&["distance"]),
        clearance: batch(&["clearance", "--clearance", &limit]),
        moving: document(&[
            "moving",
            text(&obj_a),
            text(&obj_b),
            "--motions-a",
            text(&still_a),
            "--motions-b",
            text(&still_b),
        ]),
    }
}

/// Everything that is said about one placement fits together; the relation.
fn agree(said: &Said, k: usize, clearance: f64, about: &str) -> String {
    let pair = &said.check[k];
    let relation = pair["exact_relation"].as_str().unwrap();
    let class = pair["relation"].as_str().unwrap();
    let separate = relation == "separate";
    let contact = results(&said.contact)[k]["contact"].as_bool().unwrap();
    let about = format!("{about}: {pair}");
    match relation {
        "separate" => assert!(!contact, "{about}"),
        "contained" => {}
        "touching" | "overlapping" | "duplicate" => assert!(contact, "{about}"),
        other => panic!("{other}: {about}"),
    }
    let distance = range(&results(&said.distance)[k]["distance"]);
    assert_eq!(distance == (0.0, 0.0), contact, "{about}");
    let closer = results(&said.clearance)[k]["closer"].as_bool().unwrap_or_else(|| panic!("open: {about}"));
    assert!(closer || distance.1 >= clearance, "{about}");
    assert!(!closer || distance.0 <= clearance, "{about}");
    if separate {
        let here = range(&pair["distance"]);
        assert!(here.0 <= distance.1 && distance.0 <= here.1, "{about}: {distance:?}");
        assert_eq!(class, if closer { "encroaching" } else { "separate" }, "{about}");
    } else {
        assert_eq!(class, relation, "{about}");
    }
    let moving = &results(&said.moving)[k];
    let initial = match relation {
        "separate" | "touching" => relation,
        _ => "overlapping",
    };
    assert_eq!(moving["initial"], initial, "{about}: {moving}");
    relation.to_owned()
}

#[test]
fn commands_agree_about_bodies_at_rest() {
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    let mut ties = 0;
    for round in 0..cases() {
        let mut random = Generator::grid(9100 + round);
        let (a, b) = (Solid::random(&mut random), Solid::random(&mut random));
        let places: Vec<[i32; 3]> =
            (0..PLACES).map(|_| std::array::from_fn(|_| random.integer(-3..=3))).collect();
        // Gaps of parallel faces are multiples of a half.
        let clearance = f64::from(random.integer(1..=3)) / 2.0;
        let folder = Folder::new();
        let said = ask(&folder, &a, &b, &places, clearance);
        let back: Vec<[i32; 3]> = places.iter().map(|at| at.map(|x| -x)).collect();
        let swapped = ask(&Folder::new(), &b, &a, &back, clearance);
        for (k, place) in places.iter().enumerate() {
            let about = format!("round {round}, place {place:?}, clearance {clearance}");
            let relation = agree(&said, k, clearance, &about);
            let other = agree(&swapped, k, clearance, &format!("{about}, swapped"));
            assert_eq!(relation, other, "{about}: by the order");
            for key in ["relation", "kind", "distance", "forbidden"] {
                assert_eq!(said.check[k][key], swapped.check[k][key], "{about}: {key} by the order");
            }
            let distance = range(&results(&said.distance)[k]["distance"]);
            ties += usize::from(distance.0 <= clearance && clearance <= distance.1 && distance.1 > 0.0);
            *seen.entry(relation).or_default() += 1;
        }
        shapes_agree(&folder, &said, [&a, &b], &places);
        alone_agrees(&folder, &said, &places);
    }
    let count = |relation: &str| seen.get(relation).copied().unwrap_or(0);
    let all = PLACES * usize::try_from(cases()).unwrap();
    assert!(count("separate") * 10 > all && count("overlapping") * 30 > all, "{seen:?}");
    assert!(count("touching") * 100 > all && ties > 0, "{seen:?} {ties}");
}

/// Boxes as convex shapes say the same.
fn shapes_agree(folder: &Folder, said: &Said, [a, b]: [&Solid; 2], places: &[[i32; 3]]) {
    let Some((shape_a, middle_a)) = a.shape([0; 3]) else { return };
    let pose = |m: [f64; 3]| vec![m[0], m[1], m[2], 0.0, 0.0, 0.0, 1.0];
    let pairs: Option<Vec<Value>> = places
        .iter()
        .map(|&at| {
            let (shape_b, middle_b) = b.shape(at)?;
            Some(serde_json::json!({
                "a": shape_a, "b": shape_b, "pose_a": pose(middle_a), "pose_b": pose(middle_b),
            }))
        })
        .collect();
    let Some(pairs) = pairs else { return };
    let file = folder.file("pairs.json", serde_json::json!({ "pairs": pairs }).to_string());
    let found = document(&["convex", text(&file), "--query", "distance"]);
    for (k, result) in results(&found).iter().enumerate() {
        let (here, there) = (&said.check[k], &results(&said.distance)[k]);
        let solid = match here["exact_relation"].as_str().unwrap() {
            "contained" | "duplicate" => "overlapping",
            other => other,
        };
        assert_eq!(result["relation"], solid, "{here} {result}");
        if solid == "separate" {
            let (x, y) = (range(&result["distance"]), range(&there["distance"]));
            assert!(x.0 <= y.1 && y.0 <= x.1, "{result} {there}");
        }
    }
}

/// One pose by `distance` and by `path`.
fn alone_agrees(folder: &Folder, said: &Said, places: &[[i32; 3]]) {
    let at = places[0].map(|x| format!("{:?}", f64::from(x) / 2.0)).join(" ") + " 0 0 0 1";
    let (a, b) = (folder.path("a.obj"), folder.path("b.obj"));
    let single = document(&["distance", text(&a), text(&b), "--pose-b", &at]);
    let there = &results(&said.distance)[0];
    for key in ["distance", "contact"] {
        assert_eq!(single[key], there[key], "{key}");
    }
    assert_eq!(there["faces"], serde_json::json!([single["face_a"]["face"], single["face_b"]["face"]]));
    let motion = folder.file("motion.txt", format!("0 {at}\n1 {at}\n"));
    let path = rest_on_path(&motion, &b, &a);
    let relation = said.check[0]["exact_relation"].as_str().unwrap();
    let initial = match relation {
        "separate" | "touching" => relation,
        _ => "overlapping",
    };
    assert_eq!(path["initial"], initial, "{path}");
}

fn rest_on_path(motion: &Path, moving: &Path, against: &Path) -> Value {
    document(&["path", "--moving", text(moving), "--motion", text(motion), "--against", text(against)])
}
