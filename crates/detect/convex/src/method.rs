//! How a question is answered.

use crate::epa::Epa;
use crate::lab::bodies::Posed;
use crate::lab::chung_wang::ChungWang;
use crate::lab::contact::{Contact, Ending};
use crate::lab::libccd::LibccdEpa;
use crate::lab::v_clip::VClip;
use crate::mpr::{Mpr, Ray};
use crate::{Answer, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::Between;
use std::f64::consts::PI;

/// The ways to an answer. All but the first two are for study and comparison: their verdict is the certified one all the same, but
/// normal, points and depth of overlapping bodies are what the method finds in plain doubles, with no bound of their error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The fastest certified way for the pair at hand: formulas where there are any, else iterative.
    #[default]
    Default,
    /// Certified, without a closed form for any pair but those with a half-space, which has no support map to iterate over.
    Iterative,
    /// The expanding polytope algorithm as the thesis improved it.
    Epa,
    /// The expanding polytope algorithm as libccd has it.
    EpaLibccd,
    /// Minkowski portal refinement, contact along the ray through the middles.
    Mpr,
    /// Minkowski portal refinement, contact along the normal of the last portal.
    MprPortal,
    /// Chung and Wang's search for a separating axis: a verdict only.
    ChungWang,
    /// Lin and Canny's walk from feature to feature, as V-Clip does it, for boxes and solid hulls: a verdict only.
    VClip,
}

/// What a method for study says of a pair.
pub(crate) struct Opinion {
    pub(crate) verdict: Verdict,
    pub(crate) ending: Ending,
    /// Depth, normal and points, where the method has them.
    pub(crate) contact: Option<Contact>,
}

impl From<Contact> for Opinion {
    fn from(contact: Contact) -> Opinion {
        Opinion { verdict: contact.verdict, ending: contact.ending, contact: Some(contact) }
    }
}

impl Method {
    /// All, the default first.
    pub const ALL: [Method; 6] =
        [Method::Default, Method::Iterative, Method::Epa, Method::EpaLibccd, Method::Mpr, Method::MprPortal];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Default => "default",
            Method::Iterative => "iterative",
            Method::Epa => "epa",
            Method::EpaLibccd => "epa-libccd",
            Method::Mpr => "mpr",
            Method::MprPortal => "mpr-portal",
            Method::ChungWang => "chung-wang",
            Method::VClip => "v-clip",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether its numbers are certified.
    pub fn is_certified(self) -> bool {
        matches!(self, Method::Default | Method::Iterative)
    }

    /// What a method for study says about two convex shapes; none for certified methods and for shapes it is not made for.
    pub(crate) fn opinion(self, a: &Shape, b: &Shape, between: &Between) -> Option<Opinion> {
        let bodies = Posed::new(a, b, between, 0.0)?;
        match self {
            Method::Default | Method::Iterative => None,
            Method::Epa => Some(Epa::default().run(&bodies).into()),
            Method::EpaLibccd => Some(LibccdEpa::default().run(&bodies).into()),
            Method::Mpr => Some(Mpr::default().contact(&bodies, Ray::Centre).into()),
            Method::MprPortal => Some(Mpr::default().contact(&bodies, Ray::PortalNormal).into()),
            Method::ChungWang => {
                let found = ChungWang::default().run(&bodies);
                Some(Opinion { verdict: found.verdict, ending: found.ending, contact: None })
            }
            Method::VClip => {
                let found = VClip::default().run(a, b, between, None)?;
                Some(Opinion { verdict: found.verdict, ending: found.ending, contact: None })
            }
        }
    }
}

/// A method's contact of bodies that are known to overlap, in the world. The errors say that nothing is proven.
pub(crate) fn opinion_in_world(contact: &Contact, between: &Between) -> Answer {
    let [pose_a, _] = between.poses();
    let [shallow, deep] = contact.depth.map(|depth| -depth.max(f64::from_bits(1)));
    let unproven = Answer::undecided();
    Answer {
        verdict: Verdict::Overlapping,
        separation: Range::new(deep.min(shallow), shallow.max(deep)).unwrap_or(unproven.separation),
        normal: pose_a.rotate(contact.normal),
        normal_error: PI,
        point_a: pose_a.apply(contact.points.a),
        point_b: pose_a.apply(contact.points.b),
        point_error: f64::INFINITY,
    }
}
