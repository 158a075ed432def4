//! What a body is, whoever has it: its geometry, seen from its centre of mass, and its mass at density 1.

use super::error::FormError;
use super::mass::Mass;
use kontakt_bounds::Aabb;
use kontakt_convex::{Core, PlacedShape, Shape};
use kontakt_math::{Between, DMat3, DQuat, DVec3, Pose};
use kontakt_pair::Body as Geometry;

/// A shape or mesh that bodies share.
#[derive(Clone, Debug)]
pub struct Form {
    geometry: Geometry,
    mass: Option<Mass>,
    /// Of the geometry's box, from the centre of mass; infinite for what has no end.
    middle: DVec3,
    half: DVec3,
    /// The box of a ball does not depend on its turn.
    is_ball: bool,
    /// Of an ellipsoid, whose box is known better than that of the box around it.
    radii: Option<DVec3>,
    /// **Never less** than the distance of any point from the centre of mass.
    radius: f64,
    size: f64,
}

impl Form {
    /// Of a body that may move: convex, a union or a closed mesh.
    pub fn solid(geometry: impl Into<Geometry>) -> Result<Form, FormError> {
        let geometry = geometry.into();
        let mass = match &geometry {
            Geometry::Convex(body) => Mass::of_shape(body.shape()),
            Geometry::Mesh(mesh) => of_mesh(mesh)?,
            Geometry::Curved(body) => of_mesh(body.mesh())?,
        };
        if mass.volume == f64::INFINITY {
            return Err(FormError::Endless);
        }
        if !(mass.volume > 0.0 && mass.inertia.is_finite() && mass.inertia.determinant() > 0.0) {
            return Err(FormError::NoVolume(mass.volume));
        }
        Form::with(geometry, Some(mass))
    }

    /// Of a body that never moves, or only as it is told.
    pub fn fixed(geometry: impl Into<Geometry>) -> Result<Form, FormError> {
        Form::with(geometry.into(), None)
    }

    fn with(geometry: Geometry, mass: Option<Mass>) -> Result<Form, FormError> {
        let centre = mass.map_or(DVec3::ZERO, |mass| mass.centre);
        let (low, high) = ends(&geometry);
        if low.cmpgt(high).any() {
            return Err(FormError::Nothing);
        }
        let (middle, half) = if low.is_finite() && high.is_finite() {
            ((low + high) * 0.5 - centre, (high - low) * 0.5)
        } else {
            (DVec3::ZERO, DVec3::INFINITY)
        };
        let is_ball = match &geometry {
            Geometry::Convex(body) => matches!(body.shape().core(), Core::Point),
            _ => false,
        };
        let radii = match &geometry {
            Geometry::Convex(body) => match body.shape().core() {
                Core::Ellipsoid(radii) => Some(*radii).filter(|_| body.shape().radii() == [0.0; 2]),
                _ => None,
            },
            _ => None,
        };
        let radius =
            if is_ball { half.x } else { middle.length() + radii.map_or(half.length(), DVec3::max_element) }
                * (1.0 + 1e-12);
        let size = match mass {
            Some(_) if is_ball => 2.0 * half.x,
            Some(mass) => mass.volume.cbrt(),
            None => 2.0 * half.max_element(),
        };
        Ok(Form { geometry, mass, middle, half, is_ball, radii, radius, size })
    }

    /// Shape or mesh.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// At density 1; none of what never moves.
    pub fn mass(&self) -> Option<&Mass> {
        self.mass.as_ref()
    }

    /// **Never less** than the distance of any of its points from its centre of mass; infinite for half-spaces.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its length, for all that is measured in sizes: of a ball the diameter, of a cube the edge, else the edge of the cube of the same
    /// volume; of what never moves the width of its box.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Whether its box does not depend on its turn.
    pub(crate) fn is_ball(&self) -> bool {
        self.is_ball
    }

    /// Of a ball.
    pub(crate) fn ball_radius(&self) -> f64 {
        self.half.x
    }

    /// Whether it goes on without end.
    pub(crate) fn is_endless(&self) -> bool {
        self.half.x == f64::INFINITY
    }

    /// The geometry's pose from place and turn of the centre of mass; none where they are not finite.
    pub(crate) fn pose(&self, place: DVec3, turn: DQuat) -> Option<Pose> {
        match self.mass {
            Some(mass) if mass.centre != DVec3::ZERO => Pose::new(turn, place - turn * mass.centre).ok(),
            _ => Pose::new(turn, place).ok(),
        }
    }

    /// A box around it, rounded to nearest.
    pub(crate) fn aabb(&self, place: DVec3, turn: DQuat) -> Aabb {
        if self.is_ball || self.is_endless() {
            return Aabb { min: place - self.half, max: place + self.half };
        }
        let m = DMat3::from_quat(turn);
        if let Some(radii) = self.radii {
            // The farthest point along an axis: the length of its row, axis by axis times the radius.
            let (x, y, z) = (m.x_axis * radii.x, m.y_axis * radii.y, m.z_axis * radii.z);
            let half = (x * x + y * y + z * z).map(f64::sqrt) * (1.0 + 1e-14);
            return Aabb { min: place - half, max: place + half };
        }
        let half = m.x_axis.abs() * self.half.x + m.y_axis.abs() * self.half.y + m.z_axis.abs() * self.half.z;
        let middle = place + m * self.middle;
        Aabb { min: middle - half, max: middle + half }
    }
}

fn of_mesh(mesh: &kontakt_mesh::Mesh) -> Result<Mass, FormError> {
    let faces = mesh.faces();
    let mass = Mass::of_triangles((0..faces.triangles().len()).map(|k| faces.triangle_points(k)));
    if mesh.is_closed() && mass.volume > 0.0 { Ok(mass) } else { Err(FormError::Open) }
}

/// Corners of the box of a geometry in its frame.
fn ends(geometry: &Geometry) -> (DVec3, DVec3) {
    match geometry {
        Geometry::Mesh(mesh) => ends_of_mesh(mesh, 0.0),
        Geometry::Curved(body) => ends_of_mesh(body.mesh(), body.deviation()),
        Geometry::Convex(body) => {
            let leaves = PlacedShape::new(body.shape(), Pose::IDENTITY).leaves();
            let reach = |d: DVec3| {
                let of = |leaf: &kontakt_convex::Leaf| {
                    leaf.reach(&Between::new(Pose::IDENTITY, *leaf.chain().composed()), d)
                };
                leaves.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
            };
            let high = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
            let low = -DVec3::new(reach(DVec3::NEG_X), reach(DVec3::NEG_Y), reach(DVec3::NEG_Z));
            if is_ball(body.shape()) { exact_ball(body.shape()) } else { (low, high) }
        }
    }
}

fn is_ball(shape: &Shape) -> bool {
    matches!(shape.core(), Core::Point)
}

/// Without the roundings of a bound: the size of a ball is its diameter.
fn exact_ball(shape: &Shape) -> (DVec3, DVec3) {
    let radius = DVec3::splat(shape.radii().into_iter().sum());
    (-radius, radius)
}

fn ends_of_mesh(mesh: &kontakt_mesh::Mesh, by: f64) -> (DVec3, DVec3) {
    let mass = kontakt_shapes::MassProperties::of(mesh.faces());
    (mass.low - by, mass.high + by)
}
