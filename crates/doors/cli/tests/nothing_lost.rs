//! Nothing is lost silently, nothing from a file is obeyed by the terminal, and every refusal names its culprit.

mod common;

use common::{CUBE, Folder, boxes, error, json, json_exit, kontakt, range, stderr, stdout, text};

const CORNER: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
const SIDES: &str = "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n";

/// Two objects of one name were read as one body, and their clash was never looked for: exit 0 and not a word. Every `o` line
/// begins a body now, as every solid of an STL does.
#[test]
fn objects_of_one_name_are_two_bodies() {
    let folder = Folder::new();
    let shifted = CORNER.replace("v 0", "v 0.1").replace("v 1", "v 1.1");
    let file = folder.file("same.obj", format!("o bolt\n{CORNER}{SIDES}o bolt\n{shifted}{SIDES}"));
    let report = json_exit(&["check", text(&file)], 1);
    assert_eq!(report["bodies"], serde_json::json!(["same.obj:bolt", "same.obj:bolt#2"]));
    assert_eq!(report["files"][0]["repeated_names"], 1);
    let output = kontakt(["check", text(&file)]);
    assert!(stdout(&output).contains("same.obj: 1 repeated name\n"), "{}", stdout(&output));
    // And so they are when the file is given twice: four names.
    let report = json_exit(&["check", text(&file), text(&file)], 1);
    assert_eq!(report["bodies"][2], "same.obj:bolt#3");
    assert_eq!(report["summary"]["bodies"], 4);
    // A group that comes again goes on; one of another object does not.
    let groups =
        format!("o x\n{CORNER}g s\nf 1 3 2\ng t\nf 1 2 4\ng s\nf 2 3 4\nf 1 4 3\no x\n{CORNER}g s\n{SIDES}");
    let file = folder.file("groups.obj", groups);
    let report = json(&["info", text(&file), "--split", "groups"]);
    let named = |k: usize| {
        (report["bodies"][k]["name"].as_str().unwrap(), report["bodies"][k]["faces"].as_u64().unwrap())
    };
    assert_eq!(
        [named(0), named(1), named(2)],
        [("groups.obj:x/s", 3), ("groups.obj:x/t", 1), ("groups.obj:x/s#2", 4)]
    );
}

#[test]
fn a_check_needs_a_pair() {
    let folder = Folder::new();
    let file = folder.file("one.obj", CUBE);
    let message = error(&["check", text(&file)]);
    assert!(message.contains("one.obj:cube is the only body"), "{message}");
}

/// A gap that equals the clearance was undecided and forbidden here, decided in `batch`; one that equals the tolerance was apart.
#[test]
fn ties_are_decided() {
    let folder = Folder::new();
    let file = folder.file("tie.obj", boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [1.25, 0.5, 0.5], [1.0; 3])]));
    let (file, relation) = (text(&file), |report: &serde_json::Value| report["pairs"][0]["relation"].clone());
    let below = format!("{:?}", 0.25_f64.next_down());
    let above = format!("{:?}", 0.25_f64.next_up());
    for (clearance, class, code) in
        [("0.25", "separate", 0), (&above, "encroaching", 1), (&below, "separate", 0)]
    {
        let report = json_exit(&["check", file, "--clearance", clearance], code);
        assert_eq!(relation(&report), class, "{clearance}");
    }
    for (tolerance, class) in [("0.25", "touching"), (&above, "touching"), (&below, "separate")] {
        let report = json(&["check", file, "--touch-tolerance", tolerance]);
        assert_eq!(relation(&report), class, "{tolerance}");
        assert_eq!(report["pairs"][0]["exact_relation"], "separate");
    }
    // Both at once: within the tolerance is touching, however near.
    let report = json(&["check", file, "--touch-tolerance", "0.25", "--clearance", "0.5"]);
    assert_eq!(relation(&report), "touching");
}

