//! A body of any family.

use kontakt_answers::Feature;
use kontakt_convex::{self as convex, Shape};
use kontakt_curved as curved;
use kontakt_math::{Motion, Pose};
use kontakt_mesh::{self as mesh, Mesh};
use kontakt_shapes::FaceSet;
use std::sync::{Arc, OnceLock};

/// A body of any family; cheap to clone.
#[derive(Clone, Debug)]
pub enum Body {
    /// Faces: open sheets or, when closed, a solid.
    Mesh(Arc<Mesh>),
    /// A convex shape, or a union of shapes.
    Convex(Arc<ConvexBody>),
    /// Curved faces, with triangles that lie within a certified deviation of them.
    Curved(Arc<curved::Body>),
}

/// A convex shape and, where it is a sharp polytope, its boundary as a mesh, made when first needed.
#[derive(Debug)]
pub struct ConvexBody {
    shape: Shape,
    surface: OnceLock<Option<Mesh>>,
}

impl ConvexBody {
    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The boundary of a sharp polytope; none of other shapes.
    pub fn surface(&self) -> Option<&Mesh> {
        let make = || {
            let surface = self.shape.surface()?;
            let faces = FaceSet::from_triangles(surface.vertices, surface.triangles).ok()?;
            Mesh::with_threads(faces, 1).ok()
        };
        self.surface.get_or_init(make).as_ref()
    }
}

impl Body {
    /// A body of faces.
    pub fn mesh(mesh: Mesh) -> Body {
        Body::Mesh(Arc::new(mesh))
    }

    /// A convex body, or a union.
    pub fn convex(shape: Shape) -> Body {
        Body::Convex(Arc::new(ConvexBody { shape, surface: OnceLock::new() }))
    }

    /// A body with curved faces.
    pub fn curved(body: curved::Body) -> Body {
        Body::Curved(Arc::new(body))
    }

    /// The boundary as faces: that of a mesh or of a sharp polytope, exactly, or that of a curved body within its
    /// [`deviation`](Body::deviation). None of other shapes.
    pub fn surface(&self) -> Option<&Mesh> {
        match self {
            Body::Mesh(mesh) => Some(mesh),
            Body::Convex(body) => body.surface(),
            Body::Curved(body) => Some(body.mesh()),
        }
    }

    /// **Never less** than how far its [`surface`](Body::surface) lies from the true one, at any place of either; 0 where it is the true
    /// one.
    pub fn deviation(&self) -> f64 {
        match self {
            Body::Mesh(_) | Body::Convex(_) => 0.0,
            Body::Curved(body) => body.deviation(),
        }
    }

    /// How many faces its file has for it; none for a convex body.
    pub fn face_count(&self) -> usize {
        match self {
            Body::Mesh(mesh) => mesh.faces().source_count(),
            Body::Convex(_) => 0,
            Body::Curved(body) => body.brep().faces().len(),
        }
    }

    /// The file's face that a triangle of its surface belongs to; none of a convex body.
    pub fn face_of_triangle(&self, triangle: u32) -> Option<Feature> {
        match self {
            Body::Mesh(mesh) => Some(self.face_of(mesh, triangle)),
            Body::Curved(body) => Some(self.face_of(body.mesh(), triangle)),
            Body::Convex(_) => None,
        }
    }

    /// The file's face that a triangle of its surface belongs to.
    pub(crate) fn face_of(&self, surface: &Mesh, triangle: u32) -> Feature {
        let own = match self {
            Body::Curved(body) => body.tessellation().faces.get(triangle as usize).copied(),
            Body::Mesh(_) | Body::Convex(_) => None,
        };
        Feature::Face(own.unwrap_or_else(|| surface.faces().source_of_triangle(triangle as usize) as u32))
    }
}

impl From<Mesh> for Body {
    fn from(mesh: Mesh) -> Body {
        Body::mesh(mesh)
    }
}

impl From<Shape> for Body {
    fn from(shape: Shape) -> Body {
        Body::convex(shape)
    }
}

/// A body at a pose in the world.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// What.
    pub body: &'a Body,
    /// World from body.
    pub pose: Pose,
}

/// A body at a pose, by its family.
pub(crate) enum Family<'a> {
    Mesh(mesh::PlacedMesh<'a>),
    Convex(convex::PlacedShape<'a>),
}

impl<'a> Placed<'a> {
    /// A body at a pose.
    pub fn new(body: &'a Body, pose: Pose) -> Placed<'a> {
        Placed { body, pose }
    }

    /// A body whose frame is the world's.
    pub fn at_rest(body: &'a Body) -> Placed<'a> {
        Placed { body, pose: Pose::IDENTITY }
    }

    /// By its family; that of a curved body is that of its triangles, and who asks them widens the answer.
    pub(crate) fn family(&self) -> Family<'a> {
        match self.body {
            Body::Mesh(mesh) => Family::Mesh(mesh::PlacedMesh::new(mesh, self.pose)),
            Body::Curved(body) => Family::Mesh(mesh::PlacedMesh::new(body.mesh(), self.pose)),
            Body::Convex(body) => Family::Convex(convex::PlacedShape::new(&body.shape, self.pose)),
        }
    }

    /// Its boundary as faces; see [`Body::surface`].
    pub(crate) fn surface(&self) -> Option<mesh::PlacedMesh<'a>> {
        self.body.surface().map(|mesh| mesh::PlacedMesh::new(mesh, self.pose))
    }
}

/// A body on a motion.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// What.
    pub body: &'a Body,
    /// Where it is at the times 0 to 1.
    pub motion: &'a Motion,
}

impl<'a> Moving<'a> {
    /// A body on a motion.
    pub fn new(body: &'a Body, motion: &'a Motion) -> Moving<'a> {
        Moving { body, motion }
    }
}
