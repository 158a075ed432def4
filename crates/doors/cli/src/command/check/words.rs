//! What was found about one pair of bodies, in words.

use crate::text;
use kontakt::answers::{OverlapKind, Range, Relation, Side};
use kontakt::mesh::{Patch, PatchExtent};
use kontakt::scene::{CheckReport, Class, Finding, Group};

/// The relation in words.
pub(super) fn words(finding: &Finding) -> String {
    let exact = match finding.found.relation {
        Relation::Overlapping { kind: Some(OverlapKind::Protruding), .. } => "overlapping, protruding",
        Relation::Overlapping { kind: Some(OverlapKind::Piercing), .. } => "overlapping, piercing",
        Relation::Contained { inner: Side::A } => "contained, a in b",
        Relation::Contained { inner: Side::B } => "contained, b in a",
        Relation::Undecided { .. } if !finding.found.complete => "undecided, not looked at to the end",
        _ => finding.exact().name(),
    };
    let class = finding.judgement.class;
    let said = if class == finding.exact() {
        exact.to_owned()
    } else if class == Class::Encroaching {
        class.name().to_owned()
    } else if class == Class::Undecided {
        "undecided, as far apart as the clearance".to_owned()
    } else {
        format!("{} (exactly: {exact})", class.name().replace('_', " "))
    };
    if finding.judgement.allowed { said + ", allowed" } else { said }
}

/// What the bodies on one side of like pairs are called: `bolt_#`, or `bolt_{2,5}` where the pairs are forbidden, because then somebody has
/// to go and look at them, and they are few.
pub(super) fn members(report: &CheckReport, group: &Group, side: usize) -> String {
    let name = &group.names[side];
    let names = group.bodies.iter().map(|bodies| report.name(bodies[side]));
    let told = group.judgement.forbidden.then(|| numbers(name, names)).flatten();
    told.unwrap_or_else(|| name.clone())
}

/// The names with their one number that differs in braces; `None` where that is not all, or they are many.
fn numbers<'a>(pattern: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    const MOST: usize = 8;
    let (front, back) = pattern.split_once('#').filter(|(_, back)| !back.contains('#'))?;
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        let number = name.strip_prefix(front)?.strip_suffix(back)?;
        if number.contains('#') || (!found.contains(&number) && found.len() == MOST) {
            return None;
        }
        if !found.contains(&number) {
            found.push(number);
        }
    }
    found.sort_by_key(|number| (number.len(), *number));
    Some(format!("{front}{{{}}}{back}", found.join(",")))
}

/// Depth, distance or size of the contact in words.
pub(super) fn amount(finding: &Finding) -> String {
    match finding.found.relation {
        Relation::Separate { distance } => format!("{} apart", text::range(distance)),
        Relation::Touching => contact_text(&finding.found.patches),
        Relation::Undecided { bounds } => {
            format!("{} … {}", text::number(bounds.lo()), text::number(bounds.hi()))
        }
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate
            if finding.found.is_coincident() =>
        {
            let release = finding.found.severity();
            release.map_or_else(String::new, |release| format!("{} to free", certain(release)))
        }
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => {
            finding.found.interference().map_or_else(String::new, |depth| format!("{} deep", certain(depth)))
        }
    }
}

/// A number with its bounds; one with three digits where they agree that far: the lower one, which is that of a point that was found.
fn certain(range: Range) -> String {
    if range.width() <= 0.01 * range.hi() {
        text::number(format!("{:.2e}", range.lo()).parse().unwrap_or(range.lo()))
    } else if range.lo() == 0.0 {
        format!("up to {}", text::number(range.hi()))
    } else {
        text::range(range)
    }
}

/// The volume of an overlap in words.
pub(super) fn volume(finding: &Finding) -> String {
    if finding.exact() == Class::Undecided {
        return String::new();
    }
    finding.found.overlap.as_ref().map_or_else(String::new, |overlap| certain(overlap.volume))
}

/// Where to look, in words.
pub(super) fn place(finding: &Finding) -> String {
    let Some(at) = finding.found.place() else { return String::new() };
    // What is a rounding of the largest coordinate is 0.
    let size = at.abs().max_element();
    let shown = |x: f64| {
        let digits = if x.abs() < 1e-9 * size { 0.0 } else { x };
        text::number(format!("{digits:.3e}").parse().unwrap_or(digits))
    };
    at.to_array().map(shown).join(" ")
}

/// What touching bodies share: an area where there is one, else a length, else points.
fn contact_text(patches: &[Patch]) -> String {
    let sum = |of: fn(&PatchExtent) -> f64| patches.iter().map(|patch| of(&patch.extent)).sum::<f64>();
    let area = sum(|extent| if let PatchExtent::Area { area } = extent { *area } else { 0.0 });
    let length = sum(|extent| if let PatchExtent::Curve { length } = extent { *length } else { 0.0 });
    if area > 0.0 {
        format!("area {}", text::number(area))
    } else if length > 0.0 {
        format!("length {}", text::number(length))
    } else {
        "at points".into()
    }
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn the_members_of_a_group_are_named_by_their_numbers() {
        let told = |pattern, names: &[&str]| numbers(pattern, names.iter().copied());
        assert_eq!(told("g:bolt_#", &["g:bolt_12", "g:bolt_7", "g:bolt_12"]).unwrap(), "g:bolt_{7,12}");
        assert_eq!(told("g#:bolt_#", &["g1:bolt_12", "g2:bolt_7"]), None);
        assert_eq!(told("g:bolt##", &["g:bolt", "g:bolt#2"]), None);
        assert_eq!(told("g:bolt", &["g:bolt"]), None);
    }
}