/// Binary STL has 32-bit floats: vertices became one and triangles lost their area without a word.
#[test]
fn what_a_format_cannot_hold_is_said() {
    let folder = Folder::new();
    let file = folder.file("prec.obj", "v 16777217 0 0\nv 16777216 0 0\nv 0 0.1 1e-60\nf 1 2 3\n");
    let lost = |input: &str, output: &str, more: &[&str]| {
        let path = folder.path(output);
        let arguments = [&["convert", input, text(&path)], more].concat();
        let output = kontakt(arguments.iter().copied().chain(["--json"]));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let warned = report["warnings"].as_array().unwrap().len();
        assert_eq!(stderr(&output).lines().count(), warned, "on standard error too: {}", stderr(&output));
        report["lost"].clone()
    };
    let stl = lost(text(&file), "prec.stl", &[]);
    assert_eq!(
        stl,
        serde_json::json!({ "rounded_coordinates": 3, "merged_vertices": 1, "collapsed_triangles": 1 })
    );
    for (output, more) in
        [("prec.stl", vec!["--text"]), ("prec.ply", vec![]), ("out.obj", vec![]), ("prec.kh", vec![])]
    {
        assert_eq!(lost(text(&file), output, &more), serde_json::json!({}), "{output}");
        let back = json(&["info", text(&folder.path(output))]);
        assert_eq!(back["bodies"][0]["max"][0], 16_777_217.0, "{output}");
    }
    let two = folder.file("two.obj", boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [1.0, 0.0, 0.0], [1.0; 3])]));
    let joined = serde_json::json!({ "joined_bodies": 2, "dropped_names": 2 });
    assert_eq!(lost(text(&two), "two.ply", &[]), joined);
    let stl = lost(text(&two), "two.stl", &[]);
    assert_eq!(
        stl,
        serde_json::json!({ "joined_bodies": 2, "dropped_names": 2, "cut_polygons": 12, "merged_vertices": 4 })
    );
    assert_eq!(lost(text(&two), "two.stl", &["--text"]), serde_json::json!({ "cut_polygons": 12 }));
    assert_eq!(lost(text(&two), "out.obj", &[]), serde_json::json!({}));
    // A name with a newline cannot be kept on its line, one that ends in a backslash would swallow the next.
    let node = |name: &str| format!(r#"{{"mesh":0,"name":"{name}"}}"#);
    let gltf = GLTF.replace("NODES", &format!("{},{}", node("a\\nv 9 9 9"), node("b\\\\")));
    let odd = folder.file("odd.gltf", gltf);
    assert_eq!(lost(text(&odd), "odd.obj", &[]), serde_json::json!({ "changed_names": 2 }));
    let back = json(&["info", text(&folder.path("odd.obj"))]);
    assert_eq!(back["bodies"].as_array().unwrap().len(), 2);
    assert_eq!(back["bodies"][1]["name"], "odd.obj:b");
    assert_eq!(back["bodies"][0]["vertices"], 3);
}

/// One triangle, at nodes.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[NODES],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

