//! One question about one pair and what was found.

use crate::args::ConvexQuery;
use kontakt::answers::Contact;
use kontakt::convex::{Answer, Manifold, PlacedShape, Verdict};
use kontakt::io::ConvexPair;
use kontakt_lab_convex::StudyAsker;
use serde_json::{Value, json};

/// What is asked about every pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) query: ConvexQuery,
    /// How far apart bodies may be and still have contacts.
    pub(crate) gap: f64,
    /// Only one contact is wanted.
    pub(crate) single: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Intersect(Verdict),
    Distance(Answer),
    Contact(Answer),
    Manifold(Box<Manifold>),
}

impl Question {
    #[inline]
    pub(crate) fn ask(&self, asker: &mut StudyAsker, pair: &ConvexPair) -> Found {
        let (a, b) = (PlacedShape::new(&pair.a, pair.pose_a), PlacedShape::new(&pair.b, pair.pose_b));
        match self.query {
            ConvexQuery::Intersect => Found::Intersect(asker.intersect(a, b)),
            ConvexQuery::Distance => Found::Distance(asker.distance(a, b)),
            ConvexQuery::Contact if self.single => Found::Contact(asker.contact(a, b)),
            ConvexQuery::Contact => Found::Manifold(Box::new(asker.manifold(a, b, self.gap))),
        }
    }
}

/// The word of the contract.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Separate => "separate",
        Verdict::Touching => "touching",
        Verdict::Overlapping => "overlapping",
        Verdict::Undecided => "undecided",
    }
}

impl Found {
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            Found::Intersect(verdict) => *verdict,
            Found::Distance(answer) | Found::Contact(answer) => answer.verdict,
            Found::Manifold(manifold) => manifold.answer.verdict,
        }
    }

    pub(crate) fn answer(&self) -> Option<&Answer> {
        match self {
            Found::Intersect(_) => None,
            Found::Distance(answer) | Found::Contact(answer) => Some(answer),
            Found::Manifold(manifold) => Some(&manifold.answer),
        }
    }

    /// The keys of the contract: what the question does not settle is left out.
    pub(crate) fn json(&self, gap: f64) -> Value {
        let mut json = json!({ "relation": word(self.verdict()) });
        match self {
            Found::Intersect(_) => {}
            Found::Distance(answer) => {
                json["distance"] = json!(answer.distance());
                // Points and normal of bodies in contact belong to the question about contact.
                if answer.verdict == Verdict::Separate {
                    add_points(&mut json, answer);
                }
            }
            Found::Contact(answer) => {
                add_signed(&mut json, answer);
                let near = answer.verdict != Verdict::Separate || answer.separation.lo() <= gap;
                let contacts = near.then(|| Contact::from(*answer));
                json["contacts"] = contacts.iter().map(|contact| json!(contact)).collect();
            }
            Found::Manifold(manifold) => {
                add_signed(&mut json, &manifold.answer);
                let contacts = manifold.contacts.iter().zip(&manifold.parts);
                json["contacts"] = contacts.map(|(contact, parts)| contact_json(contact, *parts)).collect();
            }
        }
        json
    }
}

/// A contact with the parts of unions that meet there.
fn contact_json(contact: &Contact, [part_a, part_b]: [u32; 2]) -> Value {
    let mut json = json!(contact);
    json["part_a"] = part_a.into();
    json["part_b"] = part_b.into();
    json
}

/// Distance or depth, and where.
fn add_signed(json: &mut Value, answer: &Answer) {
    match answer.verdict {
        Verdict::Separate => json["distance"] = json!(answer.distance()),
        Verdict::Overlapping => {
            json["kind"] = Value::Null;
            json["depth"] = json!(answer.depth());
        }
        Verdict::Touching => {
            json["distance"] = json!(answer.distance());
            json["depth"] = json!(answer.depth());
        }
        Verdict::Undecided => json["bounds"] = json!(answer.separation),
    }
    add_points(json, answer);
}

fn add_points(json: &mut Value, answer: &Answer) {
    json["normal"] = json!(answer.normal.to_array());
    json["normal_error"] = json!(answer.normal_error);
    json["point_a"] = json!(answer.point_a.to_array());
    json["point_b"] = json!(answer.point_b.to_array());
    json["point_error"] = json!(answer.point_error);
}
