//! What is forbidden, and what was allowed.

use crate::exceptions::Exceptions;
use crate::related::Related;
use kontakt_answers::{Range, Relation};

/// The classes of the report, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The same body twice.
    Duplicate,
    /// One inside the other.
    Contained,
    /// The insides meet.
    Overlapping,
    /// Not known.
    Undecided,
    /// Closer than the clearance.
    Encroaching,
    /// In touch.
    Touching,
    /// Apart.
    Separate,
}

impl Class {
    /// All of them, the gravest first.
    pub const ALL: [Class; 7] = [
        Class::Duplicate,
        Class::Contained,
        Class::Overlapping,
        Class::Undecided,
        Class::Encroaching,
        Class::Touching,
        Class::Separate,
    ];

    /// As the contract spells it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Duplicate => "duplicate",
            Class::Contained => "contained",
            Class::Overlapping => "overlapping",
            Class::Undecided => "undecided",
            Class::Encroaching => "encroaching",
            Class::Touching => "touching",
            Class::Separate => "separate",
        }
    }

    /// The class of an exact relation, before any tolerance or clearance.
    pub fn of(relation: &Relation) -> Class {
        match relation {
            Relation::Separate { .. } => Class::Separate,
            Relation::Touching => Class::Touching,
            Relation::Overlapping { .. } => Class::Overlapping,
            Relation::Contained { .. } => Class::Contained,
            Relation::Duplicate => Class::Duplicate,
            Relation::Undecided { .. } => Class::Undecided,
        }
    }
}

/// What the user wants to know and lets pass.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Bodies are to stay this far apart at least.
    pub clearance: f64,
    /// Gaps and overlaps of at most this much count as touching.
    pub touch_tolerance: f64,
    /// Touching is forbidden too.
    pub strict: bool,
    /// Pairs that do not count, or may overlap.
    pub exceptions: Exceptions,
}

/// A relation measured by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The class under the rules.
    pub class: Class,
    /// It would be forbidden, but the user allows this much.
    pub allowed: bool,
    /// It fails the check.
    pub forbidden: bool,
}

impl Rules {
    /// Bodies farther apart than this need no closer look.
    pub fn reach(&self) -> f64 {
        self.clearance.max(self.touch_tolerance)
    }

    /// Measures a relation. What bounds leave open is not let pass: a gap or an overlap counts as touching only when it is
    /// proven to be within the tolerance, an overlap as allowed only when it is proven to be within the allowance.
    pub fn judge(&self, a: usize, b: usize, found: &Related) -> Judgement {
        let class = self.class(found);
        let harmless = match class {
            Class::Separate => true,
            Class::Touching => !self.strict,
            _ => false,
        };
        let within = |depth: f64| found.signed().is_some_and(|signed| overlaps_at_most(signed, depth));
        let allowed = !harmless && self.exceptions.allowance(a, b).is_some_and(within);
        Judgement { class, allowed, forbidden: !harmless && !allowed }
    }

    fn class(&self, found: &Related) -> Class {
        let tolerated = |signed: Range| {
            overlaps_at_most(signed, self.touch_tolerance)
                && signed.is_at_most(self.touch_tolerance).or(found.gap.tolerated) == Some(true)
        };
        match found.relation {
            _ if self.touch_tolerance > 0.0 && found.signed().is_some_and(tolerated) => Class::Touching,
            Relation::Separate { distance } => {
                match distance.is_below(self.clearance).or(found.gap.encroaches) {
                    Some(true) => Class::Encroaching,
                    Some(false) => Class::Separate,
                    None => Class::Undecided,
                }
            }
            exact => Class::of(&exact),
        }
    }
}

/// Whether bodies with this signed distance overlap by no more than a depth, or by roundings more: an overlap that equals the limit is
/// within it, in any order and at any place.
fn overlaps_at_most(signed: Range, depth: f64) -> bool {
    signed.negated().is_about_at_most(depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_names::BodyName;
    use crate::related::Gap;

    fn range(lo: f64, hi: f64) -> Range {
        Range::new(lo, hi).unwrap()
    }

    fn separate(lo: f64, hi: f64) -> Relation {
        Relation::Separate { distance: range(lo, hi) }
    }

    fn overlapping(lo: f64, hi: f64) -> Relation {
        Relation::Overlapping { kind: None, depth: Some(range(lo, hi)) }
    }

    #[test]
    fn clearance_and_tolerance_turn_one_class_into_another() {
        let rules = Rules { clearance: 1.0, touch_tolerance: 0.1, ..Rules::default() };
        let class = |relation| rules.judge(0, 1, &Related::from(relation)).class;
        assert_eq!(class(separate(2.0, 2.0)), Class::Separate);
        assert_eq!(class(separate(1.0, 1.0)), Class::Separate, "the clearance itself is kept");
        assert_eq!(class(separate(0.5, 0.6)), Class::Encroaching);
        assert_eq!(class(separate(0.9, 1.1)), Class::Undecided);
        let asked = |lo: f64, hi: f64, encroaches: bool, tolerated: bool| {
            let gap = Gap { encroaches: Some(encroaches), tolerated: Some(tolerated) };
            rules.judge(0, 1, &Related { gap, ..Related::from(separate(lo, hi)) }).class
        };
        assert_eq!(asked(0.9, 1.1, false, false), Class::Separate, "the faces were asked");
        assert_eq!(asked(0.09, 0.11, true, true), Class::Touching);
        assert_eq!(asked(0.09, 0.11, true, false), Class::Encroaching);
        assert_eq!(class(separate(0.05, 0.1)), Class::Touching);
        assert_eq!(class(overlapping(0.05, 0.1)), Class::Touching);
        assert_eq!(
            class(overlapping(0.1, 0.1_f64.next_up())),
            Class::Touching,
            "the tolerance up to rounding"
        );
        assert_eq!(
            class(overlapping(0.05, 0.11)),
            Class::Overlapping,
            "not proven to be within the tolerance"
        );
        assert_eq!(class(Relation::Undecided { bounds: range(-0.1, 0.1) }), Class::Touching);
    }

    #[test]
    fn touching_is_forbidden_only_when_strict() {
        let strict = Rules { strict: true, ..Rules::default() };
        assert!(!Rules::default().judge(0, 1, &Relation::Touching.into()).forbidden);
        assert!(strict.judge(0, 1, &Relation::Touching.into()).forbidden);
        for relation in [
            overlapping(0.0, 1.0),
            Relation::Duplicate,
            Relation::Contained { inner: kontakt_answers::Side::A },
            Relation::Undecided { bounds: range(-1.0, 1.0) },
        ] {
            assert!(Rules::default().judge(0, 1, &relation.into()).forbidden);
        }
    }

    #[test]
    fn an_allowance_lets_pass_what_is_proven_to_be_less() {
        let names = ["a", "b", "c"].map(|name| BodyName { full: name.into(), file: 1 });
        let exceptions = Exceptions::among(&names, &[], &["a:b=0.5".into()]).unwrap();
        let rules = Rules { exceptions, strict: true, ..Rules::default() };
        let judged = |relation| rules.judge(1, 0, &Related::from(relation));
        assert!(judged(overlapping(0.1, 0.5)).allowed);
        assert!(judged(overlapping(0.1, 0.6)).forbidden);
        assert!(judged(Relation::Touching).allowed);
        assert!(judged(Relation::Duplicate).forbidden, "a depth that is not known is not proven to be small");
        assert!(rules.judge(0, 2, &overlapping(0.1, 0.5).into()).forbidden, "another pair");
    }
}
