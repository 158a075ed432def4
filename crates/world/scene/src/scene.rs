//! Bodies with names and places.

use crate::extent::Extent;
use crate::pair_names::BodyName;
use crate::world::Layers;
use kontakt_bounds::Aabb;
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, Placed};
use rayon::prelude::*;

/// In which numbers a body's points were written down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Precision {
    /// Doubles.
    #[default]
    Double,
    /// Single precision, perhaps turned and moved by numbers in single precision.
    Single,
    /// Decimals, rounded to a multiple of this.
    Decimal(f64),
}

impl Precision {
    /// How far a point may be off from where it was meant to be, of a body with points up to `farthest` from the origin along an axis and
    /// `size` wide: of doubles that went through transforms a billionth of the size, of singles two units in the last place
    /// besides (one for the point, one for what moved it).
    pub(crate) fn rounding(self, farthest: f64, size: f64) -> f64 {
        let rounding = 1e-9 * size;
        match self {
            _ if !(farthest.is_finite() && size.is_finite()) => 0.0,
            Precision::Double => rounding,
            Precision::Decimal(step) => rounding + step,
            Precision::Single => {
                let single = farthest as f32;
                rounding + 2.0 * f64::from(single.next_up() - single)
            }
        }
    }
}

/// A body of a scene.
#[derive(Clone, Debug)]
pub struct SceneBody {
    /// Its name, which rules go by.
    pub name: BodyName,
    /// What.
    pub body: Body,
    /// World from body.
    pub pose: Pose,
    /// How many faces of its file come before its own: reports count faces through the whole file.
    pub faces_before: usize,
    /// In which numbers its points were written down.
    pub precision: Precision,
}

impl SceneBody {
    /// Where it is.
    pub fn placed(&self) -> Placed<'_> {
        Placed::new(&self.body, self.pose)
    }

    /// How far the rounding of its numbers may put its surface off. What a text's decimals suggest is a guess: it never comes near the
    /// thickness of the body, so that nothing that goes through a foil or lies in it is taken for a rounding.
    pub(crate) fn rounding(&self, extent: &Extent) -> f64 {
        let precision = match self.precision {
            Precision::Decimal(step) if extent.least_side() > 0.0 => {
                Precision::Decimal(step.min(0.01 * extent.least_side()))
            }
            other => other,
        };
        precision.rounding(extent.farthest(), extent.size())
    }

    /// How far the tessellation of a mesh is off at each of its triangles, as its smooth edges suggest: an estimate. Nothing for other
    /// bodies.
    pub(crate) fn chord_errors(&self) -> Vec<f64> {
        match &self.body {
            Body::Mesh(mesh) => kontakt_shapes::estimate_chord_errors(mesh.faces()),
            Body::Convex(_) | Body::Curved(_) => Vec::new(),
        }
    }

    pub(crate) fn extent(&self) -> Extent {
        Extent::of(&self.placed())
    }
}

/// A body that should be there, or be whole, and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Bodies with names and places.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    bodies: Vec<SceneBody>,
    missing: Vec<Missing>,
    /// Of the first bodies; those beyond are looked at with all.
    layers: Vec<Layers>,
}

impl Scene {
    /// An empty scene.
    pub fn new() -> Scene {
        Scene::default()
    }

    /// Adds a body; its place in the scene is the number given back.
    pub fn add(&mut self, name: &str, body: Body, pose: Pose) -> usize {
        self.add_body(SceneBody {
            name: name.into(),
            body,
            pose,
            faces_before: 0,
            precision: Precision::Double,
        })
    }

    /// Adds a body of a file.
    pub fn add_body(&mut self, body: SceneBody) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// The layers of a body: a check looks at pairs of which each is on a layer that the other is looked at with.
    pub fn set_layers(&mut self, body: usize, layers: Layers) {
        if self.layers.len() <= body && layers != Layers::default() {
            self.layers.resize(body + 1, Layers::default());
        }
        if let Some(own) = self.layers.get_mut(body) {
            *own = layers;
        }
    }

    pub(crate) fn layers(&self) -> &[Layers] {
        &self.layers
    }

    /// Says that a body could not be added, or only in part: nothing that is found is then all there is.
    pub fn miss(&mut self, missing: Missing) {
        self.missing.push(missing);
    }

    /// Bodies that are not there or not whole.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// **Never less** than how far triangles of any curved body lie off its faces; 0 where there is none.
    pub fn deviation(&self) -> f64 {
        self.bodies.iter().map(|body| body.body.deviation()).fold(0.0, f64::max)
    }

    /// All bodies, in the order they were added.
    pub fn bodies(&self) -> &[SceneBody] {
        &self.bodies
    }

    /// The box around the first `movers` bodies and the one around the others.
    pub fn boxes(&self, movers: usize) -> (Aabb, Aabb) {
        let around = |bodies: &[SceneBody]| {
            let boxes = bodies.iter().map(|body| body.extent().aabb());
            let joined = |a: Aabb, b: Aabb| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) };
            boxes.reduce(joined).unwrap_or(Aabb { min: DVec3::ZERO, max: DVec3::ZERO })
        };
        let (moving, still) = self.bodies.split_at(movers.min(self.bodies.len()));
        (around(moving), around(still))
    }

    /// Bodies whose faces cross or double each other, so that what lies where they overlap themselves is not seen as inside. Those of more
    /// than 50,000 triangles are not looked at.
    pub fn self_crossing(&self) -> Vec<usize> {
        self.bodies_that(Mesh::crosses_itself)
    }

    /// Bodies with a shell within another of which both look outward, so that the inner one is a cavity though it may not be meant so. Those
    /// of more than 50,000 triangles are not looked at.
    pub fn shells_at_odds(&self) -> Vec<usize> {
        self.bodies_that(Mesh::has_shells_at_odds)
    }

    fn bodies_that(&self, holds: impl Fn(&Mesh) -> bool + Sync) -> Vec<usize> {
        const MOST: usize = 50_000;
        let found = |body: &SceneBody| {
            body.body.surface().is_some_and(|mesh| mesh.faces().triangles().len() <= MOST && holds(mesh))
        };
        let found: Vec<bool> = self.bodies.par_iter().map(found).collect();
        (0..found.len()).filter(|&body| found[body]).collect()
    }

    /// The names of the bodies, in order.
    pub fn names(&self) -> Vec<BodyName> {
        self.bodies.iter().map(|body| body.name.clone()).collect()
    }
}

impl FromIterator<SceneBody> for Scene {
    fn from_iter<I: IntoIterator<Item = SceneBody>>(bodies: I) -> Scene {
        Scene { bodies: bodies.into_iter().collect(), ..Scene::default() }
    }
}
