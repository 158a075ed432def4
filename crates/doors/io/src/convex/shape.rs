//! A shape from its JSON.

use super::fields::{exactly, fields, flaw_at, needed, number, numbers, points, pose};
use crate::json::{Flaw, Id, Kind, Tree};
use kontakt_convex::{Part, Shape, ShapeError};
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;

/// The words for the kinds of shapes.
const KINDS: [&str; 12] = [
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "hull",
    "segment",
    "triangle",
    "point",
    "half_space",
    "union",
];

/// The key beside the kind.
const MARGIN: &str = "margin";

/// One shape of the text: its kind with what that says, and the margin.
struct Told {
    kind: &'static str,
    /// The record under the kind's name.
    about: Id,
    margin: Option<Id>,
    /// Of a union: each part's number among the shapes told, and the record that places it.
    parts: Vec<(usize, Id)>,
}

/// The shape that a node describes. Unions are resolved by a list of open work, innermost first: no depth of nesting recurses; making hulls takes its time, so
/// each looks at the clock.
pub(super) fn shape(tree: &Tree<'_>, root: Id, stop: Deadline) -> Result<Shape, Flaw> {
    // Outer before inner: parts are appended when their union is met.
    let mut told = vec![told_at(tree, root)?];
    let mut next = 0;
    while next < told.len() {
        if told[next].kind == "union" {
            let records = part_records(tree, &told[next])?;
            for record in records {
                let [inner, _] = fields(tree, record, "a part", ["shape", "pose"])?;
                let inner = needed(tree, record, inner, "a part", "shape")?;
                let number = told.len();
                told[next].parts.push((number, record));
                told.push(told_at(tree, inner)?);
            }
        }
        next += 1;
    }
    // Inner before outer.
    let mut made: Vec<Option<Shape>> = Vec::new();
    made.resize_with(told.len(), || None);
    for (number, one) in told.iter().enumerate().rev() {
        stop.check().map_err(|expired| Flaw { at: tree.at(one.about), problem: expired.into() })?;
        let sharp = if one.kind == "union" {
            let mut parts = Vec::with_capacity(one.parts.len());
            for &(part, record) in &one.parts {
                let [_, place] = fields(tree, record, "a part", ["shape", "pose"])?;
                let pose = pose(tree, place, "the pose of a part")?;
                if let Some(shape) = made[part].take() {
                    parts.push(Part { shape, pose });
                }
            }
            Shape::union(parts).map_err(|error| refused(tree, one.about, &error))?
        } else {
            plain(tree, one)?
        };
        made[number] = Some(match one.margin {
            None => sharp,
            Some(id) => {
                let margin = number_of(tree, id, "margin")?;
                sharp.with_margin(margin).map_err(|error| refused(tree, id, &error))?
            }
        });
    }
    made.swap_remove(0).ok_or_else(|| flaw_at(tree, root, "no shape"))
}

fn refused(tree: &Tree<'_>, id: Id, error: &ShapeError) -> Flaw {
    flaw_at(tree, id, error.to_string())
}

fn number_of(tree: &Tree<'_>, id: Id, key: &str) -> Result<f64, Flaw> {
    number(tree, id, &format!("\"{key}\""))
}

/// The one kind that a node names.
fn told_at(tree: &Tree<'_>, id: Id) -> Result<Told, Flaw> {
    if tree.kind(id) != Kind::Record {
        return Err(flaw_at(tree, id, format!("a shape is {}, not an object", tree.kind(id).noun())));
    }
    let mut told = None;
    let mut margin = None;
    for child in tree.children(id) {
        let key = tree.key(child);
        if key == MARGIN {
            if margin.replace(child).is_some() {
                return Err(flaw_at(tree, child, "a shape has two margins"));
            }
        } else if let Some(kind) = KINDS.into_iter().find(|kind| *kind == key) {
            if told.replace((kind, child)).is_some() {
                return Err(flaw_at(tree, child, "a shape names two kinds"));
            }
        } else {
            let key: String = key.chars().take(40).collect();
            let known = KINDS.join(", ");
            return Err(flaw_at(tree, child, format!("unknown shape \"{key}\"; known: {known}, and margin")));
        }
    }
    let Some((kind, about)) = told else {
        return Err(flaw_at(tree, id, format!("a shape without its kind; known: {}", KINDS.join(", "))));
    };
    Ok(Told { kind, about, margin, parts: Vec::new() })
}

/// The records of a union's parts.
fn part_records(tree: &Tree<'_>, union: &Told) -> Result<Vec<Id>, Flaw> {
    let [parts] = fields(tree, union.about, "a union", ["parts"])?;
    let parts = needed(tree, union.about, parts, "a union", "parts")?;
    if tree.kind(parts) != Kind::List {
        return Err(flaw_at(
            tree,
            parts,
            format!("the parts of a union are {}, not a list", tree.kind(parts).noun()),
        ));
    }
    Ok(tree.children(parts).collect())
}

/// A shape that is no union.
fn plain(tree: &Tree<'_>, told: &Told) -> Result<Shape, Flaw> {
    let id = told.about;
    let kind = told.kind;
    let what = format!("a {kind}");
    let what = what.as_str();
    let lengths = |keys: [&str; 2]| -> Result<[f64; 2], Flaw> {
        let found = fields(tree, id, what, keys)?;
        let mut values = [0.0; 2];
        for ((value, key), place) in found.into_iter().zip(keys).zip(&mut values) {
            *place = number_of(tree, needed(tree, id, value, what, key)?, key)?;
        }
        Ok(values)
    };
    let one = |key: &'static str| -> Result<Id, Flaw> {
        let [value] = fields(tree, id, what, [key])?;
        needed(tree, id, value, what, key)
    };
    let vector = |id: Id, key: &str| numbers(tree, id, &format!("\"{key}\"")).map(DVec3::from_array);
    let shape = match kind {
        "sphere" => Shape::sphere(number_of(tree, one("radius")?, "radius")?),
        "box" => Shape::cuboid(vector(one("half")?, "half")?),
        "ellipsoid" => Shape::ellipsoid(vector(one("radii")?, "radii")?),
        "capsule" => lengths(["half_length", "radius"]).map(|[h, r]| Shape::capsule(h, r))?,
        "cylinder" => lengths(["half_length", "radius"]).map(|[h, r]| Shape::cylinder(h, r))?,
        "cone" => lengths(["half_length", "radius"]).map(|[h, r]| Shape::cone(h, r))?,
        "hull" => Shape::hull(&points(tree, one("points")?, what)?),
        "segment" => Shape::segment(exactly(tree, one("points")?, what)?),
        "triangle" => Shape::triangle(exactly(tree, one("points")?, what)?),
        "half_space" => {
            let [normal, offset] = fields(tree, id, what, ["normal", "offset"])?;
            let normal = vector(needed(tree, id, normal, what, "normal")?, "normal")?;
            let offset = number_of(tree, needed(tree, id, offset, what, "offset")?, "offset")?;
            Shape::half_space(normal, offset)
        }
        _ => {
            let [] = fields(tree, id, what, [])?;
            Ok(Shape::point())
        }
    };
    shape.map_err(|error| refused(tree, id, &error))
}
