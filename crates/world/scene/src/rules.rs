//! What is forbidden, and what was allowed.

use crate::exceptions::Exceptions;
use crate::related::Related;
use kontakt_answers::{OverlapKind, Range, Relation};
use kontakt_pair::together;

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
    /// The insides meet by no more than the tessellation may be off; of curved bodies also a gap that it does not tell from a touch.
    WithinTessellation,
    /// In touch.
    Touching,
    /// Apart.
    Separate,
}

impl Class {
    /// All of them, the gravest first.
    pub const ALL: [Class; 8] = [
        Class::Duplicate,
        Class::Contained,
        Class::Overlapping,
        Class::Undecided,
        Class::Encroaching,
        Class::WithinTessellation,
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
            Class::WithinTessellation => "within_tessellation",
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

/// Which gaps and interferences count as touching.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TouchTolerance {
    /// Those that the rounding of the bodies' own numbers explains.
    #[default]
    Rounding,
    /// Those up to a length; 0 for none.
    Within(f64),
}

/// How far tessellations may lie from the surfaces they stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Deviation {
    /// They are the surfaces.
    #[default]
    None,
    /// Each by up to a length.
    Within(f64),
    /// Each as far as its smooth edges suggest.
    Estimated,
}

/// What the user wants to know and lets pass.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Bodies are to stay this far apart at least.
    pub clearance: f64,
    /// Which gaps and interferences count as touching.
    pub touch_tolerance: TouchTolerance,
    /// How far tessellations may be off: interference up to that of both bodies together is no clash.
    pub deviation: Deviation,
    /// Touching is forbidden too.
    pub strict: bool,
    /// Pairs that do not count, or may overlap.
    pub exceptions: Exceptions,
}

