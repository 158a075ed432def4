//! The ways to look at a step: the thesis's, and the certified one.

use kontakt::answers::Impact;
use kontakt::mesh::{self, PlacedMesh};
use kontakt::rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use kontakt_lab_motion::rigid::{
    Advance, Approximate, InsideTest, Roots, conservative_advancement, dynamic, mixed,
};

/// Straight pieces of the sampling methods, as in the thesis.
const SAMPLES: u32 = 5;

/// A way to look at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// Contact at the end of the step.
    Static,
    /// Faces that meet at the end, followed back over the step.
    Mixed,
    /// Corners against faces and edges against edges, with approximate times.
    Dynamic(Approximate),
    /// Steps by the distance over the speed, down to this distance.
    Advancement(f64),
    Certified,
}

/// What a way says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Said {
    Free,
    /// Contact from about this time on.
    Contact(f64),
    /// Gave up.
    Open,
}

/// The five ways to find times, by the thesis's names.
const ROOTS: [(Roots, &str); 5] = [
    (Roots::Linear, "linear interpolation"),
    (Roots::RegulaFalsi, "regula falsi"),
    (Roots::Quadratic, "quadratic interpolation"),
    (Roots::Sampling { steps: SAMPLES }, "sampling"),
    (Roots::SamplingRegulaFalsi { steps: SAMPLES }, "sampling and regula falsi"),
];

impl Method {
    /// Those whose times are shown, in order.
    pub(super) fn timed() -> Vec<Method> {
        let exact = |(roots, _)| Method::Dynamic(Approximate { roots, inside: InsideTest::Exact });
        let mut all = vec![Method::Static, Method::Mixed];
        all.extend(ROOTS.map(exact));
        all.extend([Method::Advancement(1e-3), Method::Certified]);
        all
    }

    /// Those whose errors are counted: all but the certified one.
    pub(super) fn judged() -> Vec<Method> {
        let interpolated =
            |(roots, _)| Method::Dynamic(Approximate { roots, inside: InsideTest::Interpolated });
        let mut all = Method::timed();
        all.pop();
        all.splice(7..7, ROOTS.map(interpolated));
        all
    }

    pub(super) fn name(self) -> String {
        match self {
            Method::Static => "static".to_owned(),
            Method::Mixed => "mixed static and dynamic".to_owned(),
            Method::Dynamic(Approximate { roots, inside }) => {
                let name =
                    ROOTS.iter().find(|(known, _)| *known == roots).map_or("dynamic", |(_, name)| name);
                let how = if inside == InsideTest::Interpolated { ", interpolated inside test" } else { "" };
                format!("{name}{how}")
            }
            Method::Advancement(near) => format!("conservative advancement to {near}"),
            Method::Certified => "certified".to_owned(),
        }
    }

    /// Looks at a step.
    pub(super) fn look(self, askers: &mut Askers, a: MovingMesh, b: MovingMesh) -> Said {
        let found = |time: Option<f64>| time.map_or(Said::Free, Said::Contact);
        let roots = Roots::SamplingRegulaFalsi { steps: SAMPLES };
        match self {
            Method::Static => {
                let placed = [a, b].map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(1.0)));
                found(askers.at_rest.any_contact(placed[0], placed[1]).map(|_| 1.0))
            }
            Method::Mixed => found(mixed(a, b, Approximate { roots, inside: InsideTest::Exact })),
            Method::Dynamic(method) => found(dynamic(a, b, method)),
            Method::Advancement(near) => match conservative_advancement(a, b, near, 1000) {
                Advance::Free => Said::Free,
                Advance::Near(time) => Said::Contact(time),
                Advance::GaveUp(_) => Said::Open,
            },
            Method::Certified => match askers.moving.impact(a, b, &askers.options) {
                Impact::Free { .. } => Said::Free,
                Impact::Contact { time, .. } => Said::Contact(time.lo()),
                Impact::Undecided { .. } => Said::Open,
            },
        }
    }
}

/// Scratch memory of the ways.
#[derive(Default)]
pub(super) struct Askers {
    pub(super) at_rest: mesh::MeshQuery,
    pub(super) moving: MotionQuery,
    pub(super) options: MotionOptions,
}
