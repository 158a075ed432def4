//! Convex bodies of the demo: pairs whose answers everyone can check by heart.

use super::super::convex::word;
use crate::failure::Failure;
use crate::text::{self, Table};
use kontakt::convex::{ConvexQuery, Manifold, Part, PlacedShape, Shape, Verdict};
use kontakt::math::{DQuat, DVec3, Pose};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Two bodies and how they meet.
pub(crate) struct Pair {
    what: &'static str,
    manifold: Manifold,
}

/// The pairs, asked about.
pub(crate) fn asked() -> Result<Vec<Pair>, Failure> {
    made().map_err(|error| Failure::Usage(format!("the demo's own shapes are wrong: {error}")))
}

fn made() -> Result<Vec<Pair>, Box<dyn std::error::Error>> {
    let here = Pose::IDENTITY;
    let at = |x: f64, y: f64, z: f64| Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z));
    let lying =
        |z: f64| Pose::from_axis_angle(DVec3::Y, std::f64::consts::FRAC_PI_2, DVec3::new(0.0, 0.0, z));
    // Turned by (3, 4, 5): the one face still lies exactly in the plane of the other.
    let askew = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8), DVec3::new(0.3, 0.2, 2.0))?;
    let table = Shape::cuboid(DVec3::new(4.0, 4.0, 1.0))?;
    let cube = Shape::cuboid(DVec3::ONE)?;
    let egg = Shape::ellipsoid(DVec3::new(1.0, 0.7, 0.5))?;
    let wall = Part { shape: Shape::cuboid(DVec3::new(0.5, 4.0, 3.0))?, pose: at(-4.5, 0.0, 2.0)? };
    let corner = Shape::union(vec![Part { shape: table.clone(), pose: here }, wall])?;
    let mut asker = ConvexQuery::new();
    let mut pair = |what, a: (&Shape, Pose), b: (&Shape, Pose)| Pair {
        what,
        manifold: asker.manifold(PlacedShape::new(a.0, a.1), PlacedShape::new(b.0, b.1), 0.0),
    };
    Ok(vec![
        pair("cube, turned, standing on a table", (&table, here), (&cube, askew)),
        pair("the same, 1e-9 lower", (&table, here), (&cube, at(0.3, 0.2, 2.0 - 1e-9)?)),
        pair("capsule lying on the table", (&table, here), (&Shape::capsule(2.0, 0.5)?, lying(1.499)?)),
        pair("cylinder standing on it", (&table, here), (&Shape::cylinder(1.0, 0.5)?, at(0.0, 0.0, 1.99)?)),
        pair("two eggs", (&egg, here), (&egg, at(1.5, 1.0, 0.6)?)),
        pair("cone in a ball", (&Shape::cone(1.0, 1.0)?, here), (&Shape::sphere(1.0)?, at(0.0, 0.5, 1.5)?)),
        pair("cube in the corner of table and wall", (&corner, here), (&cube, at(-3.1, 0.0, 1.95)?)),
    ])
}

pub(crate) fn write(pairs: &[Pair], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["pair", "relation", "by", "normal", "contacts"]);
    for Pair { what, manifold } in pairs {
        let answer = &manifold.answer;
        let by = match answer.verdict {
            Verdict::Separate => format!("{} apart", text::range(answer.distance())),
            Verdict::Overlapping => format!("{} deep", text::range(answer.depth())),
            _ => "–".into(),
        };
        let normal = text::triple(answer.normal.to_array());
        let contacts = manifold.contacts.len().to_string();
        table.row([(*what).into(), word(answer.verdict).into(), by, normal, contacts]);
    }
    table.write(out)
}

pub(crate) fn json(pairs: &[Pair]) -> Value {
    let one = |pair: &Pair| {
        let answer = &pair.manifold.answer;
        json!({
            "pair": pair.what,
            "relation": word(answer.verdict),
            "separation": answer.separation,
            "normal": answer.normal.to_array(),
            "contacts": pair.manifold.contacts,
        })
    };
    pairs.iter().map(one).collect()
}
