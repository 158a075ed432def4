//! Like pairs told as one: the same parts but for their numbers, the same relation, about as deep.

use crate::finding::Finding;
use crate::pair_names::BodyName;
use crate::rules::{Class, Judgement};
use kontakt_answers::Range;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// Numbers that differ by no more than this factor are about the same.
const ALIKE: f64 = 1.25;

/// Pairs that are told as one.
#[derive(Clone, Debug)]
pub struct Group {
    /// Their names, with `#` for numbers that differ.
    pub names: [String; 2],
    /// What the rules make of all of them.
    pub judgement: Judgement,
    /// Their places among the findings; the gravest first.
    pub pairs: Vec<usize>,
    /// The bodies of each pair, in the order of `names`.
    pub bodies: Vec<[usize; 2]>,
    /// **Certified**: bounds that hold the signed distances of all, negative for interference.
    pub signed: Option<Range>,
}

impl Group {
    /// All pairs that are not separate, the gravest first: what is forbidden before what is not, overlaps by how deep they
    /// are, then what is not known, then what is too close, by the gap.
    pub(crate) fn of(findings: &[Finding], names: &[BodyName]) -> Vec<Group> {
        let notable = |&index: &usize| findings[index].judgement.class != Class::Separate;
        let mut order: Vec<usize> = (0..findings.len()).filter(notable).collect();
        order.sort_by(|&x, &y| by_gravity(&findings[x], &findings[y]));
        let mut groups: Vec<(Key, Group)> = Vec::new();
        for index in order {
            let finding = &findings[index];
            let key = Key::of(finding, names);
            let first = |group: &Group| &findings[group.pairs[0]];
            match groups.iter_mut().find(|(k, group)| *k == key && are_alike(first(group), finding)) {
                Some((_, group)) => group.add(index, finding, names),
                None => groups.push((key, Group::new(index, finding, names))),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn new(index: usize, finding: &Finding, names: &[BodyName]) -> Group {
        Group {
            names: [finding.a, finding.b].map(|body| names[body].full.clone()),
            judgement: finding.judgement,
            pairs: vec![index],
            bodies: vec![[finding.a, finding.b]],
            signed: finding.signed(),
        }
    }

    fn add(&mut self, index: usize, finding: &Finding, names: &[BodyName]) {
        self.pairs.push(index);
        let mut bodies = [finding.a, finding.b];
        if without_numbers(&names[bodies[0]].full) != without_numbers(&self.names[0]) {
            bodies.swap(0, 1);
        }
        for (name, body) in self.names.iter_mut().zip(bodies) {
            *name = common(name, &names[body].full);
        }
        self.bodies.push(bodies);
        self.signed = match (self.signed, finding.signed()) {
            (Some(p), Some(q)) => Range::new(p.lo().min(q.lo()), p.hi().max(q.hi())).ok(),
            _ => None,
        };
    }

    /// The keys of the contract.
    pub(crate) fn json(&self, findings: &[Finding], names: &[BodyName]) -> Value {
        let pair = |&index: &usize| {
            let Finding { a, b, .. } = findings[index];
            json!([names[a].full, names[b].full])
        };
        let mut json = json!({
            "a": self.names[0],
            "b": self.names[1],
            "relation": self.judgement.class.name(),
            "forbidden": self.judgement.forbidden,
            "count": self.pairs.len(),
            "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>(),
        });
        let overlaps = matches!(
            findings[self.pairs[0]].exact(),
            Class::Duplicate | Class::Contained | Class::Overlapping
        );
        match self.signed {
            Some(signed) if overlaps => json["interference"] = json!(signed.negated()),
            Some(signed) => json["distance"] = json!(signed),
            None => {}
        }
        json
    }
}

/// What pairs of a group have in common.
#[derive(PartialEq, Eq)]
struct Key {
    names: [String; 2],
    judgement: Judgement,
    exact: Class,
}

impl Key {
    fn of(finding: &Finding, names: &[BodyName]) -> Key {
        let mut names = [finding.a, finding.b].map(|body| without_numbers(&names[body].full));
        names.sort();
        Key { names, judgement: finding.judgement, exact: finding.exact() }
    }
}

/// Whether two pairs are about as deep in each other, or as far apart.
fn are_alike(p: &Finding, q: &Finding) -> bool {
    let touching = p.judgement.class == Class::Touching;
    match (p.signed(), q.signed()) {
        _ if touching => true,
        (Some(p), Some(q)) => {
            let (p, q) = (p.lo().abs().max(p.hi().abs()), q.lo().abs().max(q.hi().abs()));
            p.max(q) <= ALIKE * p.min(q)
        }
        (None, None) => true,
        _ => false,
    }
}

/// The gravest first.
fn by_gravity(x: &Finding, y: &Finding) -> Ordering {
    let kind = |finding: &Finding| match finding.judgement.class {
        Class::Duplicate | Class::Contained | Class::Overlapping => 0,
        Class::Undecided => 1,
        Class::Encroaching => 2,
        Class::WithinTessellation => 3,
        Class::Touching | Class::Separate => 4,
    };
    let depth = |finding: &Finding| finding.signed().map_or(f64::NEG_INFINITY, |range| range.lo());
    (y.judgement.forbidden.cmp(&x.judgement.forbidden))
        .then(kind(x).cmp(&kind(y)))
        .then(depth(x).total_cmp(&depth(y)))
        .then((x.a, x.b).cmp(&(y.a, y.b)))
}

/// A name with `#` for each number in it.
fn without_numbers(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for letter in name.chars() {
        if !(letter.is_ascii_digit() || letter == '#') {
            short.push(letter);
        } else if !short.ends_with('#') {
            short.push('#');
        }
    }
    short
}

/// Two names that are the same without their numbers, with `#` for the numbers that differ.
fn common(p: &str, q: &str) -> String {
    if p == q {
        return p.to_owned();
    }
    let (p, q) = (parts(p), parts(q));
    if p.len() != q.len() {
        return without_numbers(&p.concat());
    }
    p.iter().zip(&q).map(|(p, q)| if p == q { *p } else { "#" }).collect()
}

/// Numbers (and `#` that stands for some) and what is between them.
fn parts(name: &str) -> Vec<&str> {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '#';
    let mut found = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let number = is_number(first);
        let end = rest.find(|letter| is_number(letter) != number).unwrap_or(rest.len());
        let (part, others) = rest.split_at(end);
        found.push(part);
        rest = others;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_numbers_are_one() {
        assert_eq!(without_numbers("box.glb:bolt_12#3"), "box.glb:bolt_#");
        assert_eq!(common("box2.glb:bolt_12", "box2.glb:bolt_7"), "box2.glb:bolt_#");
        assert_eq!(common("box2.glb:bolt_#", "box2.glb:bolt_9"), "box2.glb:bolt_#");
        assert_eq!(common("same", "same"), "same");
    }
}
