//! One convex piece of a moving body: where its core reaches in a direction, with a certified error.

use crate::course::UP;
use crate::pair::ball;
use kontakt_convex::{Convex, Core, Leaf, Shape};
use kontakt_math::round::length_up;
use kontakt_math::{DMat3, DVec3, Pose};

/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// The support map of a core in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Map<'a> {
    Points(&'a [DVec3]),
    Box(DVec3),
    Ellipsoid(DVec3),
    Cylinder { half_length: f64, radius: f64 },
    Cone { half_length: f64, radius: f64 },
    User(&'a dyn Convex),
}

/// All x with normal·x ≤ offset, in the body's frame, the normal of length 1 to rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    /// **Never too small**: how far heights of points x above the plane may be off, divided by |x| + |offset|, roundings of a few
    /// units in the last place aside.
    pub(crate) slack: f64,
    /// The same, whatever x.
    pub(crate) shift: f64,
}

impl Wall {
    /// Scaled by the largest coordinate first, so that nothing overflows; all that rounds by less than 8u.
    fn new(normal: DVec3, offset: f64) -> Wall {
        let largest = normal.abs().max_element();
        let scaled = normal / largest;
        let length = scaled.length();
        Wall { normal: scaled / length, offset: offset / largest / length, slack: 8.0 * U, shift: 0.0 }
    }

    /// Seen from outside of a leaf's poses: R·n and n·x + R·n·s for the composed pose, off as told by its chain.
    fn within(&self, leaf: &Leaf) -> Wall {
        let (pose, chain) = (leaf.chain().composed(), leaf.chain());
        let normal = pose.matrix() * self.normal;
        let offset = self.offset + normal.dot(pose.translation());
        let turn = chain.turn_error() + 96.0 * f64::EPSILON;
        let shift = chain.shift_error() + turn * (length_up(pose.translation()) + self.offset.abs());
        Wall { normal, offset, slack: (self.slack + turn) * UP, shift: shift * UP }
    }

    /// **Never too small**: how far the height of a point may be off.
    pub(crate) fn doubt(&self, place: DVec3) -> f64 {
        (self.slack * (place.abs().element_sum() + self.offset.abs()) + self.shift) * UP
    }
}

/// A core in the frame of its body, grown by a ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    map: Map<'a>,
    /// The shape it is made of, its radius aside; none for what is no shape.
    shape: Option<&'a Shape>,
    /// The body's frame from the core's, rounded; none where they are the same.
    frame: Option<(DMat3, DVec3, Pose)>,
    /// **Never less** than |x| of the core's farthest point, in the core's own frame.
    pub(crate) reach: f64,
    /// For half-spaces, whose core has no farthest points; then nothing else here is of use but `round`.
    pub(crate) wall: Option<Wall>,
    /// A ball around the core, in the body's frame.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// **Never less** than |x| of the core's farthest point, in the body's frame.
    pub(crate) far: f64,
    /// **Never too small**: how far `farthest` may be from a point of the exact core, and, for unit directions, from the
    /// exact core's greatest height.
    pub(crate) error: f64,
    /// Bounds of the radius that grows the core.
    pub(crate) round: [f64; 2],
}

const ORIGIN: &[DVec3] = &[DVec3::ZERO];

impl<'a> Map<'a> {
    fn of(core: &'a Core) -> Option<Map<'a>> {
        Some(match core {
            Core::Point => Map::Points(ORIGIN),
            Core::Segment(ends) => Map::Points(ends),
            Core::Triangle(corners) => Map::Points(corners),
            Core::Hull(hull) => Map::Points(hull.vertices()),
            Core::Box(half) => Map::Box(*half),
            Core::Ellipsoid(radii) => Map::Ellipsoid(*radii),
            &Core::Cylinder { half_length, radius } => Map::Cylinder { half_length, radius },
            &Core::Cone { half_length, radius } => Map::Cone { half_length, radius },
            Core::User(set) => Map::User(set.as_ref()),
            Core::HalfSpace { .. } | Core::Union(_) => return None,
        })
    }

    /// A ball around it.
    fn ball(&self) -> (DVec3, f64) {
        let reach = |r: DVec3| (DVec3::ZERO, length_up(r));
        match *self {
            Map::Points(&[only]) => (only, 0.0),
            Map::Points(points) => ball(points),
            Map::Box(half) => reach(half),
            Map::Ellipsoid(radii) => (DVec3::ZERO, radii.max_element()),
            Map::Cylinder { half_length, radius } | Map::Cone { half_length, radius } => {
                reach(DVec3::new(half_length, radius, 0.0))
            }
            Map::User(set) => {
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let corner = |sign: f64| {
                    let [x, y, z] = axes.map(|axis| set.support(axis * sign));
                    DVec3::new(x.x, y.y, z.z)
                };
                // The six farthest points tell a box, each side of which may be short by the error.
                let (centre, radius) = ball(&[corner(-1.0), corner(1.0)]);
                (centre, (radius + 2.0 * set.support_error()) * UP)
            }
        }
    }

    /// **Never too small**, see [`Piece::error`], in the core's own frame; `far` is at least |x| of all points.
    ///
    /// Boxes are exact. The farthest of points is chosen by heights that each round by 3u|d||x|. Points of ellipsoids and rims are
    /// products and quotients by a root, 8u relative a coordinate; that of a cone is chosen by heights off by 4u of its size.
    fn error(&self, far: f64) -> f64 {
        match self {
            Map::Box(_) => 0.0,
            Map::User(set) => (set.support_error() + 16.0 * U * far) * UP,
            _ => 16.0 * U * far,
        }
    }

    /// A farthest point in a direction of length about 1.
    #[inline]
    fn farthest(&self, d: DVec3) -> DVec3 {
        let rim = |radius: f64| {
            let flat = DVec3::new(d.x, d.y, 0.0);
            let length = flat.length();
            if length > 0.0 { flat * (radius / length) } else { DVec3::ZERO }
        };
        match *self {
            Map::Points(points) => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for x in points {
                    let height = d.dot(*x);
                    if height > best.0 {
                        best = (height, *x);
                    }
                }
                best.1
            }
            Map::Box(half) => half.copysign(d),
            Map::Ellipsoid(radii) => {
                let scaled = d * radii;
                let size = scaled.abs().max_element();
                if size > 0.0 && size.is_finite() {
                    let scaled = scaled / size;
                    radii * (scaled / scaled.length())
                } else {
                    DVec3::ZERO
                }
            }
            Map::Cylinder { half_length, radius } => rim(radius) + DVec3::Z * half_length.copysign(d.z),
            Map::Cone { half_length, radius } => {
                let rim = rim(radius) - DVec3::Z * half_length;
                let apex = DVec3::Z * half_length;
                if d.dot(rim) > d.dot(apex) { rim } else { apex }
            }
            Map::User(set) => set.support(d),
        }
    }
}

