//! What moves, what stands around, and which contacts are allowed.

use kontakt_bounds::{Aabb, Bound};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh};

/// What two bodies may do to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rule {
    /// No contact but a touch at the start of a segment that is left at once.
    #[default]
    Apart,
    /// Nobody looks.
    Ignored,
    /// Contact, as long as no surface lies farther inside the other body than this; where interference tells nothing, as long as a
    /// translation of this length would free them.
    Allowed(f64),
}

/// A body of the scene.
#[derive(Clone, Debug)]
pub(crate) struct Still<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) motion: Motion,
    /// Around it, in the world.
    pub(crate) around: Aabb,
}

/// A body that moves; all movers share one motion.
#[derive(Clone, Debug)]
pub(crate) struct Mover<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Around it, in its own frame.
    pub(crate) around: Aabb,
}

/// Bodies that move together along a path, and bodies at rest.
#[derive(Clone, Debug)]
pub struct PathScene<'a> {
    pub(crate) movers: Vec<Mover<'a>>,
    pub(crate) stills: Vec<Still<'a>>,
    /// By mover, then body; empty where all are to stay apart.
    rules: Vec<Rule>,
}

impl<'a> PathScene<'a> {
    /// Movers share the path's poses as their frame; the others stand where they are placed. All are to stay apart.
    pub fn new(movers: &[&'a Mesh], bodies: &[PlacedMesh<'a>]) -> PathScene<'a> {
        let movers = movers.iter().map(|&mesh| Mover { mesh, around: around(mesh) }).collect();
        let still = |body: &PlacedMesh<'a>| {
            let own = around(body.mesh);
            let around = if body.pose == Pose::IDENTITY { own } else { own.transformed(&body.pose) };
            Still { mesh: body.mesh, motion: Motion::Rest(body.pose), around }
        };
        PathScene { movers, stills: bodies.iter().map(still).collect(), rules: Vec::new() }
    }

    /// The same with a rule for every mover and body, both by their places in the lists given.
    #[must_use]
    pub fn with_rules(mut self, rule: impl Fn(usize, usize) -> Rule) -> PathScene<'a> {
        let bodies = self.stills.len();
        self.rules =
            (0..self.movers.len() * bodies).map(|place| rule(place / bodies, place % bodies)).collect();
        self
    }

    /// The rule of a pair.
    pub fn rule(&self, mover: usize, body: usize) -> Rule {
        self.rules.get(mover * self.stills.len() + body).copied().unwrap_or_default()
    }

    /// How many pairs of a mover and a body there are, ignored ones left out.
    pub fn pair_count(&self) -> usize {
        let ignored = self.rules.iter().filter(|rule| **rule == Rule::Ignored).count();
        self.movers.len() * self.stills.len() - ignored
    }

    /// The longest edge of the box around all movers: what lengths are measured by where the user names none.
    pub fn size(&self) -> f64 {
        let all = self.movers.iter().map(|mover| mover.around).reduce(|a, b| a.merge(&b));
        all.map_or(0.0, |all| all.widths().max_element())
    }
}

/// The box around the faces of a mesh in its own frame; vertices that no face uses do not count.
fn around(mesh: &Mesh) -> Aabb {
    let faces = mesh.faces();
    let points = faces.triangles().as_flattened().iter().map(|&vertex| faces.vertices()[vertex as usize]);
    points
        .map(|p| Aabb { min: p, max: p })
        .reduce(|a, b| a.merge(&b))
        .unwrap_or(Aabb { min: DVec3::ZERO, max: DVec3::ZERO })
}
