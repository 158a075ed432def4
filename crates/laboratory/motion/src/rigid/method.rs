//! The laboratory's methods by name.

use super::{Advance, Approximate, InsideTest, Roots, conservative_advancement, dynamic, mixed};
use kontakt_rigid_ccd::MovingMesh;

/// Steps of the sampling methods.
const STEPS: u32 = 5;
/// How near, as a part of the way, bodies count as in contact for conservative advancement.
const NEAR: f64 = 1e-6;
/// Most steps of conservative advancement.
const MOST_STEPS: u32 = 100_000;

/// One of the approximate ways to a first contact. **None proves anything.**
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Corners against faces and edges against edges over the whole motion.
    Dynamic(Approximate),
    /// Only triangles that meet at the end of the motion.
    Mixed(Approximate),
    /// From distance to distance.
    Advancement,
}

/// What a method says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opinion {
    /// In contact from about this time on.
    Contact(f64),
    /// Never in contact.
    Free,
    /// Its steps were used up at this time.
    GaveUp(f64),
}

const ROOTS: [(&str, Roots); 5] = [
    ("linear", Roots::Linear),
    ("regula-falsi", Roots::RegulaFalsi),
    ("quadratic", Roots::Quadratic),
    ("sampling", Roots::Sampling { steps: STEPS }),
    ("sampling-regula-falsi", Roots::SamplingRegulaFalsi { steps: STEPS }),
];
const INSIDE: [(&str, InsideTest); 2] =
    [("", InsideTest::Exact), ("-interpolated", InsideTest::Interpolated)];

impl Method {
    /// All methods with their names: the five approximations with either inside test (`-interpolated`), the same mixed with the
    /// test at rest (`mixed-`), and conservative advancement.
    pub fn all() -> impl Iterator<Item = (String, Method)> {
        let approximate = ROOTS.into_iter().flat_map(|(name, roots)| {
            INSIDE
                .into_iter()
                .map(move |(suffix, inside)| (format!("{name}{suffix}"), Approximate { roots, inside }))
        });
        let mixed = approximate.clone().map(|(name, how)| (format!("mixed-{name}"), Method::Mixed(how)));
        approximate
            .map(|(name, how)| (name, Method::Dynamic(how)))
            .chain(mixed)
            .chain([("conservative-advancement".to_owned(), Method::Advancement)])
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Method> {
        Method::all().find(|(known, _)| known == name).map(|(_, method)| method)
    }

    /// What the method says of two moving bodies.
    pub fn ask(self, a: MovingMesh, b: MovingMesh) -> Opinion {
        let told = |time: Option<f64>| time.map_or(Opinion::Free, Opinion::Contact);
        match self {
            Method::Dynamic(how) => told(dynamic(a, b, how)),
            Method::Mixed(how) => told(mixed(a, b, how)),
            Method::Advancement => {
                let speed = |body: MovingMesh| {
                    let tree = body.mesh.tree();
                    body.motion.speed_bound(tree.origin(), 2.0_f64.powi(tree.exponent()))
                };
                let way = speed(a) + speed(b);
                let near = if way.is_finite() { NEAR * way } else { NEAR };
                match conservative_advancement(a, b, near, MOST_STEPS) {
                    Advance::Near(t) => Opinion::Contact(t),
                    Advance::Free => Opinion::Free,
                    Advance::GaveUp(t) => Opinion::GaveUp(t),
                }
            }
        }
    }
}
