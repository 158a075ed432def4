//! Writes the bodies and hands of the scenes in `examples/scenes` that `kontakt drag` takes:
//! `cargo run -p kontakt --example drag_scenes -- examples/scenes`.

use kontakt::prelude::*;
use std::error::Error;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// A body as OBJ, rounded to six decimals.
fn obj(faces: &FaceSet) -> String {
    let mut text = String::new();
    for v in faces.vertices() {
        let _ = writeln!(text, "v {:.6} {:.6} {:.6}", v.x, v.y, v.z);
    }
    for [a, b, c] in faces.triangles() {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}

/// A hand: a pose every hundredth of a second, from shares of its time to turns about z and places.
fn hand(count: u32, at: impl Fn(f64) -> (f64, DVec3)) -> String {
    let mut text = String::from("# t tx ty tz qx qy qz qw\n");
    for k in 0..=count {
        let (angle, place) = at(f64::from(k) / f64::from(count));
        let (s, c) = (0.5 * angle).sin_cos();
        let time = 0.01 * f64::from(k);
        let _ = writeln!(text, "{time:.2} {:.5} {:.5} {:.5} 0 0 {s:.9} {c:.9}", place.x, place.y, place.z);
    }
    text
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "examples/scenes".into());
    let put = |name: &str, text: String| std::fs::write(Path::new(&folder).join("drag").join(name), text);
    // Along a runway, pressed onto it, against the stop at its end.
    put("runway-hand.txt", hand(200, |t| (0.0, DVec3::new(-8.0 + 20.0 * t, 1.5 * t, 1.5 - 2.0 * t))))?;
    // Once round; only the thread can move the nut along.
    put("rod.obj", obj(&make::threaded_rod(5, 0.2, 24)?))?;
    put("nut.obj", obj(&make::threaded_nut(1, 0.2, 0.03, 24)?))?;
    put("nut-hand.txt", hand(120, |t| (TAU * t, DVec3::Z * 0.4)))?;
    // Out of the reflector, too far to one side.
    put("bulb.obj", obj(&make::bulb(6)?))?;
    put("reflector.obj", obj(&make::reflector(6, 0.06)?))?;
    put("bulb-hand.txt", hand(150, |t| (0.0, DVec3::new(0.4 * t, 0.1 * t, 1.8 * t))))?;
    Ok(())
}