impl<'a> Piece<'a> {
    /// A shape that is no union, in its own frame.
    pub(crate) fn of_shape(shape: &'a Shape) -> Option<Piece<'a>> {
        let round = shape.radii();
        if let &Core::HalfSpace { normal, offset } = shape.core() {
            return Some(Piece::of_wall(Wall::new(normal, offset), round));
        }
        Map::of(shape.core()).map(|map| Piece { shape: Some(shape), ..Piece::new(map, round) })
    }

    /// A leaf of a union that has a margin itself.
    ///
    /// The composed pose of the leaf is off by its chain's errors, its matrix by less than 64 units in the last place, and radii
    /// grown by margins one after another by a few units in the last place of their sum.
    pub(crate) fn of_leaf(leaf: &'a Leaf, margin: f64) -> Option<Piece<'a>> {
        let [round, own] = leaf.shape().radii();
        if let &Core::HalfSpace { normal, offset } = leaf.shape().core() {
            return Some(Piece::of_wall(Wall::new(normal, offset).within(leaf), [round, own + margin]));
        }
        let piece = Piece::new(Map::of(leaf.shape().core())?, [round, own + margin]);
        let (pose, chain) = (leaf.chain().composed(), leaf.chain());
        let (turn, shift) = (pose.matrix(), pose.translation());
        let turn_error = chain.turn_error() + 96.0 * f64::EPSILON;
        let centre = turn * piece.centre + shift;
        let error = piece.error
            + 2.0 * turn_error * piece.far
            + chain.shift_error()
            + 8.0 * U * length_up(shift)
            + 64.0 * U * piece.round[1];
        let radius = (piece.radius + error) * UP;
        Some(Piece {
            shape: Some(leaf.shape()),
            frame: Some((turn, shift, *pose)),
            centre,
            radius,
            far: (length_up(centre) + radius) * UP,
            error: error * UP,
            ..piece
        })
    }

    /// The hull of points of the body's frame.
    pub(crate) fn of_points(points: &'a [DVec3]) -> Piece<'a> {
        Piece::new(Map::Points(points), [0.0; 2])
    }

    /// A ball of the body's frame.
    pub(crate) fn of_ball(centre: &'a [DVec3; 1], radius: f64) -> Piece<'a> {
        Piece::new(Map::Points(centre), [radius, 0.0])
    }

    fn new(map: Map<'a>, radii: [f64; 2]) -> Piece<'a> {
        let (centre, radius) = map.ball();
        let far = (length_up(centre) + radius) * UP;
        let error = map.error(far);
        Piece {
            map,
            shape: None,
            frame: None,
            reach: far,
            wall: None,
            centre,
            radius,
            far,
            error,
            round: bounds(radii),
        }
    }

    fn of_wall(wall: Wall, radii: [f64; 2]) -> Piece<'a> {
        Piece { wall: Some(wall), ..Piece::new(Map::Points(ORIGIN), radii) }
    }

    /// A farthest point of the core in a direction of length about 1, both in the body's frame.
    #[inline]
    pub(crate) fn farthest(&self, d: DVec3) -> DVec3 {
        match &self.frame {
            None => self.map.farthest(d),
            Some((turn, shift, _)) => *turn * self.map.farthest(turn.transpose() * d) + *shift,
        }
    }

    /// The shape and its pose in the body's frame where the core is curved: the search of `nearest` loses sight of what is near
    /// there.
    pub(crate) fn curved(&self) -> Option<(&'a Shape, Pose)> {
        let curved = !matches!(self.map, Map::Points(_) | Map::Box(_));
        self.shape.filter(|_| curved).map(|shape| (shape, self.pose()))
    }

    /// The shape and its pose in the body's frame.
    pub(crate) fn placed(&self) -> Option<(&'a Shape, Pose)> {
        self.shape.map(|shape| (shape, self.pose()))
    }

    fn pose(&self) -> Pose {
        self.frame.map_or(Pose::IDENTITY, |(_, _, pose)| pose)
    }

    /// Whether the core is the hull of points, so that verdicts about it are exact.
    pub(crate) fn is_polytopal(&self) -> bool {
        self.wall.is_none() && matches!(self.map, Map::Points(_) | Map::Box(_))
    }
}

/// Bounds of a sum of two radii.
fn bounds([round, margin]: [f64; 2]) -> [f64; 2] {
    let sum = round + margin;
    if round == 0.0 || margin == 0.0 {
        return [sum, sum];
    }
    [sum * (1.0 - f64::EPSILON), sum * (1.0 + f64::EPSILON)]
}