/// What the rules say about one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairLimits {
    /// Gaps and interferences up to this count as touching.
    pub touch_tolerance: f64,
    /// Interferences up to this are within the tessellation.
    pub deviation: f64,
    /// **Never less** than how far triangles of both bodies together lie off curved faces they stand for: what these leave open and is no
    /// more than twice that is within the tessellation.
    pub certified: f64,
    /// What of that are gaps of the models themselves, edges that miss their faces by more than rounding. Where these are the greater part no
    /// finer triangles would tell more, and what is left open stays open.
    pub gap: f64,
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
    /// Bodies farther apart than this need no closer look, if rounding puts none off by more than `worst`.
    pub(crate) fn reach(&self, worst: f64) -> f64 {
        self.clearance.max(self.pair_limits([worst; 2], [0.0; 2]).touch_tolerance)
    }

    /// The limits of a pair that rounding puts off by so much each, and the triangles of curved faces by so much; without a deviation that
    /// has to be estimated. A deviation that is given is that of meshes: how far triangles of curved faces lie off is known.
    pub fn pair_limits(&self, [a, b]: [f64; 2], certified: [f64; 2]) -> PairLimits {
        let meshes = certified.iter().filter(|&&own| own <= 0.0).count() as f64;
        PairLimits {
            touch_tolerance: match self.touch_tolerance {
                TouchTolerance::Rounding => a + b,
                TouchTolerance::Within(limit) => limit,
            },
            deviation: match self.deviation {
                Deviation::Within(limit) => meshes * limit,
                Deviation::None | Deviation::Estimated => 0.0,
            },
            certified: together(certified),
            gap: 0.0,
        }
    }

    /// Measures a relation. What bounds leave open is not let pass: a gap or an overlap counts as touching only when it is
    /// proven to be within the tolerance, an overlap as allowed only when it is proven to be within the allowance.
    pub fn judge(&self, a: usize, b: usize, found: &Related, limits: PairLimits) -> Judgement {
        let class = self.class(found, limits);
        let harmless = match class {
            Class::Separate | Class::WithinTessellation => true,
            Class::Touching => !self.strict,
            _ => false,
        };
        let within = |depth: f64| found.signed().is_some_and(|signed| overlaps_at_most(signed, depth));
        let allowed = !harmless && self.exceptions.allowance(a, b).is_some_and(within);
        Judgement { class, allowed, forbidden: !harmless && !allowed }
    }

    fn class(&self, found: &Related, limits: PairLimits) -> Class {
        let PairLimits { touch_tolerance, deviation, certified, gap } = limits;
        let tolerated = |signed: Range| {
            overlaps_at_most(signed, touch_tolerance)
                && signed.is_at_most(touch_tolerance).or(found.gap.tolerated) == Some(true)
        };
        let signed = found.signed();
        match found.relation {
            // One part twice is no touch, however thin it is.
            Relation::Duplicate => Class::Duplicate,
            Relation::Overlapping { .. } | Relation::Contained { .. } if found.same => Class::Duplicate,
            _ if touch_tolerance > 0.0 && !found.is_coincident() && signed.is_some_and(tolerated) => {
                Class::Touching
            }
            Relation::Separate { distance } => {
                match distance.is_below(self.clearance).or(found.gap.encroaches) {
                    Some(true) => Class::Encroaching,
                    Some(false) => Class::Separate,
                    None => Class::Undecided,
                }
            }
            // Facets explain neither a part that goes through a wall nor one that is all inside another.
            Relation::Overlapping { kind, .. }
                if deviation > 0.0
                    && kind != Some(OverlapKind::Piercing)
                    && !found.is_coincident()
                    && signed.is_some_and(|signed| overlaps_at_most(signed, deviation + touch_tolerance)) =>
            {
                Class::WithinTessellation
            }
            Relation::Undecided { bounds } if certified > 0.0 => {
                // A deviation has the gap in it twice: where a face leaves its triangles and where an edge leaves its chords.
                let explained = if 2.0 * gap > 0.5 * certified { 0.0 } else { 2.0 * certified };
                let most = explained + deviation + touch_tolerance;
                let within = bounds.is_about_at_most(most) && bounds.negated().is_about_at_most(most);
                if within { Class::WithinTessellation } else { Class::Undecided }
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
    use kontakt_math::DVec3;

    fn range(lo: f64, hi: f64) -> Range {
        Range::new(lo, hi).unwrap()
    }

    fn separate(lo: f64, hi: f64) -> Relation {
        Relation::Separate { distance: range(lo, hi) }
    }

    fn overlapping(lo: f64, hi: f64) -> Relation {
        Relation::Overlapping { kind: None, depth: Some(range(lo, hi)) }
    }

    /// With the depth of an overlap as the shift that frees: all that is known of it.
    fn shallow(relation: Relation) -> Related {
        let depth = match relation {
            Relation::Overlapping { depth, .. } => depth,
            _ => None,
        };
        let release = depth.map(|range| kontakt_mesh::Depth { range, push: DVec3::X, deepest: DVec3::ZERO });
        Related { release, ..Related::from(relation) }
    }

    #[test]
    fn clearance_and_tolerance_turn_one_class_into_another() {
        let rules = Rules { clearance: 1.0, ..Rules::default() };
        let limits = PairLimits { touch_tolerance: 0.1, ..PairLimits::default() };
        let class = |relation| rules.judge(0, 1, &shallow(relation), limits).class;
        assert_eq!(class(separate(2.0, 2.0)), Class::Separate);
        assert_eq!(class(separate(1.0, 1.0)), Class::Separate, "the clearance itself is kept");
        assert_eq!(class(separate(0.5, 0.6)), Class::Encroaching);
        assert_eq!(class(separate(0.9, 1.1)), Class::Undecided);
        let asked = |lo: f64, hi: f64, encroaches: bool, tolerated: bool| {
            let gap = Gap { encroaches: Some(encroaches), tolerated: Some(tolerated) };
            rules.judge(0, 1, &Related { gap, ..Related::from(separate(lo, hi)) }, limits).class
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
        let limits = PairLimits::default();
        assert!(!Rules::default().judge(0, 1, &Relation::Touching.into(), limits).forbidden);
        assert!(strict.judge(0, 1, &Relation::Touching.into(), limits).forbidden);
        for relation in [
            overlapping(0.0, 1.0),
            Relation::Duplicate,
            Relation::Contained { inner: kontakt_answers::Side::A },
            Relation::Undecided { bounds: range(-1.0, 1.0) },
        ] {
            assert!(Rules::default().judge(0, 1, &shallow(relation), limits).forbidden);
        }
    }

    #[test]
    fn an_allowance_lets_pass_what_is_proven_to_be_less() {
        let names = ["a", "b", "c"].map(|name| BodyName { full: name.into(), file: 1 });
        let exceptions = Exceptions::among(&names, &[], &["a:b=0.5".into()]).unwrap();
        let rules = Rules { exceptions, strict: true, ..Rules::default() };
        let judged = |relation| rules.judge(1, 0, &shallow(relation), PairLimits::default());
        assert!(judged(overlapping(0.1, 0.5)).allowed);
        assert!(judged(overlapping(0.1, 0.6)).forbidden);
        assert!(judged(Relation::Touching).allowed);
        assert!(judged(Relation::Duplicate).forbidden, "a depth that is not known is not proven to be small");
        let other = rules.judge(0, 2, &shallow(overlapping(0.1, 0.5)), PairLimits::default());
        assert!(other.forbidden, "another pair");
    }

    #[test]
    fn what_the_tessellation_explains_is_no_clash() {
        let limits = PairLimits { touch_tolerance: 0.01, deviation: 0.1, ..PairLimits::default() };
        let judged = |relation| Rules::default().judge(0, 1, &shallow(relation), limits);
        let within = judged(overlapping(0.05, 0.1));
        assert_eq!((within.class, within.forbidden), (Class::WithinTessellation, false));
        assert_eq!(judged(overlapping(0.005, 0.01)).class, Class::Touching);
        assert!(judged(overlapping(0.05, 0.2)).forbidden, "not proven to be within");
        assert_eq!(judged(Relation::Touching).class, Class::Touching);
        assert!(judged(Relation::Duplicate).forbidden);
        let through =
            Relation::Overlapping { kind: Some(OverlapKind::Piercing), depth: Some(range(0.05, 0.1)) };
        assert!(judged(through).forbidden, "a rod through a thin wall");
    }

    #[test]
    fn what_certified_triangles_leave_open_is_within_them_if_it_is_small() {
        let rules = Rules { deviation: Deviation::Within(5.0), ..Rules::default() };
        let limits = rules.pair_limits([1e-9; 2], [0.1, 0.2]);
        assert_eq!(limits.deviation, 0.0, "what is certified is not what the user thinks of meshes");
        let open = |lo: f64, hi: f64| Relation::Undecided { bounds: range(lo, hi) };
        let judged = |relation| rules.judge(0, 1, &shallow(relation), limits);
        assert_eq!(judged(open(-0.6, 0.3)).class, Class::WithinTessellation);
        assert_eq!(judged(open(-0.2, 0.6)).class, Class::WithinTessellation);
        assert!(!judged(open(-0.6, 0.3)).forbidden);
        assert!(judged(open(-0.7, 0.3)).forbidden, "deeper than that is open");
        assert!(judged(open(f64::NEG_INFINITY, 0.3)).forbidden);
        assert!(judged(overlapping(0.05, 0.1)).forbidden, "what is proven is a clash, however small");
        let class =
            |gap: f64| rules.judge(0, 1, &shallow(open(-0.2, 0.1)), PairLimits { gap, ..limits }).class;
        assert_eq!(class(0.05), Class::WithinTessellation);
        assert_eq!(class(0.2), Class::Undecided, "borders that do not close are no fit");
    }
}
