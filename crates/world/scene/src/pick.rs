//! Bodies of a file by name, as `FILE:NAME` asks for them.

use crate::pair_names::BodyName;
use crate::pattern::glob;
use thiserror::Error;

/// A name that fits no body of a file, with those that come near.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no body `{wanted}` in there; {hint}")]
pub struct NoSuchBody {
    /// What was asked for.
    pub wanted: String,
    /// Which there are, the nearest first.
    pub hint: String,
}

/// The places of the bodies whose object's name is `wanted`; where none is, of those that it fits as a pattern, in which `*` stands
/// for any characters and `?` for one. All names are those of one file.
pub fn pick(names: &[BodyName], wanted: &str) -> Result<Vec<usize>, NoSuchBody> {
    let objects: Vec<&str> = names.iter().map(BodyName::object).collect();
    let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..objects.len()).filter(|&place| fits(objects[place])).collect()
    };
    let named = fitting(&|object| object == wanted && !object.is_empty());
    if !named.is_empty() {
        return Ok(named);
    }
    let like = fitting(&|object| !object.is_empty() && glob(wanted, object));
    if like.is_empty() {
        return Err(NoSuchBody { wanted: wanted.to_owned(), hint: hint(&objects, wanted) });
    }
    Ok(like)
}

/// What to say of a name that fits nothing.
fn hint(objects: &[&str], wanted: &str) -> String {
    const NEAR: usize = 5;
    const SHOWN: usize = 12;
    let named: Vec<&str> = objects.iter().copied().filter(|object| !object.is_empty()).collect();
    if named.is_empty() {
        return "its only body has no name: write the file alone".to_owned();
    }
    let mut near: Vec<(usize, &str)> =
        named.iter().filter_map(|object| Some((nearness(object, wanted)?, *object))).collect();
    near.sort_by_key(|(steps, _)| *steps);
    if !near.is_empty() {
        let near: Vec<&str> = near.into_iter().take(NEAR).map(|(_, object)| object).collect();
        return format!("near it are: {}", near.join(", "));
    }
    let more = if named.len() > SHOWN { ", …" } else { "" };
    format!("there are: {}{more}", named[..named.len().min(SHOWN)].join(", "))
}

/// How many letters differ where two names are alike, upper and lower case aside; a name within the other counts as near.
fn nearness(object: &str, wanted: &str) -> Option<usize> {
    let [object, wanted] = [object, wanted].map(|name| name.to_lowercase().chars().collect::<Vec<char>>());
    let steps = edit_distance(&object, &wanted);
    let holds = |long: &[char], short: &[char]| {
        !short.is_empty() && long.windows(short.len()).any(|window| window == short)
    };
    // Half of a short name, so that two letters may change places.
    let alike = steps <= (wanted.len() / 2).min(3);
    (alike || holds(&object, &wanted) || holds(&wanted, &object)).then_some(steps)
}

/// Least number of letters to insert, remove or replace (Levenshtein), row by row.
fn edit_distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<BodyName> {
        ["a.glb:plug", "a.glb:plug#2", "a.glb:socket", "a.glb:bolt:long", "a.glb"]
            .map(|full| BodyName { full: full.into(), file: 5 })
            .into()
    }

    #[test]
    fn a_name_goes_before_a_pattern() {
        let found = |wanted| pick(&names(), wanted);
        assert_eq!(found("plug"), Ok(vec![0]));
        assert_eq!(found("plug*"), Ok(vec![0, 1]));
        assert_eq!(found("bolt:long"), Ok(vec![3]));
        assert_eq!(found("*"), Ok(vec![0, 1, 2, 3]), "what has no name is asked for by its file");
        let star =
            [BodyName { full: "a.obj:x*".into(), file: 5 }, BodyName { full: "a.obj:xy".into(), file: 5 }];
        assert_eq!(pick(&star, "x*"), Ok(vec![0]), "a name with a star in it");
    }

    #[test]
    fn what_is_not_there_is_told_with_what_comes_near() {
        let said = |wanted| pick(&names(), wanted).unwrap_err().to_string();
        assert_eq!(said("plgu"), "no body `plgu` in there; near it are: plug");
        assert_eq!(said("x"), "no body `x` in there; there are: plug, plug#2, socket, bolt:long");
        assert_eq!(said("Plug"), "no body `Plug` in there; near it are: plug, plug#2");
        assert_eq!(said("sokket"), "no body `sokket` in there; near it are: socket");
        assert_eq!(said("bolt"), "no body `bolt` in there; near it are: bolt:long");
        let alone = [BodyName { full: "part.stl".into(), file: 8 }];
        assert!(pick(&alone, "x").unwrap_err().to_string().contains("write the file alone"));
    }
}
