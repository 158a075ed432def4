//! parry's nonlinear shape cast, double precision.

use crate::clock::timed;
use crate::data::flights::Flights;
use crate::data::scenes::{PlainMesh, PlainPose};
use crate::parry::double::mesh;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::{Cuboid, Shape};

/// Both bodies and their motions.
pub(crate) struct Bodies {
    shapes: [Box<dyn Shape>; 2],
    motions: Vec<[NonlinearRigidMotion; 2]>,
}

impl Bodies {
    /// Boxes as boxes, everything else as meshes; the first motions only.
    pub(crate) fn of(flights: &Flights, count: usize) -> Result<Bodies, String> {
        let shape = |k: usize| -> Result<Box<dyn Shape>, String> {
            Ok(match flights.halves {
                Some(halves) => Box::new(Cuboid::new(Vector::from_array(halves[k]))),
                None => Box::new(mesh(&PlainMesh::of(flights.bodies[k].faces()))?),
            })
        };
        let motions = flights.ends(count).iter().map(|ends| ends.map(motion)).collect();
        Ok(Bodies { shapes: [shape(0)?, shape(1)?], motions })
    }

    /// How many motions are asked about.
    pub(crate) fn len(&self) -> usize {
        self.motions.len()
    }

    /// Times of first contact; seconds for all. An answer that parry does not support counts as none.
    pub(crate) fn times(&self) -> (f64, Vec<Option<f64>>) {
        let ask = |[a, b]: &[NonlinearRigidMotion; 2]| {
            let hit = cast_shapes_nonlinear(a, &*self.shapes[0], b, &*self.shapes[1], 0.0, 1.0, true);
            hit.ok().flatten().map(|hit| hit.time_of_impact)
        };
        timed(|| self.motions.iter().map(ask).collect())
    }
}

/// The origin goes straight, the orientation turns evenly by the shorter way.
fn motion([start, end]: [PlainPose; 2]) -> NonlinearRigidMotion {
    let [from, to] = [start, end].map(|pose| {
        Pose::from_parts(Vector::from_array(pose.translation), Rotation::from_array(pose.rotation))
    });
    let turn = to.rotation * from.rotation.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    NonlinearRigidMotion::new(from, Vector::ZERO, to.translation - from.translation, turn.to_scaled_axis())
}
