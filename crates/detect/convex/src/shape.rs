//! Convex shapes as validated data: a core grown by a ball.

pub(crate) mod extent;
mod union;

pub use union::{Leaf, Part, Union};

use crate::Polytope;
use crate::polytope::scan::{Octets, prefetch};
use crate::radius::Radius;
use extent::reach_between;
use kontakt_bounds::FitError;
use kontakt_math::{Between, DVec3, Pose};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use thiserror::Error;

/// Why numbers are no shape.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A length is negative, infinite or not a number.
    #[error("{what} is {value}; it must be finite and not negative")]
    Length {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A coordinate is infinite or not a number.
    #[error("{what} has a coordinate that is not finite")]
    NotFinite {
        /// Which point or vector.
        what: &'static str,
    },
    /// The normal of a half-space has no direction.
    #[error("the normal of a half-space is zero")]
    NoNormal,
    /// Unions within unions that unfold to too much.
    #[error("a union unfolds to more than {most} parts")]
    TooManyParts {
        /// What is allowed.
        most: usize,
    },
    /// A union without parts.
    #[error("a union needs at least one part")]
    EmptyUnion,
    /// The points have no hull.
    #[error(transparent)]
    Hull(#[from] FitError),
}

/// A convex set that a user brings: only its support map is needed.
pub trait Convex: fmt::Debug + Send + Sync {
    /// A point of the set farthest along `direction` (any length but zero), correct to a few roundings of the
    /// set's size. All certificates for this set rest on that promise.
    fn support(&self, direction: DVec3) -> DVec3;

    /// How far `support` may be from the exact maximum of `direction · x`, divided by |direction|: 0 < error. The default
    /// fits maps that compute with a dozen roundings.
    fn support_error(&self) -> f64 {
        let reach = [DVec3::X, DVec3::Y, DVec3::Z]
            .map(|axis| self.support(axis).abs().max(self.support(-axis).abs()).max_element());
        16.0 * f64::EPSILON * reach.into_iter().fold(0.0, f64::max)
    }
}

/// A shared polytope, and beside the way to it the way to its vertices and what is asked for first. Of many distinct hulls nothing is
/// in the caches: memory that is asked for at once comes at once, and what balls tell needs no more than this.
#[derive(Clone, Debug)]
pub struct Hull {
    polytope: Arc<Polytope>,
    vertices: Octets,
    middle: DVec3,
    /// As [`Polytope::balls`] has them.
    balls: [f64; 2],
    reach: f64,
    count: u32,
}

impl Hull {
    /// Takes a polytope.
    pub fn new(polytope: Arc<Polytope>) -> Hull {
        let (middle, balls, reach) = (polytope.middle(), polytope.balls(), polytope.reach());
        let count = polytope.vertex_count();
        Hull { vertices: polytope.octets().clone(), middle, balls, reach, count, polytope }
    }

    /// The polytope's middle, and the radii of the balls about it.
    #[inline(always)]
    pub(crate) fn middle_and_balls(&self) -> (DVec3, [f64; 2]) {
        (self.middle, self.balls)
    }

    /// **Never less** than |x|₁ of any vertex.
    #[inline(always)]
    pub(crate) fn near_reach(&self) -> f64 {
        self.reach
    }

    /// Numbers that tell it from most others.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> [f64; 4] {
        [f64::from(self.count), self.middle.x, self.balls[1], self.reach]
    }

    /// Asks for the memory of the vertices ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch_vertices(&self) {
        prefetch(self.vertices.all());
    }
}

impl Deref for Hull {
    type Target = Polytope;

    #[inline(always)]
    fn deref(&self) -> &Polytope {
        &self.polytope
    }
}

