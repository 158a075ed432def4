//! Fields of a record and numbers in lists, each checked.

use crate::json::{Flaw, Id, Kind, Tree};
use kontakt_math::{DQuat, DVec3, Pose};

/// What is wrong with a value.
pub(super) fn flaw_at(tree: &Tree<'_>, id: Id, what: impl Into<String>) -> Flaw {
    Flaw::new(tree.at(id), what)
}

/// The values of a record under the keys named, in their order; none where a key is missing. Unknown and repeated keys
/// are refused.
pub(super) fn fields<const N: usize>(
    tree: &Tree<'_>,
    id: Id,
    what: &str,
    keys: [&str; N],
) -> Result<[Option<Id>; N], Flaw> {
    if tree.kind(id) != Kind::Record {
        return Err(flaw_at(tree, id, format!("{what} is {}, not an object", tree.kind(id).noun())));
    }
    let mut found = [None; N];
    for child in tree.children(id) {
        let key = tree.key(child);
        let Some(place) = keys.iter().position(|known| *known == key) else {
            let key: String = key.chars().take(40).collect();
            let known = if N == 0 { "none".into() } else { keys.join(", ") };
            return Err(flaw_at(tree, child, format!("unknown key \"{key}\" of {what}; known: {known}")));
        };
        if found[place].replace(child).is_some() {
            return Err(flaw_at(tree, child, format!("{what} has the key \"{key}\" twice")));
        }
    }
    Ok(found)
}

/// The value of a key that must be there.
pub(super) fn needed(
    tree: &Tree<'_>,
    record: Id,
    value: Option<Id>,
    what: &str,
    key: &str,
) -> Result<Id, Flaw> {
    value.ok_or_else(|| flaw_at(tree, record, format!("{what} lacks the key \"{key}\"")))
}

/// A finite number.
pub(super) fn number(tree: &Tree<'_>, id: Id, what: &str) -> Result<f64, Flaw> {
    match tree.kind(id) {
        Kind::Number(value) if value.is_finite() => Ok(value),
        Kind::Number(_) => Err(flaw_at(tree, id, format!("{what} is beyond the range of doubles"))),
        other => Err(flaw_at(tree, id, format!("{what} is {}, not a number", other.noun()))),
    }
}

/// Exactly `N` finite numbers in a list.
pub(super) fn numbers<const N: usize>(tree: &Tree<'_>, id: Id, what: &str) -> Result<[f64; N], Flaw> {
    if tree.kind(id) != Kind::List {
        return Err(flaw_at(tree, id, format!("{what} is {}, not a list of numbers", tree.kind(id).noun())));
    }
    let mut found = [0.0; N];
    let mut count = 0;
    for child in tree.children(id) {
        let value = number(tree, child, what)?;
        if let Some(place) = found.get_mut(count) {
            *place = value;
        }
        count += 1;
    }
    if count == N {
        return Ok(found);
    }
    Err(flaw_at(tree, id, format!("{what} has {count} numbers where {N} are needed")))
}

/// A list of points.
pub(super) fn points(tree: &Tree<'_>, id: Id, what: &str) -> Result<Vec<DVec3>, Flaw> {
    if tree.kind(id) != Kind::List {
        return Err(flaw_at(
            tree,
            id,
            format!("the points of {what} are {}, not a list", tree.kind(id).noun()),
        ));
    }
    let place = format!("a point of {what}");
    tree.children(id).map(|child| numbers(tree, child, &place).map(DVec3::from_array)).collect()
}

/// Exactly `N` points.
pub(super) fn exactly<const N: usize>(tree: &Tree<'_>, id: Id, what: &str) -> Result<[DVec3; N], Flaw> {
    points(tree, id, what)?
        .try_into()
        .map_err(|list: Vec<DVec3>| flaw_at(tree, id, format!("{what} has {} points, not {N}", list.len())))
}

/// `[tx, ty, tz, qx, qy, qz, qw]`; none given is the identity.
pub(super) fn pose(tree: &Tree<'_>, id: Option<Id>, what: &str) -> Result<Pose, Flaw> {
    let Some(id) = id else { return Ok(Pose::IDENTITY) };
    let [tx, ty, tz, qx, qy, qz, qw] = numbers(tree, id, what)?;
    Pose::new(DQuat::from_xyzw(qx, qy, qz, qw), DVec3::new(tx, ty, tz))
        .map_err(|error| flaw_at(tree, id, format!("{what}: {error}")))
}
