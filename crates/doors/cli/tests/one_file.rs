//! Several bodies in one file: where they overlap each other their faces taken together have no inside, and still what is in there is inside.

mod common;

use common::{Folder, json, text};
use std::fmt::Write;

/// An object that is a box of whole numbers; `first` counts vertices through the file.
fn block(name: &str, low: [f64; 3], high: [f64; 3], first: &mut usize) -> String {
    let mut lines = format!("o {name}\n");
    for corner in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|k: usize| if corner >> k & 1 == 0 { low[k] } else { high[k] });
        writeln!(lines, "v {x} {y} {z}").unwrap();
    }
    for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        let [a, b, c, d] = face.map(|corner: usize| corner + *first);
        writeln!(lines, "f {a} {b} {c} {d}").unwrap();
    }
    *first += 8;
    lines
}

/// Found from outside: w lies in p and in q at once; `check` said so, `moving` proved it free and `distance` knew of nothing.
#[test]
fn what_is_inside_two_bodies_at_once_is_inside() {
    let folder = Folder::new();
    let mut first = 1;
    let two = block("p", [0.0; 3], [2.0; 3], &mut first) + &block("q", [1.0; 3], [3.0; 3], &mut first);
    let two = folder.file("two.obj", two);
    let inner = folder.file("w.obj", block("w", [1.25; 3], [1.75; 3], &mut 1));
    let still = folder.file("still.txt", "0 0 0 0 0 0 1\n".repeat(2));
    for [a, b] in [[&two, &inner], [&inner, &two]] {
        let (m, n) = (text(&still), text(&still));
        let moving = json(&["moving", text(a), text(b), "--motions-a", m, "--motions-b", n]);
        assert_eq!(moving["results"][0]["initial"], "overlapping", "{moving}");
        assert_eq!(moving["results"][0]["t_lo"], 0.0);
        let distance = json(&["distance", text(a), text(b)]);
        assert_eq!(distance["inner"], if a == &inner { "a" } else { "b" }, "{distance}");
    }
}

/// Random blocks of whole numbers: a motion starts in overlap exactly where `check` finds a pair across the files that does.
#[test]
fn motions_start_as_every_pair_of_bodies_says() {
    let mut random = fastrand::Rng::with_seed(5);
    let folder = Folder::new();
    let still = folder.file("still.txt", "0 0 0 0 0 0 1\n".repeat(2));
    let mut overlaps = 0;
    for round in 0..24 {
        let mut blocks = |count: usize, size: i32, name: &str| {
            let (mut first, mut boxes, mut lines) = (1, Vec::new(), String::new());
            for number in 0..count {
                let low = [0; 3].map(|_| f64::from(random.i32(0..4)));
                let high = low.map(|x| x + f64::from(random.i32(1..size)));
                lines += &block(&format!("b{number}"), low, high, &mut first);
                boxes.push((low, high));
            }
            (folder.file(&format!("{name}{round}.obj"), lines), boxes)
        };
        let ((a, of_a), (b, of_b)) = (blocks(3, 6, "a"), blocks(1 + round % 2, 2, "b"));
        let meet = |(low, high): &([f64; 3], [f64; 3]), other: &([f64; 3], [f64; 3])| {
            (0..3).all(|k| low[k] < other.1[k] && other.0[k] < high[k])
        };
        let expected = of_a.iter().any(|x| of_b.iter().any(|y| meet(x, y)));
        overlaps += usize::from(expected);
        let (m, n) = (text(&still), text(&still));
        let moving = json(&["moving", text(&a), text(&b), "--motions-a", m, "--motions-b", n]);
        assert_eq!(moving["results"][0]["initial"] == "overlapping", expected, "round {round}: {moving}");
    }
    assert!((6..24).contains(&overlaps), "{overlaps}");
}