/// What a shape is before it is rounded. All of them are centred at the origin of their frame; an axis is z.
#[derive(Clone, Debug)]
pub enum Core {
    /// The origin.
    Point,
    /// Two ends, which may coincide.
    Segment([DVec3; 2]),
    /// Three corners, in any position.
    Triangle([DVec3; 3]),
    /// Half extents, each ≥ 0.
    Box(DVec3),
    /// The hull of points.
    Hull(Hull),
    /// Radii along the axes, each ≥ 0.
    Ellipsoid(DVec3),
    /// |z| ≤ `half_length`, |(x, y)| ≤ `radius`.
    Cylinder {
        /// Half the length along z.
        half_length: f64,
        /// Radius of the discs.
        radius: f64,
    },
    /// Apex at z = `half_length`, base disc at z = −`half_length`.
    Cone {
        /// Half the length along z.
        half_length: f64,
        /// Radius of the base.
        radius: f64,
    },
    /// normal · x ≤ offset; the normal has any length but zero.
    HalfSpace {
        /// Points out of the set.
        normal: DVec3,
        /// Where the plane is, in units of the normal's length.
        offset: f64,
    },
    /// Several posed shapes; not convex as a whole.
    Union(Arc<Union>),
    /// A user's set.
    User(Arc<dyn Convex>),
}

impl Core {
    /// Whether it is the hull of points.
    pub(crate) fn is_polytopal(&self) -> bool {
        matches!(self, Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::Box(_) | Core::Hull(_))
    }
}

/// A core grown by a ball of radius `round + margin` (the exact sum). Data are checked when it is made.
#[derive(Clone, Debug)]
pub struct Shape {
    core: Core,
    round: f64,
    margin: f64,
}

fn length(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(ShapeError::Length { what, value }) }
}

fn finite<const N: usize>(what: &'static str, points: [DVec3; N]) -> Result<[DVec3; N], ShapeError> {
    if points.iter().all(|p| p.is_finite()) { Ok(points) } else { Err(ShapeError::NotFinite { what }) }
}

impl Shape {
    fn sharp(core: Core) -> Shape {
        Shape { core, round: 0.0, margin: 0.0 }
    }

    /// The origin alone.
    pub fn point() -> Shape {
        Shape::sharp(Core::Point)
    }

    /// A ball; radius 0 is a point.
    pub fn sphere(radius: f64) -> Result<Shape, ShapeError> {
        Ok(Shape { core: Core::Point, round: length("the radius of a sphere", radius)?, margin: 0.0 })
    }

    /// A box by its half extents.
    pub fn cuboid(half: DVec3) -> Result<Shape, ShapeError> {
        for value in half.to_array() {
            length("a half extent of a box", value)?;
        }
        Ok(Shape::sharp(Core::Box(half)))
    }

    /// All points within `radius` of the segment from z = −`half_length` to z = `half_length`.
    pub fn capsule(half_length: f64, radius: f64) -> Result<Shape, ShapeError> {
        let top = DVec3::Z * length("the half length of a capsule", half_length)?;
        let round = length("the radius of a capsule", radius)?;
        Ok(Shape { core: Core::Segment([-top, top]), round, margin: 0.0 })
    }

    /// A cylinder about z.
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Shape, ShapeError> {
        let half_length = length("the half length of a cylinder", half_length)?;
        Ok(Shape::sharp(Core::Cylinder { half_length, radius: length("the radius of a cylinder", radius)? }))
    }

    /// A cone about z, its apex at z = `half_length`.
    pub fn cone(half_length: f64, radius: f64) -> Result<Shape, ShapeError> {
        let half_length = length("the half length of a cone", half_length)?;
        Ok(Shape::sharp(Core::Cone { half_length, radius: length("the radius of a cone", radius)? }))
    }

    /// An ellipsoid by its radii.
    pub fn ellipsoid(radii: DVec3) -> Result<Shape, ShapeError> {
        for value in radii.to_array() {
            length("a radius of an ellipsoid", value)?;
        }
        Ok(Shape::sharp(Core::Ellipsoid(radii)))
    }

    /// The hull of points: any number from one on, in any position.
    pub fn hull(points: &[DVec3]) -> Result<Shape, ShapeError> {
        Ok(Shape::sharp(Core::Hull(Hull::new(Arc::new(Polytope::new(points)?)))))
    }

    /// A segment by its ends.
    pub fn segment(ends: [DVec3; 2]) -> Result<Shape, ShapeError> {
        Ok(Shape::sharp(Core::Segment(finite("a segment", ends)?)))
    }

    /// A triangle by its corners.
    pub fn triangle(corners: [DVec3; 3]) -> Result<Shape, ShapeError> {
        Ok(Shape::sharp(Core::Triangle(finite("a triangle", corners)?)))
    }

