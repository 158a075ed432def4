//! Measures of a node: how large its volume is and how far it reaches beyond its faces (VR thesis 3.4.3).

use super::FaceBoxes;
use crate::Tree;
use crate::build::BuildError;
use kontakt_bounds::hausdorff::{HausdorffLimit, directed_hausdorff};
use kontakt_bounds::{Bound, Measure};
use kontakt_hierarchy::Faces;
use kontakt_schedule::Deadline;
use rayon::prelude::*;

/// Sizes of a node's volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeMeasure {
    /// Volume, surface, diameter; to nearest.
    pub size: Measure,
    /// **Never less** than the distance of any point of the solid volume from the node's faces; `None` when not asked for.
    pub hausdorff: Option<f64>,
}

impl NodeMeasure {
    /// The number that a kind of quality asks for. Hausdorff falls back on the diameter (never less) where it is not known.
    pub fn by(&self, quality: Quality) -> f64 {
        match quality {
            Quality::Volume => self.size.volume,
            Quality::Surface => self.size.surface,
            Quality::Diameter => self.size.diameter,
            Quality::Hausdorff => self.hausdorff.unwrap_or(self.size.diameter),
        }
    }
}

/// What counts as the geometric quality of a node; small is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quality {
    /// Enclosed volume.
    Volume,
    /// Surface area: the thesis's winner.
    #[default]
    Surface,
    /// Largest distance of two points.
    Diameter,
    /// Directed Hausdorff distance from the solid volume to the faces.
    Hausdorff,
}

impl<B: Bound> Tree<B> {
    /// Volume, surface and diameter of every node.
    pub fn measure_sizes(&self) -> Vec<NodeMeasure> {
        let sizes = self.nodes.iter().map(|node| node.volume.measure());
        sizes.map(|size| NodeMeasure { size, hausdorff: None }).collect()
    }
}

impl<B: Bound + Sync> Tree<B> {
    /// The same and the directed Hausdorff distance of every node's solid volume to its faces, from above; the search for
    /// each ends by `limit`. Uses all threads of the current pool; the result does not depend on their number.
    ///
    /// An infinite volume has an infinite distance.
    pub fn measure_all(&self, faces: Faces, limit: HausdorffLimit) -> Result<Vec<NodeMeasure>, BuildError> {
        self.measure_all_until(faces, limit, Deadline::NEVER)
    }

    /// The same, or an error once a deadline has passed.
    pub fn measure_all_until(
        &self,
        faces: Faces,
        limit: HausdorffLimit,
        deadline: Deadline,
    ) -> Result<Vec<NodeMeasure>, BuildError> {
        let boxes = FaceBoxes::new(self, faces);
        let measure = |id: usize| {
            deadline.check()?;
            let volume = &self.nodes[id].volume;
            let size = volume.measure();
            let hausdorff = if size.diameter.is_finite() {
                directed_hausdorff(volume, &boxes.below(id as u32), limit)?.upper
            } else {
                f64::INFINITY
            };
            Ok(NodeMeasure { size, hausdorff: Some(hausdorff) })
        };
        (0..self.nodes.len()).into_par_iter().map(measure).collect()
    }
}
