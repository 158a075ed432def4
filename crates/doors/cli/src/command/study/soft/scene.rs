//! The thesis's four scenes.

use super::Extent;
use crate::failure::Failure;
use kontakt::math::DVec3;
use kontakt::soft::{Body, Forces};
use kontakt_lab_soft::scenes::{bears, membrane};

/// Seconds of a step.
pub(super) const DT: f64 = 0.01;

/// A scene, and what the thesis measured of it.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Numbers of the thesis's table and figure.
    pub(super) table: &'static str,
    pub(super) figure: &'static str,
    /// m/s at the membrane; `None`: the bears.
    pub(super) speed: Option<f64>,
    /// Least, most and mean microseconds, continuous and discrete.
    pub(super) thesis: [[f64; 3]; 2],
    /// From where pictures are taken.
    pub(super) from: DVec3,
}

pub(super) const SCENES: [Scene; 4] = [
    Scene {
        name: "slow",
        title: "Tetrahedron on a membrane, slow",
        table: "4.1",
        figure: "4.3",
        speed: Some(0.4),
        thesis: [[13706.0, 36518.0, 17080.0], [753.0, 3369.0, 1565.0]],
        from: DVec3::new(0.4, -1.0, 0.35),
    },
    Scene {
        name: "fast",
        title: "Tetrahedron on a membrane, fast",
        table: "4.2",
        figure: "4.5",
        speed: Some(5.0),
        thesis: [[13480.0, 40742.0, 17958.0], [784.0, 2003.0, 1810.0]],
        from: DVec3::new(0.4, -1.0, 0.35),
    },
    Scene {
        name: "very fast",
        title: "Tetrahedron on a membrane, very fast",
        table: "4.3",
        figure: "4.7",
        speed: Some(25.0),
        thesis: [[13385.0, 40386.0, 18866.0], [752.0, 859.0, 782.0]],
        from: DVec3::new(0.4, -1.0, 0.35),
    },
    Scene {
        name: "bears",
        title: "Five bears",
        table: "4.4",
        figure: "4.10",
        speed: None,
        thesis: [[43684.0, 81341.0, 55547.0], [7312.0, 13803.0, 9724.0]],
        from: DVec3::new(0.5, 1.0, 0.25),
    },
];

impl Scene {
    pub(super) fn steps(&self, extent: Extent) -> usize {
        extent.steps[usize::from(self.speed.is_none())]
    }

    pub(super) fn forces(&self) -> Forces {
        if self.speed.is_some() { Forces::none() } else { Forces::default() }
    }

    /// The bodies; the first is the membrane, or the bear that sits.
    pub(super) fn bodies(&self, extent: Extent) -> Result<Vec<Body>, Failure> {
        let made = match self.speed {
            None => bears(extent.bear, 2.3),
            // Half a step after eight tenths of them its centroid would be in the middle of the slab.
            Some(speed) => membrane(speed, speed * DT * (0.8 * self.steps(extent) as f64 + 0.5)),
        };
        made.map_err(|error| Failure::Usage(format!("the scene cannot be made: {error}")))
    }
}
