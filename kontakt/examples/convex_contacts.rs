//! Contacts for a solver, step after step: `cargo run --release -p kontakt --example convex_contacts`.
//!
//! Boxes sink onto a mesh floor and onto each other; each step asks for all contacts within a margin and prints what a solver would get.

use kontakt::prelude::*;
use std::error::Error;

/// Contacts are told from this gap on.
const MARGIN: f64 = 0.05;

fn main() -> Result<(), Box<dyn Error>> {
    let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let floor =
        Body::mesh(Mesh::new(FaceSet::from_triangles(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?)?);
    let cube = Body::convex(Shape::cuboid(DVec3::splat(0.5))?);
    let ball = Body::convex(Shape::sphere(0.5)?);
    let mut query = Query::new();
    for step in 0..=6 {
        let height = 0.6 - 0.02 * f64::from(step);
        let place = |x: f64, z: f64| Pose::new(DQuat::IDENTITY, DVec3::new(x, 0.2, z));
        let bodies = [
            ("floor", Placed::at_rest(&floor)),
            ("cube", Placed::new(&cube, place(0.3, height)?)),
            ("upper cube", Placed::new(&cube, place(0.5, height + 1.01)?)),
            ("ball", Placed::new(&ball, place(-2.0, height)?)),
        ];
        for (i, (name_a, a)) in bodies.iter().enumerate() {
            for (name_b, b) in &bodies[i + 1..] {
                let contacts = query.contacts(*a, *b, MARGIN);
                let Some(deepest) = contacts.iter().map(|contact| contact.depth.hi()).reduce(f64::max) else {
                    continue;
                };
                let normal = contacts[0].normal;
                println!(
                    "step {step}: {name_a} – {name_b}: {} contacts, depth up to {deepest:+.4}, normal {normal:.2}",
                    contacts.len()
                );
            }
        }
    }
    Ok(())
}
