//! Parts taken out of the bay as bodies and motions, for other studies.

use super::bay::{Bay, Part};
use super::lathe::Fineness;
use super::removal::{self, Hand, Steps};
use crate::failure::Failure;
use kontakt::math::Motion;
use kontakt::mesh::Mesh;

/// A part on its way through what is around it, which is at rest in the world.
pub(in crate::command::study) struct Taken {
    pub(in crate::command::study) part: Mesh,
    pub(in crate::command::study) around: Mesh,
    /// From pose to pose, of all ways one after the other.
    pub(in crate::command::study) motions: Vec<Motion>,
}

/// Every part with care, by force and in haste; the finer the more faces around a lamp.
pub(in crate::command::study) fn taken(around: u32, steps: u32) -> Result<Vec<Taken>, Failure> {
    let bay = Bay::new(Fineness { around, step: 900.0 / f64::from(around) })?;
    let steps = Steps { turn: steps, pull: steps, away: steps };
    let one = |part: Part| {
        let mut motions = Vec::new();
        for hand in [Hand::Careful, Hand::Hasty, Hand::Forcing] {
            motions.extend(removal::motions(&removal::poses(part, hand, steps)?)?);
        }
        Ok(Taken { part: bay.part(part)?, around: bay.around(part)?, motions })
    };
    Part::ALL.into_iter().map(one).collect()
}
