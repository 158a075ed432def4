//! What methods for study say of a pair.

use crate::epa::Epa;
use crate::lab::bodies::Posed;
use crate::lab::chung_wang::ChungWang;
use crate::lab::contact::{Contact, Ending};
use crate::lab::libccd::LibccdEpa;
use crate::lab::v_clip::VClip;
use crate::mpr::{Mpr, Ray};
use crate::{Answer, Method, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::Between;
use std::f64::consts::PI;

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

/// What a method for study says about two convex shapes; none for certified methods and for shapes it is not made for.
pub(crate) fn opinion(method: Method, a: &Shape, b: &Shape, between: &Between) -> Option<Opinion> {
    let bodies = Posed::new(a, b, between, 0.0)?;
    match method {
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
