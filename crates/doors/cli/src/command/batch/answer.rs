//! One question at one pose and its answer.

use crate::args::BatchQuery;
use kontakt::answers::Range;
use kontakt::mesh::{Distance, FacePair, MeshQuery, PlacedMesh, Within};
use kontakt::pair::widened;
use kontakt_load::ready::Whole;
use serde_json::{Value, json};
use std::ops::Range as Span;

/// What is asked at every pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) query: BatchQuery,
    pub(crate) clearance: f64,
    /// How many pairs may be listed in all; 0 where only their number is wanted.
    pub(crate) listed: usize,
}

/// What was found at one pose.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A pair of triangles with a common point, if there is one.
    Contact(Option<FacePair>),
    /// How many pairs have a common point, and where those kept are in the block's list.
    Pairs {
        count: usize,
        /// Whether these are all; else there are at least so many.
        complete: bool,
        kept: Span<usize>,
    },
    Distance(Distance),
    Clearance(Within),
}

impl Question {
    /// Asks. Pairs to be listed are appended to `list`. `None` when the asker's deadline came before anything was known.
    #[inline]
    pub(crate) fn ask(
        &self,
        asker: &mut MeshQuery,
        a: PlacedMesh,
        b: PlacedMesh,
        list: &mut Vec<FacePair>,
    ) -> Option<Answer> {
        Some(match self.query {
            BatchQuery::Contact => Answer::Contact(asker.contact(a, b).ok()?),
            BatchQuery::Pairs => {
                let pairs = asker.all_pairs(a, b);
                let (first, count) = (list.len(), pairs.len());
                let kept = count.min(self.listed.saturating_sub(first));
                list.extend_from_slice(&pairs[..kept]);
                Answer::Pairs { count, complete: asker.pairs_complete(), kept: first..first + kept }
            }
            BatchQuery::Distance => Answer::Distance(asker.distance(a, b)),
            BatchQuery::Clearance => {
                let within = asker.within(a, b, self.clearance);
                // A gap that equals the clearance keeps it, and no gap is below 0: not even that of bodies in touch.
                let closer = if self.clearance == 0.0 { Some(false) } else { within.closer };
                Answer::Clearance(Within { closer, ..within })
            }
        })
    }
}

impl Answer {
    /// Whether the surfaces meet, where the question settles it.
    pub(crate) fn contact(&self) -> Option<bool> {
        match self {
            Answer::Contact(pair) => Some(pair.is_some()),
            Answer::Pairs { count, complete, .. } => (*count > 0 || *complete).then_some(*count > 0),
            Answer::Distance(Distance { range, .. }) | Answer::Clearance(Within { distance: range, .. }) => {
                if *range == Range::ZERO {
                    Some(true)
                } else {
                    (range.lo() > 0.0).then_some(false)
                }
            }
        }
    }

    /// Makes distances of triangles true for surfaces that they are off by so much.
    pub(crate) fn widen(&mut self, slack: f64, clearance: f64) {
        if slack <= 0.0 {
            return;
        }
        match self {
            Answer::Distance(distance) => distance.range = widened(distance.range, slack),
            Answer::Clearance(within) => {
                within.distance = widened(within.distance, slack);
                let closer = within.distance.is_below(clearance);
                within.closer = if clearance == 0.0 { Some(false) } else { closer };
            }
            Answer::Contact(_) | Answer::Pairs { .. } => {}
        }
    }

    /// Certified bounds of the distance, where the question gives any.
    pub(crate) fn distance(&self) -> Option<Range> {
        match self {
            Answer::Distance(distance) => Some(distance.range),
            Answer::Clearance(within) => Some(within.distance),
            _ => (self.contact() == Some(true)).then_some(Range::ZERO),
        }
    }

    /// How many pairs of triangles have a common point, where that is known.
    pub(crate) fn pairs(&self) -> Option<usize> {
        match self {
            Answer::Pairs { count, .. } => Some(*count),
            _ => (self.contact() == Some(false)).then_some(0),
        }
    }

    /// The keys of the contract, `null` where the question does not settle them, and what the question gives beside.
    pub(crate) fn json(&self, [a, b]: [&Whole; 2], listed: Option<&[FacePair]>) -> Value {
        let ids = |pair: &FacePair| json!([a.face(pair.a).triangle, b.face(pair.b).triangle]);
        let mut json = json!({
            "contact": self.contact(),
            "pairs": self.pairs(),
            "distance": self.distance(),
        });
        match self {
            Answer::Contact(pair) => json["triangles"] = json!(pair.as_ref().map(ids)),
            Answer::Pairs { kept, complete, .. } => {
                json["pairs_complete"] = (*complete).into();
                if let Some(listed) = listed {
                    let shown = listed.get(kept.clone()).unwrap_or(&[]);
                    json["list"] = shown.iter().map(ids).collect();
                }
            }
            // Time was up before any two faces were measured.
            Answer::Distance(distance) if distance.range.hi() == f64::INFINITY => {}
            Answer::Distance(distance) => {
                json["point_a"] = json!(distance.point_a.to_array());
                json["point_b"] = json!(distance.point_b.to_array());
                json["triangles"] = ids(&distance.pair);
            }
            Answer::Clearance(within) => {
                json["closer"] = json!(within.closer);
                json["triangles"] = json!(within.pair.as_ref().map(ids));
            }
        }
        if let Some(pair) = self.pair() {
            json["faces"] = json!([a.face(pair.a).face, b.face(pair.b).face]);
        }
        json
    }

    /// The two triangles that the answer is about.
    fn pair(&self) -> Option<FacePair> {
        match self {
            Answer::Contact(pair) => *pair,
            Answer::Pairs { .. } => None,
            Answer::Distance(distance) => (distance.range.hi() < f64::INFINITY).then_some(distance.pair),
            Answer::Clearance(within) => within.pair,
        }
    }
}
