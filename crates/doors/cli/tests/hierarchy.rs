//! `kontakt hierarchy`: built, saved, looked at, and used by other commands.

mod common;

use common::{CUBE, Folder, boxes, error, json, kontakt, stdout, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn two_boxes(folder: &Folder) -> PathBuf {
    folder.file("boxes.obj", boxes(&[("small", [0.0; 3], [1.0; 3]), ("big", [2.0; 3], [3.0, 1.0, 2.0])]))
}

#[test]
fn every_way_of_building_is_saved_and_valid() {
    let folder = Folder::new();
    let file = two_boxes(&folder);
    let saved = folder.path("boxes.kh");
    for way in [
        &[][..],
        &["--method", "packed"],
        &["--method", "median", "--arity", "3", "--volume", "sphere"],
        &["--improve", "0.75", "--volume", "aabb", "--hausdorff"],
    ] {
        let arguments = [&["hierarchy", "build", text(&file), "-o", text(&saved)], way].concat();
        let built = json(&arguments);
        assert_eq!(built["bytes"], std::fs::metadata(&saved).unwrap().len());
        for key in ["nodes", "depth", "leaves"] {
            assert!(built[key].as_u64().unwrap() > 0, "{key} {built}");
        }
        assert!(built["seconds"].as_f64().unwrap() > 0.0);
        let info = json(&["hierarchy", "info", text(&saved)]);
        assert_eq!(info["valid"], true);
        assert_eq!(info["bodies"][1]["name"], "boxes.kh:big");
        let root = &info["levels"][0];
        assert_eq!((&root["depth"], &root["nodes"]), (&Value::from(0), &Value::from(1)));
        assert!(root["diameter"]["max"].as_f64().unwrap() >= 1.7);
        assert_eq!(root["hausdorff"].is_null(), !way.contains(&"--hausdorff"));
    }
}

#[test]
fn the_page_stands_alone_and_the_table_is_aligned() {
    let folder = Folder::new();
    let (file, saved, page) = (two_boxes(&folder), folder.path("boxes.kh"), folder.path("boxes.html"));
    kontakt(["hierarchy", "build", text(&file), "-o", text(&saved)]);
    let output = kontakt(["hierarchy", "info", text(&saved), "--html", text(&page)]);
    let shown = stdout(&output);
    assert!(shown.contains("valid") && shown.contains('\u{2588}'), "{shown}");
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<svg") && html.ends_with("</html>\n"));
    assert!(!html.contains("http") && !html.contains("<script"));
}

#[test]
fn a_saved_hierarchy_answers_as_its_mesh_does() {
    let folder = Folder::new();
    let file = folder.file("cube.obj", CUBE);
    let saved = folder.path("cube.kh");
    let back = folder.path("back.obj");
    let poses = folder.file("poses", "0.5 0.5 0.5 0 0 0 1\n2 0 0 0 0 0 1\n1 0 0 0 0 0 1\n");
    assert!(kontakt(["convert", text(&file), text(&saved)]).status.success());
    assert!(kontakt(["convert", text(&saved), text(&back)]).status.success());
    let results = |file: &Path| {
        let ask = ["batch", text(file), text(file), "--poses", text(&poses), "--query", "distance"];
        json(&ask)["results"].clone()
    };
    assert_eq!(results(&file), results(&saved));
    assert_eq!(results(&file), results(&back));
    let faces = |file: &Path| json(&["info", text(file)])["bodies"][0]["faces"].clone();
    assert_eq!((faces(&file), faces(&saved)), (Value::from(6), Value::from(6)));
}

#[test]
fn damage_is_an_error_that_names_the_file() {
    let folder = Folder::new();
    let (file, saved) = (folder.file("cube.obj", CUBE), folder.path("cube.kh"));
    kontakt(["hierarchy", "build", text(&file), "-o", text(&saved)]);
    let good = std::fs::read(&saved).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut newer = good.clone();
    newer[8] = 3;
    for (bytes, words) in [
        (&good[..good.len() - 1], "cut short"),
        (&flipped, "checksum"),
        (&newer, "version 3"),
        (b"solid x", "no saved hierarchy"),
    ] {
        std::fs::write(&saved, bytes).unwrap();
        let message = error(&["hierarchy", "info", text(&saved)]);
        assert!(message.contains("cube.kh") && message.contains(words), "{message}");
    }
    for wrong in [
        &["-o", "out.obj"][..],
        &["-o", "out.kh", "--arity", "7"],
        &["-o", "out.kh", "--improve", "1.5"],
        &["-o", "out.kh", "--method", "packed", "--volume", "aabb"],
        &["-o", "out.kh", "--method", "no-such"],
    ] {
        error(&[&["hierarchy", "build", text(&file)], wrong].concat());
    }
}
