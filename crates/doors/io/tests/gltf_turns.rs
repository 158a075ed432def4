//! Rotations of glTF nodes: what single precision has rounded is put right.

mod common;

use common::{CORNERS, glb, gltf_buffer, gltf_json};
use kontakt_io::{Format, Loaded};
use std::fmt::Write;

const S: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// What a turn does to whole coordinates.
type Turned = fn([i64; 3]) -> [i64; 3];

fn load(nodes: &str) -> Loaded {
    common::load(Format::Gltf, &glb(&gltf_json("", nodes, common::INDEXED), &gltf_buffer())).unwrap()
}

/// Two boxes of an assembly lie flush, one of them behind a quarter turn. Exporters write that turn as 0.70710677, beside √½; normalised
/// and made a matrix it had 2e-16 where 0 is meant, and faces at 3000 came to lie 7e-13 beside their place: a check, exact as it is, said
/// `overlapping` or `separate` where the drawing says `touching`. A unit in the last place more on one of the two numbers, and it is 4e-4.
#[test]
fn a_quarter_turn_in_single_precision_is_exact() {
    let nodes = r#"[{"children": [1], "rotation": [0.70710677, 0, 0, 0.70710677]},
                    {"mesh": 0, "translation": [1000, 2000, 3000]}]"#;
    let loaded = load(nodes);
    assert_eq!((loaded.report.exact_quarter_turns, loaded.report.exact_finer_turns), (1, 0));
    // A quarter turn about x: (x, y, z) ↦ (x, −z, y).
    for (vertex, [x, y, z]) in loaded.bodies[0].faces.vertices().iter().zip(CORNERS) {
        assert_eq!(vertex.to_array(), [x + 1000.0, -(z + 3000.0), y + 2000.0]);
    }
}

#[test]
fn matrices_are_put_right_too() {
    // Column by column: y, z, x, with the noise of single precision; the shift stays.
    let nodes = r#"[{"mesh": 0, "matrix": [5.9604645e-8, 1, 0, 0, -2.2e-8, 5.9604645e-8, 0.99999994, 0, 1, 0, 1.2e-7, 0, 0.1, 7, -3, 1]}]"#;
    let loaded = load(nodes);
    assert_eq!(loaded.report.exact_quarter_turns, 1);
    for (vertex, [x, y, z]) in loaded.bodies[0].faces.vertices().iter().zip(CORNERS) {
        assert_eq!(vertex.to_array(), [z + 0.1, x + 7.0, y - 3.0]);
    }
}

#[test]
fn eighths_are_remarked_and_others_are_left_alone() {
    let nodes = r#"[{"children": [1], "rotation": [0, 0.38268343, 0, 0.9238795]},
                    {"mesh": 0, "rotation": [0, 0, 0.6, 0.8]}]"#;
    let report = load(nodes).report;
    assert_eq!((report.exact_quarter_turns, report.exact_finer_turns), (0, 1));
}

/// Random chains of quarter, half and third turns with whole shifts, all in single precision: every corner of the cube lands on whole
/// numbers, and on those that whole-number arithmetic says.
#[test]
fn chains_of_quarter_turns_place_bodies_on_whole_numbers() {
    let mut random = fastrand::Rng::with_seed(15);
    // Generators of all 24 turns: quaternions in single precision, and what they do to (x, y, z).
    let turns: [([f32; 4], Turned); 5] = [
        ([S, 0.0, 0.0, S], |[x, y, z]| [x, -z, y]),
        ([0.0, -S, 0.0, S], |[x, y, z]| [-z, y, x]),
        ([0.0, 0.0, -S, -S], |[x, y, z]| [-y, x, z]),
        ([0.5, 0.5, 0.5, 0.5], |[x, y, z]| [z, x, y]),
        ([S, S, 0.0, 0.0], |[x, y, z]| [y, x, -z]),
    ];
    let mut rounded = 0;
    for _ in 0..300 {
        let length = random.usize(1..12);
        let chain: Vec<_> = (0..length)
            .map(|_| (random.usize(..turns.len()), [0; 3].map(|_: i64| random.i64(-5000..5000))))
            .collect();
        let mut nodes = String::from("[");
        for (i, &(turn, [x, y, z])) in chain.iter().enumerate() {
            // Some noise in the last place, as from a writer that calculates in single precision.
            let q = turns[turn]
                .0
                .map(|c| f32::from_bits(c.to_bits().wrapping_add(u32::from(c != 0.0 && random.bool()))));
            let inside =
                if i + 1 == length { r#""mesh": 0"#.into() } else { format!(r#""children": [{}]"#, i + 1) };
            let comma = if i == 0 { "" } else { "," };
            write!(nodes, r#"{comma}{{{inside}, "rotation": {q:?}, "translation": [{x}, {y}, {z}]}}"#)
                .unwrap();
        }
        nodes.push(']');
        let loaded = load(&nodes);
        rounded += loaded.report.exact_quarter_turns;
        for (vertex, corner) in loaded.bodies[0].faces.vertices().iter().zip(CORNERS) {
            let expected = chain.iter().rev().fold(corner.map(|x| x as i64), |p, &(turn, shift)| {
                let [x, y, z] = turns[turn].1(p);
                [x + shift[0], y + shift[1], z + shift[2]]
            });
            assert_eq!(vertex.to_array(), expected.map(|x| x as f64), "{nodes}");
        }
    }
    assert!(rounded > 1000, "the generator makes rotations that need it: {rounded}");
}