/// Letters that a terminal obeys, in the name of an object and of the file, in tables, remarks, warnings and errors.
#[test]
fn nothing_from_a_file_is_obeyed() {
    const EVIL: &str = "\u{1b}]0;pwned\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{7f}";
    let folder = Folder::new();
    let objects =
        boxes(&[(&format!("x{EVIL}"), [0.0; 3], [1.0; 3]), (&format!("y{EVIL}"), [0.5; 3], [900.0; 3])]);
    let nasty = folder.file(&format!("n{EVIL}\n.obj"), format!("junk{EVIL}\n{objects}zz{EVIL} 1\n"));
    let broken = folder.file(&format!("b{EVIL}\n.obj"), format!("v 0 0 {EVIL}\n"));
    let rays = folder.file("rays.txt", "-5 0.25 0.25 1 0 0\n");
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let (nasty, broken, rays, poses) = (text(&nasty), text(&broken), text(&rays), text(&poses));
    let saved = folder.path("saved.kh");
    let commands: [&[&str]; 12] = [
        &["info", nasty],
        &["check", nasty],
        &["check", nasty, nasty, "--allow", "x*:nobody=1"],
        &["distance", nasty, nasty],
        &["query", nasty, "--rays", rays],
        &["batch", nasty, nasty, "--poses", poses, "--query", "contact"],
        &["bound", nasty, "--volume", "sphere", "--each"],
        &["convert", nasty, text(&saved)],
        &["hierarchy", "info", text(&saved)],
        &["info", broken],
        &["query", nasty, "--rays", broken],
        &["info", "no\u{1b}[31msuch\n.obj"],
    ];
    let obeyed = |letter: char| {
        (letter.is_control() && letter != '\n')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for command in commands {
        for json in [false, true] {
            let output = kontakt(command.iter().copied().chain(json.then_some("--json")));
            for words in [stdout(&output), stderr(&output)] {
                assert!(!words.contains(obeyed), "{command:?}: {words:?}");
                assert!(!words.contains("\n.obj"), "a name does not break the line, {command:?}: {words:?}");
            }
        }
    }
    let name = json(&["info", nasty])["bodies"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(name, format!("n{EVIL}\n.obj:x{EVIL}"), "JSON gives the name as it is");
}

/// One face has one number, whatever the question: that of the file, also where a polygon became triangles.
#[test]
fn a_face_has_one_number() {
    let folder = Folder::new();
    // A bent quad first, so that faces, triangles and lines of the file count differently; then the floor of a box, face 1.
    let mut obj = String::from("o first\nv 50 0 0\nv 51 0 0\nv 51 1 0.5\nv 50 1 0\nf 1 2 3 4\n");
    obj += "o roof\nv -9 -9 5\nv 9 -9 5\nv 9 9 5.5\nv -9 9 5\nv -9 -9 1\nv 9 -9 1\nv 9 9 1\nv -9 9 1\nf 5 6 7 8\nf 12 11 10 9\n";
    let roof = folder.file("roof.obj", obj);
    let block = folder.file("block.obj", boxes(&[("block", [0.0; 3], [1.0; 3])]));
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n");
    let rays = folder.file("rays.txt", "0.5 0.5 -1 0 0 1\n");
    let points = folder.file("points.txt", "0.5 0.5 0.75\n");
    let (roof, block) = (text(&roof), text(&block));
    // The third face of the file, whose other two were cut. Of the block, sides meet the floor as well as the top does.
    let floor = 2;
    let report = json(&["check", roof, block, "--ignore", "first:*"]);
    let contact = &report["pairs"][0]["contacts"][0]["points"][0];
    assert_eq!(contact["feature_a"]["face"], floor, "{contact}");
    let report = json(&["distance", roof, block]);
    assert_eq!(report["face_a"]["face"], floor, "{report}");
    assert_eq!(report["face_a"]["body"], "roof.obj:roof");
    for query in [vec!["contact"], vec!["distance"], vec!["clearance", "--clearance", "1"]] {
        let report =
            json(&[&["batch", roof, block, "--poses", text(&poses), "--query"], &query[..]].concat());
        let result = &report["results"][0];
        assert_eq!(result["faces"][0], floor, "{result}");
    }
    for (option, lines) in [("--rays", &rays), ("--points", &points)] {
        let result = &json(&["query", roof, option, text(lines)])["results"][0];
        assert_eq!((&result["body"], &result["face"]), (&"roof.obj:roof".into(), &floor.into()), "{result}");
    }
}

/// t = 0 and a wrong face at 2^-300 and for directions of 1e160: see `mesh/tests/scales.rs`.
#[test]
fn rays_are_right_at_every_scale() {
    let folder = Folder::new();
    for exponent in [-1060, -300, 0, 300, 1000] {
        let unit = f64::powi(2.0, exponent / 2) * f64::powi(2.0, exponent - exponent / 2);
        let file = folder.file("cube.obj", boxes(&[("cube", [0.0; 3], [4.0 * unit; 3])]));
        let ray = format!("{:?} {unit:?} {:?} {unit:?} 0 0\n", -2.0 * unit, 2.0 * unit);
        let rays = folder.file("rays.txt", ray);
        let result = &json(&["query", text(&file), "--rays", text(&rays)])["results"][0];
        assert_eq!((&result["t"], &result["face"]), (&2.0.into(), &5.into()), "2^{exponent}: {result}");
        assert_eq!(result["normal"], serde_json::json!([-1.0, 0.0, 0.0]));
    }
    let file = folder.file("cube.obj", boxes(&[("cube", [0.0; 3], [4.0; 3])]));
    let rays = folder.file("rays.txt", "-2 1 2 1e160 0 0\n-2 1 2 1e-320 0 0\n");
    let report = json(&["query", text(&file), "--rays", text(&rays)]);
    assert_eq!(report["results"][0]["t"], 2e-160);
    assert_eq!(report["results"][1]["face"], 5);
    let none = folder.file("rays.txt", "0 0 0 1 0 0\n0 0 0 0 -0 0\n");
    let message = error(&["query", text(&file), "--rays", text(&none)]);
    assert!(message.contains("line 2") && message.contains("no direction"), "{message}");
}

/// Every refusal names the file, and the line where there are lines.
#[test]
fn every_message_names_its_culprit() {
    let folder = Folder::new();
    let tetrahedron = format!("{CORNER}{SIDES}");
    let deep = |open: &str| open.repeat(200_000);
    let mut saved = {
        let good = folder.file("good.obj", CUBE);
        let path = folder.path("good.kh");
        json(&["convert", text(&good), text(&path)]);
        std::fs::read(path).unwrap()
    };
    saved.truncate(saved.len() / 2);
    std::fs::create_dir(folder.path("folder.obj")).unwrap();
    let bad: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty.obj", vec![], "no faces"),
        ("empty.stl", vec![], ""),
        ("empty.ply", vec![], ""),
        ("empty.off", vec![], ""),
        ("empty.glb", vec![], ""),
        ("empty.gltf", vec![], ""),
        ("empty.kh", vec![], ""),
        ("points.obj", CORNER.into(), "no faces"),
        ("nan.obj", format!("v 0 0 0\nv nan 0 0\n{tetrahedron}").into(), "line 2"),
        ("inf.obj", format!("v 0 0 0\nv 1e999 0 0\n{tetrahedron}").into(), "line 2"),
        ("huge.obj", format!("{CORNER}f 1 2 99999999999999999999\n").into(), "line 5"),
        ("large.obj", format!("{CORNER}f 1 2 4294967295\n").into(), "line 5"),
        ("zero.obj", format!("{CORNER}f 0 1 2\n").into(), "line 5"),
        ("before.obj", format!("{CORNER}f -5 1 2\n").into(), "line 5"),
        ("two.obj", format!("{CORNER}f 1 2\n").into(), "line 5"),
        ("nan.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n".into(), "line 4"),
        ("index.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n".into(), "line 6"),
        ("nan.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex nan 0 0\n".into(), "line 5"),
        ("cut.kh", saved, ""),
        ("deep.gltf", deep("[").into(), ""),
        ("deep_objects.gltf", deep("{\"a\":").into(), ""),
    ];
    for (name, content, place) in bad {
        let file = folder.file(name, content);
        let message = error(&["info", text(&file)]);
        assert!(message.contains(name) && message.contains(place), "{name}: {message}");
        assert!(message.len() < 400 && message.lines().count() == 1, "{name}: {message}");
    }
    let convex = folder.file("deep.json", deep("{\"pairs\":["));
    assert!(error(&["convex", text(&convex), "--query", "distance"]).contains("deep.json"));
    let directory = folder.path("folder.obj");
    for path in [directory, folder.path("missing.obj")] {
        let message = error(&["info", text(&path)]);
        assert!(message.contains(text(&path)), "{message}");
    }
    // And what is odd but no error.
    let good: [(&str, String, u64); 4] = [
        ("crlf.obj", tetrahedron.replace('\n', "\r\n"), 4),
        ("bom.obj", format!("\u{feff}{tetrahedron}"), 4),
        ("repeated.obj", format!("{tetrahedron}f 1 1 2\nf 1 2 2 3\nf 3 3 3\n"), 7),
        ("co:lon.obj", format!("o x:y\n{tetrahedron}"), 4),
    ];
    for (name, content, faces) in good {
        let file = folder.file(name, content);
        let report = json(&["info", text(&file)]);
        assert_eq!(report["bodies"][0]["faces"], faces, "{name}");
        let copy = folder.path(&name.replace(".obj", ".kh"));
        json(&["convert", text(&file), text(&copy)]);
        let object = |report: &serde_json::Value, ending: &str| {
            let name = report["bodies"][0]["name"].as_str().unwrap();
            name.split_once(ending).unwrap().1.to_owned()
        };
        assert_eq!(object(&json(&["info", text(&copy)]), ".kh"), object(&report, ".obj"), "{name}");
    }
    let distance = json(&["distance", text(&folder.path("crlf.obj")), text(&folder.path("bom.obj"))]);
    assert_eq!(range(&distance["distance"]), (0.0, 0.0));
}
