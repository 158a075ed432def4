//! The methods and what they say of a pair.

use crate::bodies::Posed;
use crate::chung_wang::ChungWang;
use crate::contact::{Contact, Ending};
use crate::epa::Epa;
use crate::libccd::LibccdEpa;
use crate::mpr::{Mpr, Ray};
use crate::v_clip::VClip;
use kontakt_answers::Range;
use kontakt_convex::{Answer, Method, Shape, Verdict};
use kontakt_math::Between;
use std::f64::consts::PI;

/// The ways to an answer that are compared. Of all but the certified ones normal, points and depth of overlapping bodies are what
/// the method finds in plain doubles, with no bound of their error; the verdict is the certified one all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StudyMethod {
    /// A way of the product.
    Certified(Method),
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

impl StudyMethod {
    /// What every user of the product gets.
    pub const DEFAULT: StudyMethod = StudyMethod::Certified(Method::Default);

    /// All that tell a contact, the default first.
    pub const ALL: [StudyMethod; 6] = [
        StudyMethod::DEFAULT,
        StudyMethod::Certified(Method::Iterative),
        StudyMethod::Epa,
        StudyMethod::EpaLibccd,
        StudyMethod::Mpr,
        StudyMethod::MprPortal,
    ];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            StudyMethod::Certified(method) => method.name(),
            StudyMethod::Epa => "epa",
            StudyMethod::EpaLibccd => "epa-libccd",
            StudyMethod::Mpr => "mpr",
            StudyMethod::MprPortal => "mpr-portal",
            StudyMethod::ChungWang => "chung-wang",
            StudyMethod::VClip => "v-clip",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<StudyMethod> {
        StudyMethod::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether its numbers are certified.
    pub fn is_certified(self) -> bool {
        matches!(self, StudyMethod::Certified(_))
    }

    /// What a method for study says about two convex shapes; none for certified methods and for shapes it is not made for.
    pub(crate) fn opinion(self, a: &Shape, b: &Shape, between: &Between) -> Option<Opinion> {
        let bodies = Posed::new(a, b, between, 0.0)?;
        match self {
            StudyMethod::Certified(_) => None,
            StudyMethod::Epa => Some(Epa::default().run(&bodies).into()),
            StudyMethod::EpaLibccd => Some(LibccdEpa::default().run(&bodies).into()),
            StudyMethod::Mpr => Some(Mpr::default().contact(&bodies, Ray::Centre).into()),
            StudyMethod::MprPortal => Some(Mpr::default().contact(&bodies, Ray::PortalNormal).into()),
            StudyMethod::ChungWang => {
                let found = ChungWang::default().run(&bodies);
                Some(Opinion { verdict: found.verdict, ending: found.ending, contact: None })
            }
            StudyMethod::VClip => {
                let found = VClip::default().run(a, b, between, None)?;
                Some(Opinion { verdict: found.verdict, ending: found.ending, contact: None })
            }
        }
    }
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

/// A method's contact of bodies that are known to overlap, in the world. The errors say that nothing is proven.
pub(crate) fn in_world(contact: &Contact, between: &Between) -> Answer {
    let [pose_a, _] = between.poses();
    let [shallow, deep] = contact.depth.map(|depth| -depth.max(f64::from_bits(1)));
    // Depths that are no numbers leave everything open.
    let separation = Range::new(deep.min(shallow), shallow.max(deep))
        .or_else(|_| Range::new(f64::NEG_INFINITY, f64::INFINITY))
        .unwrap_or(Range::ZERO);
    Answer {
        verdict: Verdict::Overlapping,
        separation,
        normal: pose_a.rotate(contact.normal),
        normal_error: PI,
        point_a: pose_a.apply(contact.points.a),
        point_b: pose_a.apply(contact.points.b),
        point_error: f64::INFINITY,
    }
}