    /// All x with normal · x ≤ offset.
    pub fn half_space(normal: DVec3, offset: f64) -> Result<Shape, ShapeError> {
        let [normal] = finite("the normal of a half-space", [normal])?;
        if normal == DVec3::ZERO {
            return Err(ShapeError::NoNormal);
        }
        if !offset.is_finite() {
            return Err(ShapeError::NotFinite { what: "the offset of a half-space" });
        }
        Ok(Shape::sharp(Core::HalfSpace { normal, offset }))
    }

    /// Several shapes, each at its pose in the union's frame; parts may be unions.
    pub fn union(parts: Vec<Part>) -> Result<Shape, ShapeError> {
        Ok(Shape::sharp(Core::Union(Arc::new(Union::new(parts)?))))
    }

    /// A user's convex set.
    pub fn user(set: Arc<dyn Convex>) -> Shape {
        Shape::sharp(Core::User(set))
    }

    /// The same, rounded outward by `margin` (in addition to what a sphere or capsule has; replaces an earlier margin).
    pub fn with_margin(self, margin: f64) -> Result<Shape, ShapeError> {
        Ok(Shape { margin: length("a margin", margin)?, ..self })
    }

    /// Grown by a ball of a further radius, a sum of two doubles, such as [`radii`](Self::radii) gives; with the error of the sum, which
    /// is nearly always zero.
    pub(crate) fn grown(&self, by: [f64; 2]) -> (Shape, f64) {
        let Radius { summands: [round, margin], error } = Radius::sum(self.radii(), by);
        (Shape { core: self.core.clone(), round, margin }, error)
    }

    /// **Never less** than the maximum of `direction`·y over its points y in frame A of `between`, whose frame B is the shape's;
    /// infinite for half-spaces and unions.
    pub fn reach(&self, between: &Between, direction: DVec3) -> f64 {
        reach_between(self, between, direction)
    }

    /// A point of it that is as far inside as can be told at once, and a radius **never more** than that of the ball about it which is
    /// inside too (0 where that is not known or there is none). The point is rounded where it is the mean of corners. Of half-spaces and
    /// unions it tells nothing.
    pub fn inner_ball(&self) -> (DVec3, f64) {
        let mean = |points: &[DVec3]| points.iter().map(|x| *x / points.len() as f64).sum::<DVec3>();
        let (centre, core) = match &self.core {
            Core::Segment(ends) => (mean(ends), 0.0),
            Core::Triangle(corners) => (mean(corners), 0.0),
            Core::Hull(hull) if hull.balls()[0] > 0.0 => (hull.middle(), hull.balls()[0]),
            Core::Hull(hull) => (mean(hull.vertices()), 0.0),
            Core::Box(sizes) | Core::Ellipsoid(sizes) => (DVec3::ZERO, sizes.min_element()),
            Core::Cylinder { half_length, radius } => (DVec3::ZERO, half_length.min(*radius)),
            Core::Cone { half_length, radius } => {
                // The slope passes the axis's middle at the height of a triangle of legs 2·half_length and radius, halved.
                let slope = half_length * (radius / radius.hypot(2.0 * half_length));
                (DVec3::ZERO, if slope > 0.0 { slope.min(*half_length) } else { 0.0 })
            }
            Core::User(set) => {
                let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
                (mean(&axes.map(|axis| set.support(axis))), 0.0)
            }
            Core::Point | Core::HalfSpace { .. } | Core::Union(_) => (DVec3::ZERO, 0.0),
        };
        (centre, (core + self.round + self.margin) * (1.0 - 1e-12))
    }

    /// What is grown.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The radius of the ball that grows the core, as two doubles whose exact sum it is: that of a sphere or capsule, and the margin.
    /// In a leaf of a union it has the margins of all unions around it; then the second may be a tiny negative rest of the first.
    pub fn radii(&self) -> [f64; 2] {
        [self.round, self.margin]
    }
}

/// A shape at a pose in the world.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShape<'a> {
    /// What.
    pub shape: &'a Shape,
    /// World from the shape's frame.
    pub pose: Pose,
}

impl<'a> PlacedShape<'a> {
    /// The shape at this pose.
    pub fn new(shape: &'a Shape, pose: Pose) -> PlacedShape<'a> {
        PlacedShape { shape, pose }
    }
}
